// Shapes that people lay over the live picture: the tray's four corners, and a box around one die.
// All places are in shares of the picture, 0 to 1; drawing is in its pixels.

import { s } from "../dom.js";
import { percent, t } from "../language.js";

const STEP = 0.01;
const FINE = 0.002;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const CORNERS = ["corner_top_left", "corner_top_right", "corner_bottom_right", "corner_bottom_left"];

/** Where the tray's corners begin: a little inside the picture, clockwise from the top left. */
export const WHOLE = [
  [0.08, 0.08],
  [0.92, 0.08],
  [0.92, 0.92],
  [0.08, 0.92],
];

const clamp = (value) => Math.max(0, Math.min(1, value));

/** The overlay of shapes; it stands in the figure of the live picture. */
export class Overlay {
  /**
   * @param {HTMLElement} figure
   * @param {Object} on
   * @param {(zone: number[][]) => void} on.zone  the tray was moved
   * @param {(box: number[]) => void} on.box  the box around a die was moved
   */
  constructor(figure, on) {
    this.on = on;
    this.size = [1280, 720];
    this.svg = s("svg", { class: "shapes" });
    this.image = figure.querySelector("img");
    this.shown = null;
    figure.append(this.svg);
    this.image.addEventListener("load", () => this.measure());
  }

  measure() {
    const { naturalWidth: width, naturalHeight: height } = this.image;
    if (!width || (width === this.size[0] && height === this.size[1])) return;
    this.size = [width, height];
    if (this.shown) this.draw(this.shown);
  }

  /** Draw the tray, and the box where one is being set. */
  draw(shown) {
    this.shown = shown;
    const held = this.svg.contains(document.activeElement) ? document.activeElement.id : null;
    this.svg.setAttribute("viewBox", `0 0 ${this.size[0]} ${this.size[1]}`);
    this.svg.replaceChildren(
      ...(shown.zone ? this.drawZone(shown.zone, shown.editing) : []),
      ...(shown.box ? this.drawBox(shown.box) : []),
    );
    if (held) this.svg.querySelector(`#${held}`)?.focus({ preventScroll: true });
  }

  px([x, y]) {
    return [x * this.size[0], y * this.size[1]];
  }

  /** Where a pointer is, in shares of the picture. */
  shareOf(event) {
    const matrix = this.svg.getScreenCTM().inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [clamp(point.x / this.size[0]), clamp(point.y / this.size[1])];
  }

  drawZone(zone, editing) {
    const points = zone.map((corner) => this.px(corner).join(",")).join(" ");
    const shape = s("polygon", { class: "zone", points });
    if (!editing) return [shape];
    return [shape, ...zone.map((corner, n) => this.drawCorner(zone, corner, n))];
  }

  drawCorner(zone, corner, n) {
    const move = (to) => this.on.zone(zone.map((one, at) => (at === n ? to : one)));
    const [cx, cy] = this.px(corner);
    const where = t("corner_at", { x: percent(corner[0]), y: percent(corner[1]) });
    const handle = s(
      "g",
      {
        id: `corner-${n}`,
        class: "handle",
        tabindex: 0,
        role: "slider",
        "aria-label": t(CORNERS[n]),
        "aria-valuemin": 0,
        "aria-valuemax": 100,
        "aria-valuenow": Math.round(100 * corner[0]),
        "aria-valuetext": where,
      },
      s("circle", { class: "reach", cx, cy, r: this.size[0] / 26 }),
      s("circle", { class: "corner", cx, cy, r: this.size[0] / 75 }),
    );
    this.drags(handle, (at) => move(at));
    handle.addEventListener("keydown", (event) => {
      const by = KEYS[event.key];
      if (!by) return;
      event.preventDefault();
      const step = event.shiftKey ? FINE : STEP;
      move([clamp(corner[0] + by[0] * step), clamp(corner[1] + by[1] * step)]);
    });
    return handle;
  }

  drawBox([left, top, right, bottom]) {
    const [x, y] = this.px([left, top]);
    const [width, height] = this.px([right - left, bottom - top]);
    const move = (by, grow = 0) => this.on.box(moved([left, top, right, bottom], by, grow, this));
    const handle = s("rect", {
      id: "die-box",
      class: "die-frame",
      x,
      y,
      width,
      height,
      tabindex: 0,
      role: "slider",
      "aria-label": t("setup_box"),
      "aria-valuemin": 0,
      "aria-valuemax": 100,
      "aria-valuenow": Math.round(50 * (left + right)),
      "aria-valuetext": t("corner_at", {
        x: percent((left + right) / 2),
        y: percent((top + bottom) / 2),
      }),
    });
    this.drags(handle, ([atX, atY]) => move([atX - (left + right) / 2, atY - (top + bottom) / 2]));
    handle.addEventListener("keydown", (event) => {
      const by = KEYS[event.key];
      const grow = { "+": 1, "-": -1 }[event.key];
      if (!by && !grow) return;
      event.preventDefault();
      const step = event.shiftKey ? FINE : STEP;
      move(by ? by.map((one) => one * step) : [0, 0], (grow ?? 0) * STEP);
    });
    return [handle];
  }

  /** Follow a pointer from where it is pressed on a handle; redrawing keeps the same finger. */
  drags(handle, follow) {
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const { pointerId, currentTarget } = event;
      document.getElementById(currentTarget.id)?.focus({ preventScroll: true });
      const onMove = (moveEvent) => {
        if (moveEvent.pointerId === pointerId) follow(this.shareOf(moveEvent));
      };
      const end = (upEvent) => {
        if (upEvent.pointerId !== pointerId) return;
        window.removeEventListener("pointermove", onMove);
        window.removeEventListener("pointerup", end);
        window.removeEventListener("pointercancel", end);
      };
      window.addEventListener("pointermove", onMove);
      window.addEventListener("pointerup", end);
      window.addEventListener("pointercancel", end);
    });
  }
}

/** A box moved and grown, kept inside the picture. */
function moved([left, top, right, bottom], [dx, dy], grow, { size }) {
  const ratio = size[0] / size[1];
  const wide = Math.max(0.01, Math.min(0.6, right - left + grow));
  const high = Math.max(0.01, Math.min(0.9, bottom - top + grow * ratio));
  const x = Math.max(wide / 2, Math.min(1 - wide / 2, (left + right) / 2 + dx));
  const y = Math.max(high / 2, Math.min(1 - high / 2, (top + bottom) / 2 + dy));
  return [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
}
