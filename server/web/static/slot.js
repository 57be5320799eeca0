// One picture of the page: choosing it, its reading drawn on it, its board to correct.

import { Failure, readPicture } from "./api.js";
import { h } from "./dom.js";
import { drawChoices, drawEditor } from "./editor.js";
import { t, told } from "./language.js";
import { drawPhoto, pickCorners } from "./overlay.js";
import { doubts, placeOf, readingOf, standing } from "./reading.js";
import { qualityWords } from "./words.js";

const ACCEPT = "image/*,.heic,.heif";

export class Slot {
  /**
   * @param {Object} kind
   * @param {string} kind.name  text key of its title
   * @param {boolean} [kind.gaps]  taken during a move: a cube may be lifted out
   * @param {boolean} [kind.optional]
   * @param {() => void} kind.changed  called when the reading is another
   */
  constructor({ name, gaps = false, optional = false, changed }) {
    Object.assign(this, { name, gaps, optional, changed });
    this.element = h("article", { class: "slot", "data-slot": name });
    this.marks = gaps ? [".", "X", "O", "_"] : [".", "X", "O"];
    this.clear();
    this.watchDrops();
  }

  clear() {
    Object.assign(this, {
      file: null,
      view: null,
      readings: [],
      at: 0,
      failure: null,
      busy: false,
      picking: false,
    });
    Object.assign(this, { chosen: [0, 0], open: false });
    this.draw();
  }

  /** The reading in view, with its corrections; null while there is none. */
  get reading() {
    return this.readings[this.at] ?? null;
  }

  async take(file, corners = null) {
    if (!file) return;
    Object.assign(this, { file, failure: null, busy: true, picking: false, open: false });
    this.draw();
    try {
      const view = await readPicture(file, { gaps: this.gaps, corners });
      if (this.file !== file) return;
      const readings = view.boards.filter((board) => board.board).map(readingOf);
      Object.assign(this, { view, readings, at: 0, chosen: firstPlace(readings[0]) });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (this.file !== file) return;
      this.failure = error.told;
    }
    this.busy = false;
    this.draw();
    this.changed();
  }

  /** Take what the editor says into account and draw again, keeping the keyboard's place. */
  change({ reading, chosen, open, focus }) {
    if (chosen) this.chosen = chosen;
    if (open !== undefined) this.open = open;
    if (reading) this.readings = this.readings.map((old, at) => (at === this.at ? reading : old));
    const before = document.activeElement;
    const button = [...this.element.querySelectorAll(".choice")].indexOf(before);
    this.draw();
    this.focus(focus, button);
    if (reading) this.changed();
  }

  focus(wanted, button) {
    const cell = this.element.querySelector('.cell[tabindex="0"]');
    const choices = this.element.querySelectorAll(".choice");
    const choice =
      choices[button] ?? this.element.querySelector('.choice[aria-pressed="true"]') ?? choices[0];
    if (wanted === "cell") cell?.focus({ preventScroll: this.open });
    if (wanted === "choice") (choice ?? cell)?.focus();
  }

  /** Show a cell, for example one that the ruling asks about. */
  show(where) {
    const { row, column } = placeOf(where);
    this.change({ chosen: [row, column], open: true, focus: "choice" });
    this.element.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  draw() {
    const title = h(
      "h2",
      {},
      t(this.name),
      this.optional ? h("small", {}, ` ${t("optional")}`) : null,
    );
    const tools = this.view || this.failure ? this.drawTools() : null;
    this.element.replaceChildren(h("header", {}, title, tools), ...this.drawBody());
    this.element.classList.toggle("filled", this.view !== null);
    this.element.setAttribute("aria-busy", String(this.busy));
  }

  drawTools() {
    const replace = this.input({ accept: ACCEPT });
    return h(
      "div",
      { class: "tools" },
      h("label", { class: "plain button" }, t("replace"), replace),
      h(
        "button",
        {
          type: "button",
          class: "plain",
          onclick: () => {
            this.clear();
            this.changed();
          },
        },
        t("remove"),
      ),
    );
  }

  drawBody() {
    const parts = [];
    if (this.failure) parts.push(h("p", { class: "note bad", role: "alert" }, told(this.failure)));
    if (this.busy)
      parts.push(h("p", { class: "busy", role: "status" }, t("busy", { name: this.file.name })));
    if (this.view && !this.busy) parts.push(...this.drawView());
    if (!this.view && !this.busy) parts.push(this.drawDrop());
    return parts;
  }

  drawDrop() {
    return h(
      "div",
      { class: "drop" },
      h("p", {}, t(this.gaps ? "drop_gaps" : "drop")),
      h(
        "div",
        { class: "buttons" },
        h("label", { class: "button" }, t("choose"), this.input({ accept: ACCEPT })),
        h(
          "label",
          { class: "button second" },
          t("take_photo"),
          this.input({ accept: "image/*", capture: "environment" }),
        ),
      ),
    );
  }

  input(attributes) {
    const taken = (event) => this.take(event.target.files[0]);
    return h("input", { type: "file", ...attributes, onchange: taken, "aria-label": t(this.name) });
  }

  drawView() {
    const classes = (row, column) => [
      ...standing(this.reading, row, column),
      ...(this.open && this.chosen[0] === row && this.chosen[1] === column ? ["chosen"] : []),
    ];
    const choose = (row, column) =>
      this.change({ chosen: [row, column], open: true, focus: "choice" });
    const look = { label: t("photo_label", { name: this.file.name }), classes, choose };
    const photo = drawPhoto(this.view, this.picking ? null : this.reading, look);
    const parts = [photo];
    if (this.picking) return [...parts, this.drawPicking(photo)];
    const refused = this.reading ? null : this.view.refused;
    if (refused)
      parts.push(
        h(
          "div",
          { class: "note doubt" },
          h("p", {}, h("strong", {}, told(refused)), " ", told(refused, "advice")),
        ),
      );
    if (this.readings.length > 1) parts.push(this.drawSwitch());
    if (this.reading) parts.push(this.drawBoardPart());
    parts.push(this.drawFacts());
    return [photo, h("div", { class: "side" }, ...parts.slice(1))];
  }

  drawBoardPart() {
    const place = {
      chosen: this.chosen,
      open: this.open,
      marks: this.marks,
      label: t("board_label", { name: t(this.name) }),
    };
    const change = (next) => this.change(next);
    const open = doubts(this.reading);
    return h(
      "div",
      { class: "board-part" },
      h(
        "p",
        { class: open.length ? "count doubt" : "count" },
        t(open.length ? "doubts" : "no_doubts", { count: open.length }),
      ),
      drawEditor(this.reading, place, change),
      this.open
        ? drawChoices(this.reading, this.view, place, change)
        : h("p", { class: "hint" }, t("click_hint")),
    );
  }

  drawSwitch() {
    const buttons = this.readings.map((_, at) =>
      h(
        "button",
        {
          type: "button",
          class: "plain",
          "aria-pressed": String(at === this.at),
          onclick: () => this.choose(at),
        },
        t("board_number", { n: at + 1 }),
      ),
    );
    return h(
      "div",
      { class: "switch", role: "group" },
      h("span", {}, t("several", { count: this.readings.length })),
      ...buttons,
    );
  }

  choose(at) {
    Object.assign(this, { at, open: false, chosen: firstPlace(this.readings[at]) });
    this.draw();
    this.changed();
  }

  drawFacts() {
    const hints = [
      ...this.view.advice.map((advice) => h("li", { class: "bad" }, told(advice))),
      h("li", {}, qualityWords(this.view)),
    ];
    const byHand = h(
      "button",
      {
        type: "button",
        class: "plain",
        onclick: () => {
          this.picking = true;
          this.draw();
        },
      },
      t("corners"),
    );
    return h("div", { class: "facts" }, h("ul", {}, ...hints), byHand);
  }

  drawPicking(photo) {
    const line = h("p", { class: "note", role: "status" }, t("corners_ask", { count: 4 }));
    const done = (corners) => this.take(this.file, corners);
    pickCorners(photo, done, (count) => {
      line.firstChild.textContent = t("corners_ask", { count: 4 - count });
    });
    const cancel = h(
      "button",
      {
        type: "button",
        class: "plain",
        onclick: () => {
          this.picking = false;
          this.draw();
        },
      },
      t("cancel"),
    );
    return h("div", {}, line, cancel);
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
