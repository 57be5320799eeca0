// A match of Quinto on the page: the board with the last play, and what it comes to, line by line.

import { h } from "../dom.js";
import { t, told } from "../language.js";
import { cellName } from "../layout.js";
import { drawTileBoard, isTile, signAt } from "../tiles/board.js";

const same = ([row, column], [r, c]) => row === r && column === c;
const has = (cells, row, column) => cells.some((cell) => same(cell, [row, column]));

/** The board of an entry, with its last play marked and the lines of that play summed up. */
export function drawTiles(view, entry) {
  const { tiles } = entry;
  const svg = drawTileBoard(tiles.rows, {
    label: t("tiles_board", { words: boardWords(tiles.rows) }),
    start: tiles.start,
    ...lookOfLast(view, entry),
  });
  svg.setAttribute("role", "img");
  svg.classList.toggle("foul", entry.verdict === "illegal");
  return svg;
}

/** The last play up to an entry as it is drawn on its board: passes and hands shown hide none. */
export function lookOfLast(view, entry) {
  const upTo = view.entries.slice(0, view.entries.indexOf(entry) + 1);
  const turns = upTo.reverse();
  // An older foul has been taken back: it is only shown in its own place.
  const shows = (one) => isPlay(one.tiles) && (one === entry || one.moved);
  const { tiles, moved, verdict } = turns.find((one) => shows(one) || !one.verdict) ?? entry;
  return {
    ghosts: moved || !verdict ? [] : tiles.laid,
    classes: (row, column) => lastClasses(tiles, row, column),
    lines: tiles.lines,
  };
}

const isPlay = ({ laid, taken, changed }) => laid.length + taken.length + changed.length > 0;

/** How a cell took part in the last play. */
function lastClasses(tiles, row, column) {
  const found = [];
  if (has(tiles.laid, row, column)) found.push("last");
  if (has(tiles.taken, row, column)) found.push("taken");
  if (has(tiles.changed, row, column)) found.push("changed");
  return found;
}

/** One of two boards that people compare, cells in which they differ marked. */
export function drawTilesOf({ rows }, { classes = () => [], label = null } = {}) {
  const words = label ?? t("tiles_board", { words: boardWords(rows) });
  const svg = drawTileBoard(rows, { label: words, classes });
  svg.setAttribute("role", "img");
  return svg;
}

/** All tiles in words, for people who do not see the board. */
export function boardWords(rows) {
  const words = rows.flatMap((line, row) =>
    [...line].map((sign, column) => (isTile(sign) ? `${cellName(row, column)} ${sign}` : null)),
  );
  return words.filter(Boolean).join(", ") || t("tiles_bare");
}

/** A cell in words. */
export function cellWords({ rows, start }, place, laid = null) {
  const cell = cellName(...place);
  if (laid !== null) return t("tile_laid", { cell, value: laid });
  const sign = signAt(rows, place);
  if (isTile(sign)) return t("tile_there", { cell, value: sign });
  if (sign === "?") return t("tile_unseen", { cell });
  return t(same(start, place) ? "tile_start" : "tile_none", { cell });
}

/** Every line that a play makes or lengthens, as a sum: 9 + 9 + 7 = 25. */
export function drawLines({ tiles, reckoned, verdict }) {
  const lines = tiles.lines.map((line) =>
    h(
      "li",
      { class: line.fits ? "fits" : "fails" },
      h("span", { "aria-hidden": "true" }, line.fits ? "✓" : "✕"),
      ` ${lineWords(line, tiles.divisor)}`,
    ),
  );
  const alone = lines.length ? [] : (reckoned ?? []).map((part) => h("li", {}, alonePoints(part)));
  if (!lines.length && !alone.length) return null;
  const total = tiles.lines.reduce((sum, line) => sum + line.total, 0);
  const points = verdict === "legal" && lines.length;
  return h(
    "div",
    { class: "play-lines" },
    h("h3", {}, t("lines_title")),
    h("ul", { class: "reckoned" }, ...lines, ...alone),
    points ? h("p", {}, h("strong", {}, t("lines_points", { points: total }))) : null,
  );
}

const alonePoints = (part) => t("reckoned", { where: told(part, "where"), points: part.points });

function lineWords(line, divisor) {
  const sum = [...line.values].join(" + ");
  const values = { where: told(line, "where"), sum, total: line.total };
  if (line.fits) return t("line_fits", values);
  if (!line.over) return t("line_long", values);
  return t("line_over", { ...values, over: line.over, short: divisor - line.over });
}

/** A play in words; null where the notation says more. */
export function tileWords({ move, tiles }) {
  const hand = /(?:^|\/)hand (\S+)$/.exec(move ?? "");
  if (hand && hand[1] === "-") return t("tiles_shown_none");
  if (hand) return t("tiles_shown", { tiles: [...hand[1]].join(" ") });
  if (/(?:^|\/)pass/.test(move ?? "")) return t("tiles_passed");
  if (!tiles.laid.length || tiles.taken.length || tiles.changed.length) return null;
  const values = tiles.laid.map(([, , value]) => value).join(" ");
  const cells = tiles.laid.map(([row, column]) => cellName(row, column)).join(", ");
  return t("tiles_words", { tiles: values, cells });
}
