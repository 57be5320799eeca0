// Acts of Qwinto and Détrak in words, for people who do not know the notation; see
// `docs/notation.md`. What has no short words is left to the notation.

import { COLOURS, SYMBOLS, SYMBOL_IDS, dieWords, rollWords } from "../dice/die.js";
import { t } from "../language.js";

const NAMES = Object.fromEntries(Object.entries(COLOURS).map(([name, letter]) => [letter, name]));
const IDS = Object.fromEntries(SYMBOL_IDS.map((id) => [SYMBOLS[id], id]));
const symbolWord = (text) => t(`symbol_${IDS[text]}`);

/** An act in words; null where there are none. */
export function actWords(move) {
  const text = (move ?? "").replace(/^[A-F]: /, "");
  const [kind, dice] = text.split(" ");
  if (kind === "roll" || kind === "reroll") {
    const words = diceWords(dice);
    return words && t(`act_${kind}`, { dice: words });
  }
  if (text === "pass") return t("act_pass");
  if (/^x+$/.test(text)) return t("act_failed");
  const words = text.split(" ").map(wordsOfOne);
  return words.length && words.every(Boolean) ? sentence(words.join(", ")) : null;
}

/** `o3y5`: with the sum; `XO`: the symbols; null where a die was not seen or one alone thrown. */
function diceWords(text = "") {
  if (/^([oyp][1-6]~?)+$/.test(text)) {
    const found = [...text.matchAll(/([oyp])([1-6])(~?)/g)];
    const dice = found.map(([, letter, pips, cocked]) => ({
      colour: NAMES[letter],
      value: Number(pips),
      cocked: cocked === "~",
    }));
    return rollWords({ dice, sum: dice.reduce((sum, { value }) => sum + value, 0) });
  }
  const symbols = [...text.replace("~", "")].map((sign) => IDS[sign]);
  if (!symbols.length || symbols.includes(undefined)) return null;
  return symbols.map((value) => dieWords({ value, colour: null })).join(" + ");
}

/** One thing written or erased. */
function wordsOfOne(word) {
  const start = /^start=(.)$/.exec(word);
  if (start && IDS[start[1]]) return t("act_start", { symbol: symbolWord(start[1]) });
  const number = /^(-?)([oyp])(\d+)=(\d+)$/.exec(word);
  if (number) {
    const [, minus, letter, column, value] = number;
    const field = { colour: t(`colour_${NAMES[letter]}`), column, number: value };
    return t(minus ? "act_erased" : "act_number", field);
  }
  const mark = /^([a-e][1-5])([/X=#TO])$/.exec(word);
  return mark ? t("act_symbol", { cell: mark[1], symbol: symbolWord(mark[2]) }) : null;
}

const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}.`;
