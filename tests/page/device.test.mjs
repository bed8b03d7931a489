// One player with both seats on one device: what the page makes of it, and of the curtain.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canGiveTime, canOffer, canPlace, curtained, mySeat, myTurn, onDevice } from '../../src/web/may.js';
import { START, fields, request, settled } from '../../src/web/options.js';
import { apply, fromView, rejoin } from '../../src/web/table.js';
import { announcement, coverText, resultText, turnText, viewerText } from '../../src/web/words.js';
import { ANNA, OPTIONS, RULES, clocks, event, gameView, placed, view } from './views.mjs';

const HEX = { ...OPTIONS, pass_and_play: true, on_leave: 'clock' };
const DARK = { ...HEX, game: 'dark', collision: 'classical', swap: 'off' };
const device = (options, viewer, changes = {}) => view({ options, viewer, seats: [ANNA, ANNA], ...changes });
const mine = (it) => fromView(it, 0, { me: ANNA.id });

test('in the open, who has both seats sits where the turn is', () => {
  const state = mine(device(HEX, 'both'));
  assert.deepEqual([onDevice(state), mySeat(state), myTurn(state)], [true, 1, true]);
  const next = apply(state, placed(11, 1, 'red', [0, 0], 1), 0);
  assert.deepEqual([mySeat(next), canPlace(next, [1, 1]), canPlace(next, [0, 0])], [2, true, false]);
  assert.equal(turnText(next), 'Blue is to move.');
  assert.equal(viewerText(next), 'You are blue: join the two blue edges.');
  assert.deepEqual(['takeback', 'pause', 'rematch'].map((kind) => canOffer(next, kind)), [false, false, false]);
  assert.equal(canGiveTime(next), false);
});

test('the curtain is down before the seat to move, on its own device alone', () => {
  const down = device(DARK, 'spectator', { game: gameView({ to_move: 2 }) });
  assert.equal(curtained(mine(down)), 2);
  assert.equal(curtained(fromView(down, 0, { me: 'plr_other' })), null);
  assert.equal(curtained(mine({ ...down, viewer: 'seat_2' })), null);
  assert.equal(curtained(mine(device(HEX, 'both'))), null);
  assert.deepEqual(coverText(mine(down), 2), {
    pass: 'Pass the device to Blue.', lift: 'I am Blue: show my board',
  });
  assert.equal(viewerText(mine(down)), 'Both seats are played here.');
});

test('a lift shows the board, and the curtain takes it away again', () => {
  const down = mine(device(DARK, 'spectator'));
  const board = ['r..', '...', '...'];
  const lifted = rejoin(down, {
    reply: 'view', view: device(DARK, 'seat_1', { game: gameView({ board, turn: 2 }) }),
  }, 0);
  assert.deepEqual([curtained(lifted), mySeat(lifted), lifted.me], [null, 1, ANNA.id]);
  const moved = apply(lifted, placed(11, 1, 'red', [1, 1], 3), 0);
  assert.equal(moved.game.board[1], '.r.');
  const fallen = { table: 'tbl_1', event: 'curtain', view: device(DARK, 'spectator', { seq: 11, game: gameView({ to_move: 2, turn: 3 }) }) };
  const after = apply(moved, fallen, 0);
  assert.deepEqual([curtained(after), after.seq, after.game.board.join('')], [2, 11, '.........']);
  assert.equal(announcement(after, fallen), 'Pass the device to Blue.');
});

test('clocks that start or stand by the curtain alone are not numbered', () => {
  const state = mine(device(DARK, 'spectator'));
  const after = apply(state, { table: 'tbl_1', event: 'clocks', clocks: clocks(1, [5_000, 9_000]) }, 7);
  assert.deepEqual([after.seq, after.clocksAt, after.game.clocks.running], [10, 7, 1]);
});

test('a game that is over may be followed by another, and says who won by colour', () => {
  const outcome = { winner: 2, by: 'resignation' };
  const over = mine(device(DARK, 'spectator', { phase: 'finished', game: gameView({ outcome, to_move: null }) }));
  assert.deepEqual([curtained(over), canOffer(over, 'rematch')], [null, true]);
  assert.equal(resultText(over), 'Blue won: red resigned.');
  assert.equal(apply(over, event(11, 'closed'), 0).phase, 'closed');
});

test('a table on one device leaves it to the clock, if there is any', () => {
  for (const time of ['fischer', 'none']) {
    const form = settled({ ...START, preset: 'dark', time, seats: 'device' }, RULES);
    assert.deepEqual([form.on_leave, fields(form, RULES).on_leave.disabled], ['clock', true]);
    const { options } = request(form, RULES);
    assert.deepEqual([options.pass_and_play, options.on_leave], [true, 'clock']);
  }
  const two = settled({ ...START, seats: 'two' }, RULES);
  assert.equal(request(two, RULES).options.pass_and_play, undefined);
});
