// Whose turn it is, who plays, and the score.

import { drawFace } from "../board.js";
import { h, s } from "../dom.js";
import { t } from "../language.js";
import { placeWord, seatOf, seatWords } from "./match.js";
import { handWords } from "./tile_facts.js";

/** The turn in large letters, and one line a seat. */
export function drawFacts(view, entry) {
  const over = entry.over;
  const turn = over
    ? h("p", { class: "turn over" }, t("game_over"))
    : h(
        "p",
        { class: "turn" },
        face(seatOf(view, entry.turn).mark),
        h("span", {}, t("turn_of", { name: seatWords(view, entry.turn) })),
      );
  const lines = view.seats.map((seat, at) => drawSeat(view, seat, entry, at));
  const again = over ? h("a", { class: "button again", href: "/start" }, t("nav_start")) : null;
  return [turn, h("ul", { class: "seats" }, ...lines), again].filter(Boolean);
}

function drawSeat(view, { seat, name, mark, side }, { turn, scores, over, tiles }, at) {
  const where = [
    name ? placeWord(seat, view.game) : null,
    side ? t(`side_${side}`) : null,
    tiles ? handWords(tiles, at) : null,
  ].filter(Boolean);
  const won = over?.winners.includes(seat);
  return h(
    "li",
    { class: "seat", "aria-current": turn === seat && !over ? "true" : null },
    face(mark),
    h("span", { class: "seat-name" }, name || placeWord(seat, view.game)),
    h("small", {}, where.join(", ")),
    h(
      "span",
      { class: "score", "aria-label": t("score", { score: scores[at] }) },
      won ? `★ ${scores[at]}` : String(scores[at]),
    ),
  );
}

/** The mark a seat plays, as it looks on the cubes. */
function face(mark) {
  if (!mark) return null;
  return s(
    "svg",
    { class: "face", viewBox: "-48 -48 96 96", "aria-hidden": "true" },
    ...drawFace(mark, "."),
  );
}
