// One board that can be corrected: by mouse or finger, or by keyboard alone.

import { drawBoard } from "./board.js";
import { asRead, correctDot, correctMark, rankedMarks, standing } from "./reading.js";
import { cellWords } from "./words.js";

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const DOT_KEYS = { ArrowUp: "N", ArrowRight: "E", ArrowDown: "S", ArrowLeft: "W" };

/**
 * The board of a reading, live.
 * @param {Object} reading
 * @param {Object} place
 * @param {number[]} place.chosen  row and column of the cell in hand
 * @param {boolean} place.open  whether its choices are shown
 * @param {string[]} place.marks  marks a cell may have
 * @param {string} place.label
 * @param {(next: {reading?: Object, chosen?: number[], open?: boolean, focus?: string}) => void} change
 */
export function drawEditor(reading, { chosen, open, marks, label }, change) {
  const isChosen = (row, column) => row === chosen[0] && column === chosen[1];
  const svg = drawBoard(reading.board, {
    label,
    classes: (row, column) => [
      ...standing(reading, row, column),
      ...(open && isChosen(row, column) ? ["chosen"] : []),
    ],
    describe: (row, column) => cellWords(reading, row, column),
  });
  svg.setAttribute("role", "grid");
  svg.dataset.live = "";
  for (const row of svg.querySelectorAll(".row")) row.setAttribute("role", "row");
  for (const cell of svg.querySelectorAll(".cell")) {
    const [row, column] = [Number(cell.dataset.row), Number(cell.dataset.column)];
    cell.setAttribute("role", "gridcell");
    cell.setAttribute("tabindex", isChosen(row, column) ? "0" : "-1");
  }
  svg.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (place) change({ chosen: place, open: true, focus: "cell" });
  });
  svg.addEventListener("keydown", (event) => {
    const place = placeOf(event.target);
    const next = place && afterKey(event, reading, place, marks);
    if (!next) return;
    event.preventDefault();
    change(next);
  });
  return svg;
}

function placeOf(target) {
  const cell = target.closest?.(".cell");
  return cell ? [Number(cell.dataset.row), Number(cell.dataset.column)] : null;
}

/** What a key does on a cell; null for keys that are not ours. */
function afterKey(event, reading, [row, column], marks) {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const size = reading.board.rows.length;
  if (event.shiftKey && DOT_KEYS[event.key]) {
    return { reading: correctDot(reading, row, column, DOT_KEYS[event.key]), focus: "cell" };
  }
  if (MOVES[event.key]) {
    const [down, right] = MOVES[event.key];
    const clamp = (value) => Math.max(0, Math.min(size - 1, value));
    return { chosen: [clamp(row + down), clamp(column + right)], focus: "cell" };
  }
  if (event.key === "Enter" || event.key === " ")
    return { chosen: [row, column], open: true, focus: "choice" };
  if (event.key === "Escape") return { open: false, focus: "cell" };
  if (event.key === "Backspace" || event.key === "Delete")
    return { reading: asRead(reading, row, column), focus: "cell" };
  const mark = rankedMarks(reading, row, column, marks)[digitOf(event) - 1];
  return mark
    ? { reading: correctMark(reading, row, column, mark[0]), chosen: [row, column], focus: "cell" }
    : null;
}

/** The digit of a key from 1, or NaN; by the key's place, since on French keyboards the unshifted
 * digits are other signs. */
export function digitOf(event) {
  return Number(/^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1]);
}
