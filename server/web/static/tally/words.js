// Fields, lines and values of sheets in words.

import { COLOURS, SYMBOLS, SYMBOL_IDS } from "../dice/die.js";
import { t } from "../language.js";
import { FIELDS } from "../sheets/qwinto.js";

const ROWS = Object.keys(COLOURS);
const LETTERS = "abcde";
const BONUS_COLUMNS = [2, 3, 7, 8, 9];
const IDS = Object.fromEntries(SYMBOL_IDS.map((id) => [SYMBOLS[id], id]));
const A_ROW = 9;
export const EMPTY_SYMBOL = ".";

/** Name and numbers of a path: `grid[1][2]` is `["grid", 1, 2]`. */
function parts(where) {
  const [name, ...numbers] = where.split(/[[\]]+/).filter(Boolean);
  return [name, ...numbers.map(Number)];
}

/** A field by its path in words, as people call it: `orange, column 7`, `total`. */
export function whereWords(where) {
  const [name, n, m] = parts(where);
  if (ROWS.includes(name)) {
    const { column } = FIELDS[ROWS.indexOf(name) * A_ROW + n];
    return t("where_number", { colour: t(`colour_${name}`), column });
  }
  if (name === "grid") return t("where_cell", { name: `${LETTERS[m]}${n + 1}` });
  if (name === "failed") return t("where_failed");
  return sumWords(where);
}

/** A line or a box of sums in words, by its path or the name of its line. */
export function sumWords(where) {
  const [name, n] = parts(where.replace(/^(strip|boxes)\./, ""));
  if (name === "bonus") return t("where_bonus", { column: BONUS_COLUMNS[n] });
  if (name === "cols") return t("where_column", { letter: LETTERS[n] });
  if (name === "diagonal" && n === undefined) return t("where_diagonal");
  if (name === "diagonal") return t(n === 0 ? "where_below" : "where_above");
  if (name === "penalty") return t("where_penalty");
  return t("where_total");
}

/** A row's line needs the game: rows of Qwinto have colours, those of Détrak numbers. */
export function lineWords(line, game) {
  const [name, n] = parts(line.replace(/^(strip|boxes)\./, ""));
  if (name !== "rows") return sumWords(line);
  if (game === "detrak") return t("where_line", { n: n + 1 });
  return t("where_row", { colour: t(`colour_${ROWS[n]}`) });
}

/** A box of a sheet in words: as `whereWords`, rows of sums by their game. */
export function fieldWords(where, game) {
  return /\.rows\[/.test(where) ? lineWords(where, game) : whereWords(where);
}

/** Whether nothing stands in a field that holds such a value. */
export function isEmpty(where, value) {
  if (where === "failed") return false;
  return value === null || value === EMPTY_SYMBOL || (value === 0 && !isSum(where));
}

/** Whether a field holds a sum of the player, and not an entry of the game. */
export const isSum = (where) => /^(strip|boxes)\./.test(where);

/** A value in words: `12`, `three bars`, `empty`. */
export function valueWords(where, value) {
  if (isEmpty(where, value)) return t("pile_empty");
  return value in IDS ? t(`symbol_${IDS[value]}`) : String(value).replace("-", "−");
}

/** The id of a symbol's text; undefined for a number. */
export const symbolOf = (value) => IDS[value];

/** A value as the server wants it. */
export function textOf(value) {
  return value === null ? "" : String(value);
}
