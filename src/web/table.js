// A table as one viewer knows it: fresh views and stream events in, the next state out.
//
// Pure: no DOM, no clock, no socket; instants are arguments. A state is never changed in place.
//
// Invariant: `seq` is the number of the last event that was applied, and nothing is applied out of
// order. A fresh view replaces everything, always. When a number is missing, `gap` is set and
// numbered events are passed over until a fresh view, or the run that was missed, fills it.

import { otherColor, withStone } from './hex.js';
import { counted } from './party.js';

/**
 * The state that a fresh view tells. `before` is the state that it replaces, if there was one. `me`,
 * the viewer's player, is told by nothing at the table.
 */
export function fromView(view, now, before = null) {
  const { presence, offers, ...rest } = view;
  const state = {
    ...rest,
    // What is shown is the last game, by its own rules; the next may be played by others.
    options: view.game?.options ?? view.options,
    nextOptions: view.options,
    played: playersOf(view, before),
    presence: timedPresence(presence, now),
    offers: offers.map((offer) => timedOffer(offer, now)),
    clocksAt: now,
    pending: before?.pending ?? null,
    hint: before?.hint ?? null,
    me: before?.me ?? null,
    gap: false,
  };
  return settled(state);
}

// Who plays, or has played, the game that is shown, by seat: kept when they get up, and null where it
// is not known.
function playersOf({ game, phase, seats }, before) {
  if (!game) return null;
  if (phase === 'playing' || phase === 'finished') return seats;
  return before?.game?.id === game.id ? before.played : null;
}

/** The state after one frame of the stream. A frame of another table changes nothing. */
export function apply(state, frame, now) {
  if (frame.table !== state.table) return state;
  if (frame.event === 'view' || frame.event === 'curtain') return fromView(frame.view, now, state);
  if (frame.event === 'clocks') return inGame(state, { clocks: frame.clocks }, now);
  if (frame.event === 'presence') {
    return { ...state, presence: timedPresence(frame.presence, now) };
  }
  if (frame.event === 'planned') return { ...state, plan: frame.plan ?? null };
  if (frame.event === 'plan_dropped') return { ...state, plan: null };
  // What has no number and is none of these tells nothing of the table itself, like what is said at it.
  if (frame.seq === undefined || frame.seq <= state.seq) return state;
  // A started game brings a whole view, and with it all that a gap before it has hidden.
  if (frame.event === 'started') return fromView(frame.view, now, state);
  if (state.gap || frame.seq !== state.seq + 1) return { ...state, gap: true };
  const change = CHANGES[frame.event];
  const changed = change ? change(state, frame, now) : state;
  return settled({ ...changed, seq: frame.seq });
}

/**
 * The state after the answer to `watch`: a fresh view, or the run of events that was missed. A run
 * of another viewer's stream, or one that does not join on, leaves a gap.
 */
export function rejoin(state, reply, now) {
  if (reply.reply !== 'resumed') return fromView(reply.view, now, state);
  if (!state || reply.viewer !== state.viewer) return state && { ...state, gap: true };
  const open = { ...state, gap: false };
  const followed = reply.events.reduce((next, frame) => apply(next, frame, now), open);
  // What one has planned oneself is in no run.
  const rejoined = { ...followed, plan: reply.plan ?? null };
  // The clocks in the events are as old as the events.
  if (!reply.clocks || !rejoined.game) return rejoined;
  return { ...rejoined, game: { ...rejoined.game, clocks: reply.clocks }, clocksAt: now };
}

/** The move is shown as pending until the server has told it, or refused it. */
export function pend(state, action) {
  return { ...state, pending: { game: state.game.id, turn: state.game.turn, action } };
}

/** The pending move that answered this turn is taken back from the board. */
export function withdrawPending(state, turn) {
  return state.pending?.turn === turn ? { ...state, pending: null } : state;
}

/** A hint has been asked for: the turn has one, and it is not there yet. */
export function awaitHint(state) {
  return { ...state, hint: { game: state.game.id, turn: state.game.turn } };
}

/**
 * The hint that was asked for in a turn of a game has come: a `suggestion`; or null where it was
 * refused, and may be asked for again. One for a turn that has passed changes nothing.
 */
export function hinted(state, { game, turn }, suggestion) {
  const { hint } = state;
  if (hint?.game !== game || hint.turn !== turn) return state;
  if (!suggestion) return { ...state, hint: null };
  const { move, win_percent } = suggestion;
  return { ...state, hint: { game, turn, move, ...(win_percent !== undefined && { win_percent }) } };
}

const CHANGES = {
  seated: (state, { seat, player }) => ({ ...state, seats: put(state.seats, seat, player) }),

  unseated: (state, { seat }) => ({
    ...state,
    seats: put(state.seats, seat, null),
    phase: state.phase === 'closed' ? 'closed' : 'waiting',
  }),

  renamed: (state, { player }) => {
    const named = (it) => (it?.id === player.id ? player : it);
    const members = state.party?.members.map((member) => ({ ...member, player: named(member.player) }));
    const [seats, played] = [state.seats, state.played].map((them) => them && them.map(named));
    return { ...state, seats, played, ...(members && { party: { ...state.party, members } }) };
  },

  party: (state, { change, party }) => {
    if (change.kind !== 'options_set') return { ...state, party };
    const options = state.game ? state.options : change.options;
    return { ...state, party, options, nextOptions: change.options };
  },

  // In Dark Hex, a stone or a collision may come without its cell.
  placed: (state, { seat, color, cell, turn, to_move, cpu, clocks }, now) => inGame(state, {
    board: cell ? withStone(state.game.board, cell, color) : state.game.board,
    moves: [...state.game.moves, { seat, color, ...(cell && { cell }), ...(cpu && { cpu }) }],
    turn,
    to_move,
    clocks,
  }, now),

  collided: (state, { seat, cell, turn, to_move, cpu, clocks }, now) => {
    const color = state.game.colors[seat - 1];
    const move = { seat, color, ...(cell && { cell }), collision: true, ...(cpu && { cpu }) };
    return inGame(state, {
      board: cell ? withStone(state.game.board, cell, otherColor(color)) : state.game.board,
      moves: [...state.game.moves, move],
      turn,
      to_move,
      clocks,
    }, now);
  },

  swapped: (state, { seat, swap, cell, color, colors, turn, to_move, cpu, clocks }, now) => {
    const empty = state.game.board.map((line) => '.'.repeat(line.length));
    return inGame(state, {
      board: withStone(empty, cell, color),
      moves: [
        ...state.game.moves, { seat, color: state.game.colors[seat - 1], swap, ...(cpu && { cpu }) },
      ],
      colors,
      turn,
      to_move,
      clocks,
    }, now);
  },

  ended: (state, { outcome, winning_path, reveal, clocks, score }, now) => ({
    ...inGame(state, { ...reveal, outcome, winning_path, to_move: null, paused: false, clocks }, now),
    phase: state.phase === 'playing' ? 'finished' : state.phase,
    ...(state.party && { party: counted(state, outcome) }),
    score,
    // Nothing follows any more from anybody's being gone.
    presence: {
      ...state.presence,
      seats: state.presence.seats.map(({ connected }) => ({ connected, until: null })),
    },
  }),

  taken_over: (state, { seat, level }) => inSeat(state, seat, { connected: false, until: null, cpu: level }),
  returned: (state, { seat }) => inSeat(state, seat, { connected: true, until: null }),

  offered: (state, { offer }, now) => ({
    ...state,
    offers: [...state.offers.filter((o) => o.id !== offer.id), timedOffer(offer, now)],
  }),

  offer_closed: (state, { offer }) => ({
    ...state,
    offers: state.offers.filter((open) => open.id !== offer),
  }),

  taken_back: (state, { game }, now) => ({ ...state, game, clocksAt: now }),
  paused: (state, { clocks }, now) => inGame(state, { paused: true, clocks }, now),
  unpaused: (state, { clocks }, now) => inGame(state, { paused: false, clocks }, now),
  time_given: (state, { clocks }, now) => inGame(state, { clocks }, now),
  restarted: (state, { clocks }, now) => inGame(state, { clocks }, now),
  closed: (state) => ({ ...state, phase: 'closed' }),
};

// Changes of the game. An event without clocks leaves them as they were read.
function inGame(state, { clocks, ...changes }, now) {
  if (!state.game) return state;
  const { legal_moves: _, ...game } = state.game;
  return clocks
    ? { ...state, game: { ...game, ...changes, clocks }, clocksAt: now }
    : { ...state, game: { ...game, ...changes } };
}

// Who is there for a seat. What is told without a number tells the same in its own time.
function inSeat(state, seat, there) {
  const { presence } = state;
  return { ...state, presence: { ...presence, seats: put(presence.seats, seat, there) } };
}

// A pending move, and a hint, stay only while their game waits for an answer to their turn.
function settled(state) {
  const { game } = state;
  const kept = (it) => (it && it.game === game?.id && it.turn === game.turn && !game.outcome ? it : null);
  const [pending, hint] = [kept(state.pending), kept(state.hint)];
  return pending === state.pending && hint === state.hint ? state : { ...state, pending, hint };
}

function timedPresence(presence, now) {
  return {
    ...presence,
    seats: presence.seats.map((seat) => ({
      ...seat,
      until: seat.countdown_ms === undefined ? null : now + seat.countdown_ms,
    })),
  };
}

function timedOffer({ expires_in_ms, ...offer }, now) {
  return { ...offer, until: now + expires_in_ms };
}

function put(pair, seat, value) {
  return seat === 1 ? [value, pair[1]] : [pair[0], value];
}
