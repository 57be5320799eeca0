// Beside the board of Quinto: scores over the plays, what is not on the board, and the hands.

import { h, s } from "../dom.js";
import { currentLanguage, t } from "../language.js";
import { drawTile } from "../tiles/board.js";
import { last, seatWords } from "./match.js";

const WIDE = 320;
const HIGH = 120;
const LEFT = 34;
const BELOW = 18;

/** Score graph and supply of the entry in view. */
export function drawTileFacts(view, entry, at) {
  if (!entry.tiles) return [];
  return [drawGraph(view, at), drawSupply(entry.tiles)].filter(Boolean);
}

/** One line a seat over all entries; the entry in view is marked. */
function drawGraph(view, at) {
  const count = last(view);
  if (count < 1) return null;
  const scores = view.entries.map((entry) => entry.scores);
  const top = Math.max(10, ...scores.flat());
  const low = Math.min(0, ...scores.flat());
  const x = (n) => LEFT + (n / count) * (WIDE - LEFT - 8);
  const y = (score) => 6 + ((top - score) / (top - low)) * (HIGH - BELOW - 6);
  const named = view.seats.map(({ seat }, n) => `${seatWords(view, seat)} ${scores.at(-1)[n]}`);
  const look = {
    class: "score-graph",
    viewBox: `0 0 ${WIDE} ${HIGH}`,
    role: "img",
    "aria-label": t("graph_words", { count, scores: named.join(", ") }),
  };
  const line = (n) =>
    s("polyline", {
      class: `seat-line seat-${n}`,
      points: scores.map((one, at) => `${x(at)},${y(one[n])}`).join(" "),
    });
  const here = x(at ?? count);
  return h(
    "section",
    { class: "tile-part" },
    h("h3", {}, t("graph_title")),
    s(
      "svg",
      look,
      s("line", { class: "axis", x1: LEFT, y1: y(0), x2: WIDE - 8, y2: y(0) }),
      ...[...new Set([0, top, low])].map((score) =>
        s("text", { class: "axis-name", x: LEFT - 6, y: y(score) }, String(score)),
      ),
      s("text", { class: "axis-name below", x: WIDE - 8, y: HIGH - 5 }, String(count)),
      s("line", { class: "here", x1: here, y1: 4, x2: here, y2: HIGH - BELOW }),
      ...view.seats.map((_, n) => line(n)),
    ),
    h(
      "ul",
      { class: "graph-key" },
      ...view.seats.map(({ seat }, n) =>
        h("li", {}, h("i", { class: `seat-${n}` }), seatWords(view, seat)),
      ),
    ),
  );
}

/** Tiles of each value that are neither on the board nor known to be elsewhere. */
function drawSupply({ left, of, supply }) {
  const items = left.map((count, value) =>
    h(
      "li",
      {
        class: count > 0 ? null : "gone",
        "aria-label": t("supply_of", { value, left: count, of: of[value] }),
      },
      s("svg", { viewBox: "0 0 60 60", "aria-hidden": "true" }, ...drawTile(value)),
      h("span", { "aria-hidden": "true" }, `${count}`, h("small", {}, `/${of[value]}`)),
    ),
  );
  return h(
    "section",
    { class: "tile-part" },
    h("h3", {}, t("supply_title"), h("small", {}, ` ${t("supply_down", { count: supply })}`)),
    h("ul", { class: "supply" }, ...items),
  );
}

/** What of a seat's hand is known, and what it takes away at the end; empty before. */
export function handWords({ hands, ended }, at) {
  const { held, worth } = hands[at];
  if (!ended) return "";
  if (worth === null) return t("hand_left_open");
  return t("hand_left", { tiles: [...held].join(" ") || t("hand_none"), points: -worth });
}

/**
 * Fields for what players hold; the form itself stays, so that nothing typed is lost.
 * @param {Object} view
 * @param {HTMLElement|null} old  the form as it stands on the page
 * @param {(move: string) => void} play
 */
export function drawHands(view, old, play) {
  const { tiles } = view.entries.at(-1);
  const key = JSON.stringify([view.id, currentLanguage(), tiles.ended]);
  const form = old?.dataset.key === key ? old : makeHands(view, tiles, key, play);
  view.seats.forEach(({ seat }, at) => {
    form.querySelector(`[data-seat="${seat}"] small`).textContent = heldWords(tiles.hands[at]);
  });
  return form;
}

const heldWords = ({ held, worth }) => {
  const count = [...held].filter((sign) => sign === "?").length;
  const known = held.replaceAll("?", "");
  const words = [...(known ? [[...known].join(" ")] : [])];
  if (worth === null) words.push(t("hand_unknown", { count }));
  return words.join(", ") || t("hand_none");
};

function makeHands(view, tiles, key, play) {
  const rows = view.seats.map(({ seat }) => {
    const name = seatWords(view, seat);
    const field = h("input", {
      id: `hand-${seat}`,
      inputmode: "numeric",
      autocomplete: "off",
      maxlength: 9,
      pattern: "[0-9]*",
      "aria-label": t("hand_field", { name }),
    });
    const submit = (event) => {
      event.preventDefault();
      const shown = field.value.replace(/[^0-9]/g, "");
      field.value = "";
      play(`${seat}/hand ${shown || "-"}`);
    };
    return h(
      "form",
      { class: "hand-row", "data-seat": seat, onsubmit: submit },
      h("label", { for: `hand-${seat}` }, name),
      field,
      h("button", { class: "button second" }, t("hand_show")),
      h("small", {}),
    );
  });
  return h(
    "details",
    { class: "hands", "data-key": key, open: tiles.ended },
    h("summary", {}, t("hands_title")),
    h("p", {}, t(tiles.ended ? "hands_due" : "hands_words")),
    ...rows,
  );
}
