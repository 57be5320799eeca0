// Pieces of the overlay. Units are pixels of the picture that was read.

import { SYMBOLS } from "../dice/die.js";
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

/** Dice as they were read, and the tray; those outside of it take no part. */
export function diceSigns({ dice, zone }) {
  const tray = zone ? [s("polygon", { class: "zone", points: points(zone) })] : [];
  return [...tray, ...dice.flatMap(dieSign)];
}

function dieSign({ box: [left, top, right, bottom], value, asked, in_zone: inside, flat }) {
  const away = inside === false;
  const classes = ["die-box", ...(asked || flat === false ? ["asked"] : [])];
  const size = { x: left, y: top, width: right - left, height: bottom - top };
  const area = s("rect", { class: [...classes, ...(away ? ["away"] : [])].join(" "), ...size });
  if (away) return [area];
  const height = Math.max(14, 0.55 * (bottom - top));
  const look = {
    class: "sign",
    x: (left + right) / 2,
    y: top - 0.35 * height,
    "text-anchor": "middle",
    "font-size": height,
    "stroke-width": height * 0.2,
  };
  return [area, s("text", look, value === "other" ? "?" : (SYMBOLS[value] ?? String(value)))];
}
