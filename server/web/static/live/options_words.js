// Values of options in words.

import { known, t } from "../language.js";
import { placeWord } from "./match.js";

export function hasWord(value) {
  return known(`value_${value}`);
}

/** A value as people say it: a seat, yes or no, a word of ours, or the number itself. */
export function optionWord(value, game) {
  if (hasWord(value)) return t(`value_${value}`);
  return /^[A-Z]$/.test(value) ? placeWord(value, game) : value;
}
