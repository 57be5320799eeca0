// One board that can be corrected: by mouse or finger, or by keyboard alone.

import { drawBoard, drawFace } from "./board.js";
import { h, s } from "./dom.js";
import { percent, t } from "./language.js";
import { cellName } from "./layout.js";
import { cutOut } from "./overlay.js";
import {
  asRead,
  correctDot,
  correctMark,
  faceAt,
  rankedDots,
  rankedMarks,
  standing,
} from "./reading.js";
import { cellWords, dotWord, markWord } from "./words.js";

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
  // The key's place, not its sign: on French keyboards the unshifted digits are other signs.
  const digit = /^(?:Digit|Numpad)([1-4])$/.exec(event.code);
  const mark = digit && rankedMarks(reading, row, column, marks)[Number(digit[1]) - 1];
  return mark
    ? { reading: correctMark(reading, row, column, mark[0]), chosen: [row, column], focus: "cell" }
    : null;
}

/** The choices for the cell in hand: its picture beside the ranked candidates. */
export function drawChoices(reading, view, { chosen, marks }, change) {
  const [row, column] = chosen;
  const [mark, dot] = faceAt(reading, row, column);
  const canvas = h("canvas", {
    width: 112,
    height: 112,
    class: "crop",
    role: "img",
    "aria-label": t("crop_label"),
  });
  const cell = reading.cells.find((one) => one.row === row && one.column === column);
  if (cell) cutOut(view, cell.quad, canvas);
  const choices = rankedMarks(reading, row, column, marks).map(([value, share], at) =>
    choice(
      {
        face: [value, value === mark ? dot : "?"],
        word: markWord(value),
        share,
        key: String(at + 1),
        pressed: value === mark,
      },
      () => change({ reading: correctMark(reading, row, column, value), focus: "choice" }),
    ),
  );
  const sides = rankedDots(reading, row, column).map(([value, share]) =>
    choice(
      { face: [mark, value], word: dotWord(value), share, key: null, pressed: value === dot },
      () => change({ reading: correctDot(reading, row, column, value), focus: "choice" }),
    ),
  );
  const close = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    change({ open: false, focus: "cell" });
  };
  return h(
    "div",
    {
      class: "choices",
      role: "group",
      "aria-label": t("choices_label", { cell: cellName(row, column) }),
      onkeydown: close,
    },
    h(
      "div",
      { class: "choices-head" },
      canvas,
      h(
        "p",
        {},
        h("strong", {}, cellName(row, column)),
        " ",
        cellWords(reading, row, column).replace(/^[^:]*:\s*/, ""),
      ),
      h(
        "button",
        {
          type: "button",
          class: "close",
          "aria-label": t("close"),
          onclick: () => change({ open: false, focus: "cell" }),
        },
        "×",
      ),
    ),
    h("div", { class: "choice-row" }, ...choices),
    sides.length ? h("p", { class: "choice-title" }, t("dot_title")) : null,
    sides.length ? h("div", { class: "choice-row" }, ...sides) : null,
    standing(reading, row, column).includes("corrected")
      ? h(
          "button",
          {
            type: "button",
            class: "plain",
            onclick: () => change({ reading: asRead(reading, row, column), focus: "choice" }),
          },
          t("as_read"),
        )
      : null,
  );
}

function choice({ face, word, share, key, pressed }, take) {
  const drawing = s(
    "svg",
    { class: "face", viewBox: "-48 -48 96 96", "aria-hidden": "true" },
    ...drawFace(...face),
  );
  return h(
    "button",
    { type: "button", class: "choice", "aria-pressed": String(pressed), onclick: take },
    drawing,
    h("span", { class: "choice-word" }, word),
    h("span", { class: "choice-share" }, share === null ? "" : percent(share)),
    key ? h("kbd", {}, key) : null,
  );
}
