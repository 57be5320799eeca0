// A Qwinto sheet as SVG. Units: the sheet is 1000 wide; a column is 79 wide, as on the card.

import { s } from "../dom.js";
import { COLOURS } from "../dice/die.js";
import { t } from "../language.js";

/** Fields of each row by column, its blank cell, its pentagons; as in `engine/qwinto/layout.py`. */
const ROWS = [
  { letter: "o", columns: [2, 3, 4, 6, 7, 8, 9, 10, 11], blank: 5, bonus: [3, 7] },
  { letter: "y", columns: [1, 2, 3, 4, 5, 7, 8, 9, 10], blank: 6, bonus: [8] },
  { letter: "p", columns: [0, 1, 2, 3, 5, 6, 7, 8, 9], blank: 4, bonus: [2, 9] },
];
const NAMES = Object.fromEntries(Object.entries(COLOURS).map(([name, letter]) => [letter, name]));
const COLUMN = 79.2;
const MOST_FAILED = 4;
const [EMPTY, UNSEEN] = [0, -1];

/** All number fields in the order of the sheet's numbers. */
export const FIELDS = ROWS.flatMap(({ letter, columns }) =>
  columns.map((column) => ({ letter, column, name: `${letter}${column}` })),
);

const across = (column) => 64 + COLUMN * column;
const down = (row) => 66 + 108 * row;

/** The field beside another one in a direction; the same where there is none. */
export function neighbour(name, key) {
  const { letter, column } = FIELDS.find((field) => field.name === name);
  const row = ROWS.findIndex((one) => one.letter === letter);
  const { columns } = ROWS[row];
  const at = columns.indexOf(column);
  if (key === "ArrowLeft") return `${letter}${columns[Math.max(0, at - 1)]}`;
  if (key === "ArrowRight") return `${letter}${columns[Math.min(columns.length - 1, at + 1)]}`;
  const to = ROWS[row + (key === "ArrowUp" ? -1 : 1)];
  if (!to) return name;
  const near = [...to.columns].sort((a, b) => Math.abs(a - column) - Math.abs(b - column))[0];
  return `${to.letter}${near}`;
}

/** A field in words: `orange, column 7: 12`. */
export function fieldWords(sheet, name) {
  const { letter, column } = FIELDS.find((field) => field.name === name);
  const number = sheet.numbers[FIELDS.findIndex((field) => field.name === name)];
  const held = number === EMPTY ? t("field_empty") : numberText(number);
  return t("field_qwinto", { colour: t(`colour_${NAMES[letter]}`), column, held });
}

const numberText = (number) => (number === UNSEEN ? "?" : String(number));

/**
 * Draw a sheet.
 * @param {{numbers: number[], failed: number, strip: Object}} sheet
 * @param {Object} look
 * @param {(name: string) => string[]} look.classes  extra classes of a field
 * @param {boolean} [look.failedLast]  the last failed throw was marked just now
 * @param {(where: string) => string[]} [look.boxClasses]  extra classes of the failed throws and
 *   of the boxes of the strip, by their paths in a reading
 */
export function drawQwinto(sheet, { classes, failedLast = false, boxClasses = () => [] }) {
  const rows = ROWS.map((row, at) => drawRow(sheet, row, at, classes));
  return s(
    "svg",
    { class: "sheet-drawn qwinto", viewBox: "0 0 1000 560" },
    s("rect", { class: "paper", x: 2, y: 2, width: 996, height: 556, rx: 22 }),
    ...rows,
    drawFailed(sheet, failedLast, boxClasses),
    drawStrip(sheet.strip, boxClasses),
  );
}

function drawRow(sheet, { letter, columns, blank, bonus }, at, classes) {
  const first = Math.min(...columns);
  const [x, y] = [across(first) - 44, down(at)];
  const bar = s("rect", { class: "bar", x, y: y - 45, width: COLUMN * 9 + 88, height: 90, rx: 45 });
  const gap = s("rect", {
    class: "gap",
    x: across(blank) - 33,
    y: y - 33,
    width: 66,
    height: 66,
    rx: 14,
  });
  const fields = columns.map((column) => {
    const name = `${letter}${column}`;
    const number = sheet.numbers[FIELDS.findIndex((field) => field.name === name)];
    const look = ["field", ...classes(name)].join(" ");
    return s(
      "g",
      { class: look, "data-field": name, "aria-label": fieldWords(sheet, name) },
      bonus.includes(column) ? pentagon(across(column), y, 41) : disc(across(column), y, 35),
      number === EMPTY
        ? null
        : s("text", { class: "number", x: across(column), y: y + 14 }, numberText(number)),
    );
  });
  return s("g", { class: `row row-${NAMES[letter]}` }, bar, gap, ...fields);
}

const disc = (cx, cy, r) => s("circle", { class: "place", cx, cy, r });

function pentagon(cx, cy, r) {
  const corners = [0, 1, 2, 3, 4].map((n) => {
    const angle = (2 * Math.PI * n) / 5 - Math.PI / 2;
    return `${(cx + r * Math.cos(angle)).toFixed(1)},${(cy + 2 + r * Math.sin(angle)).toFixed(1)}`;
  });
  return s("polygon", { class: "place", points: corners.join(" ") });
}

function drawFailed({ failed }, last, boxClasses) {
  const marked = (n) => n < failed;
  const boxes = Array.from({ length: MOST_FAILED }, (_, n) => {
    const [x, y] = [380 + 72 * n, 358];
    const newest = last && n === failed - 1;
    return s(
      "g",
      { class: newest ? "failed-box last" : "failed-box" },
      s("rect", { class: "box", x, y, width: 58, height: 58, rx: 10 }),
      failed === UNSEEN ? s("text", { class: "points", x: x + 29, y: y + 40 }, "?") : null,
      marked(n)
        ? s("path", { class: "stroke", d: `M ${x + 13} ${y + 13} l 32 32 m 0 -32 l -32 32` })
        : null,
    );
  });
  const words = s("text", { class: "small-words", x: 360, y: 395 }, t("sheet_failed"));
  const look = ["failed", ...boxClasses("failed")].join(" ");
  return s("g", { class: look, "data-where": "failed" }, words, ...boxes);
}

/** The score strip: rows, pentagons, failed throws, total, with their signs between them. */
function drawStrip({ rows, bonus, penalty, total }, boxClasses) {
  const y = 496;
  const holding = (where, x, value, shape) =>
    s(
      "g",
      { class: ["score", ...boxClasses(where)].join(" "), "data-where": where },
      shape,
      s("text", { class: "points", x, y: y + 13 }, value === null ? "" : String(value)),
    );
  const box = (where, x, wide, value, name) => {
    const at = { x: x - wide / 2, y: y - 33, width: wide, height: 66, rx: 10 };
    return holding(where, x, value, s("rect", { class: `box ${name}`, ...at }));
  };
  const sign = (x, text) => s("text", { class: "sign", x, y: y + 14 }, text);
  return s(
    "g",
    { class: "strip" },
    s("rect", { class: "strip-ground", x: 2, y: 440, width: 996, height: 118, rx: 22 }),
    ...rows.map((value, n) =>
      box(`strip.rows[${n}]`, 56 + 80 * n, 70, value, Object.keys(COLOURS)[n]),
    ),
    sign(278, "+"),
    ...bonus.map((value, n) => {
      const x = 342 + 78 * n;
      return holding(`strip.bonus[${n}]`, x, value, pentagon(x, y, 38));
    }),
    sign(718, "−"),
    box("strip.penalty", 778, 70, penalty, "penalty"),
    sign(840, "="),
    box("strip.total", 920, 112, total, "total"),
  );
}
