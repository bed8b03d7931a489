// What the page says: refusals, closed connections, results and events, in plain words.
//
// Pure.

import { cellText } from './hex.js';
import { colorOf, mySeat, nameOf, otherSeat } from './may.js';

const REFUSALS = {
  rate_limited: 'That was too fast. Try again in a moment.',
  busy: 'The server is busy. Nothing was lost; try again.',
  shutting_down: 'The server is about to restart. Try again in a moment.',
  internal: 'Something went wrong in the server.',
  unknown_table: 'There is no such table, or no longer.',
  not_invited: 'This table is private. Ask for its invitation link.',
  not_at_table: 'You are not at this table.',
  not_seated: 'Only the players may do that. You are watching.',
  seat_taken: 'Somebody else has just taken that seat.',
  already_seated: 'You already sit at this table.',
  too_many_tables: 'You hold as many open tables as you may. Close one first.',
  no_game: 'No game is running here.',
  other_game: 'That was for an earlier game.',
  game_over: 'The game is over.',
  paused: 'The game is paused.',
  stale_turn: 'The game had moved on. Look again.',
  not_your_turn: 'It is not your turn.',
  off_board: 'That cell is not on the board.',
  occupied: 'A stone already stands there.',
  no_swap: 'The swap cannot be played now.',
  no_offer: 'That offer is no longer open.',
  cannot_offer: 'That cannot be proposed now.',
  cannot_abort: 'Both players have moved: the game cannot be aborted any more.',
  cannot_claim: 'The game cannot be claimed yet.',
  not_paused: 'The game is not paused.',
  cannot_give_time: 'No time can be given now.',
  bad_token: 'The server does not know you any more. Reload the page to start afresh.',
};

/** What a refusal says. A code without words of its own says what the server said. */
export function refusalText(error) {
  return REFUSALS[error.code] ?? error.message ?? 'That did not work.';
}

/**
 * Why a connection was closed: a `text`, and whether the page should `stop` trying, because trying
 * again at once would end the same way.
 */
export function closeReason(code) {
  switch (code) {
    case 1009: return { stop: true, text: 'The server refused a message that was too large.' };
    case 1012: return { stop: false, text: 'The server is restarting. Seats, games and clocks are kept.' };
    case 4002: return { stop: false, text: 'The connection was too slow to keep up.' };
    case 4003: return { stop: true, text: 'Too many requests were sent from here.' };
    case 4004: return { stop: true, text: 'Too many pages are open from your network. Close one.' };
    case 4005:
    case 4006: return { stop: true, text: 'The page and the server do not understand each other.' };
    case 4500: return { stop: false, text: 'Something went wrong in the server.' };
    default: return { stop: false, text: 'The connection was lost.' };
  }
}

/** How a game ended, or null while it runs. */
export function resultText(state) {
  const { outcome } = state.game ?? {};
  if (!outcome) return null;
  if (outcome.winner === null) {
    return {
      aborted: 'The game was aborted.',
      not_started: 'No result: a clock ran out before both had moved.',
      abandoned: 'No result: both players were away too long.',
    }[outcome.by] ?? 'No result.';
  }
  const loser = otherSeat(outcome.winner);
  // Once somebody has gone, the seats no longer tell who played: the colours do.
  const party = state.phase === 'finished';
  const you = party ? mySeat(state) : null;
  const called = (seat) => (party ? nameOf(state, seat) : state.game.colors[seat - 1]);
  const who = outcome.winner === you ? 'You won' : `${party ? called(outcome.winner) : capital(called(outcome.winner))} won`;
  const their = loser === you ? 'you' : called(loser);
  const rex = state.options.goal === 'avoid';
  const how = {
    chain: rex ? `${their} joined ${you === loser ? 'your' : 'their'} edges` : 'by joining the edges',
    resignation: `${their} resigned`,
    time: `${their} ran out of time`,
    forfeit: `${their} left`,
  }[outcome.by] ?? outcome.by;
  return how.startsWith('by ') ? `${who} ${how}.` : `${who}: ${how}.`;
}

/** Whose turn it is, or what the table waits for. */
export function turnText(state) {
  const { phase, game } = state;
  if (phase === 'closed') return 'This table is closed.';
  if (phase === 'waiting') {
    return mySeat(state) === null ? 'A seat is free.' : 'Waiting for an opponent.';
  }
  // The winning move comes with nobody to move, a moment before the result.
  if (!game || game.outcome || game.to_move === null) return 'The game is over.';
  if (game.paused) return 'The game is paused.';
  if (state.pending) return 'Your move is on its way.';
  const color = colorOf(state, game.to_move);
  return game.to_move === mySeat(state)
    ? `Your turn (${color}).`
    : `${nameOf(state, game.to_move)} is to move (${color}).`;
}

/** Where the table stands, in one word. */
export function statusText(state) {
  return state.phase === 'playing' && state.game?.paused ? 'paused' : state.phase;
}

/** Who the viewer is here. */
export function viewerText(state) {
  const seat = mySeat(state);
  if (seat === null) return 'You are watching.';
  const color = colorOf(state, seat);
  const aim = state.options.goal === 'avoid' ? 'do not join' : 'join';
  return `You are ${color}: ${aim} the two ${color} edges.`;
}

/** What an offer asks. */
export function offerText(state, { kind, by }) {
  const name = nameOf(state, by);
  const what = {
    rematch: 'a rematch', takeback: 'to take the last move back', pause: 'to pause the game',
  }[kind];
  return by === mySeat(state) ? `You propose ${what}.` : `${name} proposes ${what}.`;
}

/** What an event is announced as; null for one that needs no words. `state` is the one after it. */
export function announcement(state, frame) {
  const name = frame.seat ? nameOf(state, frame.seat) : '';
  switch (frame.event) {
    case 'placed':
      return frame.cell
        ? `${frame.color} ${cellText(frame.cell)}. ${turnText(state)}`
        : `${name} placed a stone. ${turnText(state)}`;
    case 'collided':
      return `${name} ran into a hidden stone. ${turnText(state)}`;
    case 'swapped':
      return `${name} swapped ${frame.swap}. ${turnText(state)}`;
    case 'seated': return `${frame.player.name} took seat ${frame.seat}.`;
    case 'unseated': return `Seat ${frame.seat} is free.`;
    case 'started': return `Game ${state.game?.number ?? ''} begins. ${turnText(state)}`;
    case 'ended': return resultText(state);
    case 'offered': return offerText(state, frame.offer);
    case 'offer_closed':
      return { declined: 'The offer was declined.', expired: 'The offer lapsed.' }[frame.how] ?? null;
    case 'taken_back': return `A move was taken back. ${turnText(state)}`;
    case 'paused': return 'The game is paused.';
    case 'unpaused': return 'The game goes on.';
    case 'time_given': return `${name} was given ${Math.round(frame.ms / 1000)} seconds.`;
    case 'restarted': return 'The server was away. Nobody was charged for the time.';
    case 'closed': return 'This table is closed.';
    default: return null;
  }
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}
