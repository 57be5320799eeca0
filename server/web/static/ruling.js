// The ruling: the verdict in one line, and everything it rests on.

import { drawBoard } from "./board.js";
import { button, h } from "./dom.js";
import { t, told } from "./language.js";
import { placeOf } from "./reading.js";
import { cellName, parseMove } from "./layout.js";

const SIGNS = { legal: "✓", illegal: "✕", undecided: "?" };

/** The verdict as one line that stays in view. */
export function drawVerdict(answer) {
  const { verdict, move, seat } = answer;
  return h(
    "p",
    { class: `verdict ${verdict}` },
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[verdict]),
    h("strong", {}, t(`verdict_${verdict}`)),
    move ? h("code", {}, move) : null,
    verdict !== "undecided"
      ? h("span", { class: "by" }, t("by", { seat: `${answer.mark} (${seat})` }))
      : null,
    answer.over
      ? h(
          "span",
          { class: "over" },
          answer.over.winners.length
            ? t("won", { winners: answer.over.winners.join(" + ") })
            : t("drawn"),
        )
      : null,
  );
}

/**
 * The whole ruling.
 * @param {Object} answer  from `/api/rule-layouts`
 * @param {(picture: string, where: string) => void} show  go to a doubtful cell
 * @param {(degrees: number) => void} turn  say how the second photo is turned
 */
export function drawRuling(answer, show, turn) {
  return h(
    "article",
    { class: "ruling" },
    h("h2", {}, t("ruling")),
    drawWords(answer.move),
    ...drawNotes(answer.notes, turn),
    drawDoubts(answer.doubts, show),
    drawFindings(answer),
    drawEnd(answer),
    h(
      "div",
      { class: "pair" },
      drawSide("before", answer.boards.before, answer.move),
      drawSide("after", answer.boards.after, null),
    ),
    h("p", { class: "caption" }, t("seen_from_south")),
    drawExcluded(answer.excluded),
  );
}

/** The move in words, for people who do not know the notation. */
function drawWords(move) {
  const sentences = parseMove(move).pushes.map(({ row, column, end }) =>
    t("move_words", { cube: cellName(row, column), end: t(`end_${end}`) }),
  );
  return sentences.length ? h("p", {}, sentences.join(" ")) : null;
}

function drawNotes(notes, turn) {
  return notes.map((note) => {
    const degrees = note.values.degrees;
    const line = h("div", { class: "note" }, h("p", {}, told(note)));
    if (note.id !== "turned") return line;
    // The two answers that settle it: turn the second photo, or keep it as it is.
    const choices = [degrees, 0].map((value) =>
      button(t(value ? "turn_yes" : "turn_no", { degrees: value }), () => turn(value)),
    );
    line.append(h("div", { class: "links" }, ...choices));
    return line;
  });
}

function drawDoubts(doubts, show) {
  if (!doubts.length) return null;
  const links = doubts.map(({ picture, where }) => {
    const { row, column } = placeOf(where);
    const name = t("place", {
      picture: t(picture.replace(/\[.*/, "")),
      cell: cellName(row, column),
    });
    return button(name, () => show(picture, where));
  });
  return h(
    "div",
    { class: "note doubt" },
    h("p", {}, t("settle")),
    h("div", { class: "links" }, ...links),
  );
}

function drawFindings(answer) {
  if (!answer.findings.length) return null;
  const items = answer.findings.map((finding) => drawFinding(finding, answer.rules[finding.rule]));
  const open = answer.verdict === "undecided";
  return h(
    "section",
    {},
    h("h3", {}, t(open ? "findings_open" : "findings")),
    h("ul", { class: open ? "findings open" : "findings" }, ...items),
  );
}

/** The rule by which the game is over. */
function drawEnd({ over, rules }) {
  const id = over?.reason.split(":")[0];
  return rules[id] ? h("p", { class: "rule end" }, ...citation(id, rules[id])) : null;
}

function citation(id, rule, words = ` ${told(rule)}`) {
  return [h("code", {}, id), ` ${told(rule, "title")}.${words}`];
}

function drawFinding(finding, rule) {
  // Some findings say no more than their rule does.
  const words = rule && told(rule) !== told(finding) ? ` ${told(rule)}` : "";
  const cited = rule ? citation(finding.rule, rule, words) : [finding.rule];
  return h(
    "li",
    {},
    h("p", {}, h("strong", {}, told(finding))),
    h("p", { class: "rule" }, ...cited),
  );
}

function drawSide(name, board, move) {
  const label = t("board_label", { name: t(name) });
  const svg = drawBoard(board, { label, move, arrows: true });
  svg.setAttribute("role", "img");
  return h("figure", {}, svg, h("figcaption", {}, t(name)));
}

function drawExcluded(excluded) {
  if (!excluded.length) return null;
  const items = excluded.map((entry) => h("li", {}, told(entry)));
  return h(
    "details",
    { class: "excluded", open: excluded.length <= 3 },
    h("summary", {}, t("excluded", { count: excluded.length })),
    h("ul", {}, ...items),
  );
}
