// Boards as the server writes them: `{rows: ["X..OO" × 5], dots: ["N.?.E" × 5]}`. Pure functions.

export const SIDES = ["N", "E", "S", "W"];

export function markAt(board, row, column) {
  return board.rows[row][column];
}

export function dotAt(board, row, column) {
  return board.dots[row][column];
}

export function isMarked(mark) {
  return mark === "X" || mark === "O";
}

/** A copy of the board with another mark; the dot of a new mark is not known. */
export function withMark(board, row, column, mark) {
  const kept = isMarked(mark) && isMarked(markAt(board, row, column));
  const dot = kept ? dotAt(board, row, column) : isMarked(mark) ? "?" : ".";
  return { rows: put(board.rows, row, column, mark), dots: put(board.dots, row, column, dot) };
}

/** A copy of the board with the dot of a marked face on another side. */
export function withDot(board, row, column, dot) {
  if (!isMarked(markAt(board, row, column))) return board;
  return { rows: board.rows, dots: put(board.dots, row, column, dot) };
}

function put(lines, row, column, sign) {
  return lines.map((line, at) =>
    at === row ? line.slice(0, column) + sign + line.slice(column + 1) : line,
  );
}

/** `a3` for row 2, column 0: as the notation names cells. */
export function cellName(row, column) {
  return String.fromCharCode(97 + column) + (row + 1);
}

/** The parts of a move such as `a3>R` or `a3>R:N`; null for other texts. */
export function parseMove(text) {
  const match = /^([a-e])([1-5])>([LRTB])(?::([SWNE]))?$/.exec(text ?? "");
  if (!match) return null;
  return { column: match[1].charCodeAt(0) - 97, row: Number(match[2]) - 1, end: match[3] };
}
