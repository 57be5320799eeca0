// Laying tiles of Quinto by hand: by keyboard as in a crossword, by click, or by the keys below.

import { button, h, s } from "../dom.js";
import { t } from "../language.js";
import { cellName } from "../layout.js";
import { drawTile, drawTileBoard, isTile, signAt } from "../tiles/board.js";
import { cellWords, lookOfLast } from "./tiles.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const ARROWS = [
  { key: "ArrowLeft", sign: "←", name: "tiles_left" },
  { key: "ArrowUp", sign: "↑", name: "tiles_up" },
  { key: "ArrowDown", sign: "↓", name: "tiles_below" },
  { key: "ArrowRight", sign: "→", name: "tiles_right" },
];
const DIGITS = [..."0123456789"];

/** Nothing laid; `at` is the cursor, the start cell until it is moved; `down`: where it goes on. */
export const NO_TILES = { at: null, laid: [], down: false, full: false };

const cursorOf = (state, tiles) => state.at ?? tiles.start;
const laidAt = (state, [row, column]) =>
  state.laid.find(([r, c]) => r === row && c === column) ?? null;
const inside = ({ rows }, [row, column]) =>
  row >= 0 && column >= 0 && row < rows.length && column < rows[0].length;

/** The play in notation; null while no tile is laid. */
export function moveOf({ laid }) {
  const words = laid.map(([row, column, value]) => `${cellName(row, column)}=${value}`);
  return words.length ? words.join(" ") : null;
}

/**
 * What a key makes of the tiles laid so far.
 * @param {Object} state  as `NO_TILES`
 * @param {string} key  as of a key event
 * @param {Object} tiles  of the newest entry
 * @returns {Object|null}  the next state; null for keys that mean nothing here
 */
export function pressKey(state, key, tiles) {
  const at = cursorOf(state, tiles);
  if (STEPS[key]) return moved(state, at, key, tiles);
  if (DIGITS.includes(key)) return lay(state, at, Number(key), tiles);
  if (key === "Backspace" || key === "Delete") return takeBack(state, at);
  if (key === " ") return { ...state, at, down: !state.down, full: false };
  if (key === "Escape" && state.laid.length) return { ...state, laid: [], full: false };
  return null;
}

function moved(state, at, key, tiles) {
  const [down, right] = STEPS[key];
  const next = [at[0] + down, at[1] + right];
  return { ...state, at: inside(tiles, next) ? next : at, down: down !== 0, full: false };
}

function lay(state, at, value, tiles) {
  if (isTile(signAt(tiles.rows, at))) return { ...state, at, full: true };
  const others = state.laid.filter(([row, column]) => row !== at[0] || column !== at[1]);
  const laid = [...others, [...at, value]];
  return { ...state, laid, at: nextEmpty({ ...state, laid }, at, tiles), full: false };
}

/** The next cell without a tile in the direction of typing; the same one at the board's end. */
function nextEmpty(state, at, tiles) {
  const step = state.down ? [1, 0] : [0, 1];
  let next = [at[0] + step[0], at[1] + step[1]];
  while (inside(tiles, next) && (isTile(signAt(tiles.rows, next)) || laidAt(state, next)))
    next = [next[0] + step[0], next[1] + step[1]];
  return inside(tiles, next) ? next : at;
}

/** Without the tile at the cursor, or else without the one laid last. */
function takeBack(state, at) {
  const gone = laidAt(state, at) ?? state.laid.at(-1);
  if (!gone) return { ...state, at };
  return { ...state, at: gone.slice(0, 2), laid: state.laid.filter((t) => t !== gone), full: false };
}

/**
 * The board to lay tiles on, and keys for fingers.
 * @param {Object} view
 * @param {Object} entry  the newest
 * @param {Object} state  as `NO_TILES`
 * @param {{change: (next: Object) => void, play: (move: string) => void}} on
 */
export function drawTileHand(view, entry, state, on) {
  const { tiles } = entry;
  const at = cursorOf(state, tiles);
  const fresh = state.laid.length === 0;
  const look = lookOfLast(view, entry);
  const isAt = (row, column) => at[0] === row && at[1] === column;
  const svg = drawTileBoard(tiles.rows, {
    label: t("tiles_enter"),
    start: tiles.start,
    ghosts: fresh ? look.ghosts : state.laid,
    lines: fresh ? look.lines : [],
    classes: (row, column) => [
      ...(fresh ? look.classes(row, column) : []),
      ...(laidAt(state, [row, column]) ? ["laid"] : []),
      ...(isAt(row, column) ? ["chosen"] : []),
    ],
    describe: (row, column) =>
      cellWords(tiles, [row, column], laidAt(state, [row, column])?.[2] ?? null),
  });
  svg.setAttribute("role", "grid");
  svg.dataset.live = "";
  svg.classList.toggle("foul", fresh && entry.verdict === "illegal");
  for (const row of svg.querySelectorAll(".row")) row.setAttribute("role", "row");
  for (const cell of svg.querySelectorAll(".cell")) makeLive(cell, { tiles, state, at, on });
  return [svg, drawPad(tiles, state, on)];
}

function makeLive(cell, { tiles, state, at, on }) {
  const place = [Number(cell.dataset.row), Number(cell.dataset.column)];
  const here = place[0] === at[0] && place[1] === at[1];
  cell.setAttribute("role", "gridcell");
  cell.setAttribute("tabindex", here ? "0" : "-1");
  if (here) cell.append(drawArrow(state.down));
  cell.addEventListener("click", () => {
    const down = here && state.at ? !state.down : state.down;
    on.change({ ...state, at: place, down, full: false });
  });
  cell.addEventListener("keydown", (event) => keyOn(event, tiles, { ...state, at: place }, on));
}

/** A key on the board; those that mean nothing here are left to the page. */
function keyOn(event, tiles, state, on) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const move = event.key === "Enter" ? moveOf(state) : null;
  const next = pressKey(state, event.key, tiles);
  if (!next && event.key !== "Enter") return;
  event.preventDefault();
  event.stopPropagation();
  if (move) on.play(move);
  else if (next) on.change(next);
}

function drawArrow(down) {
  const turn = down ? "rotate(90 30 30)" : null;
  const path = s("path", { class: "way", d: "M36 18 52 30 36 42z", transform: turn });
  return s("g", { "aria-hidden": "true" }, path);
}

/** Digits with what is left of them, and what a keyboard would do. */
function drawPad(tiles, state, on) {
  const press = (key) => {
    const next = pressKey(state, key, tiles);
    if (next) on.change(next, true);
  };
  const cell = cellName(...cursorOf(state, tiles));
  const digits = DIGITS.map((digit, value) => drawKey(digit, tiles.left[value], press));
  const values = state.laid.map(([, , value]) => value).join(" ");
  const play = h(
    "button",
    {
      type: "button",
      class: "button play",
      id: "tiles-play",
      disabled: !values,
      onclick: () => on.play(moveOf(state)),
    },
    values ? t("tiles_play", { tiles: values }) : t("tiles_play_none"),
  );
  const words = state.full ? t("tiles_taken", { cell }) : t("tiles_hint");
  return h(
    "div",
    { class: "tile-pad" },
    h("p", { class: state.full ? "hint taken" : "hint", role: "status" }, words),
    h("div", { class: "digits", role: "group", "aria-label": t("tiles_digits") }, ...digits),
    h(
      "div",
      { class: "tile-acts" },
      h(
        "span",
        { class: "arrows", role: "group", "aria-label": t("tiles_move") },
        ...ARROWS.map((arrow) => drawArrowKey(arrow, press)),
      ),
      button(`${cell} ${state.down ? "↓" : "→"}`, () => press(" "), {
        class: "plain way-key",
        id: "tiles-way",
        title: t(state.down ? "tiles_down" : "tiles_across"),
        "aria-label": `${cell}, ${t(state.down ? "tiles_down" : "tiles_across")}`,
      }),
      button("⌫", () => press("Backspace"), {
        id: "tiles-back",
        disabled: !values,
        "aria-label": t("tiles_back"),
        title: t("tiles_back"),
      }),
      button(t("tiles_clear"), () => press("Escape"), { id: "tiles-clear", disabled: !values }),
      play,
    ),
  );
}

function drawKey(digit, left, press) {
  return h(
    "button",
    {
      type: "button",
      class: left > 0 ? "tile-key" : "tile-key gone",
      id: `tiles-key-${digit}`,
      "aria-label": t("tile_key", { value: digit, left }),
      onclick: () => press(digit),
    },
    s("svg", { viewBox: "0 0 60 60", "aria-hidden": "true" }, ...drawTile(digit)),
    h("small", { "aria-hidden": "true" }, String(left)),
  );
}

function drawArrowKey({ key, sign, name }, press) {
  const look = { id: `tiles-${key}`, "aria-label": t(name) };
  return button(sign, () => press(key), look);
}
