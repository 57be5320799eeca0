// A picture of dice: what each shows, corrected by finger or keyboard.

import { button, h, s } from "../dom.js";
import { chance, percent, t } from "../language.js";
import { cutOut, drawPhoto } from "../overlay.js";
import { Slot } from "../slot.js";
import { drawFacts, drawPicking, drawRefusal } from "../slot_view.js";
import { PIPS, SYMBOL_IDS, dieWords, drawDie, faceOfKey } from "./die.js";

const FACES = { qwinto: [...PIPS, "other"], detrak: [...SYMBOL_IDS, "other"] };
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** A slot whose readings are lists of dice. */
export class DiceSlot extends Slot {
  constructor({ name, game, changed }) {
    super({ name, changed });
    this.drawing = drawDiceView;
    this.words = { drop: "drop_dice", corners: "tray_corners", ask: "tray_corners_ask" };
    this.play(game);
  }

  /** Look for the dice of another game; a picture that is there is read again. */
  play(game) {
    this.of = { game, part: "dice" };
    if (this.file) this.take(this.file);
    else this.draw();
  }

  readingsOf(view) {
    const dice = view.dice?.map((die) => ({ ...die, cocked: !die.flat, was: die }));
    const first = dice?.findIndex((die) => die.asked.length > 0) ?? 0;
    return { readings: dice ? [dice] : [], at: 0, die: Math.max(0, first) };
  }

  /** Take the die `n` in hand. */
  hold(n, focus = ".slot-of-die.current") {
    this.die = Math.max(0, Math.min(this.reading.length - 1, n));
    this.redraw(focus);
  }

  /** Say what the die in hand shows, or its colour: from now on people vouch for it. */
  put(kind, value, focus = ".slot-of-die.current") {
    const die = this.reading[this.die];
    const asked = die.asked.filter((one) => one !== kind);
    const next = { ...die, [kind]: value, asked, [`${kind}Put`]: true };
    this.readings = [this.reading.map((one, n) => (n === this.die ? next : one))];
    this.redraw(focus);
  }

  /** Take the corrections of the die in hand back. */
  asRead() {
    const { was } = this.reading[this.die];
    const next = { ...was, cocked: !was.flat, was };
    this.readings = [this.reading.map((one, n) => (n === this.die ? next : one))];
    this.redraw(".slot-of-die.current");
  }

  redraw(focus) {
    this.draw();
    this.element.querySelector(focus)?.focus({ preventScroll: true });
    this.changed();
  }
}

/** A picture of dice that was read, or why it was not. */
function drawDiceView(slot) {
  const shown = slot.picking ? null : slot.reading;
  const photo = drawPhoto(slot.view, null, { label: t("photo_label", { name: slot.file.name }) });
  const svg = photo.querySelector("svg");
  svg.append(...(shown ?? []).flatMap((die, n) => drawBox(slot, die, n)));
  if (slot.picking) return [photo, drawPicking(slot, photo)];
  const part = slot.reading ? drawDicePart(slot) : drawRefusal(slot.view.refused);
  return [photo, h("div", { class: "side" }, part, drawFacts(slot))];
}

/** A die on the photo: its box, and what it shows above it. */
function drawBox(slot, die, n) {
  const [x0, y0, x1, y1] = die.box;
  const size = Math.max(slot.view.width / 45, (y1 - y0) * 0.38);
  const classes = ["quad", standing(die), n === slot.die ? "chosen" : ""].join(" ").trim();
  const area = { x: x0, y: y0, width: x1 - x0, height: y1 - y0, class: classes };
  const above = y0 > 1.2 * size ? y0 - 0.25 * size : y1 + 0.95 * size;
  const place = { x: (x0 + x1) / 2, y: above, "font-size": size, "stroke-width": size * 0.22 };
  const text = String(die.value === "other" ? "?" : (SIGNS[die.value] ?? die.value));
  return [
    s("rect", { ...area, onclick: () => slot.hold(n) }),
    s("text", { class: "sign", "text-anchor": "middle", ...place }, text),
  ];
}

const SIGNS = { bar: "/", cross: "✕", triple: "≡", hash: "#", triangle: "△", circle: "○" };

function standing(die) {
  if (die.valuePut || die.colourPut) return "corrected";
  return die.asked.length ? "asked" : "";
}

function drawDicePart(slot) {
  const dice = slot.reading;
  if (!dice.length) return h("p", { class: "count" }, t("dice_none"));
  const count = dice.reduce((sum, die) => sum + die.asked.length, 0);
  const line = { class: count ? "count doubt" : "count" };
  const list = { class: "slots-of-dice", role: "group", "aria-label": t("dice_label") };
  return h(
    "div",
    { class: "board-part read-dice", onkeydown: (event) => onKey(event, slot) },
    h("p", line, t(count ? "dice_doubts" : "no_doubts", { count })),
    h("div", list, ...dice.map((die, n) => drawPick(slot, die, n))),
    drawHand(slot, dice[slot.die]),
  );
}

function drawPick(slot, die, n) {
  const look = {
    type: "button",
    class: n === slot.die ? "slot-of-die current" : "slot-of-die",
    tabindex: n === slot.die ? "0" : "-1",
    "aria-pressed": String(n === slot.die),
    "aria-label": wordsOf(die),
    onclick: () => slot.hold(n),
  };
  return h("button", look, drawDie({ ...die, asked: die.asked.length > 0 }));
}

/** A die in words: `orange 3, 98 %, in doubt`. */
function wordsOf(die) {
  const parts = [dieWords(die)];
  if (die.valuePut || die.colourPut) parts.push(t("corrected"));
  else parts.push(chance(die.confidence));
  if (die.asked.length) parts.push(t("in_doubt"));
  return parts.join(", ");
}

/** The die in hand: its picture beside what it may be. */
function drawHand(slot, die) {
  const look = { width: 112, height: 112, class: "crop", role: "img" };
  const canvas = h("canvas", { ...look, "aria-label": t("crop_label") });
  const [x0, y0, x1, y1] = die.box;
  const quad = [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
  cutOut(slot.view, quad, canvas);
  const values = ranked(die.candidates, FACES[slot.of.game]);
  const colours = ranked(die.colours, []).slice(0, 6);
  const corrected = die.valuePut || die.colourPut;
  return h(
    "div",
    { class: "choices", role: "group", "aria-label": t("dice_choices") },
    h("div", { class: "choices-head" }, canvas, h("p", {}, wordsOf(die))),
    drawRow(slot, die, "value", values),
    h("p", { class: "choice-title" }, t("dice_colour")),
    drawRow(slot, die, "colour", colours),
    corrected ? button(t("as_read"), () => slot.asRead()) : null,
    h("p", { class: "hint" }, t("dice_keys")),
  );
}

function drawRow(slot, die, kind, values) {
  const choices = values.map(([value, share], n) => {
    const shown = { ...die, asked: false, cocked: false, [kind]: value };
    const look = {
      type: "button",
      class: "choice",
      "data-choice": `${kind}-${n}`,
      "aria-pressed": String(die[kind] === value),
      onclick: () => slot.put(kind, value, `[data-choice="${kind}-${n}"]`),
    };
    return h(
      "button",
      look,
      drawDie(shown, { class: `die face on-${shown.colour ?? "other"}` }),
      h("span", { class: "choice-word" }, kind === "colour" ? t(`colour_${value ?? "other"}`) : valueWords(value)),
      h("span", { class: "choice-share" }, share === null ? "" : percent(share)),
    );
  });
  return h("div", { class: "choice-row" }, ...choices);
}

function valueWords(value) {
  return value === "other" ? t("die_other") : dieWords({ value, colour: null });
}

/** Candidates with their shares, most likely first, then everything else that dice may show. */
function ranked(candidates, all) {
  const told = candidates.filter(([value]) => !all.length || all.includes(value));
  const rest = all.filter((value) => !told.some(([one]) => one === value));
  return [...told, ...rest.map((value) => [value, null])];
}

/** Arrows go from die to die, signs say what it shows, C goes through its colours. */
function onKey(event, slot) {
  if (event.ctrlKey || event.metaKey) return;
  const die = slot.reading[slot.die];
  const face = faceOfKey(event, slot.of.game);
  if (STEPS[event.key]) slot.hold(slot.die + STEPS[event.key]);
  else if (event.key === "Backspace" || event.key === "Delete") slot.asRead();
  else if (event.key.toLowerCase() === "c") {
    const names = die.colours.map(([name]) => name);
    slot.put("colour", names[(names.indexOf(die.colour) + 1) % names.length]);
  } else if (face !== null) slot.put("value", face);
  else return;
  event.preventDefault();
}
