// What the viewer is at the table, and what the viewer may do now.
//
// Pure questions to a table's state. The server decides; this decides which buttons to show.

import { stoneAt } from './hex.js';
import { isDark } from './options.js';

/**
 * The viewer's seat, or null for a spectator. Who has both seats of a game that hides nothing sits
 * where the turn is.
 */
export function mySeat(state) {
  if (state.viewer === 'both') return state.game?.to_move ?? 1;
  return { seat_1: 1, seat_2: 2 }[state.viewer] ?? null;
}

/** Whether both seats are this player's, on one device. `me` is the player's id. */
export function onDevice(state) {
  return !!state.options.pass_and_play && !!state.me && state.seats[0]?.id === state.me;
}

/** The seat before whose board the curtain is down on this device; null where none is. */
export function curtained(state) {
  const down = onDevice(state) && isDark(state.options) && mySeat(state) === null
    && state.phase === 'playing' && !state.game?.outcome;
  return down ? state.game?.to_move ?? null : null;
}

/** The colour that a seat now has: its own in the game, or the one that it would begin with. */
export function colorOf(state, seat) {
  return state.game && state.phase !== 'waiting'
    ? state.game.colors[seat - 1]
    : ['red', 'blue'][seat - 1];
}

/** The seat across the table. */
export function otherSeat(seat) {
  return 3 - seat;
}

/** The name of who sits there. */
export function nameOf(state, seat) {
  return state.seats[seat - 1]?.name ?? `seat ${seat}`;
}

/** The level of the computer whose own seat this is; null where it is somebody's, or free. */
export function houseLevel(state, seat) {
  return state.seats[seat - 1]?.cpu ?? null;
}

/** The level at which the computer plays a seat for its player, who is gone; null where it does not. */
export function standInLevel(state, seat) {
  return state.presence.seats[seat - 1].cpu ?? null;
}

/** Whether the viewer plays against the computer in a seat of its own. */
export function againstComputer(state) {
  const seat = mySeat(state);
  return seat !== null && houseLevel(state, otherSeat(seat)) !== null;
}

/** The seat that the computer thinks for now, or null. It never plays on for both. */
export function thinkingSeat(state) {
  const { phase, game, presence } = state;
  const seat = phase === 'playing' && !game.outcome && !game.paused ? game.to_move : null;
  if (!seat || houseLevel(state, seat) !== null) return seat;
  const stands = standInLevel(state, seat) !== null && presence.seats[otherSeat(seat) - 1].connected;
  return stands ? seat : null;
}

/**
 * The seat of somebody else that the computer plays, or is about to play, because its player is
 * gone: `{ seat, until }`, where `until` is null once it does. Null where there is none.
 */
export function leftToComputer(state) {
  if (state.phase !== 'playing' || state.options.on_leave !== 'cpu') return null;
  for (const seat of [1, 2].filter((it) => it !== mySeat(state))) {
    const { connected, until } = state.presence.seats[seat - 1];
    if (standInLevel(state, seat) !== null) return { seat, until: null };
    if (!connected && until !== null) return { seat, until };
  }
  return null;
}

/** Whether the computer may be asked for a hint now: once a turn, in a game against itself. */
export function canSuggest(state) {
  return myTurn(state) && againstComputer(state) && !state.hint;
}

/** Whether a game runs that the viewer plays in. */
export function playing(state) {
  return mySeat(state) !== null && state.phase === 'playing' && !!state.game
    && !state.game.outcome;
}

/** Whether a game runs on this screen: the viewer's own, or both seats' on one device. */
export function busy(state) {
  return playing(state) || (onDevice(state) && state.phase === 'playing' && !state.game?.outcome);
}

/** Whether the viewer is to move and no own move is on its way. */
export function myTurn(state) {
  return playing(state) && !state.game.paused && !state.pending
    && state.game.to_move === mySeat(state);
}

/** Whether a stone may be tried on the cell now: it is not known to be taken. */
export function canPlace(state, cell) {
  const onBoard = state.game?.board[cell[0]]?.[cell[1]] !== undefined;
  return myTurn(state) && onBoard && stoneAt(state.game.board, cell) === null;
}

/** Whether the swap may be played now: the second move, on an empty opening. */
export function canSwap(state) {
  const { options, game } = state;
  return myTurn(state) && options.swap !== 'off' && game.opening.length === 0
    && game.moves.length === 1 && !game.moves[0].swap;
}

/** Whether the swap may yet come to be the viewer's to play, who answers the first stone. */
export function awaitsSwap(state) {
  const { options, game, viewer } = state;
  if (!playing(state) || options.swap === 'off' || game.opening.length > 0) return false;
  const [first, ...more] = game.moves;
  if (!first) return viewer === 'both' || game.to_move !== mySeat(state);
  return more.length === 0 && first.seat !== mySeat(state) && !first.swap;
}

/** Whether the game can still be taken back altogether. */
export function canAbort(state) {
  return playing(state) && state.game.moves.length < 2;
}

/** Whether something can be proposed: not twice, and not what the other seat proposes already. */
export function canOffer(state, kind) {
  if (onDevice(state)) return kind === 'rematch' && state.phase === 'finished';
  const seat = mySeat(state);
  if (seat === null || state.offers.some((offer) => offer.kind === kind)) return false;
  // Whoever stands in for the other answers no offers.
  if (standInLevel(state, otherSeat(seat)) !== null) return false;
  switch (kind) {
    case 'rematch':
      return state.phase === 'finished' && state.seats.every(Boolean);
    case 'takeback':
      return playing(state) && !isDark(state.options) && !state.options.rated
        && state.game.moves.some((move) => move.seat === seat);
    case 'pause':
      return playing(state) && !state.game.paused && !!state.game.clocks;
    default:
      return false;
  }
}

/** Whether the opponent can be given time. */
export function canGiveTime(state) {
  return playing(state) && !onDevice(state) && !againstComputer(state) && !state.game.paused
    && !!state.game.clocks && state.options.time.control !== 'none';
}

/**
 * The opponent's absence from a running game, if the viewer could claim it: `until` when, and
 * whether that is `now`. Null otherwise.
 */
export function claim(state) {
  if (!playing(state) || state.options.on_leave !== 'claim') return null;
  const { connected, until, claimable } = state.presence.seats[otherSeat(mySeat(state)) - 1];
  if (connected || (!claimable && until === null)) return null;
  return { now: !!claimable, until };
}

/** The seats that the viewer could take. */
export function freeSeats(state) {
  // In a party nobody takes a seat: the host begins the games.
  if (state.party || mySeat(state) !== null || state.phase === 'closed' || state.phase === 'playing') return [];
  return [1, 2].filter((seat) => state.seats[seat - 1] === null);
}
