// Drawing boards of Quinto as SVG: the one place that knows how tiles look.
// Units: a cell is 60 wide; names stand above and on the left, sums may stand beyond any edge.

import { s } from "../dom.js";
import { cellName } from "../layout.js";

const CELL = 60;
const NAMES = 44;
const RIM = 50;
const EDGE = 4;

export const isTile = (sign) => sign >= "0" && sign <= "9";

/** The sign of a cell: `.` empty, a digit, `?` not seen. */
export const signAt = (rows, [row, column]) => rows[row]?.[column];

/**
 * Draw a board.
 * @param {string[]} rows
 * @param {Object} look
 * @param {string} look.label  what the picture is, for people who do not see it
 * @param {number[]|null} [look.start]  the start cell
 * @param {number[][]} [look.ghosts]  tiles that do not lie there, `[row, column, value]`
 * @param {(row: number, column: number) => string[]} [look.classes]  extra classes of a cell
 * @param {(row: number, column: number) => string} [look.describe]  a cell in words
 * @param {Object[]} [look.lines]  lines to draw with their sums: `cells`, `total`, `fits`
 * @returns {SVGElement} cells are `g.cell` with `data-row`, `data-column` and `data-sign`
 */
export function drawTileBoard(rows, look) {
  const { label, start = null, ghosts = [], classes, describe, lines = [] } = look;
  const [width, height] = [rows[0].length * CELL, rows.length * CELL];
  const frame = `${-NAMES} ${-NAMES} ${width + NAMES + RIM} ${height + NAMES + RIM}`;
  const svg = s("svg", { class: "tile-board", viewBox: frame, "aria-label": label });
  svg.append(s("rect", { class: "ground", x: -6, y: -6, width: width + 12, height: height + 12 }));
  svg.append(...names(rows.length, rows[0].length));
  const ghostAt = new Map(ghosts.map(([row, column, value]) => [`${row},${column}`, value]));
  rows.forEach((line, row) => {
    const group = s("g", { class: "row" });
    [...line].forEach((sign, column) => {
      const more = [...(classes?.(row, column) ?? [])];
      if (start && start[0] === row && start[1] === column) more.push("start");
      const ghost = ghostAt.get(`${row},${column}`) ?? null;
      group.append(drawCell({ sign, ghost, row, column, more, words: describe?.(row, column) }));
    });
    svg.append(group);
  });
  svg.append(...lines.map(drawLine));
  return svg;
}

function names(rows, columns) {
  const name = (x, y, words) =>
    s("text", { class: "name", x, y, "aria-hidden": "true" }, String(words));
  const middle = (at) => at * CELL + CELL / 2;
  return [
    ...Array.from({ length: columns }, (_, at) => name(middle(at), -24, cellName(0, at)[0])),
    ...Array.from({ length: rows }, (_, at) => name(-24, middle(at), at + 1)),
  ];
}

function drawCell({ sign, ghost, row, column, more, words }) {
  const cell = s("g", {
    class: ["cell", ...(ghost === null ? [] : ["ghost"]), ...more].join(" "),
    "data-row": row,
    "data-column": column,
    "data-sign": sign,
    transform: `translate(${column * CELL} ${row * CELL})`,
    "aria-label": words ?? null,
  });
  cell.append(s("rect", { class: "square", width: CELL, height: CELL }));
  if (more.includes("start")) cell.append(s("path", { class: "star", d: "M30 12 48 30 30 48 12 30z" }));
  if (sign === "?") cell.append(s("text", { class: "unseen", x: CELL / 2, y: CELL / 2 + 2 }, "?"));
  const value = isTile(sign) ? sign : ghost;
  if (value !== null && (isTile(sign) || ghost !== null)) cell.append(...drawTile(value));
  cell.append(s("rect", { class: "edge", x: 3, y: 3, width: CELL - 6, height: CELL - 6, rx: 9 }));
  return cell;
}

/** One tile, [0, 60] × [0, 60]: 6 and 9 are underlined, as on tiles. */
export function drawTile(value) {
  const side = CELL - 2 * EDGE;
  const parts = [
    s("rect", { class: "tile", x: EDGE, y: EDGE, width: side, height: side, rx: 8 }),
    s("text", { class: "digit", x: CELL / 2, y: CELL / 2 + 1 }, String(value)),
  ];
  if (String(value) === "6" || String(value) === "9")
    parts.push(s("line", { class: "under", x1: 20, y1: 51, x2: 40, y2: 51 }));
  return parts;
}

/** A frame around a line, and its sum behind its last tile, where no tile can lie. */
function drawLine({ cells, total, fits, where }) {
  const [row, column] = cells[0];
  const [lastRow, lastColumn] = cells.at(-1);
  const down = lastRow > row;
  const x = lastColumn * CELL + (down ? CELL / 2 : CELL + 27);
  const y = lastRow * CELL + (down ? CELL + 22 : CELL / 2);
  return s(
    "g",
    { class: fits ? "sum fits" : "sum fails", "aria-hidden": "true", "data-where": where ?? null },
    s("rect", {
      class: "around",
      x: column * CELL + 1,
      y: row * CELL + 1,
      width: (lastColumn - column + 1) * CELL - 2,
      height: (lastRow - row + 1) * CELL - 2,
      rx: 12,
    }),
    s("rect", { class: "plate", x: x - 25, y: y - 18, width: 50, height: 36, rx: 18 }),
    s("text", { x, y: y + 1 }, String(total)),
  );
}
