// The choices for one cell: its picture beside what it may be, the most likely first.

import { drawFace } from "./board.js";
import { button, h, s } from "./dom.js";
import { digitOf } from "./editor.js";
import { chance, t } from "./language.js";
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
import { dotWord, markWord, valueWords } from "./words.js";

/**
 * Draw the choices; see `drawEditor` for the arguments.
 * @param {Object} view  the server's answer, for the picture of the cell
 * @param {boolean} place.dots  false where dots mean nothing
 */
export function drawChoices(reading, view, { chosen, marks, dots = true }, change) {
  const [row, column] = chosen;
  const [mark, dot] = faceAt(reading, row, column);
  const putMark = (value) =>
    change({ reading: correctMark(reading, row, column, value), focus: "choice" });
  const putDot = (value) =>
    change({ reading: correctDot(reading, row, column, value), focus: "choice" });
  const ranked = rankedMarks(reading, row, column, marks);
  const faces = ranked.map(([value, share], at) => {
    const look = { face: [value, value === mark ? dot : "?"], word: markWord(value), share };
    return drawChoice(look, value === mark, () => putMark(value), String(at + 1));
  });
  const sides = (dots ? rankedDots(reading, row, column) : []).map(([value, share]) => {
    const look = { face: [mark, value], word: dotWord(value), share };
    return drawChoice(look, value === dot, () => putDot(value));
  });
  const keys = (event) => {
    const picked = ranked[digitOf(event) - 1];
    if (event.key === "Escape") change({ open: false, focus: "cell" });
    else if (picked) putMark(picked[0]);
  };
  const label = t("choices_label", { cell: cellName(row, column) });
  return h(
    "div",
    { class: "choices", role: "group", "aria-label": label, onkeydown: keys },
    drawHead(reading, view, chosen, change),
    h("div", { class: "choice-row" }, ...faces),
    sides.length ? h("p", { class: "choice-title" }, t("dot_title")) : null,
    sides.length ? h("div", { class: "choice-row" }, ...sides) : null,
    drawUndo(reading, chosen, change),
  );
}

function drawHead(reading, view, [row, column], change) {
  const look = { width: 112, height: 112, class: "crop", role: "img" };
  const canvas = h("canvas", { ...look, "aria-label": t("crop_label") });
  const cell = reading.cells.find((one) => one.row === row && one.column === column);
  const shown = view.preview && cell?.quad;
  if (shown) cutOut(view, cell.quad, canvas);
  const name = h("strong", {}, cellName(row, column));
  const words = h("p", {}, name, " ", valueWords(reading, row, column));
  const close = () => change({ open: false, focus: "cell" });
  const cross = button("×", close, { class: "close", "aria-label": t("close") });
  return h("div", { class: "choices-head" }, shown ? canvas : null, words, cross);
}

function drawUndo(reading, [row, column], change) {
  if (!standing(reading, row, column).includes("corrected")) return null;
  const undo = () => change({ reading: asRead(reading, row, column), focus: "choice" });
  return button(t("as_read"), undo);
}

function drawChoice({ face, word, share }, pressed, take, key = null) {
  const look = { class: "face", viewBox: "-48 -48 96 96", "aria-hidden": "true" };
  return h(
    "button",
    { type: "button", class: "choice", "aria-pressed": String(pressed), onclick: take },
    s("svg", look, ...drawFace(...face)),
    h("span", { class: "choice-word" }, word),
    h("span", { class: "choice-share" }, share === null ? "" : chance(share)),
    key ? h("kbd", {}, key) : null,
  );
}
