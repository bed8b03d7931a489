// A record as its replay shows it, from each pair of eyes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionsText } from '../../src/web/options.js';
import { captionOf, endText, fromRecord, playersText, seenAt } from '../../src/web/replay.js';

const record = (changes = {}) => ({
  format: 'hexhall-record/1', game: 'hex', id: 'gam_1', date: '2026-11-29', event: null,
  size: { rows: 2, cols: 2 }, swap: 'off', goal: 'join',
  time: { kind: 'fischer', initial_ms: 300_000, increment_ms: 5_000 }, players: ['Anna', null],
  opening: [], setup: [],
  moves: [{ color: 'red', cell: [0, 1] }, { color: 'blue', cell: [0, 0] }, { color: 'red', cell: [1, 0] }],
  end: { winner: 1, by: 'chain' }, winning_path: [[0, 1], [1, 0]], ...changes,
});

const dark = (changes) => record({
  game: 'dark', collision: 'abrupt',
  moves: [
    { color: 'red', cell: [0, 1] }, { color: 'blue', cell: [0, 1], collision: true }, { color: 'red', cell: [1, 0] },
  ],
  ...changes,
});
const asBlue = () => fromRecord(dark({
  winning_path: [],
  moves: [{ color: 'red' }, { color: 'blue', cell: [0, 1], collision: true }, { color: 'red' }],
}));

test('a game is shown at any ply, and its chain at the last one', () => {
  const game = fromRecord(record());
  assert.deepEqual([0, 1, 2, 3].map((ply) => seenAt(game, 'umpire', ply).board.join('/')), ['../..', '.r/..', 'br/..', 'br/r.']);
  assert.deepEqual(seenAt(game, 'umpire', 2).path, []);
  assert.deepEqual(seenAt(game, 'umpire', null).path, [[0, 1], [1, 0]]);
  assert.deepEqual(game.moves.map(({ seat }) => seat), [1, 2, 1]);
});

test('a dark game is shown as the umpire and as a seat saw it', () => {
  const umpire = fromRecord(dark());
  assert.deepEqual([1, 2, 3].map((ply) => seenAt(umpire, 'umpire', ply).board.join('/')), ['.r/..', '.r/..', '.r/r.']);
  assert.deepEqual(seenAt(umpire, 'umpire', 2).ran, [0, 1]);
  const blue = asBlue();
  assert.deepEqual([1, 2, 3].map((ply) => seenAt(blue, '2', ply).board.join('/')), ['../..', '.r/..', '.r/..']);
  assert.deepEqual(seenAt(blue, '2', 3).found, [[0, 1]]);
  assert.deepEqual(seenAt(blue, '2', null).path, []);
});

test('each position has a caption', () => {
  const blue = asBlue();
  assert.deepEqual([0, 1, 2].map((ply) => captionOf(blue, ply)), [
    'Before the first move.', 'Move 1: red placed a hidden stone.', 'Move 2: blue ran into a hidden stone at b1.',
  ]);
  assert.equal(captionOf(fromRecord(record()), null), 'Move 3: red a2. Anna won by joining the edges.');
  assert.equal(captionOf(fromRecord(record({ end: null })), null), 'Move 3: red a2.');
});

test('who played and how it ended is told, also after sides were exchanged', () => {
  const game = fromRecord(record());
  assert.equal(playersText(game), 'Anna (red) – seat 2 (blue)');
  assert.equal(endText(game), 'Anna won by joining the edges.');
  const swapped = fromRecord(record({
    swap: 'sides', moves: [{ color: 'red', cell: [0, 1] }, { color: 'blue', swap: true }, { color: 'blue', cell: [0, 0] }],
  }));
  assert.equal(playersText(swapped), 'Anna (blue) – seat 2 (red)');
  assert.deepEqual(swapped.moves.map(({ seat }) => seat), [1, 2, 1]);
  const end = (told, changes = {}) => endText(fromRecord(record({ end: told, ...changes })));
  assert.equal(end({ winner: 2, by: 'time' }), 'seat 2 won: Anna ran out of time.');
  assert.equal(end({ winner: 2, by: 'chain' }, { goal: 'avoid' }), 'seat 2 won: Anna joined their edges.');
  assert.equal(end({ void: 'aborted' }), 'The game was aborted.');
  assert.equal(end(null), null);
});

test('the options of a record read as those of a table', () => {
  const text = (changes) => optionsText(fromRecord(dark(changes)).options);
  assert.equal(text(), '2×2 · Dark Hex (abrupt) · 5 min + 5 s');
  assert.equal(text({ time: { kind: 'byo_yomi', initial_ms: 90_000, period_ms: 30_000, periods: 3 } }), '2×2 · Dark Hex (abrupt) · 1.5 min + 3 × 30 s');
  assert.equal(text({ time: { kind: 'per_turn', turn_ms: 45_000 } }), '2×2 · Dark Hex (abrupt) · 45 s a turn');
  assert.equal(text({ time: null }), '2×2 · Dark Hex (abrupt) · no clock');
});
