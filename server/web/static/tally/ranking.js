// The sheets side by side: places, totals, who wins, and what to take along.

import { h } from "../dom.js";
import { currentLanguage, t } from "../language.js";
import { sheetName, totalWords } from "./sheet.js";

/** Draw the ranking of a pile; nothing where there are no sheets. */
export function drawRanking(view) {
  if (!view.sheets.length) return [];
  const by = Object.fromEntries(view.sheets.map((sheet, n) => [sheet.id, { sheet, n }]));
  const rows = view.ranking.map(({ sheet: id, place, open }) => {
    const { sheet, n } = by[id];
    const link = h("a", { href: `#sheet-${id}` }, sheetName(sheet, n));
    const asked = sheet.open.length ? h("span", { class: "badge-open" }, "?") : null;
    return h(
      "li",
      { class: open ? "rank unsettled" : "rank", "data-sheet": id },
      h("span", { class: "place" }, String(place)),
      h("span", { class: "rank-name" }, link, asked),
      h("strong", {}, totalWords(sheet.tally)),
    );
  });
  const open = view.ranking.some((one) => one.open);
  const first = view.ranking.filter(({ place }) => place === 1);
  const single = view.sheets.length < 2;
  const won = t(first.length > 1 ? "pile_shared" : "pile_wins", {
    names: first.map(({ sheet: id }) => sheetName(by[id].sheet, by[id].n)).join(", "),
  });
  return [
    h(
      "article",
      { class: "card ranking" },
      h("h2", {}, t("pile_ranking")),
      h("ol", { class: "ranks" }, ...rows),
      open ? h("p", { class: "count doubt" }, t("pile_provisional")) : null,
      open || single ? null : h("p", { class: "won" }, won),
      ...drawTwins(view, by),
      drawExports(view),
    ),
  ];
}

/** Sheets that are, or may be, shown by two photos. */
function drawTwins(view, by) {
  const line = (key, { id }, other) => {
    const own = sheetName(by[id].sheet, by[id].n);
    const name = sheetName(by[other].sheet, by[other].n);
    return h("p", { class: "note" }, t(key, { own, name }));
  };
  return view.sheets.flatMap((sheet) => [
    ...(sheet.twin ? [line("pile_twin", sheet, sheet.twin)] : []),
    ...(sheet.like ? [line("pile_like", sheet, sheet.like)] : []),
  ]);
}

function drawExports(view) {
  const address = (kind) => `${view.exports[kind]}?lang=${currentLanguage()}`;
  const link = (kind, name) =>
    h("a", { class: "plain", href: address(kind), download: name }, kind.toUpperCase());
  const links = ["html", "csv", "json"].map((kind) => link(kind, `${view.game}-sheets.${kind}`));
  const print = { type: "button", class: "plain", onclick: () => window.print() };
  return h(
    "p",
    { class: "exports" },
    h("span", {}, t("pile_export")),
    ...links,
    h("button", print, t("pile_print")),
  );
}
