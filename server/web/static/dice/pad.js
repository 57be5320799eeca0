// Entering a roll by hand, first of all by keyboard: `o3y5` and Enter, or `x o` and Enter.
//
// A pad is a value: `{dice: [{colour, value, cocked}], at, kind, open}`. Pure but for `drawPad`.

import { button, h } from "../dom.js";
import { t } from "../language.js";
import { seatWords } from "../live/match.js";
import {
  COLOURS,
  PIPS,
  SYMBOLS,
  SYMBOL_IDS,
  dieWords,
  drawDie,
  faceOfKey,
  notationOf,
  rollWords,
} from "./die.js";

/** Keys of the colours, those of the French names too. */
const COLOUR_KEYS = { o: "orange", y: "yellow", j: "yellow", p: "purple", v: "purple" };

/** An empty pad for what may be thrown next: the same dice where they are thrown again. */
export function emptyPad(view, kind = null) {
  const throws = view.enter?.throws ?? [];
  const next = throws.find((one) => one.kind === kind) ?? throws[0] ?? { kind: "roll" };
  const colours = next.colours ?? [];
  const dice =
    view.game === "detrak"
      ? [0, 1].map(() => ({ colour: null, value: null, cocked: false }))
      : Object.keys(COLOURS).map((colour) => ({
          colour,
          value: null,
          cocked: false,
          chosen: colours.includes(colour),
        }));
  const at = Math.max(
    0,
    dice.findIndex(({ chosen }) => chosen),
  );
  return { dice, at, kind: next.kind };
}

/** The dice that were thrown. */
export function thrown(pad) {
  return pad.dice.filter(({ colour, chosen }) => colour === null || chosen);
}

/** The roll in notation; null while a die has no value. */
export function moveOf(pad, game) {
  const roll = notationOf(thrown(pad), game);
  return roll === null ? null : `${pad.kind} ${roll}`;
}

function put(pad, at, change) {
  return { ...pad, dice: pad.dice.map((die, n) => (n === at ? { ...die, ...change } : die)) };
}

/** The next die after a place that was thrown and has no value yet; the place itself without one. */
function nextOpen(pad, from) {
  const count = pad.dice.length;
  const order = pad.dice.map((_, n) => (from + 1 + n) % count);
  const open = order.find((n) => {
    const { colour, chosen, value } = pad.dice[n];
    return value === null && (colour === null || chosen);
  });
  return open ?? from;
}

/** Give the current die a value and go on to the next one without. */
export function setValue(pad, value, at = pad.at) {
  const next = put(pad, at, { value, chosen: true });
  return { ...next, at: nextOpen(next, at) };
}

/** Choose a die, go to one that is chosen, or leave the current one out. */
export function toggle(pad, at) {
  const { chosen } = pad.dice[at];
  if (chosen && at !== pad.at) return { ...pad, at };
  if (chosen) return put(pad, at, { chosen: false, value: null, cocked: false });
  // Dice chosen one after the other get their values in that order.
  const here = pad.dice[pad.at];
  const waits = here.chosen && here.value === null;
  return { ...put(pad, at, { chosen: true }), at: waits ? pad.at : at };
}

/** The pad after a key; null for keys that mean nothing to it. */
export function press(pad, event, game) {
  const { key } = event;
  const lower = key.toLowerCase();
  const face = faceOfKey(event, game);
  const { at, dice } = pad;
  const step = (by) => ({ ...pad, at: (at + by + dice.length) % dice.length });
  if (game === "qwinto" && lower in COLOUR_KEYS) {
    return toggle(
      pad,
      dice.findIndex(({ colour }) => colour === COLOUR_KEYS[lower]),
    );
  }
  if (face !== null) return setValue(pad, face);
  if (lower === "c") return put(pad, at, { cocked: !dice[at].cocked });
  if (key === "ArrowLeft") return step(-1);
  if (key === "ArrowRight") return step(1);
  if (key === "Backspace" || key === "Delete" || key === "0") return clear(pad, game);
  return null;
}

/** Take the value of the current die away, or of the last one that has one. */
function clear(pad, game) {
  const { at, dice } = pad;
  const last = dice.findLastIndex(({ value }) => value !== null);
  const place = dice[at].value === null && last >= 0 ? last : at;
  const out = game === "qwinto" && dice[place].value === null ? { chosen: false } : {};
  return { ...put(pad, place, { value: null, cocked: false, ...out }), at: place };
}

/**
 * Draw the pad.
 * @param {Object} view
 * @param {Object} pad
 * @param {boolean} busy
 * @param {{change: (pad: Object) => void, send: (move: string) => void}} on
 */
export function drawPad(view, pad, busy, on) {
  const { game } = view;
  const move = moveOf(pad, game);
  const begun = pad.dice.some(({ value }) => value !== null);
  const confirm = () => {
    if (move && !busy) on.send(move);
  };
  const keys = (event) => {
    if (event.ctrlKey && !event.altKey) return;
    if (event.metaKey || event.target.closest("select")) return;
    const picks = event.target.closest(".faces, .pad-tools");
    const next = press(pad, event, game);
    if (event.key === "Enter" && !picks) confirm();
    else if (event.key === "Escape") on.change(emptyPad(view, pad.kind));
    else if (next) on.change(next);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return h(
    "div",
    { class: begun ? "pad begun" : "pad", id: "pad", role: "group", "aria-label": t("pad_label"), onkeydown: keys },
    drawKind(view, pad, on),
    h("div", { class: "slots-of-dice" }, ...pad.dice.map((_, at) => drawSlot(pad, at, game, on))),
    drawFaces(pad, game, on),
    h("p", { class: "pad-sum", role: "status" }, sumWords(pad, move)),
    h(
      "div",
      { class: "buttons pad-tools" },
      h(
        "button",
        {
          type: "button",
          id: "pad-enter",
          class: "button",
          disabled: !move || busy,
          onclick: confirm,
        },
        t("pad_enter"),
        h("kbd", { "aria-hidden": "true" }, "⏎"),
      ),
      button(t("pad_cocked"), () => on.change(put(pad, pad.at, { cocked: !cockedAt(pad) })), {
        id: "pad-cocked",
        "aria-pressed": String(cockedAt(pad)),
        "aria-keyshortcuts": "c",
      }),
      button(t("pad_clear"), () => on.change(emptyPad(view, pad.kind)), { id: "pad-clear" }),
    ),
    h("p", { class: "hint" }, t(`pad_hint_${game}`)),
  );
}

const cockedAt = ({ dice, at }) => dice[at].cocked;

/** Who throws, and whether for the first time: what is likely first, and what else may be told. */
function drawKind(view, pad, on) {
  const words = ({ kind, seat }) => t(`pad_${kind}`, { name: seatWords(view, seat) });
  const { throws } = view.enter;
  if (throws.length < 2) return h("p", { class: "pad-kind" }, words(throws[0]));
  const choose = (event) => on.change(emptyPad(view, event.target.value));
  const options = throws.map((one) =>
    h("option", { value: one.kind, selected: one.kind === pad.kind }, words(one)),
  );
  const look = { id: "pad-kind", "aria-label": t("pad_kind"), onchange: choose };
  return h("select", look, ...options);
}

function drawSlot(pad, at, game, on) {
  const die = pad.dice[at];
  const chosen = die.colour === null || die.chosen;
  const current = at === pad.at;
  const name = die.colour ? t(`colour_${die.colour}`) : t("pad_die", { n: at + 1 });
  const words = die.value === null ? t(chosen ? "pad_open" : "pad_left_out") : dieWords(die);
  const take = () => on.change(game === "qwinto" ? toggle(pad, at) : { ...pad, at });
  const look = {
    type: "button",
    id: `pad-die-${at}`,
    class: `slot-of-die${current ? " current" : ""}${chosen ? "" : " left-out"}`,
    "aria-pressed": game === "qwinto" ? String(chosen) : null,
    "aria-current": current ? "true" : null,
    "aria-label": `${name}: ${words}`,
    onclick: take,
  };
  return h("button", look, drawDie(die), h("span", {}, name));
}

function drawFaces(pad, game, on) {
  const { colour, value: now } = pad.dice[pad.at];
  const values = game === "qwinto" ? PIPS : SYMBOL_IDS;
  const faces = values.map((value, n) => {
    const label = dieWords({ value, colour });
    const look = {
      type: "button",
      id: `pad-face-${n + 1}`,
      class: "face-of-die",
      "aria-label": label,
      "aria-pressed": String(now === value),
      title: SYMBOLS[value] ? `${label} (${n + 1}, ${SYMBOLS[value]})` : label,
      onclick: () => on.change(setValue(pad, value)),
    };
    return h(
      "button",
      look,
      drawDie({ value, colour }),
      h("kbd", { "aria-hidden": "true" }, n + 1),
    );
  });
  return h("div", { class: "faces", role: "group", "aria-label": t("pad_faces") }, ...faces);
}

function sumWords(pad, move) {
  const dice = thrown(pad);
  if (!dice.some(({ value }) => value !== null)) return t("pad_nothing");
  const known = dice.filter(({ value }) => value !== null);
  const pips = known.every(({ value }) => Number.isInteger(value));
  const sum = pips ? known.reduce((total, { value }) => total + value, 0) : null;
  const words = rollWords({ dice: known, sum });
  return move ? words : `${words} …`;
}
