// Entering a move on the board: choose the cube, then the end where it is pushed in.

import { drawBoard, drawFace } from "../board.js";
import { button, h, s } from "../dom.js";
import { currentLanguage, t } from "../language.js";
import { cellName } from "../layout.js";
import { dotWord, markWord } from "../words.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const ENDS = [
  { end: "L", key: "ArrowLeft", sign: "→" },
  { end: "T", key: "ArrowUp", sign: "↓" },
  { end: "B", key: "ArrowDown", sign: "↑" },
  { end: "R", key: "ArrowRight", sign: "←" },
];
const DOTS = ["N", "E", "S", "W"];

export const NOTHING = { at: [0, 0], cube: null, end: null };

/**
 * The board to enter a move on.
 * @param {Object} view
 * @param {Object} entry  the newest
 * @param {{at: number[], cube: number[]|null, end: string|null}} hand  what is chosen so far
 * @param {(next: Object, focus: string) => void} change
 * @param {(move: string) => void} play
 */
export function drawHand(view, entry, hand, change, play) {
  const board = entry.board;
  const same = ([row, column], other) => other && row === other[0] && column === other[1];
  const svg = drawBoard(board, {
    label: t("hand_board"),
    classes: (row, column) => (same([row, column], hand.cube) ? ["chosen"] : []),
    describe: (row, column) => `${cellName(row, column)}: ${markWord(board.rows[row][column])}`,
    arrows: true,
  });
  svg.setAttribute("role", "grid");
  svg.dataset.live = "";
  for (const row of svg.querySelectorAll(".row")) row.setAttribute("role", "row");
  for (const cell of svg.querySelectorAll(".cell")) {
    const place = [Number(cell.dataset.row), Number(cell.dataset.column)];
    cell.setAttribute("role", "gridcell");
    cell.setAttribute("tabindex", same(place, hand.at) ? "0" : "-1");
    const choose = () => change({ at: place, cube: place, end: null }, "end");
    cell.addEventListener("click", choose);
    cell.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step && event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      if (!step) return choose();
      const clamp = (value) => Math.max(0, Math.min(board.rows.length - 1, value));
      change({ ...hand, at: [clamp(place[0] + step[0]), clamp(place[1] + step[1])] }, "cell");
    });
  }
  return [svg, drawPanel(view, hand, change, play)];
}

function drawPanel(view, hand, change, play) {
  if (!hand.cube) return h("p", { class: "hint" }, t("hand_cube"));
  const cube = cellName(...hand.cube);
  const back = button("×", () => change({ ...hand, cube: null, end: null }, "cell"), {
    class: "close",
    "aria-label": t("cancel"),
  });
  const body = hand.end
    ? drawDots(view, cube, hand, play)
    : drawEnds(view, cube, hand, change, play);
  const escape = (event) => {
    if (event.key === "Escape") change({ ...hand, cube: null, end: null }, "cell");
  };
  return h("div", { class: "hand-panel", onkeydown: escape }, ...body, back);
}

function drawEnds(view, cube, hand, change, play) {
  const choose = (end) => (view.dots ? change({ ...hand, end }, "end") : play(`${cube}>${end}`));
  const buttons = ENDS.map(({ end, sign }) =>
    button(`${sign} ${t(`end_${end}`)}`, () => choose(end), {
      class: "plain end",
      "data-end": end,
    }),
  );
  const keys = (event) => {
    const found = ENDS.find(({ key }) => key === event.key);
    if (!found) return;
    event.preventDefault();
    event.stopPropagation();
    choose(found.end);
  };
  return [
    h("p", {}, t("hand_end", { cube })),
    h("div", { class: "ends", role: "group", onkeydown: keys }, ...buttons),
  ];
}

function drawDots(view, cube, hand, play) {
  const mark = view.seats.find(({ seat }) => seat === view.entries.at(-1).turn)?.mark ?? "X";
  const buttons = DOTS.map((dot) =>
    h(
      "button",
      { type: "button", class: "plain end", onclick: () => play(`${cube}>${hand.end}:${dot}`) },
      s(
        "svg",
        { class: "face", viewBox: "-48 -48 96 96", "aria-hidden": "true" },
        ...drawFace(mark, dot),
      ),
      dotWord(dot),
    ),
  );
  return [
    h("p", {}, t("hand_dot", { cube })),
    h("div", { class: "ends", role: "group" }, ...buttons),
  ];
}

/** A field to write a move in notation, for games whose table the page cannot draw. */
export function drawMoveField(view, play) {
  const field = h("input", {
    name: "move",
    maxlength: 200,
    autocomplete: "off",
    "aria-label": t("move_text"),
    placeholder: view.example,
  });
  const submit = (event) => {
    event.preventDefault();
    if (field.value.trim()) play(field.value.trim());
  };
  const label = h("label", {}, h("span", {}, t("move_text")), field);
  return h(
    "form",
    { class: "move-field", lang: currentLanguage(), onsubmit: submit },
    label,
    h("button", { class: "button" }, t("move_enter")),
  );
}
