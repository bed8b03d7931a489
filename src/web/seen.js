// What the viewer of a table sees of its game: the one place where that is set, whatever else may
// come between a viewer and the board.
//
// Pure. It shows what the state holds, and the state holds what the server has told this viewer, so
// nothing hidden can come from here. In Dark Hex it also says which stones were run into, and which
// the end has uncovered.

import { positionAt, withStone } from './hex.js';
import { mySeat } from './may.js';
import { isDark } from './options.js';

/** How dark a game of Dark Hex is to its viewer. */
export const DARK = {
  /** It runs, and the viewer plays: own stones are seen, and those that were run into. */
  SEAT: 'seat',
  /** It runs, and the viewer watches: no stones are seen. */
  WATCHER: 'watcher',
  /** A chain has decided it: everything is seen. */
  OPEN: 'open',
  /** It ended otherwise: what was hidden stays so at this table. */
  KEPT: 'kept',
};

/** How dark it is, one of `DARK`; null where nothing is hidden, or no game has begun. */
export function darkness({ options, game, viewer }) {
  if (!isDark(options) || !game) return null;
  if (game.outcome) return game.outcome.by === 'chain' ? DARK.OPEN : DARK.KEPT;
  return viewer === 'spectator' ? DARK.WATCHER : DARK.SEAT;
}

/** The cells where a seat had run into a stone within the first `ply` moves. */
export function foundAt(moves, seat, ply = moves.length) {
  return moves.slice(0, ply)
    .filter((move) => move.seat === seat && move.collision && move.cell)
    .map(({ cell }) => cell);
}

/** How many stones a seat has placed, and how many collisions it has had. */
export function tally(moves, seat) {
  const own = moves.filter((move) => move.seat === seat);
  const collisions = own.filter(({ collision }) => collision).length;
  return { stones: own.length - collisions, collisions };
}

/**
 * What the last turn came to: whose it was (`seat`), how many `collisions` it had, whether a stone
 * was `placed` in it, and the `cell` of its last attempt, if that is known. Null before a move.
 */
export function lastTurn(moves) {
  const seat = moves.at(-1)?.seat;
  if (seat === undefined) return null;
  const begin = moves.findLastIndex((move) => move.seat !== seat) + 1;
  const turn = moves.slice(begin);
  return {
    seat,
    collisions: turn.filter(({ collision }) => collision).length,
    placed: !turn.at(-1).collision,
    cell: turn.at(-1).cell ?? null,
  };
}

/**
 * What the board shows: the live position with the pending move on it, or an older one. `ply` is
 * null for the live position. `found` are the stones that were run into, `bare` those that only the
 * end has uncovered, `ran` the cell of a collision that has just happened, and `hint` the cell that
 * the computer suggests, until a move is on its way.
 */
export function shown(state, ply) {
  const { options: { rows, cols }, game } = state;
  const none = { path: [], pending: null, found: [], bare: [], ran: null, hint: null };
  if (!game) return { ...none, ...positionAt({ rows, cols, opening: [], moves: [], ply: 0 }) };
  const { opening, moves } = game;
  const seat = mySeat(state);
  const live = ply === null || ply >= moves.length;
  const at = positionAt({ rows, cols, opening, moves, ply: live ? moves.length : ply });
  const found = isDark(state.options) ? foundAt(moves, seat, live ? moves.length : ply) : [];
  if (!live) return { ...none, ...at, found };
  const cell = state.pending?.action.cell ?? null;
  const board = cell ? withStone(game.board, cell, game.colors[seat - 1]) : game.board;
  const last = moves.at(-1);
  return {
    board,
    last: at.last,
    path: game.winning_path ?? [],
    pending: cell,
    found,
    bare: darkness(state) === DARK.OPEN ? bareStones(moves, seat) : [],
    ran: last?.collision && !game.outcome ? last.cell ?? null : null,
    hint: state.pending ? null : state.hint?.move?.cell ?? null,
  };
}

// The other's stones that the viewer had not run into: all of them, for a spectator.
function bareStones(moves, seat) {
  const known = new Set(foundAt(moves, seat).map(String));
  return moves
    .filter((move) => move.seat !== seat && !move.collision && !known.has(String(move.cell)))
    .map(({ cell }) => cell);
}
