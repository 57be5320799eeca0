// Drawing Quixo boards as SVG: the one place that knows how a board looks.
// Units: a cell is 100 wide; the board is [0, 500] × [0, 500] with a margin for names and arrows.

import { s } from "./dom.js";
import { cellName, dotAt, isMarked, markAt, parseMove } from "./layout.js";

const CELL = 100;
const MARGIN = 62;
const RIM = 16;
// Where arrows begin: beyond the tray, and short of the names.
const OUTSIDE = 52;
const NEAR = 20;
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
 * @param {boolean} [look.arrows]  leave room for arrows on all sides
 * @param {string|null} [look.move]  a move in notation, drawn with its cube and its push
 * @param {{row, column, end}|null} [look.came]  the cube that came in last, and from which end
 * @returns {SVGElement} cells are `g.cell` with `data-row` and `data-column`
 */
export function drawBoard(board, look) {
  const { label, classes, describe, arrows = false, move = null, came = null } = look;
  const size = board.rows.length;
  const span = size * CELL;
  // Room for names above and on the left; on the other sides only where an arrow may come from.
  const whole = span + MARGIN + (arrows ? MARGIN : RIM);
  const frame = `${-MARGIN} ${-MARGIN} ${whole} ${whole}`;
  const svg = s("svg", { class: "board", viewBox: frame, "aria-label": label });
  svg.append(
    s("rect", { class: "tray", x: -14, y: -14, width: span + 28, height: span + 28, rx: 22 }),
  );
  svg.append(...names(size));
  for (let row = 0; row < size; row += 1) {
    const line = s("g", { class: "row" });
    for (let column = 0; column < size; column += 1) {
      line.append(drawCell(board, row, column, classes?.(row, column), describe?.(row, column)));
    }
    svg.append(line);
  }
  svg.append(drawMove(parseMove(move), size));
  if (came) svg.append(drawCame(came, size));
  return svg;
}

function names(size) {
  const texts = [];
  for (let at = 0; at < size; at += 1) {
    const middle = at * CELL + CELL / 2;
    const letter = cellName(0, at)[0];
    texts.push(s("text", { class: "name", x: middle, y: -30, "aria-hidden": "true" }, letter));
    texts.push(
      s("text", { class: "name", x: -38, y: middle, "aria-hidden": "true" }, String(at + 1)),
    );
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
  if (mark === "?")
    return [s("rect", { class: "unseen", ...block }), s("text", { class: "unseen-sign" }, "?")];
  const parts = [s("rect", { class: isMarked(mark) ? "cube marked" : "cube", ...block })];
  if (mark === "X") parts.push(s("path", { class: "cross", d: "M-24-24 24 24M24-24-24 24" }));
  if (mark === "O") parts.push(s("circle", { class: "ring", r: 28 }));
  if (isMarked(mark) && DIRECTIONS[dot]) {
    const [x, y] = DIRECTIONS[dot].map((part) => part * DOT_REACH[mark]);
    parts.push(s("circle", { class: "dot", cx: x, cy: y, r: 6.5 }));
  }
  return parts;
}

/** Cubes taken, the arrows that push them in, and cubes turned in passing. */
function drawMove({ pushes, turned }, size) {
  const group = s("g", { class: "move", "aria-hidden": "true" });
  const frame = (kind, { row, column }) =>
    s("rect", {
      class: kind,
      x: column * CELL + 3,
      y: row * CELL + 3,
      width: 94,
      height: 94,
      rx: 14,
    });
  group.append(...turned.map((cell) => frame("turned", cell)));
  for (const push of pushes) group.append(frame("taken", push), ...drawPush(push, size));
  return group;
}

/** An arrow from outside, over the cubes that slide, up to the hole the cube left. */
function drawPush({ row, column, end, line }, size) {
  const across = end === "L" || end === "R";
  const from = end === "L" || end === "T" ? -NEAR : size * CELL + OUTSIDE;
  const own = line === (across ? row : column);
  const hole = (across ? column : row) * CELL + CELL / 2;
  const far = from < 0 ? size * CELL - CELL / 2 : CELL / 2;
  const along = own ? hole + Math.sign(from - hole) * 30 : far;
  const beside = line * CELL + CELL / 2;
  const [x1, y1, x2, y2] = across ? [from, beside, along, beside] : [beside, from, beside, along];
  const angle = Math.atan2(y2 - y1, x2 - x1);
  return [
    s("line", { class: "push halo", x1, y1, x2, y2 }),
    s("line", { class: "push", x1, y1, x2, y2 }),
    arrowHead(x2, y2, angle),
  ];
}

/** A small arrow beside the board: here the last cube came in. */
function drawCame({ row, column, end }, size) {
  const across = end === "L" || end === "R";
  const inward = end === "L" || end === "T" ? 1 : -1;
  // On the tray's rim: names stand just outside it on the near sides.
  const edge = inward > 0 ? 6 : size * CELL - 6;
  const beside = (across ? row : column) * CELL + CELL / 2;
  const [x, y] = across ? [edge, beside] : [beside, edge];
  const angle = across ? (inward > 0 ? 0 : Math.PI) : (inward * Math.PI) / 2;
  return s("g", { class: "move came", "aria-hidden": "true" }, arrowHead(x, y, angle, 0.7));
}

function arrowHead(x, y, angle, scale = 1) {
  const degrees = (angle * 180) / Math.PI;
  return s("path", {
    class: "head",
    d: "M8 0-20-17-20 17z",
    transform: `translate(${x} ${y}) rotate(${degrees}) scale(${scale})`,
  });
}
