// The reading drawn over its photo. Units are pixels of the picture that was read.

import { h, s } from "./dom.js";
import { markAt } from "./layout.js";

const ARROWS = { N: "↑", E: "→", S: "↓", W: "←", "?": "?" };

/**
 * Draw a photo with what was read in it.
 * @param {Object} view  the server's answer: `width`, `height`, `preview`
 * @param {Object|null} shown  the board in view: `quad`, `cells`, `board`, or null
 * @param {Object} look
 * @param {string} look.label
 * @param {(row: number, column: number) => string[]} [look.classes]
 * @param {(row: number, column: number) => void} [look.choose]  a cell was clicked
 */
export function drawPhoto(view, shown, { label, classes, choose }) {
  const svg = s("svg", { viewBox: `0 0 ${view.width} ${view.height}`, "aria-hidden": "true" });
  if (shown) {
    svg.append(s("polygon", { class: "outline", points: points(shown.quad) }));
    for (const cell of shown.cells) svg.append(...drawQuad(cell, shown.board, classes, choose));
  }
  const figure = h("figure", { class: "photo" }, h("img", { src: view.preview, alt: label }), svg);
  figure.style.setProperty("--ratio", String(view.width / view.height));
  return figure;
}

function drawQuad(cell, board, classes, choose) {
  const { row, column, quad, confidence } = cell;
  const quadClasses = ["quad", ...(classes?.(row, column) ?? [])].join(" ");
  const at = (across, down) => inside(quad, across, down);
  const height = Math.min(distance(quad[0], quad[3]), distance(quad[0], quad[1]));
  const area = s("polygon", {
    class: quadClasses,
    points: points(quad),
    onclick: () => choose?.(row, column),
  });
  const parts = [area];
  const mark = markAt(board, row, column);
  const dot = board.dots[row][column];
  if (mark !== ".") {
    const sign = mark + (ARROWS[dot] ?? "");
    parts.push(
      s(
        "text",
        {
          class: "sign",
          ...at(0.24, 0.2),
          "font-size": height * 0.27,
          "stroke-width": height * 0.06,
        },
        sign,
      ),
    );
  }
  if (confidence !== null) {
    const share = String(Math.min(99, Math.floor(100 * confidence)));
    parts.push(
      s(
        "text",
        {
          class: "share",
          ...at(0.78, 0.84),
          "font-size": height * 0.2,
          "stroke-width": height * 0.05,
        },
        share,
      ),
    );
  }
  return parts;
}

/**
 * Let the user click four corners on a photo.
 * @param {HTMLElement} figure  from `drawPhoto`
 * @param {(corners: number[][]) => void} done  corners clockwise, pixels of the picture read
 * @param {(count: number) => void} progress
 */
export function pickCorners(figure, done, progress) {
  const svg = figure.querySelector("svg");
  const corners = [];
  figure.classList.add("picking");
  svg.addEventListener("click", (event) => {
    const matrix = svg.getScreenCTM().inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    corners.push([point.x, point.y]);
    const radius = svg.viewBox.baseVal.width / 90;
    svg.append(s("circle", { class: "corner", cx: point.x, cy: point.y, r: radius }));
    progress(corners.length);
    if (corners.length === 4) done(clockwise(corners));
  });
}

/** Corners in clockwise order about their middle, so that they may be clicked in any order. */
function clockwise(corners) {
  const [x, y] = centre(corners);
  const angle = ([px, py]) => Math.atan2(py - y, px - x);
  return [...corners].sort((a, b) => angle(a) - angle(b));
}

/** A cut-out of the photo around one cell, with a little of its surroundings. */
export function cutOut(view, quad, canvas) {
  const image = new Image();
  image.addEventListener("load", () => {
    const xs = quad.map(([x]) => x);
    const ys = quad.map(([, y]) => y);
    const side =
      1.3 * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
    const [x, y] = centre(quad);
    const scale = view.width ? image.naturalWidth / view.width : 1;
    const context = canvas.getContext("2d");
    context.drawImage(
      image,
      (x - side / 2) * scale,
      (y - side / 2) * scale,
      side * scale,
      side * scale,
      0,
      0,
      canvas.width,
      canvas.height,
    );
  });
  image.src = view.preview;
}

function points(quad) {
  return quad.map(([x, y]) => `${x},${y}`).join(" ");
}

/** A place in a cell, as shares of its width and height; the quad is near enough a rhomb. */
function inside([a, b, , d], across, down) {
  const along = (i) => a[i] + across * (b[i] - a[i]) + down * (d[i] - a[i]);
  return { x: along(0), y: along(1) };
}

function centre(quad) {
  const sum = quad.reduce(([x, y], [px, py]) => [x + px, y + py], [0, 0]);
  return [sum[0] / quad.length, sum[1] / quad.length];
}

function distance([ax, ay], [bx, by]) {
  return Math.hypot(ax - bx, ay - by);
}
