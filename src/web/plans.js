// What a player has planned, and the lines that they are putting together: a premove in answer to
// whatever comes, and conditional moves.
//
// Pure questions to a table's state. The server holds the plan, and plays it; here is only what is
// shown of it, and what is asked for next.

import { cellText, sameCell, stoneAt, withStone } from './hex.js';
import { colorOf, mySeat, nameOf, onDevice, otherSeat, playing } from './may.js';
import { isDark } from './options.js';

/** The most lines that a plan has, the most moves of a line, and of all lines together. */
export const MOST = { lines: 30, moves: 20, all: 200 };

const NOTHING = { lines: [] };

/** Whether the viewer may plan now: in Hex, while the other is to move. */
export function canPlan(state) {
  return playing(state) && !isDark(state.options) && !onDevice(state) && !state.pending
    && state.game.to_move === otherSeat(mySeat(state));
}

/** What the viewer has planned; nothing is a plan without a premove and lines. */
export function planOf(state) {
  return { ...NOTHING, ...state.plan };
}

/** Whether anything is planned. */
export function isPlanned(state) {
  const { premove, lines } = planOf(state);
  return !!premove || lines.length > 0;
}

/** The cell of the premove, or null. */
export function premoveCell(state) {
  return planOf(state).premove?.cell ?? null;
}

/** Whether a premove may be set on the cell, or taken back from it. */
export function canPremove(state, cell) {
  return canPlan(state) && stoneAt(state.game.board, cell) === null;
}

/** The plan with a premove on the cell; without, where it is there already. Null is no premove. */
export function withPremove(state, cell) {
  const { lines } = planOf(state);
  const taken = !cell || sameCell(premoveCell(state), cell);
  return taken ? { lines } : { premove: { cell }, lines };
}

/** The plan with one line less. */
export function withoutLine(state, n) {
  const { lines, ...rest } = planOf(state);
  return { ...rest, lines: lines.filter((_, at) => at !== n) };
}

/** The plan with a line more. One that the new line only goes on from is not kept beside it. */
export function withLine(state, cells) {
  const { lines, ...rest } = planOf(state);
  const line = cells.map((cell) => ({ cell }));
  const begins = (other) => other.every((move, n) => sameCell(move.cell ?? null, cells[n] ?? null));
  return { ...rest, lines: [...lines.filter((other) => !begins(other)), line] };
}

/** A line to be put together, of the turn that it begins in. */
export function draftOf(state) {
  return { game: state.game.id, turn: state.game.turn, cells: [] };
}

/** Whether a line still begins where the game stands. */
export function isCurrent(draft, state) {
  return canPlan(state) && draft.game === state.game.id && draft.turn === state.game.turn;
}

/** The line with a move more, if the cell is free on its board and the line is not too long. */
export function drafted(draft, state, cell) {
  const { board } = draftBoard(draft, state);
  if (draft.cells.length === MOST.moves || stoneAt(board, cell) !== null) return draft;
  return { ...draft, cells: [...draft.cells, cell] };
}

/** The line without its last move. */
export function undrafted(draft) {
  return { ...draft, cells: draft.cells.slice(0, -1) };
}

/** The board with the line played out on it, its cells and the last of them, and whose stone comes next. */
export function draftBoard({ cells }, state) {
  const seatAt = (n) => (n % 2 ? mySeat(state) : otherSeat(mySeat(state)));
  const board = cells.reduce(
    (next, cell, n) => withStone(next, cell, colorOf(state, seatAt(n))),
    state.game.board,
  );
  return { board, drafted: cells, last: cells.at(-1) ?? null, turn: colorOf(state, seatAt(cells.length)) };
}

/** Whether the line can be saved: it ends with an own move, and there is room for it. */
export function canSave(draft, state) {
  const { lines } = withLine(state, draft.cells);
  const all = lines.reduce((count, line) => count + line.length, 0);
  return draft.cells.length >= 2 && draft.cells.length % 2 === 0
    && lines.length <= MOST.lines && all <= MOST.all;
}

/** What is to be done next to put a line together. */
export function draftText({ cells }, state) {
  const name = nameOf(state, otherSeat(mySeat(state)));
  if (cells.length === 0) return `Place the move that ${name} may play.`;
  if (cells.length % 2) return `If ${name} plays ${cellText(cells.at(-1))}: place your answer.`;
  if (cells.length === MOST.moves) return 'The line is as long as it can be.';
  return `Save the line, or go on with what ${name} plays then.`;
}

/** A line in words: what they play, and what is answered. */
export function lineText(line) {
  const text = (move) => (move.swap ? 'swap' : cellText(move.cell));
  const pairs = [];
  for (let n = 0; n < line.length; n += 2) {
    pairs.push(line[n + 1] ? `${text(line[n])} → ${text(line[n + 1])}` : `${text(line[n])} → …`);
  }
  return pairs.join(', ');
}

/** What the premove is called. */
export function premoveText(state) {
  const { premove } = planOf(state);
  if (!premove) return null;
  return premove.swap ? 'Premove: swap' : `Premove: ${cellText(premove.cell)}`;
}

/** Why planned moves were dropped; null where that needs no words. */
export function droppedText(why) {
  return {
    unmatched: 'You had planned nothing for that move: what was planned is dropped.',
    illegal: 'Your premove cannot be played any more: that cell is taken.',
    swapped: 'Your opponent swapped: what you had planned is dropped.',
    taken_back: 'A move was taken back: what you had planned is dropped.',
  }[why] ?? null;
}

/** What is planned, as it is read out. */
export function plannedText(state) {
  const { lines } = planOf(state);
  const count = lines.length && `${lines.length} conditional ${lines.length === 1 ? 'line' : 'lines'}`;
  return [premoveText(state), count].filter(Boolean).join(', ') || 'Nothing is planned';
}
