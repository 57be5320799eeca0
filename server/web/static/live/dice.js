// The dice of a match: what the program sees, the roll that holds, entering one, and all of them.

import { dieWords, drawDie, isKnown, rollWords } from "../dice/die.js";
import { drawPad } from "../dice/pad.js";
import { h } from "../dom.js";
import { t, told } from "../language.js";
import { seatWords } from "./match.js";
import { SIGNS } from "./verdict.js";

const STATES = ["empty", "moving", "rest", "asking", "cocked", "stacked"];

/**
 * Everything about dice; empty for games without.
 * @param {Object} page  `view`, `status`, `pad`, `busy`
 * @param {Object} entry  the entry in view
 * @param {Object} on  `change` and `send` of the pad, `go` to an entry
 */
export function drawDice(page, entry, on) {
  const { view, status } = page;
  if (!view.enter && !entry.sheets) return [];
  const newest = entry === view.entries.at(-1);
  const seen = newest && view.camera && !status?.away ? status?.dice : null;
  return [
    newest && view.waits ? drawWaits(view) : null,
    drawShown(view, entry, seen),
    newest && view.can.play && view.enter ? drawPad(view, page.pad, page.busy, on) : null,
    drawRolls(view, page.rolls, on),
  ].filter(Boolean);
}

/** A seen roll waits until it is known what was written on the one before. */
function drawWaits(view) {
  const names = view.seats.filter(({ seat }) => view.enter?.seats[seat].owes);
  const who = names.map(({ seat }) => seatWords(view, seat)).join(", ");
  return h("p", { class: "note doubt waits" }, t("roll_waits", { names: who }));
}

/** The dice drawn big: those in the tray as the program sees them, else the roll that holds. */
export function drawShown(view, entry, seen) {
  const { roll } = entry;
  const live = seen?.dice?.some((die) => die.in_zone !== false);
  const dice = live ? seen.dice.filter((die) => die.in_zone !== false) : (roll?.dice ?? []);
  const words = dice.map(seenWords).join(", ");
  return h(
    "div",
    { class: "dice-shown", "data-state": seen?.state ?? "none" },
    seen ? h("p", { class: "dice-state", role: "status" }, stateWords(seen)) : null,
    h(
      "div",
      { class: "dice-big", role: "img", "aria-label": words || t("dice_none") },
      ...dice.map((die) =>
        drawDie({ ...die, value: known(die.value), cocked: die.cocked || die.flat === false }),
      ),
      dice.length ? null : h("p", { class: "hint" }, t("dice_none")),
    ),
    roll
      ? h(
          "p",
          { class: "roll-last" },
          h("span", {}, t("roll_by", { name: seatWords(view, roll.seat) })),
          " ",
          h("strong", {}, rollWords(roll)),
          roll.throws > 1 ? h("small", {}, ` ${t("roll_nth", { n: roll.throws })}`) : null,
        )
      : null,
  );
}

const known = (value) => (isKnown(value) ? value : "other");

/** A die as it is seen, with how sure that is. */
function seenWords(die) {
  return dieWords({ ...die, cocked: die.cocked || die.flat === false });
}

function stateWords(seen) {
  if (seen.text_en) return told(seen);
  return t(`dice_state_${STATES.includes(seen.state) ? seen.state : "empty"}`);
}

/** Every roll that took effect, the newest first. */
function drawRolls(view, open, { go, toggle }) {
  const rolls = view.entries
    .map((entry, n) => ({ entry, n }))
    .filter(({ entry }) => /^(\w: )?(re)?roll\b/.test(entry.move ?? ""))
    .reverse();
  if (!rolls.length) return null;
  const items = rolls.map(({ entry, n }) => h("li", {}, drawRollLine(view, entry, n, go)));
  return h(
    "details",
    { class: "rolls", open, ontoggle: (event) => toggle(event.target.open) },
    h("summary", {}, t("rolls_title", { count: rolls.length })),
    h("ol", { class: "move-list" }, ...items),
  );
}

function drawRollLine(view, entry, n, go) {
  const { verdict, seat, kind, move, kept } = entry;
  // What an illegal throw showed is in its notation alone: the roll before holds again.
  const roll = verdict === "legal" || kept ? entry.roll : null;
  const dice = (roll?.dice ?? []).map((die) => drawDie(die));
  return h(
    "button",
    { type: "button", class: "move-line roll-line", id: `roll-${n}`, onclick: () => go(n) },
    h("span", { class: `mini ${verdict}`, "aria-hidden": "true" }, SIGNS[verdict]),
    h("span", { class: "dice-small", "aria-hidden": "true" }, ...dice),
    h("span", {}, seatWords(view, seat), ": ", roll ? rollWords(roll) : h("code", {}, move)),
    h("small", {}, t(kind === "played" ? "roll_entered" : "roll_seen")),
  );
}
