// A sheet's picture with what was read drawn over it: laid flat, or in its photo. Units: its px.

import { drawSymbol } from "../dice/die.js";
import { h, s } from "../dom.js";
import { t } from "../language.js";
import { fieldWords, isEmpty, symbolOf, valueWords } from "./words.js";

/**
 * Draw a sheet's picture.
 * @param {Object} shown
 * @param {Object} shown.sheet  the server's
 * @param {Object} shown.photo  the photo it is in
 * @param {boolean} shown.flat  laid flat rather than the whole photo
 * @param {string} shown.game
 * @param {(field: Object) => string[]} shown.classes
 * @param {(where: string) => number|undefined} shown.right  the right sum where another is written
 * @param {(where: string) => void} shown.choose
 */
export function drawPicture(shown) {
  const { sheet, photo, flat } = shown;
  const [width, height] = flat ? sheet.flat.size : photo.size;
  const label = t(flat ? "pile_flat_label" : "pile_whole_label");
  const spots = sheet.fields.map((field) => drawSpot(field, shown));
  const outline = flat ? null : s("polygon", { class: "outline", points: points(sheet.outline) });
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}` }, outline, ...spots);
  const src = flat ? sheet.flat.address : photo.address;
  const figure = h("figure", { class: "photo sheet-photo" }, h("img", { src, alt: label }), svg);
  figure.style.setProperty("--ratio", String(width / height));
  return figure;
}

/** A field's corners in the picture in view, clockwise from its own top left. */
export function cornersOf(field, flat) {
  if (!flat) return field.quad;
  const [x, y, width, height] = field.box;
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
}

function drawSpot(field, { sheet, flat, game, classes, right, choose }) {
  const quad = cornersOf(field, flat);
  const { where, value } = field;
  const computed = right(where);
  const words = `${fieldWords(where, game)}: ${valueWords(where, value)}`;
  const press = () => choose(where);
  return s(
    "g",
    { class: ["spot", ...classes(field)].join(" "), "data-where": where, onclick: press },
    s("title", {}, words),
    s("polygon", { class: "area", points: points(quad) }),
    ...drawValue(field, quad, sheet),
    ...(computed === undefined ? [] : [drawRight(computed, quad)]),
  );
}

/** What was read, small in the upper right corner: the writing itself stays in view. */
function drawValue({ where, value, asked }, quad) {
  const size = sideOf(quad);
  if (isEmpty(where, value) && !asked) return [];
  const [x, y] = at(quad, 0.94, 0.12);
  const symbol = symbolOf(value);
  if (symbol) {
    const scale = (size * 0.34) / 100;
    const move = `translate(${x - 50 * scale} ${y - 50 * scale}) scale(${scale})`;
    const ground = s("circle", { class: "ground", cx: 50, cy: 50, r: 52 });
    return [s("g", { class: "value", transform: move }, ground, ...drawSymbol(symbol))];
  }
  const words = isEmpty(where, value) ? "–" : String(value).replace("-", "−");
  const look = { class: "value", x, y, "font-size": size * 0.48, "stroke-width": size * 0.1 };
  return [s("text", look, words)];
}

/** The right sum under one that differs. */
function drawRight(computed, quad) {
  const size = sideOf(quad);
  const [x, y] = at(quad, 0.5, 1.18);
  const look = { class: "right", x, y, "font-size": size * 0.44, "stroke-width": size * 0.1 };
  return s("text", look, `≠ ${String(computed).replace("-", "−")}`);
}

const points = (quad) => quad.map(([x, y]) => `${x},${y}`).join(" ");

/** A place in a quad, as shares of its width and height. */
function at([a, b, , d], across, down) {
  return [0, 1].map((i) => a[i] + across * (b[i] - a[i]) + down * (d[i] - a[i]));
}

/** The shorter side of a field, px. */
function sideOf([a, b, , d]) {
  const length = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);
  return Math.min(length(a, b), length(a, d));
}
