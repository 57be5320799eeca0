// The choices that no camera sees: who plays, from which side, how the camera moved.

import { h } from "./dom.js";
import { t } from "./language.js";

const MOVERS = { 2: ["X", "O"], 4: ["S", "W", "N", "E"] };
const SOUTH = ["bottom", "left", "top", "right"];
const TURNS = ["", "0", "90", "180", "270"];

/** Write the choices in the current language, keeping what is chosen. */
export function drawOptions(form) {
  const players = form.elements.players.value;
  choices(form.elements.to_move, ["", ...MOVERS[players]], (value) =>
    value ? t(`mover_${value}`) : t("mover_any"),
  );
  choices(form.elements.south, SOUTH, (value) => t(`south_${value}`));
  choices(form.elements.turn_after, TURNS, (value) =>
    value ? t("turn_by", { degrees: value }) : t("turn_any"),
  );
}

function choices(select, values, word) {
  const kept = values.includes(select.value) ? select.value : values[0];
  select.replaceChildren(...values.map((value) => h("option", { value }, word(value))));
  select.value = kept;
}

/** The choices as the server wants them. */
export function chosenOptions(form) {
  const value = (name) => form.elements[name].value;
  return {
    options: { seats: value("players") },
    to_move: value("to_move") || null,
    south: value("south"),
    turn_after: value("turn_after") ? Number(value("turn_after")) : null,
  };
}
