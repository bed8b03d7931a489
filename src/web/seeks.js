// Seeks: this player's own, and those on the list. A frame in, what is known from then on out.
//
// Pure. Times are the page's own, in milliseconds; `now` is passed in.

import { gameText, isDark, timeText } from './options.js';

/** Nothing is sought: `seeks` are one's own, `check` is the match to be answered for. */
export const NOTHING = { seeks: [], check: null };

/** One's own seeks after a frame of the lobby. */
export function sought(state, frame, now) {
  switch (frame.lobby) {
    case 'seeks': return {
      seeks: frame.seeks.map((seek) => ({ ...seek, since: now - seek.waited_ms })),
      check: frame.check ? checkOf(frame.check, now) : null,
    };
    case 'ready_check': return { ...state, check: checkOf(frame, now) };
    case 'matched': return NOTHING;
    case 'seek_ended': return {
      seeks: state.seeks.filter(({ seek }) => seek !== frame.seek),
      check: state.check?.seek === frame.seek ? null : state.check,
    };
    default: return state;
  }
}

/** One's own seeks after one more, which the server has named. */
export function begun(state, { seek, pool, options }, now) {
  if (state.seeks.some((known) => known.seek === seek)) return state;
  return { ...state, seeks: [...state.seeks, { seek, pool, options, since: now }] };
}

/** What to seek once more after a match: the pool of the only seek that there was, or null. */
export function wishOf({ seeks: [only, ...more] }) {
  if (!only?.pool || more.length) return null;
  const { pool, options, rated = options.rated } = only;
  return { pool, shown: options, ...(rated && { rated }) };
}

/** One's own seeks after one has said that one is there. */
export function answered(state) {
  return state.check ? { ...state, check: { ...state.check, ready: true } } : state;
}

/** What a ready check asks: for which game there is an opponent. */
export function readyText({ check, seeks }) {
  if (check.ready) return 'Waiting for your opponent …';
  const sought = seeks.find(({ seek }) => seek === check.seek);
  if (!sought) return 'There is an opponent for you. Are you ready?';
  const { title, what } = poolText(sought.options);
  const game = [title, what, (sought.rated ?? sought.options.rated) && 'rated'].filter(Boolean).join(' · ');
  return `There is an opponent for you: ${game}. Are you ready?`;
}

/** What is told of a ready check that ends with the opponent's silence, and one's own seek goes on; or null. */
export function waitsOnText({ check }, { check: next, seeks }) {
  const waitsOn = check?.ready && !next && seeks.some(({ seek }) => seek === check.seek);
  return waitsOn ? 'Your opponent did not answer; you wait on.' : null;
}

function checkOf({ match, seek, left_ms, ready = false }, now) {
  return { match, seek, ready, until: now + left_ms };
}

/** The seeks on the list after a frame of the lobby. */
export function listedSeeks(seeks, frame) {
  const others = (id) => seeks.filter(({ seek }) => seek !== id);
  switch (frame.lobby) {
    case 'tables': return frame.seeks;
    case 'seek_listed': return [...others(frame.seek.seek), frame.seek];
    case 'seek_unlisted': return others(frame.seek);
    default: return seeks;
  }
}

/** How many players are connected after a frame of the lobby. */
export function online(players, frame) {
  return frame.players ?? players;
}

/** A span of waiting: `0:07`, `12:30`. */
export function waitText(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

// As the server has it (PROTOCOL.md, "Finding an opponent"): how far apart two may be at once, how much
// further with each second and where a rating is a guess, in points, and for how many seconds it matters.
const REACH = { first: 100, more: 10, guess: 200, seconds: 30 };

/** Among whom an opponent is looked for, after so long a wait. */
export function reachText(ms) {
  const seconds = Math.floor(ms / 1_000);
  if (seconds >= REACH.seconds) return 'looking for anybody; you are asked whether you are ready';
  const points = REACH.first + REACH.more * Math.max(0, seconds);
  return `looking within ±${points} points of your rating, ±${points + REACH.guess} where one is provisional`;
}

/** How long one has waited, for the top of every other page; null where one waits for nobody. */
export function seekingText({ seeks }, now) {
  if (!seeks.length) return null;
  return `Seeking · ${waitText(now - Math.min(...seeks.map(({ since }) => since)))}`;
}

/** The whole seconds that are left, the one that runs included. */
export function secondsLeft({ until }, now) {
  return Math.max(0, Math.ceil((until - now) / 1_000));
}

/** What is played in a pool: its game and board, and by which rules and clock. */
export function poolText(options) {
  const casual = options.preset === 'party';
  const hex = casual ? 'House rules' : gameText(options);
  const game = isDark(options) ? 'Dark Hex' : hex;
  const swap = casual && options.swap === 'off' && 'no swap';
  const what = [swap, timeText(options.time)].filter(Boolean).join(' · ');
  return { title: `${game} ${options.rows}×${options.cols}`, what };
}

/** The rating of a seek's player: `1500?` where it is only a guess. */
export function ratingText({ rating, provisional = false }) {
  return `${rating}${provisional ? '?' : ''}`;
}

/** Why a seek ended, if it is worth a word. */
export function endText(reason) {
  return {
    not_ready: 'You did not answer in time, so you no longer wait for an opponent.',
    gone: 'You were away for too long, so you no longer wait for an opponent.',
    barred: 'You left rated games again and again, so you are not matched for a while.',
    too_many_tables: 'You sit at as many tables as you may: leave one of them first.',
    unmatched: 'Nothing came of that match, so you no longer wait for an opponent.',
  }[reason] ?? null;
}
