// The verdict on one move, with the rules it rests on.

import { h } from "../dom.js";
import { t, told } from "../language.js";
import { moveWords, seatOf, seatWords } from "./match.js";
import { drawLines } from "./tiles.js";

export const SIGNS = { legal: "✓", illegal: "✕", undecided: "?" };

/** The card of one entry; at the start of a game it says who begins. */
export function drawVerdict(view, entry) {
  if (!entry.verdict) return drawQuiet(view, entry);
  const { verdict, seat, provisional } = entry;
  const words = moveWords(entry);
  return h(
    "article",
    { class: `verdict card ${verdict}`, "data-provisional": provisional },
    h(
      "p",
      { class: "verdict-line" },
      h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[verdict]),
      h("strong", {}, t(`verdict_${verdict}`)),
      verdict === "undecided"
        ? null
        : h("span", { class: "by" }, t("by", { seat: byWords(view, seat) })),
      provisional ? h("span", { class: "tag" }, t(waitsFor(entry))) : null,
      entry.kept ? h("span", { class: "tag" }, t("kept")) : null,
    ),
    words || entry.move
      ? h("p", { class: "last-move" }, words, " ", entry.move ? h("code", {}, entry.move) : null)
      : null,
    entry.undecided_en ? h("p", {}, told(entry, "undecided")) : null,
    drawFindings(view, entry),
    entry.tiles ? drawLines(entry) : drawReckoned(entry),
    drawOver(view, entry),
    drawExcluded(entry),
  );
}

/** A play of tiles that is not legal yet may be one that is not finished. */
function waitsFor({ tiles, verdict }) {
  return tiles && verdict === "illegal" ? "tiles_arranging" : "provisional";
}

function byWords(view, seat) {
  const { mark } = seatOf(view, seat);
  const words = seatWords(view, seat);
  return mark ? `${words} (${mark})` : words;
}

function drawQuiet(view, entry) {
  const key = entry.kind === "started" ? "begun" : `took_${entry.kind}`;
  return h(
    "article",
    { class: "verdict card quiet" },
    h("p", { class: "verdict-line" }, t(key)),
    drawOver(view, entry),
  );
}

/** What the move scored, line by line. */
function drawReckoned({ reckoned }) {
  if (!reckoned?.length) return null;
  const line = (part) => t("reckoned", { where: told(part, "where"), points: part.points });
  return h("ul", { class: "reckoned" }, ...reckoned.map((part) => h("li", {}, line(part))));
}

function drawFindings(view, { findings, verdict }) {
  if (!findings?.length) return null;
  const items = findings.map((finding) => drawFinding(view, finding));
  const open = verdict === "undecided";
  return h(
    "div",
    {},
    h("h3", {}, t(open ? "findings_open" : "findings")),
    h("ul", { class: open ? "findings open" : "findings" }, ...items),
  );
}

function drawFinding(view, finding) {
  return h(
    "li",
    {},
    h("p", {}, h("strong", {}, told(finding))),
    citation(view, finding.rule, finding),
  );
}

/** A rule with its title and text, linked to its place on the page of rules. */
export function citation(view, id, beside = null) {
  const rule = view.rules[id];
  if (!rule) return h("p", { class: "rule" }, h("code", {}, id));
  // Some findings say no more than their rule does.
  const text = beside && told(beside) === told(rule) ? "" : ` ${told(rule)}`;
  const link = h("a", { href: `/rules/${view.game}#${id}` }, told(rule, "title"));
  return h("p", { class: "rule" }, link, ".", text, " ", h("code", {}, id));
}

export function drawOver(view, { over }) {
  if (!over) return null;
  const winners = over.winners.map((seat) => seatWords(view, seat)).join(" + ");
  const undecided = over.known ? t("drawn") : t("over_open");
  const [id, where] = [over.rule, told(over, "where")];
  return h(
    "div",
    { class: "over" },
    h(
      "p",
      { class: "over-line" },
      winners ? t("won", { winners }) : undecided,
      where ? ` (${where})` : "",
    ),
    citation(view, id),
  );
}

function drawExcluded({ excluded }) {
  if (!excluded?.length) return null;
  return h(
    "details",
    { class: "excluded" },
    h("summary", {}, t("excluded", { count: excluded.length })),
    h("ul", {}, ...excluded.map((one) => h("li", {}, told(one)))),
  );
}
