// All matches, newest first.

import { Failure } from "../api.js";
import { h } from "../dom.js";
import { applyLanguage, currentLanguage, onLanguage, setLanguage, t, told } from "../language.js";
import { get } from "./feed.js";
import { placeWord } from "./match.js";

const { matches } = JSON.parse(document.getElementById("first").textContent);
const place = document.getElementById("matches");

function draw() {
  if (!matches.length) {
    place.replaceChildren(
      h("p", { class: "hint" }, t("matches_none")),
      h("a", { class: "button", href: "/start" }, t("nav_start")),
    );
    return;
  }
  const heads = [
    "matches_begun",
    "start_game",
    "matches_players",
    "matches_moves",
    "matches_result",
  ];
  place.replaceChildren(
    h(
      "table",
      { class: "matches" },
      h("thead", {}, h("tr", {}, ...heads.map((key) => h("th", { scope: "col" }, t(key))))),
      h("tbody", {}, ...matches.map(drawMatch)),
    ),
  );
}

function drawMatch(match) {
  const format = new Intl.DateTimeFormat(currentLanguage(), {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const begun = h("td", {}, h("a", { href: match.address }, format.format(new Date(match.begun))));
  const { told: summary } = match;
  if (!summary) return h("tr", {}, begun, h("td", { colspan: 4, class: "hint" }, "…"));
  if (summary.problem) return h("tr", {}, begun, h("td", { colspan: 4 }, told(summary.problem)));
  const players = summary.seats
    .map(({ seat, name }) => name || placeWord(seat, summary.game))
    .join(" – ");
  return h(
    "tr",
    { "data-match": match.id },
    begun,
    h("td", {}, told(summary, "title")),
    h("td", {}, players),
    h("td", { class: "number" }, String(summary.moves)),
    h("td", {}, result(summary)),
  );
}

/** Results one by one, newest first: each match is judged anew. */
async function fill() {
  for (const match of matches) {
    try {
      match.told = await get(match.summary);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      match.told = { problem: error.told };
    }
    draw();
  }
}

function result({ over, seats, current, game }) {
  if (!over) return t(current ? "match_current" : "match_open");
  const name = (seat) => seats.find((one) => one.seat === seat)?.name || placeWord(seat, game);
  return over.winners.length
    ? t("won_by", { winners: over.winners.map(name).join(" + ") })
    : t("draw");
}

for (const button of document.querySelectorAll("[data-lang]")) {
  button.addEventListener("click", () => setLanguage(button.dataset.lang));
}
onLanguage(draw);
applyLanguage();
draw();
fill();
