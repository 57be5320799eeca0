// Drawing dice as SVG: the one place that knows how a die looks. Units: a die is 100 wide.

import { s } from "../dom.js";
import { digitOf } from "../editor.js";
import { t } from "../language.js";

/** Symbols of Détrak in the order of the rules, with their sign in notation. */
export const SYMBOLS = {
  bar: "/",
  cross: "X",
  triple: "=",
  hash: "#",
  triangle: "T",
  circle: "O",
};
export const SYMBOL_IDS = Object.keys(SYMBOLS);
export const PIPS = [1, 2, 3, 4, 5, 6];

/** Rows and dice of Qwinto from top to bottom, with their letter in notation. */
export const COLOURS = { orange: "o", yellow: "y", purple: "p" };

const [LOW, MID, HIGH] = [27, 50, 73];
const PLACES = {
  1: [[MID, MID]],
  2: [
    [LOW, HIGH],
    [HIGH, LOW],
  ],
  3: [
    [LOW, HIGH],
    [MID, MID],
    [HIGH, LOW],
  ],
  4: [
    [LOW, LOW],
    [HIGH, LOW],
    [LOW, HIGH],
    [HIGH, HIGH],
  ],
  5: [
    [LOW, LOW],
    [HIGH, LOW],
    [MID, MID],
    [LOW, HIGH],
    [HIGH, HIGH],
  ],
  6: [
    [LOW, LOW],
    [HIGH, LOW],
    [LOW, MID],
    [HIGH, MID],
    [LOW, HIGH],
    [HIGH, HIGH],
  ],
};
const STROKES = {
  bar: ["M 28 72 L 72 28"],
  cross: ["M 29 29 L 71 71", "M 71 29 L 29 71"],
  triple: ["M 32 27 V 73", "M 50 27 V 73", "M 68 27 V 73"],
  hash: ["M 39 25 V 75", "M 61 25 V 75", "M 25 39 H 75", "M 25 61 H 75"],
  triangle: ["M 50 25 L 76 72 H 24 Z"],
  circle: ["M 50 25 A 25 25 0 1 1 49.9 25 Z"],
};

/** Whether a value is one that dice of ours show. */
export function isKnown(value) {
  return value in PLACES || value in STROKES;
}

/** The strokes of a symbol, for a die or a cell of a sheet 100 wide. */
export function drawSymbol(id) {
  return (STROKES[id] ?? []).map((d) => s("path", { class: "stroke", d }));
}

/**
 * A die from above.
 * @param {{value: number|string|null, colour: string|null, cocked?: boolean, asked?: boolean}} die
 *   without a value it is a die that nobody has thrown or made out
 * @param {Object} [attributes] of the SVG
 */
export function drawDie({ value, colour, cocked = false, asked = false }, attributes = {}) {
  const { class: more = "", ...rest } = attributes;
  const classes = ["die", `on-${colour ?? "white"}`, more];
  if (cocked) classes.push("cocked");
  if (asked) classes.push("asked");
  if (value === null || value === undefined) classes.push("blank");
  const body = s("rect", { class: "body", x: 5, y: 5, width: 90, height: 90, rx: 18 });
  const top = s("rect", { class: "top", x: 11, y: 10, width: 78, height: 78, rx: 26 });
  return s(
    "svg",
    { class: classes.join(" "), viewBox: "0 0 100 100", "aria-hidden": "true", ...rest },
    s("g", { class: "lying" }, body, top, ...drawFace(value)),
  );
}

function drawFace(value) {
  if (value in PLACES)
    return PLACES[value].map(([cx, cy]) => s("circle", { class: "pip", cx, cy, r: 9.5 }));
  if (value in STROKES) return drawSymbol(value);
  if (value === "other") return [s("text", { class: "unsure", x: 50, y: 70 }, "?")];
  return [];
}

/** A die in words: `orange 3`, `cross`, `purple, not readable`. */
export function dieWords({ value, colour, cocked = false }) {
  const face = value in STROKES ? t(`symbol_${value}`) : String(value);
  const shown = value === "other" || value === null ? t("die_unreadable") : face;
  const words = colour ? `${t(`colour_${colour}`)} ${shown}` : shown;
  return cocked ? `${words}, ${t("die_cocked")}` : words;
}

/** All dice of a roll in words: `orange 3 + yellow 5 = 8`. */
export function rollWords({ dice, sum }) {
  if (!dice.length) return t("roll_unseen");
  const words = dice.map(dieWords).join(" + ");
  return sum === null || dice.length < 2 ? words : `${words} = ${sum}`;
}

/** Dice in notation, `o3y5` or `XO`; null where one cannot be told. */
export function notationOf(dice, game) {
  const one = ({ value, colour, cocked = false }) => {
    const flag = cocked ? "~" : "";
    if (game === "detrak") return SYMBOLS[value];
    return value in PLACES && colour in COLOURS ? `${COLOURS[colour]}${value}${flag}` : undefined;
  };
  const words = dice.map(one);
  if (!words.length || words.includes(undefined)) return null;
  const ends = game === "detrak" && dice.some((die) => die.cocked) ? "~" : "";
  const rest = game === "detrak" ? ".".repeat(Math.max(0, 2 - dice.length)) : "";
  return words.join("") + rest + ends;
}

/** The face that a key means: `1` to `6` in the order of the game, or a symbol's sign; or null. */
export function faceOfKey(event, game) {
  const sign = event.key.toUpperCase();
  const symbol = SYMBOL_IDS.find((id) => SYMBOLS[id] === sign);
  if (game === "detrak" && symbol) return symbol;
  const faces = game === "qwinto" ? PIPS : SYMBOL_IDS;
  // By the key's place too: on French keyboards the unshifted digits are other signs.
  return faces[Number(event.key) - 1] ?? (event.altKey ? null : faces[digitOf(event) - 1]) ?? null;
}
