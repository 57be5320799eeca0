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

const PUSH = /([a-e])([1-5])>([LRTB])([a-e1-5])?/g;
const TURNED = /\+([a-e])([1-5])/g;

/**
 * What a move in notation does, as far as it can be drawn: `a3>R`, `a3>R:N`, `a3>R2+c4=O`.
 * @param {string|null} text  one move, or several where a picture between was missed
 * @returns {{pushes: {row, column, end, line}[], turned: {row, column}[]}}  `line` is the row or
 *   column that was pushed: the cube's own, or another one against the rules
 */
export function parseMove(text) {
  const place = (letter, digit) => ({ column: letter.charCodeAt(0) - 97, row: Number(digit) - 1 });
  const pushes = [...(text ?? "").matchAll(PUSH)].map(([, letter, digit, end, other]) => {
    const cube = place(letter, digit);
    const own = "LR".includes(end) ? cube.row : cube.column;
    const line = !other ? own : "LR".includes(end) ? Number(other) - 1 : other.charCodeAt(0) - 97;
    return { ...cube, end, line };
  });
  const turned = [...(text ?? "").matchAll(TURNED)].map(([, letter, digit]) =>
    place(letter, digit),
  );
  return { pushes, turned };
}
