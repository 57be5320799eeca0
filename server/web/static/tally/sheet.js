// One sheet: its picture, the sheet as it was read, its points, what differs and what is broken.

import { button, h } from "../dom.js";
import { currentLanguage, t, told } from "../language.js";
import * as detrak from "../sheets/detrak.js";
import * as qwinto from "../sheets/qwinto.js";
import { drawPicture } from "./picture.js";
import { fieldWords, lineWords, valueWords } from "./words.js";

const minus = (number) => String(number).replace("-", "−");

/** A number of points while doubts may still change it: `24`, or `22 to 26`. */
export function totalWords({ total, total_range: [low, high] }) {
  return low === high ? minus(total) : t("pile_range", { low: minus(low), high: minus(high) });
}

/** What a sheet is called: by its player, or by its place in the pile. */
export function sheetName(sheet, n) {
  return sheet.name || t("pile_sheet", { n: n + 1 });
}

/**
 * Draw a sheet.
 * @param {Object} view  the pile
 * @param {Object} sheet
 * @param {Object} look
 * @param {number} look.n  its place in the pile
 * @param {boolean} look.flat  its picture laid flat
 * @param {string|null} look.chosen  path of the field in question
 * @param {Object} on  `choose(where)`, `name(text)`, `show(flat)`, `remove()`
 */
export function drawSheet(view, sheet, look, on) {
  const { game } = view;
  const { tally } = sheet;
  const photo = view.photos.find(({ sha }) => sha === sheet.photo);
  const differs = new Map(tally.written_differs.map((one) => [one.where, one.computed]));
  const classes = classesOf(sheet, look, differs);
  const shown = { sheet, photo, game, classes, choose: on.choose };
  const right = (where) => differs.get(where);
  const flat = look.flat && sheet.flat !== null;
  return h(
    "article",
    { class: "card tallied", "data-sheet": sheet.id, id: `sheet-${sheet.id}` },
    drawHead(sheet, look, on),
    h(
      "div",
      { class: `tallied-parts ${game}` },
      h(
        "div",
        { class: "tallied-picture" },
        drawPicture({ ...shown, flat, right }),
        drawSwitch(sheet, flat, on),
      ),
      h("div", { class: "tallied-drawn" }, drawDrawn(view, sheet, classes, on)),
    ),
    drawNotes(view, sheet),
    drawLines(game, sheet),
  );
}

function drawHead(sheet, look, on) {
  const { tally } = sheet;
  const given = (event) => on.name(event.target.value);
  const name = h("input", {
    name: `name-${sheet.id}`,
    value: sheet.name,
    maxlength: 40,
    placeholder: t("pile_sheet", { n: look.n + 1 }),
    autocomplete: "off",
    onchange: given,
  });
  const number = sheet.number === null ? null : t("pile_coded", { number: sheet.number });
  const exact = tally.total_range[0] === tally.total_range[1];
  return h(
    "header",
    {},
    drawNameCrop(sheet),
    h("label", { class: "who" }, h("span", {}, t("pile_name")), name),
    number ? h("small", { class: "coded" }, number) : null,
    h(
      "p",
      { class: exact ? "sum" : "sum unsettled" },
      h("span", {}, t("pile_total")),
      h("strong", {}, totalWords(tally)),
    ),
  );
}

/** The name field cut out of the picture laid flat. */
function drawNameCrop(sheet) {
  if (!sheet.flat?.name) return null;
  const [left, top, width, height] = sheet.flat.name;
  const scale = 2.4; // rem a field is high
  const crop = h("span", { class: "name-crop", role: "img", "aria-label": t("pile_name_crop") });
  const image = h("img", { src: sheet.flat.address, alt: "" });
  const rem = (px) => `${((px / height) * scale).toFixed(2)}rem`;
  Object.assign(crop.style, { width: rem(width), height: `${scale}rem` });
  Object.assign(image.style, {
    width: rem(sheet.flat.size[0]),
    left: `-${rem(left)}`,
    top: `-${rem(top)}`,
  });
  crop.append(image);
  return crop;
}

function drawSwitch(sheet, flat, on) {
  const one = (value, key) =>
    button(t(key), () => on.show(value), { "aria-pressed": String(flat === value) });
  const choice = sheet.flat
    ? h(
        "span",
        { class: "switch", role: "group", "aria-label": t("pile_show") },
        one(true, "pile_flat"),
        one(false, "pile_whole"),
      )
    : null;
  return h("p", { class: "hint" }, choice, h("span", {}, t("pile_click")));
}

/** Classes of a field, wherever it is drawn. */
function classesOf(sheet, look, differs) {
  return ({ where, asked, answered }) => [
    ...(asked ? ["asked"] : []),
    ...(answered ? ["corrected"] : []),
    ...(differs.has(where) ? ["differs"] : []),
    ...(look.chosen === where ? ["chosen"] : []),
  ];
}

/** The sheet as it was read, every value to be put right by a click or from the keyboard. */
function drawDrawn({ game }, sheet, classes, on) {
  const at = Object.fromEntries(sheet.fields.map((field) => [field.where, field]));
  const value = (where) => at[where]?.value ?? null;
  const boxClasses = (where) => (at[where] ? classes(at[where]) : []);
  const paths = game === "qwinto" ? qwintoPaths() : detrakPaths();
  const look = { classes: (name) => boxClasses(paths[name]), boxClasses };
  const drawn =
    game === "qwinto"
      ? qwinto.drawQwinto(qwintoSheet(value), look)
      : detrak.drawDetrak(detrakSheet(value), look);
  drawn.setAttribute("data-live", "");
  drawn.setAttribute("role", "group");
  drawn.setAttribute("aria-label", t("pile_drawn_label"));
  for (const group of drawn.querySelectorAll("[data-field], [data-where]")) {
    const where = group.dataset.where ?? paths[group.dataset.field];
    if (!at[where]) continue;
    group.dataset.where = where;
    group.classList.add("live");
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", at[where].asked ? "0" : "-1");
    const words = valueWords(where, at[where].value);
    group.setAttribute("aria-label", `${fieldWords(where, game)}: ${words}`);
    group.addEventListener("click", () => on.choose(where));
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        on.choose(where);
      }
    });
  }
  return drawn;
}

const ROW_OF = { o: "orange", y: "yellow", p: "purple" };

/** Paths of a reading by the names of fields. */
function qwintoPaths() {
  const seen = {};
  const path = ({ letter }) => {
    seen[letter] = (seen[letter] ?? -1) + 1;
    return `${ROW_OF[letter]}[${seen[letter]}]`;
  };
  return Object.fromEntries(qwinto.FIELDS.map((field) => [field.name, path(field)]));
}

const FIVE = [0, 1, 2, 3, 4];

function detrakPaths() {
  const cells = FIVE.flatMap((row) => FIVE.map((column) => [row, column]));
  return Object.fromEntries(
    cells.map(([row, column]) => [detrak.cellName(row, column), `grid[${row}][${column}]`]),
  );
}

function qwintoSheet(value) {
  const paths = qwintoPaths();
  return {
    numbers: qwinto.FIELDS.map(({ name }) => value(paths[name]) ?? 0),
    failed: value("failed") ?? 0,
    strip: {
      rows: [0, 1, 2].map((n) => value(`strip.rows[${n}]`)),
      bonus: FIVE.map((n) => value(`strip.bonus[${n}]`)),
      penalty: value("strip.penalty"),
      total: value("strip.total"),
    },
  };
}

function detrakSheet(value) {
  const row = (n) => FIVE.map((column) => value(`grid[${n}][${column}]`) ?? ".").join("");
  return {
    rows: FIVE.map(row),
    scores: {
      rows: FIVE.map((n) => value(`boxes.rows[${n}]`)),
      cols: FIVE.map((n) => value(`boxes.cols[${n}]`)),
      diagonal: [0, 1].map((n) => value(`boxes.diagonal[${n}]`)),
      total: value("boxes.total"),
    },
  };
}

/** Doubts, sums that differ, broken rules, and what may help. */
function drawNotes({ game }, sheet) {
  const { tally } = sheet;
  const open = sheet.open.length;
  const line = (text, look) => h("p", { class: look }, text);
  const parts = [
    line(t(open ? "pile_open" : "pile_settled", { count: open }), open ? "count doubt" : "count"),
    sheet.answered ? line(t("pile_answered", { count: sheet.answered }), "count") : null,
    tally.blank ? line(t("pile_blank"), "note") : null,
    tally.written_differs.length ? drawDiffers(game, tally) : null,
    drawAudit(sheet),
    drawFindings(game, "pile_findings", rulesOf(tally.findings), "findings"),
    drawFindings(game, "pile_unsure", rulesOf(tally.unsure), "findings open"),
    ...tally.hints.map((hint) => line(hint[currentLanguage()], "note")),
  ];
  return h("div", { class: "notes" }, ...parts);
}

/** What the rolls of a match say about a sheet. */
function drawAudit({ audit }) {
  if (!audit) return null;
  if (audit.problem)
    return h("p", { class: "count" }, t("pile_no_audit", { reason: told(audit.problem) }));
  const { seat, explained, unexplained } = audit;
  if (explained) return h("p", { class: "count explained" }, t("pile_explained", { seat }));
  const key = unexplained.length ? "pile_unexplained" : "pile_not_explained";
  return h("p", { class: "note bad" }, t(key, { seat, cells: unexplained.join(", ") }));
}

/** Broken rules; wrong sums have a list of their own. */
const rulesOf = (findings) => findings.filter(({ rule }) => !rule.endsWith(".sheet.sums"));

function drawDiffers(game, { written_differs: differs }) {
  const lines = differs.map(({ where, written, computed }) => {
    const words = { where: fieldWords(where, game), written: minus(written) };
    return h("li", {}, t("pile_differs_line", { ...words, computed: minus(computed) }));
  });
  return h("div", {}, h("h3", {}, t("pile_differs")), h("ul", { class: "findings" }, ...lines));
}

function drawFindings(game, title, findings, look) {
  if (!findings.length) return null;
  const lines = findings.map((finding) => {
    const rule = h("a", { href: `/rules/${game}#${finding.rule}` }, h("code", {}, finding.rule));
    return h("li", {}, told(finding), " ", rule);
  });
  return h("div", {}, h("h3", {}, t(title)), h("ul", { class: look }, ...lines));
}

/** Every line that counts, beside what the player wrote for it. */
function drawLines(game, sheet) {
  const { tally } = sheet;
  const values = Object.fromEntries(sheet.fields.map(({ where, value }) => [where, value]));
  const prefix = game === "qwinto" ? "strip." : "boxes.";
  const written = (line) => values[`${prefix}${line}`] ?? values[`${prefix}${line}[0]`] ?? null;
  const differs = new Set(tally.written_differs.map(({ where }) => where.replace(/^\w+\./, "")));
  const row = (line, points) =>
    h(
      "tr",
      { class: differs.has(line) ? "differs" : null },
      h("th", { scope: "row" }, lineWords(line, game)),
      h("td", {}, minus(points)),
      h("td", {}, written(line) === null ? "" : minus(written(line))),
    );
  const signed = ([line, points]) => row(line, line === "penalty" ? -points : points);
  const head = ["pile_lines", "pile_worth", "pile_written"];
  return h(
    "details",
    { class: "lines" },
    h("summary", {}, t("pile_lines")),
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...head.map((key) => h("th", { scope: "col" }, t(key))))),
      h("tbody", {}, ...tally.lines.map(signed)),
      h("tfoot", {}, row("total", totalWords(tally))),
    ),
  );
}

