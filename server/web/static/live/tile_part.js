// Quinto in the board's place on the page of a match, and where the keyboard goes.
//
// `page` is the state of `table.js`; `act` is how to draw anew, send a command, go to an entry.

import { drawHands } from "./tile_facts.js";
import { drawTileHand, moveOf, pressKey } from "./tile_hand.js";

const CURSOR = '#board .cell[tabindex="0"]';

/**
 * Put the board to lay tiles on in the place of the one to look at, and the hands below.
 * @param {Node[]} parts  what stands in the board's place: the board, and steps through the game
 * @param {boolean} byHand  tiles are laid by hand, and the newest entry is in view
 */
export function drawTilePart(page, entry, parts, byHand, act) {
  const { view } = page;
  if (byHand) {
    const on = {
      change: (next, stay) => change(page, next, stay, act),
      play: (move) => act.send("play", { move }),
    };
    parts.splice(0, 1, ...drawTileHand(view, entry, page.tiles, on));
  }
  if (!view.can.hand || entry !== view.entries.at(-1)) return;
  const old = document.querySelector("#board .hands");
  parts.push(drawHands(view, old, (move) => act.send("play", { move })));
}

/** The keyboard goes on at the cursor, unless a key of the page was pressed for it. */
function change(page, next, stay, act) {
  page.tiles = next;
  act.draw();
  if (!stay) document.querySelector(CURSOR)?.focus({ preventScroll: true });
}

/** Tiles may be typed anywhere on the page: digits, Backspace, Enter; P passes. */
export function tileKeys(page, event, act) {
  const { view, at, tiles } = page;
  const entry = view.entries.at(-1);
  const pressed = event.target.closest?.("button, a, summary") && /^( |Enter)$/.test(event.key);
  if (!view.can.play || at !== null || pressed) return;
  if (event.key.toLowerCase() === "p") {
    event.preventDefault();
    act.send("play", { move: "pass" });
    return;
  }
  if (view.camera || event.key === " ") return;
  const move = event.key === "Enter" ? moveOf(tiles) : null;
  const next = pressKey(tiles, event.key, entry.tiles);
  if (!move && !next) return;
  event.preventDefault();
  if (move) act.send("play", { move });
  else change(page, next, false, act);
}
