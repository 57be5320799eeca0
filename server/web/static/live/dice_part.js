// Dice and sheets on the page of a match: what is drawn of them, and where the keyboard goes.
//
// `page` is the state of `table.js`; `act` is how to draw anew, send a command, go to an entry.

import { moveOf, press } from "../dice/pad.js";
import { drawDice, drawShown } from "./dice.js";
import { entryAt, last } from "./match.js";
import { drawSheets, nextPlace } from "./sheets.js";

const byId = (id) => document.getElementById(id);

/** Everything about dice; nothing in games without. */
export function drawDicePart(page, entry, act) {
  const on = {
    change(pad) {
      page.pad = pad;
      act.draw();
    },
    send: (move) => act.send("play", { move }),
    go: act.go,
    toggle(open) {
      page.rolls = open;
    },
  };
  byId("dice").replaceChildren(...drawDice(page, entry, on));
}

/** Only what is seen of the dice: with every status, without disturbing who types or clicks. */
export function drawDiceSeen(page) {
  const { view, at, status } = page;
  const old = byId("dice").querySelector(".dice-shown");
  const key = JSON.stringify(status?.dice);
  if (!old || !view.camera || at !== null || key === page.seen) return;
  page.seen = key;
  old.replaceWith(drawShown(view, entryAt(view, at), status.away ? null : status.dice));
}

/** Sheets to write on while the newest is in view; with a camera too, which sees only dice. */
export function drawSheetsPart(page, entry, act) {
  const { view, at } = page;
  const end = at === null ? last(view) : at;
  const change = (next, focus) => {
    page.sheets = next;
    act.draw();
    if (focus) document.querySelector(focusOf(focus))?.focus({ preventScroll: true });
  };
  const play = (move) => act.send("play", { move });
  const live = view.can.play && view.enter && entry === view.entries.at(-1);
  const hand = live ? { state: page.sheets, change, play } : null;
  return drawSheets(view, entry, view.entries[end - 1] ?? null, hand);
}

const focusOf = (place) => (place.startsWith(".") ? place : `#${place}`);

/** After an act the keyboard goes on to who writes next, or back to the dice. */
export function goToNext(page, act) {
  if (!document.activeElement.closest("#board .sheets, #dice")) return;
  const { id, seat, name } = nextPlace(page.view) ?? { id: `pad-die-${page.pad.at}` };
  if (seat) page.sheets = { ...page.sheets, at: { ...page.sheets.at, [seat]: name } };
  act.draw();
  byId(id)?.focus({ preventScroll: true });
}

/** Dice may be typed anywhere on the page: `o3y5` and Enter; D goes to them. */
export function padKeys(page, event, act) {
  const { view, pad, at } = page;
  const pressed = event.key === "Enter" && event.target.closest("button, a, summary");
  if (!pad || !view.can.play || at !== null || pressed) return;
  if (event.key.toLowerCase() === "d") byId(`pad-die-${pad.at}`)?.focus();
  else if (event.key === "Enter") {
    const move = moveOf(pad, view.game);
    if (move) act.send("play", { move });
  } else {
    const next = press(pad, event, view.game);
    if (!next) return;
    page.pad = next;
    act.draw();
    byId(`pad-die-${next.at}`)?.focus({ preventScroll: true });
  }
  event.preventDefault();
}
