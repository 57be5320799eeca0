// One picture of the page: choosing it, its reading, and the corrections made to it.

import { Failure, readPicture } from "./api.js";
import { h } from "./dom.js";
import { doubts, placeOf, readingOf } from "./reading.js";
import { drawSlot, drawView } from "./slot_view.js";

const NOTHING = { file: null, view: null, readings: [], at: 0, chosen: [0, 0], open: false };
const IDLE = { loading: null, failure: null, picking: false };

export class Slot {
  /**
   * @param {Object} kind
   * @param {string} kind.name  text key of its title
   * @param {boolean} [kind.gaps]  taken during a move: a cube may be lifted out
   * @param {boolean} [kind.optional]
   * @param {() => void} kind.changed  called when the reading is another
   */
  constructor({ name, gaps = false, optional = false, changed }) {
    Object.assign(this, { name, gaps, optional, changed, of: {} }, NOTHING, IDLE);
    this.drawing = drawView;
    this.words = { drop: gaps ? "drop_gaps" : "drop", corners: "corners", ask: "corners_ask" };
    this.element = h("article", { class: "slot", "data-slot": name });
    this.marks = gaps ? [".", "X", "O", "_"] : [".", "X", "O"];
    this.watchDrops();
    this.draw();
  }

  /** The reading in view, with its corrections; null while there is none. */
  get reading() {
    return this.readings[this.at] ?? null;
  }

  get busy() {
    return this.loading !== null;
  }

  /** Have a picture read. What was there stays until the new one has been read. */
  async take(file, corners = null) {
    if (!file) return;
    Object.assign(this, IDLE, { loading: file, open: false });
    this.draw();
    let outcome;
    try {
      const view = await readPicture(file, { gaps: this.gaps, corners, of: this.of });
      outcome = { file, view, ...this.readingsOf(view) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      outcome = { failure: error.told };
    }
    if (this.loading !== file) return; // a newer picture has been chosen meanwhile
    Object.assign(this, IDLE, outcome);
    this.draw();
    this.changed();
  }

  /** What there is to look at and correct in the server's answer. */
  readingsOf(view) {
    const readings = view.boards.filter((board) => board.board).map(readingOf);
    return { readings, at: 0, chosen: firstPlace(readings[0]) };
  }

  remove() {
    Object.assign(this, NOTHING, IDLE);
    this.draw();
    this.changed();
  }

  /** Look at another of several boards. */
  choose(at) {
    Object.assign(this, { at, open: false, chosen: firstPlace(this.readings[at]) });
    this.draw();
    this.changed();
  }

  /** Begin or stop showing the corners by hand. */
  pick(picking) {
    this.picking = picking;
    this.draw();
  }

  /** Take what the editor says into account and draw again, keeping the keyboard's place. */
  change({ reading, chosen, open, focus }) {
    if (chosen) this.chosen = chosen;
    if (open !== undefined) this.open = open;
    if (reading) this.readings = this.readings.map((old, at) => (at === this.at ? reading : old));
    const choices = [...this.element.querySelectorAll(".choice")];
    const held = choices.indexOf(document.activeElement);
    this.draw();
    this.focus(focus, held);
    if (reading) this.changed();
  }

  focus(wanted, held) {
    const cell = this.element.querySelector('.cell[tabindex="0"]');
    const choices = this.element.querySelectorAll(".choice");
    const pressed = this.element.querySelector('.choice[aria-pressed="true"]');
    if (wanted === "cell") cell?.focus({ preventScroll: this.open });
    if (wanted === "choice") (choices[held] ?? pressed ?? choices[0] ?? cell)?.focus();
  }

  /** Show a cell, for example one that the ruling asks about. */
  show(where) {
    const { row, column } = placeOf(where);
    this.change({ chosen: [row, column], open: true, focus: "choice" });
    this.element.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  draw() {
    this.element.replaceChildren(...drawSlot(this, this.drawing));
    this.element.classList.toggle("filled", this.view !== null);
    this.element.setAttribute("aria-busy", String(this.busy));
  }

  watchDrops() {
    const mark = (over) => (event) => {
      event.preventDefault();
      this.element.classList.toggle("over", over);
    };
    this.element.addEventListener("dragover", mark(true));
    this.element.addEventListener("dragleave", mark(false));
    this.element.addEventListener("drop", (event) => {
      mark(false)(event);
      this.take(event.dataTransfer.files[0]);
    });
  }
}

/** The cell to begin with: the first in doubt, or else the first of the board. */
function firstPlace(reading) {
  const first = reading && doubts(reading)[0];
  if (!first) return [0, 0];
  const { row, column } = placeOf(first.where);
  return [row, column];
}
