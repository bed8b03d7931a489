// What the page says of the computer: its levels, how it stands in for somebody, and its hints.
//
// Pure. Who it plays for is asked of `may.js`.

import { waitText } from './clock.js';
import { cellText } from './hex.js';
import { houseLevel, mySeat, nameOf, standInLevel, thinkingSeat } from './may.js';

/** The levels, each with a word for it. The words rank them among each other, and claim no more. */
export const LEVELS = {
  1: 'beginner', 2: 'novice', 3: 'learner', 4: 'casual', 5: 'steady',
  6: 'practised', 7: 'seasoned', 8: 'strong', 9: 'very strong', 10: 'strongest',
};

/** A level in a list of choices: `3 – learner`. */
export function levelText(level) {
  return `${level} – ${LEVELS[level]}`;
}

/** That the computer plays a seat for its player. */
export function standInText(state, seat) {
  const name = nameOf(state, seat);
  return `The computer plays for ${name} until ${name} is back.`;
}

/** That it is about to. The time that is left follows. */
export function awayText(state, seat) {
  return `${nameOf(state, seat)} is away. The computer plays on in`;
}

/**
 * What the viewer has missed: that the computer made moves in the viewer's place since `before`.
 * Null if it made none.
 */
export function playedForText(before, after) {
  const seat = mySeat(after);
  if (!before?.game || before.game.id !== after.game?.id || seat === null) return null;
  const made = ({ game }) => game.moves.filter((move) => move.seat === seat && move.cpu).length;
  const count = made(after) - made(before);
  if (count < 1) return null;
  return `While you were away, the computer played ${count === 1 ? 'a move' : `${count} moves`} for you.`;
}

/** Who is there for a seat, in few words: `here`, `thinking …`, `away · 12 s`. */
export function presenceText(state, seat, now) {
  const { connected, until } = state.presence.seats[seat - 1];
  const thinks = thinkingSeat(state) === seat;
  if (!state.seats[seat - 1]) return '';
  if (houseLevel(state, seat) !== null) return thinks ? 'thinking …' : 'computer';
  if (standInLevel(state, seat) !== null) return `away · ${thinks ? 'thinking …' : 'computer'}`;
  if (connected) return 'here';
  return until === null ? 'away' : `away · ${waitText(until, now)}`;
}

/** What the computer suggests, or null where it has suggested nothing. */
export function hintText({ hint, options }) {
  if (!hint?.move) return null;
  const { move: { cell }, win_percent } = hint;
  const what = cell ? `play ${cellText(cell)}` : `swap ${options.swap}`;
  const chances = win_percent === undefined ? '' : ` It puts your chances at ${win_percent} %.`;
  return `Hint: the computer would ${what} in your place.${chances}`;
}
