// The page of one match: live picture, board, verdict, controls.

import { Failure } from "../api.js";
import { emptyPad } from "../dice/pad.js";
import { h } from "../dom.js";
import { digitOf } from "../editor.js";
import {
  applyLanguage,
  currentLanguage,
  inBoth,
  onLanguage,
  setLanguage,
  t,
  told,
} from "../language.js";
import { controlOf, drawControls, isField } from "./controls.js";
import { drawDicePart, drawDiceSeen, drawSheetsPart, goToNext, padKeys } from "./dice_part.js";
import { DiceCorrection } from "./dice_question.js";
import { drawFacts } from "./facts.js";
import { follow, get, post } from "./feed.js";
import { keepingFocus } from "./focus.js";
import { drawHand, drawMoveField, NOTHING } from "./hand.js";
import { entryAt, last, ruledUpTo } from "./match.js";
import { LivePicture } from "./picture.js";
import { Correction, drawOutOfSync } from "./question.js";
import { NO_FIELD } from "./sheets.js";
import { drawStatus } from "./status.js";
import { drawMoves, drawSteps } from "./steps.js";
import { drawTileFacts } from "./tile_facts.js";
import { NO_TILES } from "./tile_hand.js";
import { drawTilePart, tileKeys } from "./tile_part.js";
import { TileCorrection, drawOddTile } from "./tile_question.js";
import { drawVerdict } from "./verdict.js";

const byId = (id) => document.getElementById(id);
const first = JSON.parse(byId("first").textContent);
const BIG = "arbitre.big";
const HAND_FIELDS = '.cell[tabindex="0"], input[name=move]';
const page = {
  view: first.match,
  status: first.status,
  up: true,
  at: null, // the entry in view; null follows the newest
  hand: NOTHING,
  tiles: NO_TILES,
  sheets: NO_FIELD,
  pad: first.match?.enter ? emptyPad(first.match) : null,
  seen: null, // the dice in view as they were drawn last
  rolls: false, // the list of rolls is open
  busy: false,
  failure: first.trouble,
  correction: null,
  told: null, // the verdict in view
};
const act = { draw, send, go };
let picture = null;

function draw() {
  keepingFocus(drawAll);
}

function drawAll() {
  drawTop();
  drawTrouble();
  const { view, at } = page;
  document.title = view ? `${view.title} · Arbitre` : "Arbitre";
  byId("eye").hidden = !view?.camera;
  if (!view) return drawEmpty();
  const entry = entryAt(view, at);
  const ruled = entry.verdict || !entry.quiet ? entry : ruledUpTo(view, at);
  drawVerdictPart(view, ruled ?? entry);
  drawBoardPart(entry);
  drawDicePart(page, entry, act);
  byId("facts").replaceChildren(...drawFacts(view, entry), ...drawTileFacts(view, entry, at));
  byId("controls").replaceChildren(...drawControls(view, page.busy, press));
  byId("moves").replaceChildren(...drawMoves(view, at, go));
  scrollToCurrent();
  drawQuestion();
  byId("proof").replaceChildren(...drawProof(view));
  return undefined;
}

/** The verdict, drawn anew only when it is another: it is read aloud, and may lie open. */
function drawVerdictPart(view, entry) {
  const key = JSON.stringify([currentLanguage(), view.id, view.seats, entry]);
  if (key !== page.told) byId("verdict").replaceChildren(drawVerdict(view, entry));
  page.told = key;
}

function drawTop() {
  byId("status").replaceChildren(...drawStatus(page));
}

function drawTrouble() {
  const { failure } = page;
  const close = () => {
    page.failure = null;
    drawTrouble();
  };
  const note = failure
    ? [
        h(
          "p",
          { class: "note bad", role: "alert" },
          told(failure),
          h(
            "button",
            { type: "button", class: "close", "aria-label": t("close"), onclick: close },
            "×",
          ),
        ),
      ]
    : [];
  byId("trouble").replaceChildren(...note);
}

function drawEmpty() {
  byId("board").replaceChildren(
    h(
      "div",
      { class: "card empty-table" },
      h("p", {}, t("no_match")),
      h("a", { class: "button", href: "/start" }, t("nav_start")),
    ),
  );
}

/** The board; where moves are entered by hand and the newest is in view, a way to enter them. */
function drawBoardPart(entry) {
  const { view, at } = page;
  const parts = drawSteps(view, at, go);
  const play = (move) => send("play", { move });
  const newest = view.can.play && entry === view.entries.at(-1);
  const byHand = newest && (!view.camera || Boolean(entry.sheets));
  if (entry.sheets) parts.splice(0, 1, drawSheetsPart(page, entry, act));
  // News must not take away what is being typed: the field itself stays.
  const old = byId("board").querySelector(`.move-field[lang="${currentLanguage()}"]`);
  if (entry.tiles) drawTilePart(page, entry, parts, byHand, act);
  if (byHand && entry.board)
    parts.splice(0, 1, ...drawHand(view, entry, page.hand, changeHand, play));
  else if (byHand) parts.push(old ?? drawMoveField(view, play));
  const active = document.activeElement;
  const held = [".hand-panel", ".cell", ".move-field"].find((part) =>
    active.closest(`#board ${part}`),
  );
  byId("board").replaceChildren(...parts);
  if (!held || !byHand || !byId("board").querySelector(HAND_FIELDS)) return;
  const panel = held === ".hand-panel" && byId("board").querySelector(".hand-panel .end");
  const field = held === ".move-field" && byId("board").querySelector("input[name=move]");
  (panel || field || byId("board").querySelector(HAND_FIELDS)).focus({ preventScroll: true });
}

function changeHand(next, focus) {
  page.hand = next;
  draw();
  const at = focus === "end" ? ".hand-panel .end" : '#board .cell[tabindex="0"]';
  document.querySelector(at)?.focus({ preventScroll: true });
}

function drawQuestion() {
  const { view, correction } = page;
  const parts = [];
  // A foul taken back in the match lies there until the camera sees the cubes put back.
  const settled = view.sync?.kind === "lying" && page.status?.put_back;
  if (view.sync && !settled) parts.push(drawOutOfSync(view, () => send("resume"), page.busy));
  if (correction) {
    correction.draw();
    parts.push(correction.element);
  }
  const held = byId("question").contains(document.activeElement)
    ? document.activeElement.className
    : null;
  // Tiles of the match that the camera does not see where they lie.
  const odd = view.camera ? (page.status?.odd ?? []) : [];
  parts.push(...odd.map(({ cell, kind }) => drawOddTile(cell, kind)));
  byId("question").replaceChildren(...parts);
  if (held !== null && correction)
    correction.element.querySelector(".choice")?.focus({ preventScroll: true });
}

/** The newest hash, for players to note, and the way to other pages. */
function drawProof({ id, hash, event, game, title }) {
  const code = h("code", { class: "hash", title: hash }, hash.slice(0, 16));
  const rules = h("a", { href: `/rules/${game}` }, t("nav_rules", { game: title }));
  const phone = h("a", { href: "/phone" }, t("nav_phone"));
  const pack = h("a", { href: `/matches/${id}/evidence.zip`, download: "" }, t("nav_evidence"));
  return [`${t("proof", { n: event })} `, code, " · ", pack, " · ", rules, " · ", phone];
}

function go(at) {
  page.at = at !== null && at >= last(page.view) ? null : at;
  draw();
}

async function press(name) {
  if (name === "wrong") return openCorrection();
  if (name.startsWith("act:")) return send("play", { move: name.slice(4) });
  return send(name);
}

/** Send a command; the news that follow show what came of it. */
async function send(kind, values = {}) {
  if (page.busy || !page.view) return;
  page.busy = true;
  page.failure = null;
  page.at = null;
  draw();
  try {
    const answer = await post(`/api/matches/${page.view.id}/commands/${kind}`, {
      key: newKey(),
      ...values,
    });
    if (answer.waiting) page.failure = inBoth("waiting");
    if (answer.match) take(answer.match);
    if (kind === "play") moveTaken();
    page.busy = false;
    draw();
    if (kind === "play" && page.pad) goToNext(page, act);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    page.failure = error.told;
  }
  page.busy = false;
  draw();
}

/** A move has been taken: nothing is chosen or typed any more. */
function moveTaken() {
  page.hand = NOTHING;
  page.tiles = { ...page.tiles, laid: [], full: false };
  page.sheets = { ...NO_FIELD, at: page.sheets.at };
  page.pad = page.view.enter ? emptyPad(page.view) : null;
  document.querySelector(".move-field")?.reset();
}

/** A name for one press of a button: sent again after a broken line it is the same command. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(8))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** Fetch the reading of the move in question and put it into the people's hands. */
async function openCorrection() {
  const { view } = page;
  if (!view) return;
  try {
    const answer = await get(`/api/matches/${view.id}/reading`);
    const { readings, dice, asked, question } = answer;
    const about = { match: view.id, question, asked };
    if (passed(about, page.view)) return;
    // What people have begun to put right stays as they left it.
    if (page.correction?.about.question === question) return;
    const close = () => {
      page.correction = null;
      draw();
    };
    const sendValues = (kind, body) => {
      page.correction = null;
      send(kind, body);
    };
    page.correction = readings[0]?.tiles
      ? new TileCorrection(
          { reading: readings[0], asked, start: view.entries.at(-1).tiles.start },
          (values) => sendValues("reread", { values }),
          close,
        )
      : dice
      ? new DiceCorrection({ dice, asked, game: view.game }, sendValues, close)
      : new Correction(
          { readings, asked, dots: view.dots },
          (values) => sendValues("reread", { values }),
          close,
        );
    page.correction.about = about;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    page.failure = error.told;
  }
  draw();
  if (page.correction) {
    page.correction.element.querySelector(".choice")?.focus({ preventScroll: true });
    byId("question").scrollIntoView({ block: "nearest" });
  }
}

/**
 * Whether a question is over: another move is the last one seen, or what was asked is known.
 * That its move takes effect does not end it. A view older than the question says nothing of it.
 */
function passed({ match, question, asked }, view) {
  if (view.id !== match) return true;
  if (view.event < question) return false;
  return view.question !== question || (asked && !view.asked);
}

/** A newer view of the match. An older one, overtaken on the way, is dropped. */
function take(view) {
  if (page.view?.id === view.id && view.version < page.view.version) return;
  const news = page.view?.event !== view.event;
  page.view = view;
  if (!view.enter) page.pad = null;
  else if (news && !page.pad?.dice.some(({ value }) => value !== null)) page.pad = emptyPad(view);
  if (page.correction && passed(page.correction.about, view)) page.correction = null;
  if (news && view.asked && !page.correction) openCorrection();
}

function scrollToCurrent() {
  const list = byId("moves").querySelector(".move-list");
  const current = list?.querySelector('[aria-current="step"]');
  if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
}

function keys(event) {
  const { view, at, correction } = page;
  if (event.defaultPrevented || isField(event.target)) return;
  if (event.ctrlKey || event.altKey || event.metaKey || !view) return;
  const digit = digitOf(event);
  if (correction && digit >= 1) return correction.press(digit);
  if (correction && event.key === "Escape") return correction.close();
  if (event.key.toLowerCase() === "b") return setBig(!document.body.classList.contains("big"));
  if (event.key.toLowerCase() === "s" && view.sync?.seen) return send("resume");
  const steps = {
    ArrowLeft: () => go(Math.max(0, (at ?? last(view)) - 1)),
    ArrowRight: () => go((at ?? last(view)) + 1),
    Home: () => go(0),
    End: () => go(null),
  };
  if (steps[event.key] && !event.shiftKey) {
    event.preventDefault();
    return steps[event.key]();
  }
  const name = controlOf(event);
  if (name && view.can[name]) return press(name);
  return view.entries.at(-1).tiles ? tileKeys(page, event, act) : padKeys(page, event, act);
}

function setBig(big) {
  document.body.classList.toggle("big", big);
  byId("big").setAttribute("aria-pressed", String(big));
  try {
    localStorage.setItem(BIG, big ? "1" : "");
  } catch {
    // Private windows may refuse; then the choice holds for this page only.
  }
}

function begin() {
  for (const button of document.querySelectorAll("[data-lang]")) {
    button.addEventListener("click", () => setLanguage(button.dataset.lang));
  }
  byId("big").addEventListener("click", () => setBig(!document.body.classList.contains("big")));
  document.addEventListener("keydown", keys);
  try {
    setBig(localStorage.getItem(BIG) === "1");
  } catch {
    setBig(false);
  }
  if (first.picture) {
    picture = new LivePicture(first.picture);
    byId("eye").append(picture.element);
    picture.draw(page.status, page.view?.dots);
  }
  onLanguage(() => {
    draw();
    picture?.draw(page.status, page.view?.dots);
  });
  applyLanguage();
  draw();
  if (page.view?.asked) openCorrection();
  follow(first.feed, {
    match(view) {
      take(view);
      draw();
    },
    trouble(told) {
      page.failure = told;
      drawTrouble();
    },
    status(status) {
      const key = ({ put_back: put, odd } = {}) => JSON.stringify([put, odd]);
      const put = key(page.status ?? {}) !== key(status);
      page.status = status;
      drawTop();
      if (put && page.view) drawQuestion();
      drawDiceSeen(page);
      picture?.draw(status, page.view?.dots);
    },
    link(up) {
      page.up = up;
      drawTop();
    },
  });
}

begin();
