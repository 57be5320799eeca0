// The page of score sheets: photos in, sheets read, doubts asked one by one, ranking out.

import { Failure } from "../api.js";
import { button, h } from "../dom.js";
import { get, post } from "../live/feed.js";
import {
  applyLanguage,
  currentLanguage,
  inBoth,
  onLanguage,
  setLanguage,
  t,
  told,
} from "../language.js";
import { drawIncoming } from "./incoming.js";
import { drawOlder } from "./older.js";
import { Uploads, upload } from "./photos.js";
import { Question } from "./question.js";
import { drawRanking } from "./ranking.js";
import { drawSheet, sheetName } from "./sheet.js";
import { symbolOf } from "./words.js";

const byId = (id) => document.getElementById(id);
const first = JSON.parse(byId("first").textContent);
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
const act = { play, begin, change, pick };
const uploads = new Uploads(first.limit, send, took, drawTake);
let waiting = Promise.resolve(); // answers are sent one after the other
let unanswered = 0;
let overtaken = false; // news came meanwhile that lacked those answers

const keyOf = (sheet, where) => `${sheet} ${where}`;
const sheetOf = (id) => page.view?.sheets.find((sheet) => sheet.id === id);
const fieldOf = (sheet, where) => sheet?.fields.find((field) => field.where === where);

function draw() {
  document.title = `${t("nav_sheets")} · Arbitre`;
  drawTrouble();
  drawTake();
  drawResults();
  drawEnd();
}

function drawResults() {
  // Points are the server's: what it says of answers under way is still to come.
  byId("main").classList.toggle("counting", unanswered > 0);
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
  byId("take").classList.toggle("filled", Boolean(page.view?.photos.length));
  byId("take").replaceChildren(...drawIncoming(page, first, uploads, act));
  if (held) byId("take").querySelector(`[name="${held}"]`)?.focus({ preventScroll: true });
}

/** Begin or stop showing a sheet's corners in a photo. */
function pick(sha) {
  page.picking = sha;
  drawTake();
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
    const fresh = await post(first.address, { game: page.game, options: page.options });
    if (page.view) first.piles.unshift(lineOf(page.view));
    Object.assign(page, { chosen: null, picking: null, failure: null });
    take(fresh);
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
    take(await post(first.address, { game: page.game, options: page.options }));
  }
  return upload(`${page.view.address}/photos`, form, progress);
}

function took(answer) {
  hear(answer);
  drawResults();
}

/** News of a pile: nothing where another is in view by now; later where it lacks answers. */
function hear(view) {
  if (page.view.id !== view.id) return;
  if (unanswered) overtaken = true;
  else take(view);
}

/** A pile comes into view, as the server has it. */
function take(view) {
  Object.assign(page, { view, game: view.game, options: view.options });
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
    hear(await post(`${page.view.address}${path}`, body));
  } catch (error) {
    complain(error);
    take(page.view);
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
  let failure = null;
  let view = null;
  try {
    view = await post(path, { values: { [where]: text } });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failure = error.told;
  }
  unanswered -= 1;
  if (failure || (overtaken && !unanswered)) view = await whole();
  if (!unanswered) overtaken = false;
  if (view) hear(view);
  const again = failure && view?.id === page.view.id;
  if (again) page.chosen = { sheet, where };
  drawResults();
  if (again) page.question.refuse(failure);
}

/** The pile as the server has it; null, and said, where that cannot be had. */
async function whole() {
  try {
    return await get(page.view.address);
  } catch (error) {
    complain(error);
    drawTrouble();
    return null;
  }
}

// Earlier piles

function drawEnd() {
  const forget = page.view?.photos.length
    ? button(t("pile_forget"), forgetAll, { "data-control": "forget" })
    : null;
  byId("older").replaceChildren(...drawOlder(first), forget ?? "");
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
window.addEventListener("beforeprint", () => {
  for (const details of byId("sheets").querySelectorAll("details.lines")) details.open = true;
});
watchDrops();
onLanguage(draw);
applyLanguage();
draw();
