// The fairness of dice: counts of each face with what fair dice would show, and the test in words.

import { Failure } from "../api.js";
import { h, s } from "../dom.js";
import {
  applyLanguage,
  currentLanguage,
  onLanguage,
  percent,
  setLanguage,
  t,
  told,
} from "../language.js";
import { get } from "../live/feed.js";
import { dieWords, drawDie } from "./die.js";

const first = JSON.parse(document.getElementById("first").textContent);
const byId = (id) => document.getElementById(id);
const chosen = { game: first.game, match: "all", by: "all" };
let found = null;
let failure = null;
let asked = 0;

// The drawing: a face is 100 wide; bars stand on the line at FLOOR and reach up to 200 above it.
const [FACE, FLOOR, TALL, LEFT] = [100, 236, 200, 64];

function draw() {
  const held = document.activeElement?.name;
  byId("choice").replaceChildren(...drawChoice());
  if (held) byId("choice").elements[held]?.focus({ preventScroll: true });
  const note = failure ? [h("p", { class: "note bad", role: "alert" }, told(failure))] : [];
  byId("trouble").replaceChildren(...note);
  byId("charts").replaceChildren(...(found ? drawFound() : []));
}

function drawChoice() {
  const date = new Intl.DateTimeFormat(currentLanguage(), {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const games = first.games.map((game) => [game.id, told(game, "title")]);
  const matches = first.matches
    .filter(({ game }) => game === chosen.game)
    .map(({ id, begun }) => [id, date.format(new Date(begun))]);
  const by = ["all", "hand", "seen"].map((one) => [one, t(`fair_by_${one}`)]);
  return [
    select("game", "start_game", games),
    select("match", "fair_match", [["all", t("fair_match_all")], ...matches]),
    select("by", "fair_by", by),
  ];
}

function select(name, label, options) {
  const change = (event) => {
    chosen[name] = event.target.value;
    if (name === "game") chosen.match = "all";
    take();
  };
  const entries = options.map(([value, words]) =>
    h("option", { value, selected: chosen[name] === value }, words),
  );
  return h(
    "label",
    {},
    h("span", {}, t(label)),
    h("select", { name, onchange: change }, ...entries),
  );
}

function drawFound() {
  const { fits, unreadable } = found;
  const notes = unreadable
    ? [h("p", { class: "note doubt" }, t("fair_unreadable", { count: unreadable }))]
    : [];
  const whole = fits.at(-1);
  if (!whole.throws) return [...notes, h("p", { class: "card hint" }, t("fair_none"))];
  // Dice that are alike have no chart of their own beside the one of all.
  return [...notes, h("div", { class: "charts" }, ...fits.map(drawFit))];
}

function drawFit(fit) {
  const name = fit.colour ? t("fair_die", { colour: t(`colour_${fit.colour}`) }) : t("fair_whole");
  return h(
    "article",
    { class: `card fit ${fit.verdict}`, "data-die": fit.colour ?? "all" },
    h("h3", {}, name, h("small", {}, ` ${t("fair_throws", { count: fit.throws })}`)),
    drawChart(fit),
    h("p", { class: "fit-verdict" }, verdictWords(fit)),
    fit.p === null ? null : h("p", { class: "hint" }, figures(fit)),
    drawTable(fit),
  );
}

function verdictWords({ verdict, throws, p, colour }) {
  const faces = found.faces.length;
  if (verdict === "few") return t("fair_few", { throws, least: faces * 5 });
  const count = p < 0.005 ? t("fair_below_one") : String(Math.max(1, Math.round(100 * p)));
  return t(colour ? `fair_${verdict}` : `fair_${verdict}_all`, { count });
}

function figures({ statistic, p }) {
  const number = (value, digits) =>
    new Intl.NumberFormat(currentLanguage(), {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(value);
  const chance = p < 0.001 ? `< ${number(0.001, 3)}` : `= ${number(p, 3)}`;
  return t("fair_figures", { statistic: number(statistic, 2), degrees: found.degrees, chance });
}

/** Bars of counts, the line of what is expected, and the band that fair dice keep to. */
function drawChart({ counts, expected, low, high, colour }) {
  const most = Math.max(...counts, high ?? 0, expected, 1);
  const up = (value) => FLOOR - (TALL * value) / most;
  const wide = LEFT + FACE * counts.length;
  const words = counts.map((count, n) => `${dieWords(face(n, null))}: ${count}`).join(", ");
  const band =
    low === null
      ? []
      : [
          s("rect", {
            class: "band",
            x: LEFT,
            y: up(high),
            width: wide - LEFT,
            height: up(low) - up(high),
          }),
        ];
  const bars = counts.flatMap((count, n) => {
    const out = low !== null && (count < low || count > high);
    const x = LEFT + FACE * n;
    const bar = { x: x + 22, y: up(count), width: FACE - 44, height: FLOOR - up(count) };
    return [
      s("rect", { class: out ? `bar on-${colour} out` : `bar on-${colour}`, ...bar }),
      s("text", { class: "count", x: x + 50, y: Math.min(up(count), FLOOR) - 6 }, String(count)),
      drawDie(face(n, colour), { x: x + 24, y: FLOOR + 8, width: 52, height: 52 }),
    ];
  });
  return s(
    "svg",
    { class: "chart", viewBox: `0 0 ${wide} 304`, role: "img", "aria-label": words },
    ...band,
    ...bars,
    s("line", { class: "expected", x1: LEFT, x2: wide, y1: up(expected), y2: up(expected) }),
    s("line", { class: "floor", x1: LEFT, x2: wide, y1: FLOOR, y2: FLOOR }),
    s("text", { class: "axis", x: LEFT - 8, y: up(expected) + 6 }, rounded(expected)),
  );
}

const face = (n, colour) => ({ value: found.faces[n], colour });

const rounded = (value) =>
  new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: 1 }).format(value);

/** The same as numbers, for everybody who would rather read them. */
function drawTable({ counts, expected, throws }) {
  const rows = counts.map((count, n) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, dieWords(face(n, null))),
      h("td", { class: "number" }, String(count)),
      h("td", { class: "number" }, throws ? percent(count / throws) : "–"),
      h("td", { class: "number" }, rounded(expected)),
    ),
  );
  const heads = ["fair_face", "fair_count", "fair_share", "fair_expected"];
  return h(
    "details",
    {},
    h("summary", {}, t("fair_numbers")),
    h(
      "table",
      { class: "matches" },
      h("thead", {}, h("tr", {}, ...heads.map((key) => h("th", { scope: "col" }, t(key))))),
      h("tbody", {}, ...rows),
    ),
  );
}

/** Ask for what is chosen; an answer overtaken by a newer choice is dropped. */
async function take() {
  asked += 1;
  const mine = asked;
  failure = null;
  draw();
  try {
    const answer = await get(`${first.address}?${new URLSearchParams(chosen)}`);
    if (mine === asked) found = answer;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (mine === asked) [failure, found] = [error.told, null];
  }
  if (mine === asked) draw();
}

for (const button of document.querySelectorAll("[data-lang]")) {
  button.addEventListener("click", () => setLanguage(button.dataset.lang));
}
onLanguage(draw);
applyLanguage();
take();
