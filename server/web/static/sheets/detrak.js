// A Détrak sheet as SVG: 5 × 5 symbols with their scores. Units: a cell is 100 wide.

import { s } from "../dom.js";
import { SYMBOLS, SYMBOL_IDS, drawSymbol } from "../dice/die.js";
import { t } from "../language.js";

const CELL = 100;
const SIZE = 5;
const LETTERS = "abcde";
const IDS = Object.fromEntries(SYMBOL_IDS.map((id) => [SYMBOLS[id], id]));

export const cellName = (row, column) => `${LETTERS[column]}${row + 1}`;

/** Row and column of a cell by its name. */
export function placeOf(name) {
  return [Number(name[1]) - 1, LETTERS.indexOf(name[0])];
}

/** The symbol's id in a cell; null where it is empty, `other` where it was not made out. */
export function symbolAt(sheet, name) {
  const [row, column] = placeOf(name);
  const text = sheet.rows[row][column];
  return text === "." ? null : (IDS[text] ?? "other");
}

/** Whether two cells share an edge. */
export function touch(one, other) {
  const [[a, b], [c, d]] = [placeOf(one), placeOf(other)];
  return Math.abs(a - c) + Math.abs(b - d) === 1;
}

/** The cell beside another one in a direction; the same at the edge. */
export function neighbour(name, key) {
  const [row, column] = placeOf(name);
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const clamp = (value) => Math.max(0, Math.min(SIZE - 1, value));
  return cellName(clamp(row + steps[key][0]), clamp(column + steps[key][1]));
}

/** A cell in words: `b3: cross`. */
export function cellWords(sheet, name) {
  const symbol = symbolAt(sheet, name);
  const held = symbol && (symbol === "other" ? t("die_unreadable") : t(`symbol_${symbol}`));
  return t("field_detrak", { name, held: held ?? t("field_empty") });
}

/**
 * Draw a sheet.
 * @param {{rows: string[], scores: Object}} sheet  a box without a number holds null; `diagonal` of
 *   the scores is null where it does not count, one number, or the numbers of its two boxes
 * @param {Object} look
 * @param {(name: string) => string[]} look.classes  extra classes of a cell
 * @param {Object<string, string>} [look.ghosts]  symbols about to be written, by cell
 * @param {(where: string) => string[]} [look.boxClasses]  extra classes of the score boxes, by
 *   their paths in a reading
 */
export function drawDetrak(sheet, { classes, ghosts = {}, boxClasses = () => [] }) {
  const rows = Array.from({ length: SIZE }, (_, row) => drawRow(sheet, row, classes, ghosts));
  return s(
    "svg",
    { class: "sheet-drawn detrak", viewBox: "-12 -12 724 724" },
    s("rect", { class: "paper", x: -10, y: -10, width: 720, height: 720, rx: 22 }),
    ...rows,
    s("rect", { class: "start-frame", x: CELL + 4, y: CELL + 4, width: 92, height: 92, rx: 10 }),
    ...drawScores(sheet.scores, boxClasses),
  );
}

function drawRow(sheet, row, classes, ghosts) {
  const cells = Array.from({ length: SIZE }, (_, column) => {
    const name = cellName(row, column);
    const grey = row + column === SIZE - 1;
    const symbol = symbolAt(sheet, name);
    const drawn = symbol ?? ghosts[name];
    const look = ["field", ...(grey ? ["grey"] : []), ...(ghosts[name] ? ["ghost"] : [])];
    return s(
      "g",
      {
        class: [...look, ...classes(name)].join(" "),
        "data-field": name,
        "aria-label": cellWords(sheet, name),
        transform: `translate(${CELL * (column + 1)} ${CELL * (row + 1)})`,
      },
      s("rect", { class: "place", x: 4, y: 4, width: 92, height: 92, rx: 10 }),
      ...(drawn === "other"
        ? [s("text", { class: "number", x: 50, y: 64 }, "?")]
        : drawSymbol(drawn)),
    );
  });
  return s("g", { class: "row" }, ...cells);
}

/** Worth of rows on the right, of columns below, of the diagonal at its ends, and the total. */
function drawScores({ rows, cols, diagonal, total }, boxClasses) {
  const box = (where, row, column, value, name = "") => {
    const at = { x: CELL * column + 12, y: CELL * row + 12, width: 76, height: 76, rx: 10 };
    const words = value === null ? "" : String(value);
    return s(
      "g",
      { class: ["score", ...boxClasses(where)].join(" "), "data-where": where },
      s("rect", { class: `box ${name}`, ...at }),
      s("text", { class: "points", x: CELL * column + 50, y: CELL * row + 63 }, words),
    );
  };
  const ends = Array.isArray(diagonal) ? diagonal : [diagonal, diagonal];
  return [
    ...rows.map((value, n) => box(`boxes.rows[${n}]`, n + 1, 6, value)),
    ...cols.map((value, n) => box(`boxes.cols[${n}]`, 6, n + 1, value)),
    ...(diagonal === null
      ? []
      : [
          box("boxes.diagonal[0]", 6, 0, ends[0], "diagonal"),
          box("boxes.diagonal[1]", 0, 6, ends[1], "diagonal"),
        ]),
    box("boxes.total", 6, 6, total, "total"),
  ];
}
