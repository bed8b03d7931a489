// Views and events as a server sends them, for the tests of the page.

import { readFileSync } from 'node:fs';

/** What tables may be opened with, as a server tells it: a test of the server holds the file to that. */
export const { presets: RULES } = JSON.parse(readFileSync(new URL('presets.json', import.meta.url)));

export const OPTIONS = {
  preset: 'standard', rows: 3, cols: 3, swap: 'sides', goal: 'join', random_stones: 0,
  time: { control: 'fischer', initial_s: 300, increment_s: 5 }, on_leave: 'claim', first_move: 'alternate',
};

export const ANNA = { id: 'plr_a', name: 'Anna' };
export const BERT = { id: 'plr_b', name: 'Bert' };

export const clocks = (running, left = [300_000, 300_000]) => ({
  running, seats: left.map((left_ms) => ({ left_ms })),
});

export const gameView = (changes = {}) => ({
  id: 'gam_1', number: 1, opening: [], moves: [], board: ['...', '...', '...'],
  colors: ['red', 'blue'], turn: 0, to_move: 1, clocks: clocks(null), paused: false, outcome: null,
  ...changes,
});

export const view = (changes = {}) => ({
  table: 'tbl_1', viewer: 'seat_1', seq: 10, phase: 'playing', options: OPTIONS, private: false,
  seats: [ANNA, BERT], score: [0, 0],
  presence: { seats: [{ connected: true }, { connected: true }], watchers: 0 },
  offers: [], game: gameView(), ...changes,
});

export const event = (seq, name, fields = {}) => ({ table: 'tbl_1', seq, event: name, ...fields });

export const placed = (seq, seat, color, cell, turn, to_move = 3 - seat) => (
  event(seq, 'placed', { seat, color, cell, turn, to_move, clocks: clocks(to_move) })
);
