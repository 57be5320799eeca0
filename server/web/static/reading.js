// A reading with the people's corrections: what the referee is asked about. Pure values.

import { dotAt, isMarked, markAt, SIDES, withDot, withMark } from "./layout.js";

/**
 * A board as read.
 * @param {Object} seen  one entry of the server's `boards`
 */
export function readingOf(seen) {
  const fields = new Map(seen.fields.map((field) => [field.where, field]));
  const cells = seen.fields
    .filter((field) => field.where.startsWith("rows"))
    .map((field) => ({ ...placeOf(field.where), quad: field.quad, confidence: field.confidence }));
  return { ...seen, fields, cells, corrected: new Set() };
}

export function markPath(row, column) {
  return `rows[${row}][${column}]`;
}

export function dotPath(row, column) {
  return `dots[${row}][${column}]`;
}

/** The row and column of a path such as `rows[2][4]`. */
export function placeOf(where) {
  const [row, column] = where.match(/\d+/g).map(Number);
  return { row, column };
}

/** Put a mark into a cell by hand: from now on the people vouch for it. */
export function correctMark(reading, row, column, mark) {
  const board = withMark(reading.board, row, column, mark);
  return corrected(reading, board, markPath(row, column));
}

/** Put the dot of a cell on a side by hand. */
export function correctDot(reading, row, column, dot) {
  const board = withDot(reading.board, row, column, dot);
  return corrected(reading, board, dotPath(row, column));
}

/** Take the corrections of one cell back. */
export function asRead(reading, row, column) {
  const was = (path) => reading.fields.get(path)?.value ?? ".";
  let board = withMark(reading.board, row, column, was(markPath(row, column)));
  board = withDot(board, row, column, was(dotPath(row, column)));
  const left = new Set(reading.corrected);
  left.delete(markPath(row, column));
  left.delete(dotPath(row, column));
  return { ...reading, board, corrected: left };
}

function corrected(reading, board, path) {
  return { ...reading, board, corrected: new Set([...reading.corrected, path]) };
}

/** What is still in doubt: asked by the reader and not answered by hand. */
export function doubts(reading) {
  return [...reading.fields.values()]
    .filter((field) => field.asked && !answered(reading, field.where))
    .map(({ where, candidates }) => ({ where, candidates }));
}

function answered(reading, where) {
  if (reading.corrected.has(where)) return true;
  const { row, column } = placeOf(where);
  // A mark put by hand settles its dot too: either there is none, or it is not known.
  return where.startsWith("dots") && reading.corrected.has(markPath(row, column));
}

/** Classes that show a cell's standing: in doubt, or corrected by hand. */
export function standing(reading, row, column) {
  if (reading.corrected.has(markPath(row, column)) || reading.corrected.has(dotPath(row, column))) {
    return ["corrected"];
  }
  const asked = doubts(reading).some(({ where }) => {
    const place = placeOf(where);
    return place.row === row && place.column === column;
  });
  return asked ? ["asked"] : [];
}

/** Marks to choose from, the reader's most likely first; those it gave no share come last. */
export function rankedMarks(reading, row, column, possible) {
  return ranked(reading.fields.get(markPath(row, column)), possible);
}

/** Sides for the dot, the reader's most likely first; none for a face without a mark. */
export function rankedDots(reading, row, column) {
  if (!isMarked(markAt(reading.board, row, column))) return [];
  return ranked(reading.fields.get(dotPath(row, column)), SIDES);
}

function ranked(field, possible) {
  const given = (field?.candidates ?? []).filter(([value]) => possible.includes(value));
  const values = given.map(([value]) => value);
  const rest = possible.filter((value) => !values.includes(value)).map((value) => [value, null]);
  return [...given, ...rest];
}

/** What the server wants to know about one board. */
export function sightOf(reading) {
  return { ...reading.board, doubts: doubts(reading), quad: reading.quad };
}

/** The mark and dot of a cell together, for showing. */
export function faceAt(reading, row, column) {
  return [markAt(reading.board, row, column), dotAt(reading.board, row, column)];
}
