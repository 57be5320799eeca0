// Drawing Quixo boards as SVG: the one place that knows how a board looks.
// Units: a cell is 100 wide; the board is [0, 500] × [0, 500] with a margin for names and arrows.

import { s } from "./dom.js";
import { cellName, dotAt, isMarked, markAt, parseMove } from "./layout.js";

const CELL = 100;
const MARGIN = 62;
const RIM = 16;
// Where the dot of each side lies from the cell's middle: within the ring, or in the notch
// between two arms of the cross.
const DIRECTIONS = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };
const DOT_REACH = { X: 34, O: 15 };

/**
 * Draw a board.
 * @param {{rows: string[], dots: string[]}} board
 * @param {Object} look
 * @param {string} look.label  what the picture is, for people who do not see it
 * @param {(row: number, column: number) => string[]} [look.classes]  extra classes of a cell
 * @param {(row: number, column: number) => string} [look.describe]  a cell in words
 * @param {string|null} [look.move]  a move in notation, drawn with its cube and its push
 * @returns {SVGElement} cells are `g.cell` with `data-row` and `data-column`
 */
export function drawBoard(board, { label, classes, describe, move = null }) {
  const size = board.rows.length;
  const span = size * CELL;
  const parsed = parseMove(move);
  // Room for names above and on the left; on the other sides only where an arrow may come from.
  const whole = span + MARGIN + (parsed ? MARGIN : RIM);
  const frame = `${-MARGIN} ${-MARGIN} ${whole} ${whole}`;
  const svg = s("svg", { class: "board", viewBox: frame, "aria-label": label });
  svg.append(s("rect", { class: "tray", x: -14, y: -14, width: span + 28, height: span + 28, rx: 22 }));
  svg.append(...names(size));
  for (let row = 0; row < size; row += 1) {
    const line = s("g", { class: "row" });
    for (let column = 0; column < size; column += 1) {
      line.append(drawCell(board, row, column, classes?.(row, column), describe?.(row, column)));
    }
    svg.append(line);
  }
  if (parsed) svg.append(drawMove(parsed, size));
  return svg;
}

function names(size) {
  const texts = [];
  for (let at = 0; at < size; at += 1) {
    const middle = at * CELL + CELL / 2;
    const letter = cellName(0, at)[0];
    texts.push(s("text", { class: "name", x: middle, y: -30, "aria-hidden": "true" }, letter));
    texts.push(s("text", { class: "name", x: -38, y: middle, "aria-hidden": "true" }, String(at + 1)));
  }
  return texts;
}

function drawCell(board, row, column, classes = [], description = null) {
  const mark = markAt(board, row, column);
  const cell = s("g", {
    class: ["cell", ...classes].join(" "),
    "data-row": row,
    "data-column": column,
    "data-mark": mark,
    transform: `translate(${column * CELL + CELL / 2} ${row * CELL + CELL / 2})`,
    "aria-label": description,
  });
  cell.append(...drawFace(mark, dotAt(board, row, column)));
  cell.append(s("rect", { class: "edge", x: -45, y: -45, width: 90, height: 90, rx: 12 }));
  if (classes.includes("asked")) cell.append(badge("?"));
  if (classes.includes("corrected")) cell.append(badge("✓"));
  return cell;
}

function badge(sign) {
  const place = s("g", { class: "badge", transform: "translate(34 -34)", "aria-hidden": "true" });
  place.append(s("circle", { r: 15 }), s("text", { y: 1 }, sign));
  return place;
}

/** The upward face of one cube, drawn about the origin: also used as a picture of a choice. */
export function drawFace(mark, dot) {
  const block = { x: -45, y: -45, width: 90, height: 90, rx: 12 };
  if (mark === "_") return [s("rect", { class: "gap", ...block })];
  if (mark === "?") return [s("rect", { class: "unseen", ...block }), s("text", { class: "unseen-sign" }, "?")];
  const parts = [s("rect", { class: isMarked(mark) ? "cube marked" : "cube", ...block })];
  if (mark === "X") parts.push(s("path", { class: "cross", d: "M-24-24 24 24M24-24-24 24" }));
  if (mark === "O") parts.push(s("circle", { class: "ring", r: 28 }));
  if (isMarked(mark) && DIRECTIONS[dot]) {
    const [x, y] = DIRECTIONS[dot].map((part) => part * DOT_REACH[mark]);
    parts.push(s("circle", { class: "dot", cx: x, cy: y, r: 6.5 }));
  }
  return parts;
}

/** The cube taken, and the arrow that pushes the line from the end where it goes back in. */
function drawMove({ row, column, end }, size) {
  const [x, y] = [column * CELL, row * CELL];
  const group = s("g", { class: "move", "aria-hidden": "true" });
  group.append(s("rect", { class: "taken", x: x + 3, y: y + 3, width: 94, height: 94, rx: 14 }));
  const far = size * CELL + 52;
  const middle = { x: x + CELL / 2, y: y + CELL / 2 };
  const ends = { L: [-52, middle.y], R: [far, middle.y], T: [middle.x, -52], B: [middle.x, far] };
  const [fromX, fromY] = ends[end];
  // The arrow points from outside over the cubes that slide, up to the hole the cube left.
  const shortX = Math.sign(fromX - middle.x) * 30;
  const shortY = Math.sign(fromY - middle.y) * 30;
  const toX = end === "L" || end === "R" ? middle.x + shortX : fromX;
  const toY = end === "T" || end === "B" ? middle.y + shortY : fromY;
  group.append(s("line", { class: "push halo", x1: fromX, y1: fromY, x2: toX, y2: toY }));
  group.append(s("line", { class: "push", x1: fromX, y1: fromY, x2: toX, y2: toY }));
  group.append(arrowHead(toX, toY, Math.atan2(toY - fromY, toX - fromX)));
  return group;
}

function arrowHead(x, y, angle) {
  const degrees = (angle * 180) / Math.PI;
  return s("path", { class: "head", d: "M8 0-20-17-20 17z", transform: `translate(${x} ${y}) rotate(${degrees})` });
}
