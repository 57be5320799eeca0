// What the program asks: a board it cannot explain, or a reading that people put right.

import { button, h } from "../dom.js";
import { drawChoices } from "../choices.js";
import { drawEditor } from "../editor.js";
import { t } from "../language.js";
import { doubts, placeOf, readingOf } from "../reading.js";
import { differing } from "./match.js";
import { drawBoardOf, withoutDots } from "./steps.js";

const MARKS = [".", "X", "O"];

/** Both boards side by side while table and match do not agree. */
export function drawOutOfSync(view, resume, busy) {
  const { kind, expected, seen } = view.sync;
  if (!expected || !seen) return drawLost(drawResume(resume, busy), []);
  const differ = differing(expected, seen);
  const classes = (row, column) =>
    differ.some(([r, c]) => r === row && c === column) ? ["asked"] : [];
  const figure = (board, name) =>
    h(
      "figure",
      {},
      drawBoardOf(view, { board, moved: false }, { classes }),
      h("figcaption", {}, t(name)),
    );
  const boards = h(
    "div",
    { class: "pair" },
    figure(expected, "sync_expected"),
    figure(seen, "sync_seen"),
  );
  if (kind === "lying") {
    const keep = h("p", {}, t("lying_keep", { key: `${t("do_stand")} (K)` }));
    return h(
      "article",
      { class: "card sync lying" },
      h("h2", {}, t(view.game === "quinto" ? "tiles_put_back" : "lying_title")),
      h("p", {}, t("lying_words")),
      boards,
      keep,
    );
  }
  return drawLost(drawResume(resume, busy), [boards]);
}

/** What cannot be explained, and the way to go on from it. */
function drawLost(press, boards) {
  return h(
    "article",
    { class: "card sync" },
    h("h2", {}, t("sync_title")),
    h("p", {}, t("sync_words")),
    ...boards,
    h("p", {}, t("sync_put_back")),
    h("div", { class: "buttons" }, press),
  );
}

function drawResume(resume, busy) {
  const look = {
    class: "button",
    "data-control": "resume",
    "aria-keyshortcuts": "s",
    disabled: busy,
  };
  const key = h("kbd", { "aria-hidden": "true" }, "S");
  return h("button", { type: "button", ...look, onclick: resume }, t("do_resume"), key);
}

/** Readings in the hands of the people: the doubtful cell beside its ranked candidates. */
export class Correction {
  /**
   * @param {Object} answer
   * @param {Object[]} answer.readings  the server's: `picture`, `board`, `fields`, `address`, `size`
   * @param {boolean} answer.dots  whether dots mean anything
   * @param {boolean} answer.asked  the program asks, rather than people wanting to put right
   * @param {(values: Object) => void} send  values by their places, as the server names them
   * @param {() => void} close
   */
  constructor({ readings, asked, dots }, send, close) {
    const shown = ({ board }) => (dots ? board : withoutDots(board));
    this.parts = readings.map((one) => ({
      ...one,
      reading: readingOf({ ...one, board: shown(one) }),
    }));
    this.asked = asked;
    this.dots = dots;
    this.send = send;
    this.close = close;
    this.at = 0;
    this.chosen = firstPlace(this.part.reading);
    this.element = h("article", { class: "card correction" });
    this.sent = false;
  }

  get part() {
    return this.parts[this.at];
  }

  /** Take what the editor says; once nothing is in doubt that was asked, the answer is complete. */
  change({ reading, chosen, focus }) {
    if (chosen) this.chosen = chosen;
    if (reading) this.part.reading = reading;
    if (reading && this.asked) {
      const open = this.parts.findIndex((part) => doubts(part.reading).length);
      if (open < 0) return this.finish();
      this.at = open;
      this.chosen = firstPlace(this.part.reading);
    }
    this.draw();
    const at = focus === "choice" ? ".choice" : '.cell[tabindex="0"]';
    this.element.querySelector(at)?.focus({ preventScroll: true });
    return undefined;
  }

  /** Send every value that people have vouched for. */
  finish() {
    if (this.sent) return;
    this.sent = true;
    const values = {};
    for (const { picture, reading } of this.parts) {
      for (const where of reading.corrected) {
        const { row, column } = placeOf(where);
        const name = picture === "after" ? where : `${picture}.${where}`;
        values[name] = reading.board[where.slice(0, 4)][row][column];
      }
    }
    this.send(values);
  }

  /** The keys 1 to 3 anywhere on the page choose a candidate of the cell in view. */
  press(digit) {
    const choices = this.element.querySelector(".choices .choice-row")?.querySelectorAll(".choice");
    choices?.[digit - 1]?.click();
  }

  draw() {
    const { part, chosen } = this;
    const marks = part.picture === "after" ? MARKS : [...MARKS, "_"];
    const change = (next) => this.change(next);
    const look = { chosen, open: true, marks, dots: this.dots, label: t("correct_board") };
    const left = this.parts.reduce((sum, { reading }) => sum + doubts(reading).length, 0);
    const picture = { preview: part.address ?? "", width: part.size?.[0] ?? null };
    const side = h(
      "div",
      { class: "board-part" },
      drawChoices(part.reading, picture, look, change),
      this.drawSend(),
    );
    this.element.replaceChildren(
      h("h2", {}, t(this.asked ? "correct_title_asked" : "correct_title")),
      h("p", {}, this.asked ? t("correct_asked", { count: left }) : t("correct_free")),
      ...(part.picture === "after" ? [] : [h("p", {}, t("correct_during"))]),
      h(
        "div",
        { class: "correct-parts" },
        h("div", {}, drawEditor(part.reading, look, change)),
        side,
      ),
    );
  }

  drawSend() {
    const changed = this.parts.some(({ reading }) => reading.corrected.size > 0);
    const look = { class: "button", "data-control": "take", disabled: !changed };
    const take = h(
      "button",
      { type: "button", ...look, onclick: () => this.finish() },
      t("correct_take"),
    );
    return h("div", { class: "buttons" }, take, button(t("cancel"), this.close));
  }
}

/** The cell to begin with: the first in doubt, else the one the reader was least sure of. */
function firstPlace(reading) {
  const sure = (cell) => cell.confidence ?? 1;
  const least = [...reading.cells].sort((a, b) => sure(a) - sure(b))[0];
  const first = doubts(reading)[0];
  const { row, column } = first ? placeOf(first.where) : (least ?? { row: 0, column: 0 });
  return [row, column];
}
