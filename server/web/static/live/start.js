// Starting a match: the game, what was agreed, who sits where, and a game already begun.

import { Failure } from "../api.js";
import { h } from "../dom.js";
import { drawEditor } from "../editor.js";
import { applyLanguage, onLanguage, setLanguage, t, told } from "../language.js";
import { drawChoices } from "../choices.js";
import { readingOf } from "../reading.js";
import { post } from "./feed.js";
import { placeWord } from "./match.js";
import { hasWord, optionWord } from "./options_words.js";

const first = JSON.parse(document.getElementById("first").textContent);
const form = document.getElementById("start");
const SIDES = ["bottom", "left", "top", "right"];
const SHAPING = ["seats", "size", "edition"];
const MARKS = [".", "X", "O"];

const chosen = {
  game: first.camera ?? first.games[0].id,
  by: first.camera ? "camera" : "hand",
  options: {},
  names: {},
  side: "bottom",
  join: false,
  seat: null,
  commit: "stable",
  from: first.camera ? "camera" : "board",
};
let board = null;
let place = [0, 0];
let failure = null;
let busy = false;

/** Whether the camera that runs, if one does, reads the game. */
const watched = () => first.camera === game().id;
const byCamera = () => watched() && chosen.by === "camera";
const game = () => first.games.find(({ id }) => id === chosen.game);
const optionOf = (option) => chosen.options[option.name] ?? option.default;

/** The number of seats: an option of its own in most games. */
function seatNames() {
  const { options, seat_names: names, seats } = game();
  const option = options.find(({ name }) => name === "seats");
  return names[option ? optionOf(option) : String(seats[0])];
}

function draw() {
  const held = document.activeElement?.name;
  form.replaceChildren(...drawParts());
  if (held) form.elements[held]?.focus?.({ preventScroll: true });
}

function drawParts() {
  const { options } = game();
  const main = options.filter(({ name }) => SHAPING.includes(name));
  const rest = options.filter((option) => !main.includes(option));
  return [
    h(
      "div",
      { class: "fields" },
      drawGame(),
      ...main.map(drawOption),
      watched() ? drawBy() : null,
      byCamera() ? drawCommit() : null,
    ),
    drawSeats(),
    h(
      "details",
      { open: Object.keys(chosen.options).some((name) => rest.some((o) => o.name === name)) },
      h("summary", {}, t("start_options")),
      h("div", { class: "fields" }, ...rest.map(drawOption)),
    ),
    drawJoin(),
    failure ? h("p", { class: "note bad", role: "alert" }, told(failure)) : null,
    h("div", { class: "buttons" }, h("button", { class: "button", disabled: busy }, t("start_go"))),
  ].filter(Boolean);
}

function drawGame() {
  const options = first.games.map((one) =>
    h("option", { value: one.id, selected: one.id === chosen.game }, told(one, "title")),
  );
  const change = (event) => {
    Object.assign(chosen, { game: event.target.value, options: {}, seat: null, join: false });
    board = null;
    draw();
  };
  return label("start_game", h("select", { name: "game", onchange: change }, ...options));
}

function drawBy() {
  const change = (event) => {
    chosen.by = event.target.value;
    draw();
  };
  const options = ["camera", "hand"].map((value) =>
    h("option", { value, selected: chosen.by === value }, t(`start_by_${value}`)),
  );
  return label("start_by", h("select", { name: "by", onchange: change }, ...options));
}

function drawCommit() {
  const change = (event) => {
    chosen.commit = event.target.value;
  };
  const options = ["stable", "button"].map((value) =>
    h("option", { value, selected: chosen.commit === value }, t(`start_commit_${value}`)),
  );
  return label("start_commit", h("select", { name: "commit", onchange: change }, ...options));
}

function drawOption(option) {
  const value = optionOf(option);
  const change = (event) => {
    const given = event.target.value.trim() || option.default;
    if (given === option.default) delete chosen.options[option.name];
    else chosen.options[option.name] = given;
    if (option.name === "size") board = null;
    // Only what changes the form draws it anew: a field just reached would lose the keyboard.
    if (SHAPING.includes(option.name)) draw();
  };
  const name = `option_${option.name}`;
  const field = option.values.length
    ? h(
        "select",
        { name, onchange: change },
        ...option.values.map((one) =>
          h("option", { value: one, selected: one === value }, optionWord(one, chosen.game)),
        ),
      )
    : h("input", {
        name,
        onchange: change,
        value: value === option.default ? "" : value,
        placeholder: hasWord(option.default) ? optionWord(option.default, chosen.game) : "",
        maxlength: 80,
      });
  return h("label", {}, h("span", {}, told(option).replace(/\.$/, "")), field);
}

function drawSeats() {
  const rows = seatNames().map((seat) => {
    const change = (event) => {
      chosen.names[seat] = event.target.value;
    };
    const field = h("input", {
      name: `name_${seat}`,
      value: chosen.names[seat] ?? "",
      maxlength: 40,
      oninput: change,
      placeholder: t("start_name"),
    });
    return h("label", {}, h("span", {}, placeWord(seat, chosen.game)), field);
  });
  const side = byCamera() && game().sides ? drawSide() : null;
  return h(
    "fieldset",
    {},
    h("legend", {}, t("start_seats")),
    h("div", { class: "fields" }, ...rows, side),
  );
}

function drawSide() {
  const change = (event) => {
    chosen.side = event.target.value;
  };
  const options = SIDES.map((value) =>
    h("option", { value, selected: value === chosen.side }, t(`south_${value}`)),
  );
  return label("start_side", h("select", { name: "side", onchange: change }, ...options));
}

function drawJoin() {
  if (!game().joins) return null;
  const toggle = (event) => {
    chosen.join = event.target.checked;
    draw();
  };
  const box = h(
    "label",
    { class: "check" },
    h("input", { type: "checkbox", name: "join", checked: chosen.join, onchange: toggle }),
    h("span", {}, t("start_join")),
  );
  const parts = chosen.join
    ? [
        h("div", { class: "fields" }, drawFrom(), drawMover()),
        chosen.from === "board" || !byCamera() ? drawBoard() : null,
      ]
    : [];
  return h("fieldset", {}, box, ...parts.filter(Boolean));
}

function drawFrom() {
  if (!byCamera()) return null;
  const change = (event) => {
    chosen.from = event.target.value;
    draw();
  };
  const options = ["camera", "board"].map((value) =>
    h("option", { value, selected: chosen.from === value }, t(`start_from_${value}`)),
  );
  return label("start_from", h("select", { name: "from", onchange: change }, ...options));
}

function drawMover() {
  const change = (event) => {
    chosen.seat = event.target.value;
  };
  const seats = seatNames();
  if (!seats.includes(chosen.seat)) [chosen.seat] = seats;
  const options = seats.map((seat) =>
    h("option", { value: seat, selected: seat === chosen.seat }, placeWord(seat, chosen.game)),
  );
  return label("start_mover", h("select", { name: "seat", onchange: change }, ...options));
}

/** A board to fill in, with the keys and choices of a correction. */
function drawBoard() {
  const size = Number(optionOf({ name: "size", default: game().size }));
  const line = ".".repeat(size);
  const blank = { rows: Array(size).fill(line), dots: Array(size).fill(line) };
  board ??= readingOf({ board: blank, fields: [], quad: null });
  const change = (next) => {
    if (next.reading) board = next.reading;
    if (next.chosen) place = next.chosen;
    draw();
    form.querySelector(next.focus === "choice" ? ".choice" : '.cell[tabindex="0"]')?.focus();
  };
  const dots = optionOf({ name: "seats", default: "2" }) === "4";
  const look = { chosen: place, open: true, marks: MARKS, dots, label: t("correct_board") };
  const none = { preview: "" };
  return h(
    "div",
    { class: "correct-parts" },
    h("div", {}, drawEditor(board, look, change)),
    drawChoices(board, none, look, change),
  );
}

function label(key, field) {
  return h("label", {}, h("span", {}, t(key)), field);
}

/** What the server wants to know. */
function wanted() {
  const { game: id, options, names, side, join, from, seat, commit } = chosen;
  const seen = byCamera();
  const players = seatNames().map((one) => (names[one] ?? "").trim());
  const count = { seats: String(players.length) };
  const body = { game: id, options: { ...options, ...count }, south: seen ? side : "" };
  if (players.some(Boolean)) body.players = players;
  if (seen) body.commit = commit;
  if (!join) return body;
  if (seen && from === "camera") return { ...body, as_lies: true, to_move: seat };
  return { ...body, board: board.board, to_move: seat };
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (busy) return;
  busy = true;
  failure = null;
  draw();
  try {
    const { address } = await post(first.address, wanted());
    location.assign(address);
    return;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failure = error.told;
  }
  busy = false;
  draw();
});
for (const button of document.querySelectorAll("[data-lang]")) {
  button.addEventListener("click", () => setLanguage(button.dataset.lang));
}
onLanguage(draw);
applyLanguage();
draw();
