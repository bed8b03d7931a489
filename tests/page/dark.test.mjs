// Dark Hex as its players and spectators see it, from what each of them is told.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canOffer, canPlace } from '../../src/web/may.js';
import { darkness, foundAt, lastTurn, shown, tally } from '../../src/web/seen.js';
import { apply, fromView, pend } from '../../src/web/table.js';
import {
  announcement, darkText, moveText, moveTold, tallyText, titleText, viewerText,
} from '../../src/web/words.js';
import { OPTIONS, clocks, event, gameView, view } from './views.mjs';

const DARK = { ...OPTIONS, preset: 'dark', game: 'dark', collision: 'classical', swap: 'off' };

const table = (viewer, options = {}) => fromView(view({ viewer, options: { ...DARK, ...options } }), 0);
const after = (state, ...frames) => frames.reduce((next, frame) => apply(next, frame, 1_000), state);
const known = (cell) => (cell ? { cell } : {});

const stone = (seq, seat, cell) => event(seq, 'placed', {
  seat, color: seat === 1 ? 'red' : 'blue', ...known(cell), turn: seq - 10, to_move: 3 - seat, clocks: clocks(3 - seat),
});
const collision = (seq, seat, cell, to_move = seat) => event(seq, 'collided', {
  seat, ...known(cell), turn: seq - 10, to_move, clocks: clocks(to_move),
});

// Red stands at b2; blue runs into it, and then places a stone at a3.
const asRed = () => after(table('seat_1'), stone(11, 1, [1, 1]), collision(12, 2));
const asBlue = () => after(table('seat_2'), stone(11, 1), collision(12, 2, [1, 1]));
const asWatcher = () => after(table('spectator'), stone(11, 1), collision(12, 2));

test('each sees what they are told, and nothing is in their state but that', () => {
  assert.deepEqual(asRed().game.board, ['...', '.r.', '...']);
  assert.deepEqual(asBlue().game.board, ['...', '.r.', '...']);
  assert.deepEqual(asWatcher().game.board, ['...', '...', '...']);
  assert.deepEqual(asWatcher().game.moves, [
    { seat: 1, color: 'red' }, { seat: 2, color: 'blue', collision: true },
  ]);
  assert.doesNotMatch(JSON.stringify(asWatcher()), /"cell"|\[1,1\]/);
});

test('a collision finds a stone, and keeps the turn where that is the rule', () => {
  const blue = asBlue();
  assert.deepEqual([blue.game.to_move, blue.game.turn, blue.game.outcome], [2, 2, null]);
  const { found, ran, last } = shown(blue, null);
  assert.deepEqual([found, ran, last], [[[1, 1]], [1, 1], [1, 1]]);
  assert.deepEqual(foundAt(blue.game.moves, 2), [[1, 1]]);
  assert.deepEqual(foundAt(blue.game.moves, 2, 1), []);
  assert.deepEqual(shown(asRed(), null).found, [], 'a hit stone is not one that was found');
});

test('what was found is known to be taken, and everything else may be tried', () => {
  const blue = asBlue();
  assert.equal(canPlace(blue, [1, 1]), false);
  assert.equal(canPlace(blue, [2, 0]), true);
  const own = after(blue, stone(13, 2, [2, 0]), stone(14, 1));
  assert.deepEqual([canPlace(own, [2, 0]), canPlace(own, [1, 1]), canPlace(own, [0, 0])], [false, false, true]);
});

test('a try that is on its way is an own stone until it has run into another', () => {
  const trying = pend(after(table('seat_2'), stone(11, 1)), { cell: [1, 1] });
  assert.deepEqual(shown(trying, null).board, ['...', '.b.', '...']);
  const told = after(trying, collision(12, 2, [1, 1]));
  assert.equal(told.pending, null);
  assert.deepEqual(shown(told, null).board, ['...', '.r.', '...']);
});

test('a collision is told to each side in its own words', () => {
  assert.deepEqual(darkText(asBlue()), { kind: 'found', text: 'A hidden stone stands at b2: move again.' });
  assert.deepEqual(darkText(asRed()), {
    kind: 'hit', text: 'Your opponent ran into one of your stones, and moves again.',
  });
  assert.deepEqual(darkText(asWatcher()), {
    kind: 'ran', text: 'Blue ran into a hidden stone, and moves again.',
  });
});

test('where the turn passes, that is said', () => {
  const abrupt = { collision: 'abrupt' };
  const frames = (cell, tried) => [stone(11, 1, cell), collision(12, 2, tried, 1)];
  assert.equal(darkText(after(table('seat_2', abrupt), ...frames(null, [1, 1]))).text, 'A hidden stone stands at b2: the turn passes.');
  assert.equal(darkText(after(table('seat_1', abrupt), ...frames([1, 1]))).text, 'Your opponent ran into one of your stones: the turn is yours.');
  assert.equal(darkText(after(table('spectator', abrupt), ...frames())).text, 'Blue ran into a hidden stone: the turn passes.');
});

test('a turn of several collisions is told as one, with the stone that ended it', () => {
  const red = after(
    table('seat_1'), stone(11, 1, [1, 1]), stone(12, 2), stone(13, 1, [0, 0]), collision(14, 2), collision(15, 2), stone(16, 2),
  );
  assert.deepEqual(lastTurn(red.game.moves), { seat: 2, collisions: 2, placed: true, cell: null });
  assert.deepEqual(darkText(red), { kind: 'hit', text: 'Your opponent ran into 2 of your stones, then placed one.' });
  assert.deepEqual([1, 2].map((seat) => tallyText(tally(red.game.moves, seat))), [
    '2\u00a0stones · 0\u00a0collisions', '2\u00a0stones · 2\u00a0collisions',
  ]);
});

test('a table says what it hides before, between and without collisions', () => {
  const waiting = (viewer) => darkText(fromView(view({ viewer, options: DARK, phase: 'waiting', game: null }), 0)).text;
  assert.equal(waiting('seat_1'), 'You see your own stones, and those that you run into. Whoever runs into a hidden stone moves again.');
  assert.match(waiting('spectator'), /^Spectators see no stones until a chain decides the game\./);
  assert.equal(darkText(table('seat_1')).kind, 'idle');
  assert.equal(darkText(after(table('seat_2'), stone(11, 1))).text, 'Your opponent placed a stone that you do not see.');
  assert.equal(darkText(after(table('spectator'), stone(11, 1))).text, 'Red placed a stone.');
  assert.equal(darkText(fromView(view(), 0)), null, 'Hex hides nothing');
});

test('the list of moves names a cell only to whoever knows it', () => {
  assert.deepEqual(asBlue().game.moves.map(moveText), ['stone', 'b2 taken']);
  assert.deepEqual(asRed().game.moves.map(moveText), ['b2', 'collision']);
  assert.deepEqual(asWatcher().game.moves.map(moveTold), ['red placed a hidden stone', 'blue ran into a hidden stone']);
  assert.equal(moveTold(asBlue().game.moves[1]), 'blue ran into a hidden stone at b2');
});

test('an older position is what was known at that ply', () => {
  const blue = after(asBlue(), stone(13, 2, [2, 0]), stone(14, 1));
  const boards = [0, 1, 2, 3, 4].map((ply) => shown(blue, ply).board.join('/'));
  assert.deepEqual(boards, ['.../.../...', '.../.../...', '.../.r./...', '.../.r./b..', '.../.r./b..']);
  assert.deepEqual(shown(blue, 1).found, []);
});

const REVEAL = {
  board: ['r..', '.r.', 'br.'],
  moves: [
    { seat: 1, color: 'red', cell: [1, 1] },
    { seat: 2, color: 'blue', cell: [1, 1], collision: true },
    { seat: 2, color: 'blue', cell: [2, 0] },
    { seat: 1, color: 'red', cell: [0, 0] },
    { seat: 2, color: 'blue', cell: [0, 0], collision: true },
    { seat: 1, color: 'red', cell: [2, 1] },
  ],
};
const ended = (seq, changes) => event(seq, 'ended', {
  outcome: { winner: 1, by: 'chain' }, winning_path: [[0, 0]], score: [1, 0], ...changes,
});

test('a chain uncovers the board, and shows which stones nobody had found', () => {
  const blue = after(asBlue(), ended(13, { reveal: REVEAL }));
  assert.equal(darkness(blue), 'open');
  assert.deepEqual(shown(blue, null).board, REVEAL.board);
  assert.deepEqual(shown(blue, null).found, [[1, 1], [0, 0]]);
  assert.deepEqual(shown(blue, null).bare, [[2, 1]]);
  assert.deepEqual(shown(blue, 1).board, ['...', '.r.', '...'], 'older positions are open too');
  assert.deepEqual(shown(after(asWatcher(), ended(13, { reveal: REVEAL })), null).bare.length, 4);
  assert.equal(darkText(blue).kind, 'open');
});

test('without a chain the board stays as it was known', () => {
  const end = ended(13, { outcome: { winner: 1, by: 'resignation' }, winning_path: undefined });
  const watcher = after(asWatcher(), end);
  assert.equal(darkness(watcher), 'kept');
  assert.deepEqual(shown(watcher, null).board, ['...', '...', '...']);
  assert.match(darkText(watcher).text, /stays hidden here\.$/);
  const blue = after(asBlue(), end);
  assert.deepEqual([shown(blue, null).board, shown(blue, null).bare, shown(blue, null).ran], [['...', '.r.', '...'], [], null]);
  assert.match(announcement(blue, end), /resigned.*stays hidden/);
});

test('nothing is taken back in the dark', () => {
  const red = after(table('seat_1'), stone(11, 1, [1, 1]), stone(12, 2));
  assert.equal(canOffer(red, 'takeback'), false);
});

test('what happens is read out, and the title says which game it is', () => {
  const frame = collision(12, 2);
  assert.equal(announcement(asRed(), frame), 'Your opponent ran into one of your stones, and moves again. Bert is to move (blue).');
  assert.equal(announcement(after(table('spectator'), stone(11, 1)), stone(11, 1)), 'red placed a hidden stone. Bert is to move (blue).');
  assert.equal(titleText(asBlue()), 'Your turn · Dark Hex (classical) · hexhall');
  assert.equal(viewerText(asBlue()), 'You are blue: join the two blue edges.');
});
