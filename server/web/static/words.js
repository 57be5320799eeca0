// Cells and values in words, for labels and for people who do not see the drawing.

import { chance, percent, t } from "./language.js";
import { cellName, isMarked } from "./layout.js";
import { faceAt, markPath, standing } from "./reading.js";

const MARKS = {
  ".": "mark_blank",
  X: "mark_cross",
  O: "mark_circle",
  _: "mark_gap",
  "?": "mark_unseen",
};
const DOTS = { N: "dot_n", E: "dot_e", S: "dot_s", W: "dot_w", "?": "dot_unknown" };

export function markWord(mark) {
  return t(MARKS[mark]);
}

export function dotWord(dot) {
  return t(DOTS[dot]);
}

/** One cell in words: `c3: cross, dot up, 98 %, in doubt`. */
export function cellWords(reading, row, column) {
  return t("cell_words", {
    cell: cellName(row, column),
    words: valueWords(reading, row, column),
  });
}

/** What a cell shows and how sure that is: `cross, dot up, 98 %, in doubt`. */
export function valueWords(reading, row, column) {
  const [mark, dot] = faceAt(reading, row, column);
  const parts = [markWord(mark)];
  if (isMarked(mark)) parts.push(dotWord(dot));
  const classes = standing(reading, row, column);
  if (classes.includes("corrected")) parts.push(t("corrected"));
  else {
    const field = reading.fields.get(markPath(row, column));
    if (field && field.confidence !== null) parts.push(chance(field.confidence));
    if (classes.includes("asked")) parts.push(t("in_doubt"));
  }
  return parts.join(", ");
}

/** The figures of a picture in words. */
export function qualityWords({ quality, ms, dice }) {
  const parts = [t("fact_time", { ms }), t("fact_sharp", { share: percent(quality.sharpness) })];
  if (quality.px_per_cell !== null)
    parts.push(t(dice ? "fact_faces" : "fact_cells", { px: Math.round(quality.px_per_cell) }));
  if (quality.tilt_deg !== null)
    parts.push(t("fact_tilt", { degrees: Math.round(quality.tilt_deg) }));
  if (quality.glare_share >= 0.005)
    parts.push(t("fact_glare", { share: percent(quality.glare_share) }));
  return parts.join(" · ");
}
