// The games that wait for one: in which order they are shown, and in what words.
//
// Pure. A table here is one of `GET /v1/me/tables`.

import { clockText } from './clock.js';

const MINUTE_MS = 60_000;

/** Those where it is one's own turn first, then running ones, and in each the longest waiting. */
export function inOrder(tables) {
  const rank = ({ my_turn, listing }) => (my_turn ? 0 : listing.phase === 'playing' ? 1 : 2);
  return [...tables].sort((a, b) => rank(a) - rank(b) || a.since_ms - b.since_ms);
}

/** How long ago that was: `3 min`. */
export function agoText(ms) {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h`;
  return `${Math.floor(hours / 24)} days`;
}

/** Whose turn it is, since when, and the time left: `Your turn, for 3 min · 4:12 left`. */
export function waitingText({ listing, seats, to_move, my_turn, since_ms, clocks }, nowMs) {
  if (listing.phase === 'waiting') return 'Waiting for an opponent';
  if (listing.phase === 'finished') return 'The game is over; there may be another';
  if (to_move === null) return 'The game is over';
  const who = my_turn ? 'Your turn' : `${listing.seats[to_move - 1]?.name ?? 'The other'} is to move`;
  const paused = clocks && clocks.running === null && seats.length < 2;
  if (paused) return `${who}; the clocks stand`;
  const left = clocks ? ` · ${clockText(clocks.seats[to_move - 1].left_ms)} left` : '';
  return `${who}, for ${agoText(Math.max(0, nowMs - since_ms))}${left}`;
}
