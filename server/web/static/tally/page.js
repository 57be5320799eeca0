// The page of score sheets: photos in, sheets read, doubts asked one by one, ranking out.

import { Failure } from "../api.js";
import { button, h, s } from "../dom.js";
import { get, post } from "../live/feed.js";
import { optionWord } from "../live/options_words.js";
import {
  applyLanguage,
  currentLanguage,
  inBoth,
  onLanguage,
  setLanguage,
  t,
  told,
} from "../language.js";
import { pickCorners } from "../overlay.js";
import { Uploads, drawDrop, upload } from "./photos.js";
import { Question } from "./question.js";
import { drawRanking } from "./ranking.js";
import { drawSheet, sheetName } from "./sheet.js";
import { symbolOf } from "./words.js";

const byId = (id) => document.getElementById(id);
const first = JSON.parse(byId("first").textContent);
const OTHER = /^sheet-of-(\w+)$/;
const NUMBER = /^(-?\d{1,3})?$/;
const page = {
  view: first.pile,
  game: first.pile?.game ?? first.games[0].id,
  options: first.pile?.options ?? {},
  chosen: null, // a field that people clicked: {sheet, where}
  later: new Set(), // doubts put off
  flat: {}, // by sheet: laid flat, rather than the whole photo
  open: new Set(), // sheets whose points are listed
  picking: null, // the photo whose corners are being shown
  failure: null,
  question: null,
  drawn: new Map(), // sheets as drawn last
};
const uploads = new Uploads(first.limit, send, took, drawTake);
let waiting = Promise.resolve(); // answers are sent one after the other
let unanswered = 0;

const keyOf = (sheet, where) => `${sheet} ${where}`;
const sheetOf = (id) => page.view?.sheets.find((sheet) => sheet.id === id);
const fieldOf = (sheet, where) => sheet?.fields.find((field) => field.where === where);

function draw() {
  document.title = `${t("nav_sheets")} · Arbitre`;
  drawTrouble();
  drawTake();
  drawResults();
  drawOlder();
}

function drawResults() {
  byId("ranking").replaceChildren(...(page.view ? drawRanking(page.view) : []));
  drawQuestion();
  drawSheets();
}

function drawTrouble() {
  const close = () => {
    page.failure = null;
    drawTrouble();
  };
  const look = { type: "button", class: "close", "aria-label": t("close"), onclick: close };
  const note = page.failure
    ? [h("p", { class: "note bad", role: "alert" }, told(page.failure), h("button", look, "×"))]
    : [];
  byId("trouble").replaceChildren(...note);
}

// Photos and what they are of

function drawTake() {
  const held = document.activeElement?.name;
  const photos = page.view?.photos ?? [];
  byId("take").classList.toggle("filled", photos.length > 0);
  byId("take").replaceChildren(
    drawGame(),
    drawDrop((files) => uploads.add(files)),
    h("ul", { class: "photo-list" }, ...photos.map(drawPhotoLine), ...uploads.draw()),
  );
  if (held) byId("take").querySelector(`[name="${held}"]`)?.focus({ preventScroll: true });
}

const gameOf = (id) => first.games.find((game) => game.id === id);

function drawGame() {
  const fixed = Boolean(page.view?.sheets.length);
  const change = (event) => play(event.target.value, {});
  const options = first.games.map((one) =>
    h("option", { value: one.id, selected: one.id === page.game }, told(one, "title")),
  );
  const select = h("select", { name: "game", disabled: fixed, onchange: change }, ...options);
  const fresh = page.view?.photos.length
    ? button(t("pile_new"), begin, { "data-control": "new" })
    : null;
  return h(
    "form",
    { class: "options", autocomplete: "off", onsubmit: (event) => event.preventDefault() },
    h("label", {}, h("span", {}, t("pile_game")), select),
    ...gameOf(page.game).options.map(drawOption),
    ...drawRolls(),
    fresh,
  );
}

/** The rolls that sheets are compared with: those of a match of this game, or of a log. */
function drawRolls() {
  const { view } = page;
  if (!view?.sheets.length) return [];
  const format = new Intl.DateTimeFormat(currentLanguage(), {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const matches = first.matches.filter(({ game }) => game === view.game);
  const words = ({ begun }) => t("pile_rolls_match", { when: format.format(new Date(begun)) });
  const option = (value, text) =>
    h("option", { value, selected: value === view.rolls }, text);
  const other = view.rolls && !matches.some(({ id }) => id === view.rolls);
  const select = h(
    "select",
    { name: "rolls", onchange: (event) => change("/rolls", { match: event.target.value }) },
    option("", t("pile_rolls_none")),
    ...matches.map((match) => option(match.id, words(match))),
    other ? option(view.rolls, view.rolls) : null,
  );
  const take = async (event) => {
    const [file] = event.target.files;
    if (file) change("/rolls", { log: await file.text(), name: file.name });
  };
  const look = { type: "file", accept: ".txt,.log,text/plain", "aria-label": t("pile_rolls_file") };
  return [
    h("label", {}, h("span", {}, t("pile_rolls")), select),
    h("label", { class: "plain button" }, t("pile_rolls_file"), h("input", { ...look, onchange: take })),
  ];
}

function drawOption(option) {
  const value = page.options[option.name] ?? option.default;
  const change = (event) => play(page.game, { ...page.options, [option.name]: event.target.value });
  const options = option.values.map((one) =>
    h("option", { value: one, selected: one === value }, optionWord(one, page.game)),
  );
  const name = `option_${option.name}`;
  const words = told(option).replace(/\.$/, "");
  return h("label", {}, h("span", {}, words), h("select", { name, onchange: change }, ...options));
}

function drawPhotoLine(photo) {
  const away = button("×", () => change(`/photos/${photo.sha}/remove`, {}), {
    class: "close",
    "aria-label": t("pile_remove_photo", { name: photo.name }),
  });
  const thumb = photo.address
    ? h("img", { class: "thumb", src: photo.address, alt: "", loading: "lazy" })
    : null;
  const count = photo.sheets.length;
  const state = count ? h("span", { class: "photo-state" }, t("pile_read", { count })) : null;
  const problems = photo.problems.map((problem) =>
    h("span", { class: "photo-state", role: "alert" }, told(problem)),
  );
  const look = problems.length ? "photo-line failed" : "photo-line";
  return h(
    "li",
    { class: look, "data-photo": photo.sha },
    thumb,
    h("span", { class: "photo-name" }, photo.name),
    state,
    ...problems,
    ...drawWaysOut(photo),
    away,
    page.picking === photo.sha ? drawPicking(photo) : null,
  );
}

/** What can be done about a photo that was not read. */
function drawWaysOut(photo) {
  if (!photo.problems.length || !photo.address || photo.sheets.length) return [];
  const other = photo.problems.map(({ reason }) => OTHER.exec(reason)?.[1]).find(Boolean);
  if (other && gameOf(other) && !page.view.sheets.length) {
    const words = t("pile_as_game", { game: told(gameOf(other), "title") });
    return [button(words, () => play(other, {}), { "data-control": "other" })];
  }
  const pick = () => {
    page.picking = page.picking === photo.sha ? null : photo.sha;
    drawTake();
  };
  return other ? [] : [button(t("pile_corners"), pick, { "data-control": "corners" })];
}

function drawPicking(photo) {
  const [width, height] = photo.size;
  const figure = h(
    "figure",
    { class: "photo" },
    h("img", { src: photo.address, alt: t("pile_photo_label", { name: photo.name }) }),
    s("svg", { viewBox: `0 0 ${width} ${height}` }),
  );
  figure.style.setProperty("--ratio", String(width / height));
  const line = h("p", { class: "note", role: "status" }, t("pile_corners_ask", { count: 4 }));
  const ask = (count) => {
    line.textContent = t("pile_corners_ask", { count: 4 - count });
  };
  const done = (corners) => {
    page.picking = null;
    change(`/photos/${photo.sha}/read`, { corners });
  };
  pickCorners(figure, done, ask);
  return h("div", { class: "picking-corners" }, line, figure);
}

/** Another game or other options; photos that were not read are read anew as that game's. */
async function play(game, options) {
  const other = game !== page.game;
  Object.assign(page, { game, options });
  if (page.view) await change("", { game, options });
  draw();
  if (!other || !page.view) return;
  for (const photo of page.view.photos.filter((one) => one.address && !one.sheets.length))
    await change(`/photos/${photo.sha}/read`, {});
}

async function begin() {
  try {
    page.view = null;
    take(await post(first.address, { game: page.game, options: page.options }));
    first.piles.unshift(...(first.pile ? [lineOf(first.pile)] : []));
    first.pile = page.view;
  } catch (error) {
    complain(error);
  }
  draw();
}

const lineOf = ({ page: address, game, begun, sheets }) => ({
  address,
  game,
  begun,
  sheets: sheets.length,
});

/** Send one photo; the first begins the pile. */
async function send(form, progress) {
  if (!page.view) {
    page.view = await post(first.address, { game: page.game, options: page.options });
    first.pile = page.view;
  }
  return upload(`${page.view.address}/photos`, form, progress);
}

function took(answer) {
  take(answer);
  drawResults();
}

/** The server's newest word on the pile; while answers are under way it lacks them. */
function take(view) {
  if (unanswered && page.view?.id === view.id) return;
  page.view = view;
  history.replaceState(null, "", view.page);
}

function complain(error) {
  if (!(error instanceof Failure)) throw error;
  page.failure = error.told;
}

/** Change something of the pile. */
async function change(path, body) {
  page.failure = null;
  try {
    take(await post(`${page.view.address}${path}`, body));
  } catch (error) {
    complain(error);
  }
  draw();
}

// Sheets

function drawSheets() {
  const { view } = page;
  const held = typedName();
  for (const details of byId("sheets").querySelectorAll("details.lines"))
    page.open[details.open ? "add" : "delete"](details.closest("article").dataset.sheet);
  const drawn = (view?.sheets ?? []).map((sheet, n) => drawOne(view, sheet, n));
  byId("sheets").replaceChildren(...drawn);
  if (!held) return;
  const field = byId("sheets").querySelector(`[name="${held.name}"]`);
  if (!field) return;
  field.value = held.value;
  field.focus({ preventScroll: true });
}

/** The name that is being typed: news of the pile must not take it away. */
function typedName() {
  const { name, value } = document.activeElement ?? {};
  return name?.startsWith?.("name-") ? { name, value } : null;
}

function drawOne(view, sheet, n) {
  const asked = page.question?.sheet.id === sheet.id ? page.question.field.where : null;
  const look = { n, flat: page.flat[sheet.id] ?? true, chosen: asked };
  const key = JSON.stringify([currentLanguage(), view.game, sheet, look]);
  const old = page.drawn.get(sheet.id);
  if (old?.key === key) return old.element;
  const on = {
    choose: (where) => choose(sheet.id, where),
    name: (name) => change(`/sheets/${sheet.id}/name`, { name }),
    show: (flat) => {
      page.flat[sheet.id] = flat;
      drawSheets();
    },
  };
  const element = drawSheet(view, sheet, look, on);
  element.querySelector("details.lines").open = page.open.has(sheet.id);
  page.drawn.set(sheet.id, { key, element });
  return element;
}

function choose(sheet, where) {
  page.chosen = { sheet, where };
  page.later.delete(keyOf(sheet, where));
  drawResults();
  const { element } = page.question;
  (element.querySelector(".typed input") ?? element.querySelector(".choice")).focus({
    preventScroll: true,
  });
  element.scrollIntoView({ block: "nearest", behavior: "smooth" });
}

// What is asked

/** The field in question: the one that people clicked, else the first doubt not put off. */
function asked() {
  const { chosen, view } = page;
  if (chosen && fieldOf(sheetOf(chosen.sheet), chosen.where)) return chosen;
  for (const sheet of view?.sheets ?? []) {
    const where = sheet.open.find((path) => !page.later.has(keyOf(sheet.id, path)));
    if (where) return { sheet: sheet.id, where };
  }
  return null;
}

function drawQuestion() {
  const now = asked();
  if (!now) {
    page.question = null;
    byId("question").replaceChildren(...drawLater());
    return;
  }
  const sheet = sheetOf(now.sheet);
  const field = fieldOf(sheet, now.where);
  const key = JSON.stringify([currentLanguage(), now, field, sheet.name]);
  if (page.question?.key !== key) {
    const typed = page.question?.at === keyOf(now.sheet, now.where) ? page.question.typed : null;
    const photo = page.view.photos.find(({ sha }) => sha === sheet.photo);
    const name = sheetName(sheet, page.view.sheets.indexOf(sheet));
    const about = { game: page.view.game, sheet, photo, field, name };
    const on = { answer: (text) => answer(now, text), later: () => putOff(now) };
    page.question = new Question(about, on);
    Object.assign(page.question, { key, at: keyOf(now.sheet, now.where) });
    if (typed && page.question.typed)
      page.question.typed.elements.value.value = typed.elements.value.value;
  }
  const count = page.view.sheets.reduce((sum, { open }) => sum + open.length, 0);
  const left = count ? h("p", { class: "count doubt" }, t("pile_left", { count })) : null;
  byId("question").replaceChildren(...[left, page.question.element].filter(Boolean));
}

/** A way back to doubts that were put off. */
function drawLater() {
  const count = (page.view?.sheets ?? []).reduce((sum, { open }) => sum + open.length, 0);
  if (!count) return [];
  const again = () => {
    page.later.clear();
    drawResults();
    page.question?.element.querySelector(".choice")?.focus({ preventScroll: true });
  };
  return [button(t("pile_left", { count }), again, { "data-control": "doubts" })];
}

function putOff({ sheet, where }) {
  page.chosen = null;
  page.later.add(keyOf(sheet, where));
  drawResults();
}

/** Take an answer: the next doubt is asked at once, the server adds up meanwhile. */
function answer({ sheet: id, where }, text) {
  const sheet = sheetOf(id);
  const field = fieldOf(sheet, where);
  if (!where.startsWith("grid") && !NUMBER.test(text)) {
    page.question.refuse(inBoth("pile_no_value", { value: text }));
    return;
  }
  const value = symbolOf(text) || text === "." ? text : text === "" ? blankOf(where) : Number(text);
  Object.assign(field, { value, asked: false, answered: true });
  sheet.open = sheet.open.filter((path) => path !== where);
  page.chosen = null;
  page.failure = null;
  const path = `${page.view.address}/sheets/${id}/values`;
  unanswered += 1;
  waiting = waiting.then(() => tell(path, { sheet: id, where, text }));
  const keyboard = byId("question").contains(document.activeElement);
  drawResults();
  if (keyboard) page.question?.element.querySelector(".choice")?.focus({ preventScroll: true });
}

/** What an empty field holds: no number in a box of sums, 0 elsewhere. */
const blankOf = (where) => (/^(strip|boxes)\./.test(where) ? null : 0);

async function tell(path, { sheet, where, text }) {
  try {
    const view = await post(path, { values: { [where]: text } });
    unanswered -= 1;
    take(view);
  } catch (error) {
    unanswered -= 1;
    if (!(error instanceof Failure)) throw error;
    await refused({ sheet, where }, error.told);
    return;
  }
  drawResults();
}

/** An answer was not taken: show the pile as the server has it, and ask again with the reason. */
async function refused(about, failure) {
  try {
    take(await get(page.view.address));
    page.chosen = about;
    drawResults();
    page.question.refuse(failure);
  } catch (error) {
    complain(error);
    draw();
  }
}

// Earlier piles

function drawOlder() {
  const forget = page.view?.photos.length
    ? button(t("pile_forget"), forgetAll, { "data-control": "forget" })
    : null;
  byId("older").replaceChildren(...(first.piles.length ? [drawList()] : []), forget ?? "");
}

function drawList() {
  const format = new Intl.DateTimeFormat(currentLanguage(), {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const lines = first.piles.map(({ address, game, begun, sheets: count }) => {
    const when = format.format(new Date(begun * 1000));
    const words = t("pile_line", { game: told(gameOf(game), "title"), count, when });
    return h("li", {}, h("a", { href: address }, words));
  });
  return h("details", {}, h("summary", {}, t("pile_older")), h("ul", {}, ...lines));
}

async function forgetAll() {
  if (!window.confirm(t("pile_forget_sure"))) return;
  try {
    const { address } = await post(`${page.view.address}/forget`, {});
    location.assign(address);
  } catch (error) {
    complain(error);
    draw();
  }
}

function keys(event) {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.matches("input, select, textarea") || !page.question) return;
  if (page.question.press(event)) event.preventDefault();
}

function watchDrops() {
  const over = (event, on) => {
    event.preventDefault();
    byId("take").classList.toggle("over", on);
  };
  window.addEventListener("dragover", (event) => over(event, true));
  window.addEventListener("dragleave", (event) => over(event, false));
  window.addEventListener("drop", (event) => {
    over(event, false);
    uploads.add([...event.dataTransfer.files]);
  });
}

for (const choice of document.querySelectorAll("[data-lang]")) {
  choice.addEventListener("click", () => setLanguage(choice.dataset.lang));
}
document.addEventListener("keydown", keys);
watchDrops();
onLanguage(draw);
applyLanguage();
draw();
