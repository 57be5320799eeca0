// A reading of tiles in the hands of the people: the doubtful cell beside what it may show.

import { button, h, s } from "../dom.js";
import { chance, t } from "../language.js";
import { cellName } from "../layout.js";
import { cutOut } from "../overlay.js";
import { drawTile, drawTileBoard } from "../tiles/board.js";
import { cellWords } from "./tiles.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const SIGNS = [..."0123456789", "."];

const whereOf = ([row, column]) => `tiles[${row}][${column}]`;
const placeOf = (where) => /\[(\d+)\]\[(\d+)\]/.exec(where).slice(1).map(Number);

/** A note on an accepted tile that is not seen as it was accepted. */
export function drawOddTile(cell, kind) {
  const words = { gone: "odd_gone", changed: "odd_changed", covered: "odd_covered" }[kind];
  return h("p", { class: "note odd-tile" }, t(words, { cell }));
}

/** Tiles that people put right; the same manners as `Correction` of boards. */
export class TileCorrection {
  /**
   * @param {Object} answer
   * @param {Object} answer.reading  the server's: `tiles` (rows), `doubts`, `quads`, `address`
   * @param {boolean} answer.asked  the program asks, rather than people wanting to put right
   * @param {number[]} answer.start  the start cell
   * @param {(values: Object) => void} send  values by their places, as the server names them
   * @param {() => void} close
   */
  constructor({ reading, asked, start }, send, close) {
    this.seen = reading;
    this.rows = reading.tiles;
    this.start = start;
    this.asked = asked;
    this.open = new Map(reading.doubts.map((doubt) => [doubt.where, doubt]));
    this.values = {};
    this.at = reading.doubts.length ? placeOf(reading.doubts[0].where) : start;
    this.send = send;
    this.close = close;
    this.element = h("article", { class: "card correction of-tiles" });
  }

  /** The keys 1 to 3 choose a candidate of the cell in question. */
  press(digit) {
    this.element.querySelectorAll(".choice")[digit - 1]?.click();
  }

  /** Say what a cell shows; once nothing is asked any more the answer is complete. */
  put(value) {
    const where = whereOf(this.at);
    this.values[where] = value;
    const [row, column] = this.at;
    this.rows = this.rows.map((line, n) =>
      n === row ? line.slice(0, column) + value + line.slice(column + 1) : line,
    );
    const answered = this.open.delete(where);
    const next = [...this.open.keys()][0];
    if (this.asked && answered && !next) return this.finish();
    if (next) this.at = placeOf(next);
    return this.redraw(".choice");
  }

  finish() {
    this.send({ ...this.values });
  }

  redraw(focus) {
    this.draw();
    this.element.querySelector(focus)?.focus({ preventScroll: true });
  }

  draw() {
    const [row, column] = this.at;
    const place = { rows: this.rows, start: this.start };
    const svg = drawTileBoard(this.rows, {
      label: t("correct_board"),
      start: this.start,
      classes: (r, c) => [
        ...(this.open.has(whereOf([r, c])) ? ["asked"] : []),
        ...(whereOf([r, c]) in this.values ? ["corrected"] : []),
        ...(r === row && c === column ? ["chosen"] : []),
      ],
      describe: (r, c) => cellWords(place, [r, c]),
    });
    svg.setAttribute("role", "grid");
    svg.dataset.live = "";
    for (const line of svg.querySelectorAll(".row")) line.setAttribute("role", "row");
    for (const cell of svg.querySelectorAll(".cell")) this.makeLive(cell);
    this.element.replaceChildren(
      h("h2", {}, t(this.asked ? "correct_title_asked" : "correct_title")),
      h("p", {}, this.asked ? t("correct_asked", { count: this.open.size }) : t("correct_free")),
      h("div", { class: "correct-parts" }, svg, h("div", { class: "board-part" }, this.drawSide())),
    );
  }

  makeLive(cell) {
    const place = [Number(cell.dataset.row), Number(cell.dataset.column)];
    const here = place[0] === this.at[0] && place[1] === this.at[1];
    const go = (to, focus) => {
      this.at = to;
      this.redraw(focus);
    };
    cell.setAttribute("role", "gridcell");
    cell.setAttribute("tabindex", here ? "0" : "-1");
    cell.addEventListener("click", () => go(place, ".choice"));
    cell.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      const next = step && [place[0] + step[0], place[1] + step[1]];
      if (!next || this.rows[next[0]]?.[next[1]] === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      go(next, '.cell[tabindex="0"]');
    });
  }

  drawSide() {
    const where = whereOf(this.at);
    const changed = Object.keys(this.values).length > 0;
    const look = { class: "button", "data-control": "take", disabled: !changed };
    return h(
      "div",
      {},
      h("h3", {}, t("tile_what", { cell: cellName(...this.at) })),
      this.drawCrop(this.open.get(where)?.quad ?? this.seen.quads[where]),
      h("div", { class: "choice-row tile-choices" }, ...this.drawChoices(where)),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", ...look, onclick: () => this.finish() }, t("correct_take")),
        button(t("cancel"), this.close),
      ),
    );
  }

  drawCrop(quad) {
    if (!this.seen.address || !quad) return null;
    const look = { width: 112, height: 112, class: "crop", role: "img" };
    const canvas = h("canvas", { ...look, "aria-label": t("crop_label") });
    cutOut({ preview: this.seen.address, width: this.seen.size?.[0] ?? null }, quad, canvas);
    return canvas;
  }

  /** What a cell may show, the most likely first, then everything else. */
  drawChoices(where) {
    const told = (this.open.get(where)?.candidates ?? []).filter(([sign]) => SIGNS.includes(sign));
    const rest = SIGNS.filter((sign) => !told.some(([one]) => one === sign));
    const now = this.rows[this.at[0]][this.at[1]];
    return [...told, ...rest.map((sign) => [sign, null])].map(([sign, share], n) =>
      h(
        "button",
        {
          type: "button",
          class: "choice",
          "aria-pressed": String(sign === now),
          onclick: () => this.put(sign),
        },
        s(
          "svg",
          { class: "face", viewBox: "0 0 60 60", "aria-hidden": "true" },
          ...(sign === "." ? [] : drawTile(sign)),
        ),
        h("span", { class: "choice-word" }, sign === "." ? t("tile_empty") : sign),
        h("span", { class: "choice-share" }, share === null ? "" : chance(share)),
        n < 3 ? h("kbd", {}, String(n + 1)) : null,
      ),
    );
  }
}
