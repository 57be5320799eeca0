// What is asked about one field: its picture beside what it may be, the most likely first.

import { SYMBOLS, SYMBOL_IDS, drawSymbol } from "../dice/die.js";
import { h, s } from "../dom.js";
import { digitOf } from "../editor.js";
import { chance, t, told } from "../language.js";
import { cornersOf } from "./picture.js";
import { EMPTY_SYMBOL, fieldWords, isEmpty, isSum, symbolOf, textOf, valueWords } from "./words.js";

/** How much around a field is shown, in sides of the field: its neighbours help to read it. */
const AROUND = 2.1;
const CROP_PX = 320;
const MOST = 3;

/** One field in the people's hands. */
export class Question {
  /**
   * @param {Object} about
   * @param {string} about.game
   * @param {Object} about.sheet  the server's
   * @param {Object} about.photo
   * @param {Object} about.field
   * @param {string} about.name  what the sheet is called
   * @param {Object} on  `answer(text)`, `later()`
   */
  constructor(about, on) {
    Object.assign(this, about);
    this.on = on;
    this.failure = null;
    this.element = h("article", { class: "card asking", "data-where": this.field.where });
    this.typed = this.isSymbol ? null : this.drawTyped();
    this.draw();
  }

  get isSymbol() {
    return this.field.where.startsWith("grid");
  }

  /** What is offered: the reader's candidates, and of symbols all others too. */
  get offered() {
    const told = this.field.candidates.slice(0, MOST);
    if (!this.isSymbol) return told;
    const all = [...SYMBOL_IDS.map((id) => SYMBOLS[id]), EMPTY_SYMBOL];
    const rest = all.filter((value) => !told.some(([one]) => one === value));
    return [...told, ...rest.map((value) => [value, null])];
  }

  /** A key anywhere on the page; true where it was meant for the question. */
  press(event) {
    const digit = digitOf(event);
    if (digit >= 1 && digit <= MOST && this.offered[digit - 1]) {
      this.on.answer(textOf(this.offered[digit - 1][0]));
      return true;
    }
    if (event.key === "Escape") {
      this.on.later();
      return true;
    }
    const sign = event.key.toUpperCase();
    if (this.isSymbol && Object.values(SYMBOLS).includes(sign)) {
      this.on.answer(sign);
      return true;
    }
    const free = !document.activeElement.closest("button, a, summary, [role=button]");
    if (this.typed && event.key === "Enter" && free) {
      this.typed.elements.value.focus();
      return true;
    }
    return false;
  }

  draw() {
    const { field, sheet, game, name } = this;
    const where = t("pile_question_of", { where: fieldWords(field.where, game), name });
    const asRead = field.answered
      ? h("p", { class: "hint" }, t("pile_as_read", { value: valueWords(field.where, field.read) }))
      : null;
    const later = h(
      "button",
      { type: "button", class: "plain", onclick: () => this.on.later() },
      t(field.asked ? "pile_later" : "close"),
    );
    this.element.replaceChildren(
      h("header", {}, h("div", {}, h("h2", {}, t("pile_question")), h("p", {}, where)), later),
      h(
        "div",
        { class: "asking-parts" },
        this.drawCrop(),
        h("div", { class: "asking-choices" }, this.drawChoices(), asRead, this.typed),
      ),
      this.failure ? h("p", { class: "note bad", role: "alert" }, told(this.failure)) : "",
    );
    this.element.setAttribute("data-sheet", sheet.id);
  }

  drawCrop() {
    const look = { width: CROP_PX, height: CROP_PX, class: "crop", role: "img" };
    const canvas = h("canvas", { ...look, "aria-label": t("pile_crop") });
    const flat = this.sheet.flat !== null;
    const address = flat ? this.sheet.flat.address : this.photo.address;
    if (address) cut(address, cornersOf(this.field, flat), canvas);
    return canvas;
  }

  drawChoices() {
    const { where, value, asked, fits } = this.field;
    const several = this.offered.length > MOST;
    const choices = this.offered.map(([one, share], n) =>
      h(
        "button",
        {
          type: "button",
          class: "choice",
          "aria-pressed": String(!asked && one === value),
          "aria-label": valueWords(where, one),
          onclick: () => this.on.answer(textOf(one)),
        },
        drawFace(where, one),
        share === null ? null : h("span", { class: "choice-share" }, chance(share)),
        fits !== null && one === fits
          ? h("span", { class: "choice-fits" }, t("pile_suggested"))
          : null,
        n < MOST ? h("kbd", { "aria-hidden": "true" }, String(n + 1)) : null,
      ),
    );
    return h("div", { class: several ? "choice-row many" : "choice-row" }, ...choices);
  }

  /** A field to type another value into; what is typed survives every drawing. */
  drawTyped() {
    const { where } = this.field;
    const look = { name: "value", autocomplete: "off", maxlength: 4, size: 4 };
    const kind = isSum(where) ? "text" : "numeric";
    const words = { placeholder: t("pile_type"), "aria-label": t("pile_type") };
    const input = h("input", { ...look, ...words, inputmode: kind });
    const send = (event) => {
      event.preventDefault();
      this.on.answer(input.value.trim().replace("−", "-"));
    };
    const escape = (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      input.value = "";
      input.blur();
    };
    return h(
      "form",
      { class: "typed", onsubmit: send, onkeydown: escape },
      input,
      h("button", { class: "plain" }, t("pile_take")),
    );
  }

  /** Say why an answer was not taken. */
  refuse(failure) {
    this.failure = failure;
    this.draw();
  }
}

function drawFace(where, value) {
  const symbol = symbolOf(value);
  if (symbol)
    return s(
      "svg",
      { class: "choice-symbol", viewBox: "15 15 70 70", "aria-hidden": "true" },
      ...drawSymbol(symbol),
    );
  const look = isEmpty(where, value) ? "choice-value empty" : "choice-value";
  return h("strong", { class: look }, valueWords(where, value));
}

/** Cut a field with its surroundings out of a picture; the field itself is framed. */
function cut(address, corners, canvas) {
  const image = new Image();
  image.addEventListener("load", () => {
    const xs = corners.map(([x]) => x);
    const ys = corners.map(([, y]) => y);
    const [left, right] = [Math.min(...xs), Math.max(...xs)];
    const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
    const side = Math.max((right - left) * 1.15, (bottom - top) * AROUND);
    const [x, y] = [(left + right) / 2 - side / 2, (top + bottom) / 2 - side / 2];
    const scale = canvas.width / side;
    const context = canvas.getContext("2d");
    context.drawImage(image, x, y, side, side, 0, 0, canvas.width, canvas.height);
    context.lineWidth = 4;
    context.strokeStyle = "#ffb020";
    context.beginPath();
    corners.forEach(([cx, cy]) => context.lineTo((cx - x) * scale, (cy - y) * scale));
    context.closePath();
    context.stroke();
    canvas.dataset.drawn = "1";
  });
  image.src = address;
}
