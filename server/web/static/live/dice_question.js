// A seen roll in the hands of the people: was it one, and what do the dice show?

import { COLOURS, PIPS, SYMBOL_IDS, dieWords, drawDie, notationOf } from "../dice/die.js";
import { button, h } from "../dom.js";
import { chance, t } from "../language.js";
import { cutOut } from "../overlay.js";

/** Dice that people put right; the same manners as `Correction` of boards. */
export class DiceCorrection {
  /**
   * @param {Object} answer
   * @param {Object} answer.dice  the server's: `dice`, `roll` (whether it was one is asked),
   *   `address` of the picture, `size`
   * @param {boolean} answer.asked  the program asks, rather than people wanting to put right
   * @param {string} answer.game
   * @param {(command: string, body: Object) => void} send
   * @param {() => void} close
   */
  constructor({ dice, asked, game }, send, close) {
    this.seen = dice;
    this.dice = dice.dice.map((die) => ({ ...die }));
    this.unsure = dice.roll;
    this.asked = asked;
    this.game = game;
    this.send = send;
    this.close = close;
    this.at = Math.max(0, this.open());
    this.element = h("article", { class: "card correction of-dice" });
  }

  /** The first die that is still asked about; -1 where none is. */
  open() {
    return this.dice.findIndex((die) => die.asked.length > 0);
  }

  /** The keys 1 to 3 answer whether it was a roll, then choose a candidate of the die in hand. */
  press(digit) {
    this.element.querySelectorAll(".choice")[digit - 1]?.click();
  }

  /** Say what a die shows, or its colour; once nothing is asked any more the answer is complete. */
  put(kind, value) {
    const die = this.dice[this.at];
    this.dice[this.at] = { ...die, [kind]: value, asked: die.asked.filter((one) => one !== kind) };
    const open = this.open();
    if (this.asked && open < 0) return this.finish();
    if (open >= 0) this.at = open;
    return this.redraw();
  }

  redraw() {
    this.draw();
    this.element.querySelector(".choice")?.focus({ preventScroll: true });
  }

  answer(counts) {
    if (!counts) return this.send("undo", {});
    this.unsure = false;
    return this.asked && this.open() < 0 ? this.finish() : this.redraw();
  }

  finish() {
    const roll = notationOf(this.dice, this.game);
    if (roll !== null) this.send("reread", { roll });
  }

  draw() {
    const parts = this.unsure ? this.drawWhether() : this.drawWhat();
    this.element.replaceChildren(...parts.filter(Boolean));
  }

  drawWhether() {
    const choice = (key, counts, n) =>
      h(
        "button",
        { type: "button", class: "choice", onclick: () => this.answer(counts) },
        h("span", { class: "choice-word" }, t(key)),
        h("kbd", {}, n),
      );
    return [
      h("h2", {}, t("was_roll")),
      h("p", {}, t("was_roll_words")),
      h("div", { class: "dice-big" }, ...this.dice.map((die) => drawDie(die))),
      h(
        "div",
        { class: "choice-row" },
        choice("was_roll_yes", true, "1"),
        choice("was_roll_no", false, "2"),
      ),
    ];
  }

  drawWhat() {
    const die = this.dice[this.at];
    return [
      h("h2", {}, t(this.asked ? "dice_asked" : "dice_wrong")),
      this.asked ? h("p", {}, t("dice_asked_words")) : null,
      h(
        "div",
        { class: "dice-big", role: "group", "aria-label": t("dice_label") },
        ...this.dice.map((one, n) => this.drawPick(one, n)),
      ),
      h(
        "div",
        { class: "correct-parts" },
        this.drawCrop(die),
        h("div", { class: "board-part" }, ...this.drawChoices(die)),
      ),
      h(
        "div",
        { class: "buttons" },
        h(
          "button",
          {
            type: "button",
            class: "button",
            "data-control": "take",
            disabled: notationOf(this.dice, this.game) === null,
            onclick: () => this.finish(),
          },
          t("dice_take"),
        ),
        button(t("cancel"), this.close),
      ),
    ];
  }

  drawPick(die, n) {
    const look = {
      type: "button",
      class: n === this.at ? "slot-of-die current" : "slot-of-die",
      "aria-pressed": String(n === this.at),
      "aria-label": dieWords(die),
      onclick: () => {
        this.at = n;
        this.redraw();
      },
    };
    return h("button", look, drawDie({ ...die, asked: die.asked.length > 0 }));
  }

  drawCrop({ quad }) {
    if (!this.seen.address || !quad) return null;
    const look = { width: 160, height: 160, class: "crop", role: "img" };
    const canvas = h("canvas", { ...look, "aria-label": t("crop_label") });
    cutOut({ preview: this.seen.address, width: this.seen.size?.[0] ?? null }, quad, canvas);
    return canvas;
  }

  /** What is asked of a die comes first; its keys are 1 to 3. */
  drawChoices(die) {
    const values = ranked(die.candidates, this.game === "qwinto" ? PIPS : SYMBOL_IDS);
    const faces = this.drawRow("value", die, values);
    if (this.game !== "qwinto") return [faces];
    const colours = this.drawRow("colour", die, ranked(die.colours, Object.keys(COLOURS)));
    const title = h("p", { class: "choice-title" }, t("dice_colour"));
    const first = die.asked.includes("colour") && !die.asked.includes("value");
    return first ? [title, colours, faces] : [faces, title, colours];
  }

  drawRow(kind, die, values) {
    const choices = values.map(([value, share], n) =>
      h(
        "button",
        {
          type: "button",
          class: "choice",
          "aria-pressed": String(die[kind] === value),
          onclick: () => this.put(kind, value),
        },
        drawDie({ ...die, asked: false, [kind]: value }, { class: "face" }),
        h(
          "span",
          { class: "choice-word" },
          kind === "colour" ? t(`colour_${value}`) : dieWords({ value, colour: null }),
        ),
        h("span", { class: "choice-share" }, share === null ? "" : chance(share)),
        n < 3 ? h("kbd", {}, String(n + 1)) : null,
      ),
    );
    return h("div", { class: "choice-row" }, ...choices);
  }
}

/** Candidates with their shares, most likely first, then everything else that dice show. */
function ranked(candidates, all) {
  const told = candidates.filter(([value]) => all.includes(value));
  const rest = all.filter((value) => !told.some(([one]) => one === value));
  return [...told, ...rest.map((value) => [value, null])];
}
