// Buttons of a match, and the same by keyboard.

import { h } from "../dom.js";
import { t } from "../language.js";

/** Every control and its key; `seen`: it is about moves that a camera saw. */
export const CONTROLS = [
  { name: "next", key: "n", main: true, seen: true },
  { name: "stand", key: "k", seen: true },
  { name: "wrong", key: "w", seen: true },
  { name: "undo", key: "u" },
  { name: "redo", key: "r" },
];

/**
 * @param {Object} view
 * @param {boolean} busy  a command is on its way
 * @param {(name: string) => void} press
 */
export function drawControls(view, busy, press) {
  const mine = CONTROLS.filter(({ seen }) => view.camera || !seen);
  const buttons = mine.map(({ name, key, main }) => {
    const look = { class: main ? "button" : "button second", "data-control": name };
    const off = busy || !view.can[name];
    const keys = { "aria-keyshortcuts": key, disabled: off };
    const label = [t(`do_${name}`), h("kbd", { "aria-hidden": "true" }, key.toUpperCase())];
    return h("button", { type: "button", ...look, ...keys, onclick: () => press(name) }, ...label);
  });
  const acts = view.acts.map((act) => {
    const look = { class: "button second", "data-act": act, disabled: busy || !view.can.play };
    return h(
      "button",
      { type: "button", ...look, onclick: () => press(`act:${act}`) },
      t(`do_${act}`),
    );
  });
  return [...buttons, ...acts];
}

/** The control of a key; null for keys typed into a field or with a modifier. */
export function controlOf(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || isField(event.target)) return null;
  return CONTROLS.find(({ key }) => key === event.key.toLowerCase())?.name ?? null;
}

export function isField(target) {
  return Boolean(target.closest?.("input, select, textarea"));
}
