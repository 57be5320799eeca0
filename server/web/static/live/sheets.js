// The sheets of a dice game, drawn, and writing on them: by click, by finger or by keyboard.

import { SYMBOLS, drawDie, faceOfKey } from "../dice/die.js";
import { button, h } from "../dom.js";
import { t } from "../language.js";
import * as detrak from "../sheets/detrak.js";
import * as qwinto from "../sheets/qwinto.js";
import { placeWord, seatWords } from "./match.js";

const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
const FIRST = { qwinto: "o2", detrak: "a1" };

/** Nothing chosen on any sheet: `at` is where the keyboard is, by seat. */
export const NO_FIELD = { at: {}, asked: null, placed: null };

/**
 * All sheets of an entry.
 * @param {Object} view
 * @param {Object} entry
 * @param {Object|null} before  the entry before it, to show what is new
 * @param {Object|null} hand  `{state, change, play}` where the sheets can be written on
 */
export function drawSheets(view, entry, before, hand) {
  const sheets = view.seats.map((seat, at) => {
    const last = lastOn(entry.sheets[at], before?.sheets?.[at], view.game);
    return drawSheet(view, entry, { seat: seat.seat, sheet: entry.sheets[at], last }, hand);
  });
  return h("div", { class: `sheets ${view.game}` }, ...sheets);
}

/** What the last act changed on a sheet: names of fields, `failed`. */
function lastOn(sheet, old, game) {
  if (!old) return new Set();
  const names = game === "qwinto" ? qwinto.FIELDS.map(({ name }) => name) : allCells();
  const value = (from, name, at) =>
    game === "qwinto" ? from.numbers[at] : detrak.symbolAt(from, name);
  const changed = names.filter((name, at) => value(sheet, name, at) !== value(old, name, at));
  return new Set([...changed, ...(sheet.failed > old.failed ? ["failed"] : [])]);
}

const allCells = () =>
  [0, 1, 2, 3, 4].flatMap((row) => [0, 1, 2, 3, 4].map((column) => detrak.cellName(row, column)));

function drawSheet(view, entry, { seat, sheet, last }, hand) {
  const may = hand && view.enter.seats[seat];
  const name = seatWords(view, seat);
  const label = t("sheet_of", { name });
  const drawn =
    view.game === "qwinto"
      ? drawQwintoSheet(sheet, last, may)
      : drawDetrakSheet(sheet, last, may, placedOn(hand, seat));
  if (may) makeLive(drawn, { view, seat, sheet, may, hand });
  else drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", may ? label : `${label}: ${sheetWords(view.game, sheet)}`);
  const score = entry.scores[view.seats.findIndex((one) => one.seat === seat)];
  const place = placeWord(seat, view.game);
  return h(
    "article",
    { class: may?.owes ? "sheet owes" : "sheet", "data-seat": seat },
    h(
      "header",
      {},
      h("h3", {}, name, name === place ? null : h("small", {}, ` ${place}`)),
      stateOf(may),
      h("strong", { class: "sheet-score", "aria-label": t("score", { score }) }, String(score)),
    ),
    drawn,
    may ? drawActs(view, seat, may, hand) : null,
    may && hand.state.asked?.seat === seat ? drawAsked({ view, seat, sheet, may, hand }) : null,
  );
}

const placedOn = (hand, seat) => (hand?.state.placed?.seat === seat ? hand.state.placed : null);

function stateOf(may) {
  if (may?.out) return h("span", { class: "tag" }, t("sheet_out"));
  return may?.owes ? h("span", { class: "tag due" }, t("sheet_owes")) : null;
}

function drawQwintoSheet(sheet, last, may) {
  const open = new Set(may?.fields ?? []);
  return qwinto.drawQwinto(sheet, {
    classes: (name) => [...(open.has(name) ? ["open"] : []), ...(last.has(name) ? ["last"] : [])],
    failedLast: last.has("failed"),
  });
}

function drawDetrakSheet(sheet, last, may, placed) {
  const free = (name) => detrak.symbolAt(sheet, name) === null;
  const open = (name) => {
    if (may?.start.length) return name === "a1";
    if (!may?.pair.length || !free(name)) return false;
    if (placed) return detrak.touch(placed.name, name);
    return allCells().some((other) => free(other) && detrak.touch(name, other));
  };
  return detrak.drawDetrak(sheet, {
    classes: (name) => [...(open(name) ? ["open"] : []), ...(last.has(name) ? ["last"] : [])],
    ghosts: placed ? { [placed.name]: placed.symbol } : {},
  });
}

/** Everything that is written on a sheet, for people who do not see the drawing. */
function sheetWords(game, sheet) {
  if (game === "qwinto") {
    const held = qwinto.FIELDS.filter((_, at) => sheet.numbers[at] !== 0);
    const words = held.map(({ name }) => qwinto.fieldWords(sheet, name));
    return [...words, t("sheet_failed_count", { count: sheet.failed })].join("; ");
  }
  const held = allCells().filter((name) => detrak.symbolAt(sheet, name) !== null);
  return held.map((name) => detrak.cellWords(sheet, name)).join("; ") || t("field_empty");
}

/** Let a drawn sheet be written on: a grid with one field at a time in the order of Tab. */
function makeLive(drawn, on) {
  const { view, seat, sheet, hand } = on;
  const here = hand.state.at[seat] ?? FIRST[view.game];
  drawn.setAttribute("role", "grid");
  drawn.dataset.live = "";
  for (const row of drawn.querySelectorAll(".row")) row.setAttribute("role", "row");
  for (const field of drawn.querySelectorAll(".field")) {
    const { field: name } = field.dataset;
    field.setAttribute("role", "gridcell");
    field.id = fieldId(seat, name);
    field.setAttribute("tabindex", name === here ? "0" : "-1");
    field.addEventListener("click", () => choose(on, name));
    field.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey) return;
      if (!keyOn(on, name, event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    if (view.game === "qwinto" && on.may.fields.includes(name))
      field.setAttribute(
        "aria-label",
        `${qwinto.fieldWords(sheet, name)}, ${t("field_open", { number: on.may.number })}`,
      );
  }
}

export const fieldId = (seat, name) => `field-${seat}-${name}`;

/** What a key does on a field; true where it did something. */
function keyOn(on, name, event) {
  const { view, seat, may, hand } = on;
  const { key } = event;
  const game = view.game === "qwinto" ? qwinto : detrak;
  if (ARROWS.includes(key)) {
    const next = game.neighbour(name, key);
    hand.change({ ...hand.state, at: { ...hand.state.at, [seat]: next } }, fieldId(seat, next));
  } else if (key === "Enter" || key === " ") choose(on, name);
  else if (key === "Escape") hand.change({ ...hand.state, asked: null, placed: null });
  else if (view.game === "qwinto" && key.toLowerCase() === "x" && may.fail)
    hand.play(`${seat}: x`);
  else if (view.game === "qwinto" && key === "-" && may.pass)
    hand.play(`${seat}: pass`);
  else if (view.game === "detrak" && faceOfKey(event, "detrak"))
    choose(on, name, faceOfKey(event, "detrak"));
  else return false;
  return true;
}

/** A field was chosen: write at once what may be written, ask about everything else. */
function choose(on, name, symbol = null) {
  if (on.view.game === "qwinto") return chooseNumber(on, name);
  if (on.may.start.length) return chooseStart(on, symbol);
  return choosePair(on, name, symbol);
}

function chooseNumber({ seat, may, hand }, name) {
  if (may.fields.includes(name) && may.number !== null)
    return hand.play(`${seat}: ${name}=${may.number}`);
  return ask(hand, { seat, name });
}

function chooseStart({ seat, may, hand }, symbol) {
  if (symbol && may.start.includes(symbol)) return hand.play(`${seat}: start=${SYMBOLS[symbol]}`);
  return ask(hand, { seat, name: "a1" });
}

function choosePair({ seat, sheet, may, hand }, name, symbol) {
  const placed = placedOn(hand, seat);
  const [one, two] = may.pair;
  if (detrak.symbolAt(sheet, name) !== null || !may.pair.length) return ask(hand, { seat, name });
  if (symbol && !may.pair.includes(symbol)) return ask(hand, { seat, name });
  if (!placed || placed.name === name) {
    // The same cell again takes the other symbol of the pair.
    const other = placed?.symbol === one ? two : one;
    const next = { seat, name, symbol: symbol ?? other };
    return hand.change({ ...at(hand, seat, name), asked: null, placed: next }, fieldId(seat, name));
  }
  if (!detrak.touch(placed.name, name)) return ask(hand, { seat, name });
  return hand.play(pairMove(seat, placed, name, may.pair));
}

/** `A: b3X c3O`: the symbol placed first, and the other one of the pair. */
function pairMove(seat, placed, name, [one, two]) {
  const rest = placed.symbol === one ? two : one;
  return `${seat}: ${placed.name}${SYMBOLS[placed.symbol]} ${name}${SYMBOLS[rest]}`;
}

const at = ({ state }, seat, name) => ({ ...state, at: { ...state.at, [seat]: name } });

function ask(hand, asked) {
  hand.change({ ...at(hand, asked.seat, asked.name), asked }, ".asked button");
}

/** What a seat may do without a field. */
function drawActs(view, seat, may, hand) {
  if (view.game !== "qwinto" || !(may.fail || may.pass)) return null;
  const act = (name, move, key) => {
    const look = { id: `act-${seat}-${move}`, "aria-keyshortcuts": key };
    const press = button(t(name), () => hand.play(`${seat}: ${move}`), look);
    press.append(h("kbd", { "aria-hidden": "true" }, key.toUpperCase()));
    return press;
  };
  const acts = [
    may.fail ? act("sheet_fail", "x", "x") : null,
    may.pass ? act("sheet_pass", "pass", "-") : null,
  ];
  return h("div", { class: "buttons sheet-acts" }, ...acts.filter(Boolean));
}

/** What stands in the way of a choice, and what may be noted down all the same. */
function drawAsked(on) {
  const { hand } = on;
  const [words, ...choices] = on.view.game === "qwinto" ? askNumber(on) : askSymbols(on);
  const cancel = button(
    t("cancel"),
    () => hand.change({ ...hand.state, asked: null }, fieldId(on.seat, hand.state.asked.name)),
    { id: "asked-cancel" },
  );
  const keys = (event) => {
    if (event.key === "Escape") cancel.click();
    else if (on.may.start?.length && faceOfKey(event, "detrak"))
      chooseStart(on, faceOfKey(event, "detrak"));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return h(
    "div",
    { class: "asked note", role: "group", onkeydown: keys },
    h("p", {}, words),
    h("div", { class: "buttons" }, ...choices, cancel),
  );
}

function askNumber({ view, seat, sheet, may, hand }) {
  const { name } = hand.state.asked;
  const number = sheet.numbers[qwinto.FIELDS.findIndex((field) => field.name === name)];
  const act = (key, move, values) => button(t(key, values), () => hand.play(`${seat}: ${move}`));
  const held = { field: qwinto.fieldWords(sheet, name) };
  if (number > 0) return [t("ask_taken", held), act("ask_erase", `-${name}=${number}`, { number })];
  if (may.number !== null)
    return [
      t("ask_illegal", { ...held, number: may.number }),
      act("ask_anyway", `${name}=${may.number}`),
    ];
  if (!view.entries.at(-1).roll) return [t("ask_no_roll")];
  const input = h("input", {
    type: "number",
    min: 1,
    max: 18,
    id: "asked-number",
    "aria-label": t("ask_number"),
  });
  const write = () => input.value && hand.play(`${seat}: ${name}=${input.value}`);
  return [t("ask_number"), input, button(t("ask_write"), write)];
}

function askSymbols({ view, seat, sheet, may, hand }) {
  const { name } = hand.state.asked;
  const placed = placedOn(hand, seat);
  if (may.start.length) {
    const face = (symbol) =>
      h(
        "button",
        {
          type: "button",
          class: "symbol-choice",
          id: `start-${symbol}`,
          "aria-label": t(`symbol_${symbol}`),
          onclick: () => chooseStart({ seat, may, hand }, symbol),
        },
        drawDie({ value: symbol, colour: null }),
      );
    return [t("ask_start"), ...may.start.map(face)];
  }
  if (!may.pair.length) return [t(view.entries.at(-1).roll ? "ask_nothing_due" : "ask_no_roll")];
  if (detrak.symbolAt(sheet, name) !== null)
    return [t("ask_filled", { field: detrak.cellWords(sheet, name) })];
  if (!placed) return [t("ask_not_rolled")];
  const anyway = () => hand.play(pairMove(seat, placed, name, may.pair));
  return [t("ask_apart", { one: placed.name, two: name }), button(t("ask_anyway"), anyway)];
}

/** Where the keyboard goes after an act: to who has to write next; null when nobody has. */
export function nextPlace(view) {
  const { seats } = view.enter;
  const names = view.seats.map(({ seat }) => seat);
  const due =
    names.find((seat) => seats[seat].owes) ??
    names.find((seat) => seats[seat].pass && seats[seat].fields.length);
  return due ? placeIn(view, due) : null;
}

/** The first field where a seat may write, or else its first field. */
function placeIn(view, seat) {
  const name = view.enter.seats[seat].fields?.[0] ?? FIRST[view.game];
  return { seat, name, id: fieldId(seat, name) };
}
