// A match as the server tells it. Pure functions.
//
// `view.entries` is everything that took effect, oldest first, and last, if there is one, the move
// that was seen and is not committed yet (`provisional`).

import { t, told } from "../language.js";
import { cellName, parseMove } from "../layout.js";
import { actWords } from "./act_words.js";
import { tileWords } from "./tiles.js";

export function last(view) {
  return view.entries.length - 1;
}

/** The entry in view: the newest unless people step through the game. */
export function entryAt(view, at) {
  return view.entries[at === null ? last(view) : Math.min(at, last(view))];
}

/** The last entry up to a place that was ruled on; null at the start of a game. */
export function ruledUpTo(view, at) {
  const upTo = view.entries.slice(0, (at ?? last(view)) + 1);
  return upTo.reverse().find((entry) => entry.verdict) ?? null;
}

export function seatOf(view, name) {
  return view.seats.find(({ seat }) => seat === name) ?? { seat: name, name: null, mark: null };
}

/** A seat as people say it: the player's name, or else the place. */
export function seatWords(view, name) {
  return seatOf(view, name).name || placeWord(name, view.game);
}

/** The place of a seat in words: a side of the table in Quixo, a letter in other games. */
export function placeWord(seat, game) {
  return game === "quixo" ? t(`mover_${seat}`) : t("player", { seat });
}

/** A move in words, for people who do not know the notation; null where there are none. */
export function moveWords(entry) {
  if (entry.words_en) return told(entry, "words");
  if (entry.tiles) return tileWords(entry);
  if (entry.move === "pass" || entry.move === "claim") return t(`move_${entry.move}`);
  if (entry.sheets) return actWords(entry.move);
  const sentences = parseMove(entry.move).pushes.map(({ row, column, end }) =>
    t("move_words", { cube: cellName(row, column), end: t(`end_${end}`) }),
  );
  return sentences.length ? sentences.join(" ") : null;
}

/** Where the cube of the last push of a move came in: its cell and the end of the line. */
export function entered(move, size) {
  const push = parseMove(move).pushes.at(-1);
  if (!push) return null;
  const { row, column, end, line } = push;
  const across = end === "L" || end === "R";
  const far = end === "L" || end === "T" ? 0 : size - 1;
  return across
    ? { row: line ?? row, column: far, end }
    : { row: far, column: line ?? column, end };
}

/** Cells in which two boards differ. */
export function differing(one, other) {
  const found = [];
  one.rows.forEach((line, row) => {
    for (let column = 0; column < line.length; column += 1) {
      const mark = other.rows[row]?.[column];
      if (mark !== line[column] && mark !== "?" && line[column] !== "?") found.push([row, column]);
    }
  });
  return found;
}
