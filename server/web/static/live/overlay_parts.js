// Pieces of the overlay. Units are pixels of the picture that was read.

import { s } from "../dom.js";

const ARROWS = { N: "↑", E: "→", S: "↓", W: "←" };

export function points(quad) {
  return quad.map(([x, y]) => `${x},${y}`).join(" ");
}

/** One cell as it was read: its outline, and its sign where it is marked. */
export function sign({ quad, value, dot, asked }) {
  const area = s("polygon", { class: asked ? "quad asked" : "quad", points: points(quad) });
  if (!value || value === ".") return [area];
  const [[ax, ay], [bx, by], , [dx, dy]] = quad;
  const height = Math.min(Math.hypot(ax - dx, ay - dy), Math.hypot(ax - bx, ay - by));
  const at = {
    x: ax + 0.24 * (bx - ax) + 0.2 * (dx - ax),
    y: ay + 0.24 * (by - ay) + 0.2 * (dy - ay),
  };
  const look = { class: "sign", "font-size": height * 0.3, "stroke-width": height * 0.06, ...at };
  return [area, s("text", look, value + (ARROWS[dot] ?? ""))];
}
