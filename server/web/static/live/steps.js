// The board as the program sees it, and stepping through the game.

import { drawBoard } from "../board.js";
import { button, h } from "../dom.js";
import { t } from "../language.js";
import { cellName } from "../layout.js";
import { dotWord, markWord } from "../words.js";
import { entered, entryAt, last, moveWords, seatWords } from "./match.js";
import { drawTiles, drawTilesOf } from "./tiles.js";
import { SIGNS } from "./verdict.js";

/** Board and step buttons of the entry in view. */
export function drawSteps(view, at, go) {
  const entry = entryAt(view, at);
  return [drawBoardOf(view, entry), drawStepBar(view, at, go)];
}

/** The board of an entry, with the cube that came in last marked. */
export function drawBoardOf(view, entry, { classes = () => [], label = null } = {}) {
  if (entry.tiles) return drawTiles(view, entry);
  if (entry.board && !entry.board.dots) return drawTilesOf(entry.board, { classes, label });
  if (!entry.board) return h("pre", { class: "board-text", tabindex: "0" }, entry.board_text);
  const came = entered(entry.move, entry.board.rows.length);
  const isLast = (row, column) => entry.moved && came?.row === row && came?.column === column;
  const board = view.dots ? entry.board : withoutDots(entry.board);
  const svg = drawBoard(board, {
    label: label ?? t("board_at", { words: boardWords(board) }),
    classes: (row, column) => [...classes(row, column), ...(isLast(row, column) ? ["last"] : [])],
    arrows: true,
    came: entry.moved ? came : null,
  });
  svg.setAttribute("role", "img");
  return svg;
}

/** With two players dots mean nothing, and a board that people compare should not show them. */
export function withoutDots({ rows }) {
  return { rows, dots: rows.map((line) => "?".repeat(line.length)) };
}

/** All marked cells in words, for people who do not see the board. */
function boardWords(board) {
  const words = [];
  board.rows.forEach((line, row) =>
    [...line].forEach((mark, column) => {
      if (mark !== ".")
        words.push(`${cellName(row, column)} ${faceWords(mark, board.dots[row][column])}`);
    }),
  );
  return words.join(", ") || t("board_blank");
}

function faceWords(mark, dot) {
  return "NESW".includes(dot) ? `${markWord(mark)} ${dotWord(dot)}` : markWord(mark);
}

function drawStepBar(view, at, go) {
  const end = last(view);
  const here = at ?? end;
  const step = (to, sign, name, attributes = {}) =>
    button(sign, () => go(to), {
      class: "plain step",
      "aria-label": t(name),
      title: t(name),
      ...attributes,
    });
  return h(
    "div",
    { class: "step-bar", role: "group", "aria-label": t("steps_label") },
    step(0, "|◀", "step_first", { disabled: here === 0 }),
    step(Math.max(0, here - 1), "◀", "step_back", { disabled: here === 0 }),
    h("span", { class: "step-count" }, t("step_count", { n: here, count: end })),
    step(here + 1 >= end ? null : here + 1, "▶", "step_on", { disabled: here === end }),
    step(null, "▶|", "step_last", { disabled: here === end }),
  );
}

/** Every move in a list; a click goes to it. */
export function drawMoves(view, at, go) {
  const end = last(view);
  const here = at ?? end;
  const items = view.entries.map((entry, n) => {
    const current = n === here;
    const label = entry.verdict
      ? [
          h(
            "span",
            { class: `mini ${entry.verdict}`, "aria-hidden": "true" },
            SIGNS[entry.verdict],
          ),
          lineOf(view, entry),
        ]
      : [
          h("span", { class: "mini", "aria-hidden": "true" }, "·"),
          t(entry.kind === "started" ? "begun" : `took_${entry.kind}`),
        ];
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "move-line",
          "aria-current": current ? "step" : null,
          onclick: () => go(n === end ? null : n),
        },
        h("span", { class: "n" }, n === 0 ? "" : String(n)),
        ...label,
      ),
    );
  });
  return [
    h("h2", {}, t("moves_label")),
    h("ol", { class: "move-list", tabindex: "0", "data-here": here }, ...items),
  ];
}

function lineOf(view, entry) {
  const verdict = t(`verdict_${entry.verdict}`);
  const move = entry.move ? h("code", {}, entry.move) : h("span", {}, verdict);
  const words = [seatWords(view, entry.seat), verdict, moveWords(entry)].filter(Boolean).join(", ");
  return h(
    "span",
    { class: "move-text", title: words, "aria-label": words },
    move,
    h("small", {}, ` ${seatWords(view, entry.seat)}`),
  );
}
