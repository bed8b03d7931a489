// What the page says: refusals, closed connections, results and events, in plain words.
//
// Pure.

import { standInText } from './computer.js';
import { cellText } from './hex.js';
import {
  againstComputer, colorOf, houseLevel, mySeat, myTurn, nameOf, onDevice, otherSeat, playing, thinkingSeat,
} from './may.js';
import { gameText, isDark } from './options.js';
import { changeText, isHost, membership } from './party.js';
import { droppedText, plannedText } from './plans.js';
import { DARK, darkness, lastTurn } from './seen.js';

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
  blocked: 'A player of this table does not want to play with you.',
  no_party: 'This table has no party.',
  join_the_party: 'This table is a party’s: join the party.',
  unknown_code: 'No party has that code. Codes go with their party: ask for the new one.',
  party_full: 'The party has as many members as there may be. You can watch.',
  removed: 'The host has sent you away from this party.',
  not_member: 'That is for members of the party.',
  not_host: 'Only the host may do that.',
  cannot_remove: 'The host cannot be sent away.',
  game_runs: 'That can be done once the game is over.',
  cannot_start: 'Nobody is here who wants to play.',
  too_many_seeks: 'You already wait for as many games as you may. Cancel one of them first.',
  unknown_seek: 'Nobody waits there any more.',
  cannot_seek: 'That game is for somebody else.',
  no_match: 'That was too late: the match is off.',
  no_game: 'No game is running here.',
  other_game: 'That was for an earlier game.',
  game_over: 'The game is over.',
  paused: 'The game is paused.',
  cannot_plan: 'Nothing can be planned here and now.',
  bad_plan: 'That cannot be played, or answers the same moves otherwise than another line.',
  stale_turn: 'The game had moved on. Look again.',
  not_your_turn: 'It is not your turn.',
  other_seat: 'That was for the other seat.',
  curtain_down: 'The board is covered: uncover it first.',
  no_curtain: 'There is nothing to uncover at this table.',
  off_board: 'That cell is not on the board.',
  occupied: 'A stone already stands there.',
  no_swap: 'The swap cannot be played now.',
  no_offer: 'That offer is no longer open.',
  cannot_offer: 'That cannot be proposed now.',
  cannot_abort: 'Both players have moved: the game cannot be aborted any more.',
  cannot_suggest: 'There is no hint to be had just now.',
  cannot_claim: 'The game cannot be claimed yet.',
  not_paused: 'The game is not paused.',
  cannot_give_time: 'No time can be given now.',
  unknown_phrase: 'That phrase is nobody’s. A newer one may have replaced it.',
  foreign_page: 'The server does not take that from a page of this address.',
  unknown_player: 'There is no such player.',
  already_reported: 'You have reported this player already, and the operator has not settled it yet.',
  bad_token: 'The server does not know you any more. Reload the page to start afresh.',
};

const SAID_BY_SERVER = new Set([
  'too_many_tables', 'name_taken', 'bad_phrase', 'too_many', 'not_for_bots', 'barred', 'muted', 'banned',
]);

// What the server says at length of what was asked: how long to wait, and what it cannot take.
const PATIENTLY = new Set(['rate_limited', 'bad_request']);

// A sentence of the server's, as the page writes its own.
function said(message) {
  const quoted = message.replace(/`([^`]*)`/g, '“$1”').replaceAll("'", '’');
  return /[.?!]$/.test(quoted) ? capital(quoted) : `${capital(quoted)}.`;
}

/**
 * What a refusal says. A code without words of its own says what the server said; so does what was
 * too often, or not well said, where there is room and reason to say how long to wait and what to mend
 * (`patient`).
 */
export function refusalText(error, { patient = false } = {}) {
  if (patient && PATIENTLY.has(error.code) && error.message) return said(error.message);
  // Only the server knows how many one may hold, which word is misspelt, which name is free.
  if (SAID_BY_SERVER.has(error.code)) return said(error.message);
  return REFUSALS[error.code] ?? error.message ?? 'That did not work.';
}

/**
 * Why a connection was closed: a `text`, and whether the page should `stop` trying, because trying
 * again at once would end the same way; `banned` where it is the operator who has ended it.
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
    case 4007: return { stop: true, text: 'This device was signed out from another one. Reload the page to go on as a new guest.' };
    case 4008: return { stop: true, banned: true, text: 'You have been banned.' };
    case 4500: return { stop: false, text: 'Something went wrong in the server.' };
    default: return { stop: false, text: 'The connection was lost.' };
  }
}

/** A day in the reader's own words. */
export function dayText(ms) {
  return new Date(ms).toLocaleDateString(undefined, { dateStyle: 'medium' });
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
  // Where the names of the two are not known, or are the same, their colours tell them apart.
  const names = state.options.pass_and_play ? null : state.played;
  const seat = mySeat(state);
  const you = names && seat !== null && names[seat - 1]?.id === state.seats[seat - 1]?.id ? seat : null;
  const called = (it) => names?.[it - 1]?.name ?? state.game.colors[it - 1];
  const who = outcome.winner === you ? 'You won' : `${names ? called(outcome.winner) : capital(called(outcome.winner))} won`;
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
  if (phase === 'waiting' && state.party) {
    return isHost(state) ? 'Start the game once everybody is here.' : 'The host starts the game.';
  }
  if (phase === 'waiting') {
    return mySeat(state) === null ? 'A seat is free.' : 'Waiting for an opponent.';
  }
  // The winning move comes with nobody to move, a moment before the result.
  if (!game || game.outcome || game.to_move === null) return 'The game is over.';
  if (game.paused) return 'The game is paused.';
  if (state.pending) return 'Your move is on its way.';
  const color = colorOf(state, game.to_move);
  if (state.options.pass_and_play) return `${capital(color)} is to move.`;
  if (game.to_move === mySeat(state)) return `Your turn (${color}).`;
  const name = nameOf(state, game.to_move);
  if (thinkingSeat(state) !== game.to_move) return `${name} is to move (${color}).`;
  return houseLevel(state, game.to_move) !== null
    ? `${name} is thinking (${color}).`
    : `The computer is thinking for ${name} (${color}).`;
}

/** What is asked of a player who leaves a running game. */
export function leaveText(state) {
  if (againstComputer(state)) {
    return state.game.clocks
      ? 'End the game? It counts as resigned. Or come back later: your clock runs on.'
      : 'End the game? It counts as resigned. Or come back later: it waits for you for a day.';
  }
  return {
    cpu: 'Leave the running game? The computer plays for you until you come back.',
    claim: 'Leave the running game? You can come back, but not for long.',
    clock: 'Leave the running game? You can come back, but your clock runs.',
  }[state.options.on_leave];
}

/** Where the table stands, in one word. */
export function statusText(state) {
  return state.phase === 'playing' && state.game?.paused ? 'paused' : state.phase;
}

/** What the page is about, for its title: `Your turn · Dark Hex (classical)`. */
export function titleText(state) {
  return `${myTurn(state) ? 'Your turn' : statusText(state)} · ${gameText(state.options)} · hexhall`;
}

/** What a player who looks elsewhere is called for; null where nothing waits for them. */
export function callText(state) {
  const seat = mySeat(state);
  if (seat === null) return null;
  if (myTurn(state)) return 'Your turn!';
  const offer = state.offers.find(({ by }) => by !== seat);
  if (offer) return offerText(state, offer);
  const begins = playing(state) && !state.game.moves.some((move) => move.seat === seat);
  return begins ? 'Your game has begun!' : null;
}

/** Who the viewer is here. */
export function viewerText(state) {
  if (state.party && state.phase === 'waiting' && membership(state)) return 'Who plays which colour is settled by the start.';
  const seat = mySeat(state);
  if (seat === null) return onDevice(state) ? 'Both seats are played here.' : 'You are watching.';
  const color = colorOf(state, seat);
  const aim = state.options.goal === 'avoid' ? 'do not join' : 'join';
  return `You are ${color}: ${aim} the two ${color} edges.`;
}

/** What covers the board on one device: to whom to `pass` it, and what `lift` says. */
export function coverText(state, seat) {
  const name = capital(colorOf(state, seat));
  return { pass: `Pass the device to ${name}.`, lift: `I am ${name}: show my board` };
}

/** What Dark Hex hides, and from whom, while a game runs. */
export const HIDDEN = {
  seat: 'You see your own stones, and those that you run into.',
  watcher: 'Spectators see no stones until a chain decides the game.',
};

// What a collision does to the turn.
function collisionText({ collision }) {
  return collision === 'abrupt'
    ? 'Whoever runs into a hidden stone loses the turn.'
    : 'Whoever runs into a hidden stone moves again.';
}

/**
 * What a table of Dark Hex says above its board: a `text` and its `kind`, which is `found` (the
 * viewer ran into a stone), `hit` (the opponent ran into one of the viewer's), `ran` (somebody did,
 * to a spectator), `open` or `kept` after the end, and else `idle`. Null where nothing is hidden.
 */
export function darkText(state) {
  const { options, game } = state;
  if (!isDark(options)) return null;
  switch (darkness(state)) {
    case DARK.OPEN:
      return { kind: 'open', text: 'The chain uncovers the board: everyone sees every stone now.' };
    case DARK.KEPT:
      return {
        kind: 'kept',
        text: 'No chain decided this game, so its board stays hidden here.',
      };
    case DARK.SEAT: return turnSeen(state) ?? { kind: 'idle', text: HIDDEN.seat };
    case DARK.WATCHER: return turnWatched(state, lastTurn(game.moves));
    default: {
      const text = mySeat(state) === null ? HIDDEN.watcher : HIDDEN.seat;
      return { kind: 'idle', text: `${text} ${collisionText(options)}` };
    }
  }
}

// What the last turn brought to a player; null where there is nothing to say.
function turnSeen(state) {
  const turn = lastTurn(state.game.moves);
  if (!turn) return null;
  const passes = state.options.collision === 'abrupt';
  if (turn.seat === mySeat(state)) {
    if (turn.placed) return null;
    const text = `A hidden stone stands at ${cellText(turn.cell)}: ${passes ? 'the turn passes' : 'move again'}.`;
    return { kind: 'found', text };
  }
  if (!turn.collisions) return { kind: 'idle', text: 'Your opponent placed a stone that you do not see.' };
  const hit = turn.collisions === 1 ? 'one' : turn.collisions;
  const then = turn.placed ? ', then placed one' : passes ? ': the turn is yours' : ', and moves again';
  return { kind: 'hit', text: `Your opponent ran into ${hit} of your stones${then}.` };
}

// What the last turn brought to a spectator.
function turnWatched(state, turn) {
  if (!turn) return { kind: 'idle', text: collisionText(state.options) };
  const color = capital(colorOf(state, turn.seat));
  if (!turn.collisions) return { kind: 'idle', text: `${color} placed a stone.` };
  const hit = turn.collisions === 1 ? 'a hidden stone' : `${turn.collisions} hidden stones`;
  const passes = state.options.collision === 'abrupt';
  const then = turn.placed ? ', then placed one' : passes ? ': the turn passes' : ', and moves again';
  return { kind: 'ran', text: `${color} ran into ${hit}${then}.` };
}

/** A seat's attempts in few words: `5 stones · 1 collision`. */
export function tallyText({ stones, collisions }) {
  const count = (n, word) => `${n}\u00a0${word}${n === 1 ? '' : 's'}`;
  return `${count(stones, 'stone')} · ${count(collisions, 'collision')}`;
}

/** A move in the list: `b3`, `swap sides`, and in the dark `stone`, `collision` or `b3 taken`. */
export function moveText({ cell, swap, collision }) {
  if (swap) return `swap ${swap}`;
  if (!cell) return collision ? 'collision' : 'stone';
  return collision ? `${cellText(cell)} taken` : cellText(cell);
}

/** A move as it is read out. */
export function moveTold(move) {
  return move.cpu ? `${attemptTold(move)}, played by the computer` : attemptTold(move);
}

function attemptTold({ color, cell, swap, collision }) {
  if (swap) return `${color} swap ${swap}`;
  if (collision) return `${color} ran into a hidden stone${cell ? ` at ${cellText(cell)}` : ''}`;
  return cell ? `${color} ${cellText(cell)}` : `${color} placed a hidden stone`;
}

/** What an offer asks. */
export function offerText(state, { kind, by }) {
  const name = nameOf(state, by);
  if (kind === 'rematch' && state.party) {
    return by === mySeat(state) ? 'You are ready for the next game.' : `${name} is ready for the next game.`;
  }
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
      return `${moveTold(frame)}. ${turnText(state)}`;
    case 'collided':
      return [darkText(state)?.text, turnText(state)].filter(Boolean).join(' ');
    case 'swapped':
      return `${name} swapped ${frame.swap}. ${turnText(state)}`;
    case 'party': return changeText(frame.change);
    // In a party nobody takes a seat: who plays is told by the start.
    case 'seated': return state.party ? null : `${frame.player.name} took seat ${frame.seat}.`;
    case 'unseated': return state.party ? null : `Seat ${frame.seat} is free.`;
    case 'started': return `Game ${state.game?.number ?? ''} begins. ${turnText(state)}`;
    case 'ended': return [resultText(state), darkText(state)?.text].filter(Boolean).join(' ');
    case 'offered': return offerText(state, frame.offer);
    case 'offer_closed':
      return { declined: 'The offer was declined.', expired: 'The offer lapsed.' }[frame.how] ?? null;
    case 'taken_back': return `A move was taken back. ${turnText(state)}`;
    case 'paused': return 'The game is paused.';
    case 'unpaused': return 'The game goes on.';
    case 'time_given': return `${name} was given ${Math.round(frame.ms / 1000)} seconds.`;
    case 'curtain': return state.game?.outcome ? null : coverText(state, state.game.to_move).pass;
    case 'planned': return `${plannedText(state)}.`;
    case 'plan_dropped': return droppedText(frame.why);
    case 'taken_over': return standInText(state, frame.seat);
    case 'returned':
      return frame.seat === mySeat(state)
        ? 'You have your seat back from the computer.'
        : `${name} is back, and has the seat again.`;
    case 'restarted': return 'The server was away. Nobody was charged for the time.';
    case 'closed': return 'This table is closed.';
    default: return null;
  }
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}
