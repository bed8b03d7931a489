// The table's state from fresh views and sequences of events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitsSwap, canPlace, canSwap, mySeat, myTurn } from '../../src/web/may.js';
import { shown } from '../../src/web/seen.js';
import { apply, fromView, pend, rejoin, withdrawPending } from '../../src/web/table.js';
import { ANNA, BERT, clocks, event, gameView, placed, view } from './views.mjs';

const after = (state, ...frames) => frames.reduce((next, frame) => apply(next, frame, 1_000), state);

test('events in order make the board, the moves and the turn', () => {
  const state = after(fromView(view(), 0), placed(11, 1, 'red', [0, 1], 1), placed(12, 2, 'blue', [1, 1], 2));
  assert.deepEqual(state.game.board, ['.r.', '.b.', '...']);
  assert.equal(state.game.turn, 2);
  assert.equal(state.game.to_move, 1);
  assert.equal(state.game.moves.length, 2);
  assert.equal(state.seq, 12);
  assert.equal(state.clocksAt, 1_000);
});

test('a state is never changed in place', () => {
  const before = fromView(view(), 0);
  const copy = structuredClone(before);
  after(before, placed(11, 1, 'red', [0, 1], 1), event(12, 'paused', { clocks: clocks(null) }));
  assert.deepEqual(before, copy);
});

test('an event that was seen already changes nothing', () => {
  const state = after(fromView(view(), 0), placed(11, 1, 'red', [0, 1], 1));
  assert.equal(apply(state, placed(11, 1, 'red', [0, 1], 1), 0), state);
});

test('an event of another table changes nothing', () => {
  const state = fromView(view(), 0);
  assert.equal(apply(state, { ...placed(11, 1, 'red', [0, 1], 1), table: 'tbl_2' }, 0), state);
});

test('a missing number leaves a gap, and nothing more is applied', () => {
  const state = after(fromView(view(), 0), placed(12, 2, 'blue', [1, 1], 2), placed(13, 1, 'red', [0, 0], 3));
  assert.equal(state.gap, true);
  assert.equal(state.seq, 10);
  assert.deepEqual(state.game.board, ['...', '...', '...']);
});

test('the run that was missed fills the gap', () => {
  const gap = after(fromView(view(), 0), placed(12, 2, 'blue', [1, 1], 2));
  const events = [placed(11, 1, 'red', [0, 1], 1), placed(12, 2, 'blue', [1, 1], 2)];
  const state = rejoin(gap, { reply: 'resumed', table: 'tbl_1', viewer: 'seat_1', events }, 0);
  assert.equal(state.gap, false);
  assert.equal(state.seq, 12);
  assert.deepEqual(state.game.board, ['.r.', '.b.', '...']);
});

test('a run that does not join on, or is of another viewer, leaves a gap', () => {
  const state = fromView(view(), 0);
  const reply = { reply: 'resumed', table: 'tbl_1', viewer: 'seat_1', events: [placed(13, 1, 'red', [0, 1], 3)] };
  assert.equal(rejoin(state, reply, 0).gap, true);
  assert.equal(rejoin(state, { ...reply, viewer: 'spectator', events: [] }, 0).gap, true);
  assert.equal(rejoin(null, reply, 0), null);
});

test('a fresh view replaces everything after a return', () => {
  const before = after(fromView(view(), 0), placed(11, 1, 'red', [0, 1], 1));
  const fresh = view({ seq: 3, viewer: 'seat_2', game: gameView({ id: 'gam_2', board: ['...', '...', '..b'] }) });
  const state = rejoin(before, { reply: 'view', view: fresh }, 0);
  assert.deepEqual(state.game.board, ['...', '...', '..b']);
  assert.equal(state.seq, 3);
  assert.equal(mySeat(state), 2);
  assert.equal(after(state, placed(4, 1, 'red', [0, 0], 1)).game.board[0], 'r..');
});

test('a view in the stream replaces everything and fills a gap', () => {
  const gap = after(fromView(view(), 0), placed(15, 2, 'blue', [1, 1], 5));
  const told = { table: 'tbl_1', event: 'view', view: view({ seq: 15, viewer: 'spectator' }) };
  const state = apply(gap, told, 0);
  assert.deepEqual([state.gap, state.seq, mySeat(state)], [false, 15, null]);
});

test('a swap of sides exchanges the colours and leaves the stone', () => {
  const state = after(
    fromView(view(), 0),
    placed(11, 1, 'red', [0, 1], 1),
    event(12, 'swapped', {
      seat: 2, swap: 'sides', cell: [0, 1], color: 'red', colors: ['blue', 'red'], turn: 2, to_move: 1, clocks: clocks(1),
    }),
    placed(13, 1, 'blue', [2, 2], 3),
  );
  assert.deepEqual(state.game.colors, ['blue', 'red']);
  assert.deepEqual(state.game.board, ['.r.', '...', '..b']);
  assert.deepEqual(state.game.moves[1], { seat: 2, color: 'blue', swap: 'sides' });
  assert.deepEqual(shown(state, null).board, shown(state, 3).board);
});

test('a swap of pieces moves the stone to its mirror image', () => {
  const state = after(
    fromView(view(), 0),
    placed(11, 1, 'red', [0, 1], 1),
    event(12, 'swapped', {
      seat: 2, swap: 'pieces', cell: [1, 0], color: 'blue', colors: ['red', 'blue'], turn: 2, to_move: 1,
    }),
  );
  assert.deepEqual(state.game.board, ['...', 'b..', '...']);
  assert.deepEqual(shown(state, null).last, [1, 0]);
  assert.deepEqual(shown(state, 1).board, ['.r.', '...', '...']);
  assert.equal(state.clocksAt, 1_000);
});

test('the swap may be played as the second move only', () => {
  const start = fromView(view({ viewer: 'seat_2' }), 0);
  assert.equal(canSwap(start), false);
  const one = after(start, placed(11, 1, 'red', [0, 1], 1));
  assert.equal(canSwap(one), true);
  assert.equal(canSwap({ ...one, options: { ...one.options, swap: 'off' } }), false);
  assert.equal(canSwap({ ...one, viewer: 'spectator' }), false);
  const three = after(one, placed(12, 2, 'blue', [1, 1], 2), placed(13, 1, 'red', [2, 2], 3));
  assert.equal(myTurn(three), true);
  assert.equal(canSwap(three), false);
});

test('the swap has its place from the start until the second move, for whoever may play it', () => {
  const start = fromView(view({ viewer: 'seat_2' }), 0);
  const one = after(start, placed(11, 1, 'red', [0, 1], 1));
  const two = after(one, placed(12, 2, 'blue', [1, 1], 2));
  assert.deepEqual([start, one, pend(one, { cell: [1, 1] }), two].map(awaitsSwap), [true, true, true, false]);
  assert.deepEqual([start, one].map((it) => awaitsSwap({ ...it, viewer: 'seat_1' })), [false, false]);
  assert.deepEqual([start, one].map((it) => awaitsSwap({ ...it, viewer: 'spectator' })), [false, false]);
  assert.deepEqual([start, one].map((it) => awaitsSwap({ ...it, viewer: 'both' })), [true, true]);
  assert.equal(awaitsSwap({ ...start, options: { ...start.options, swap: 'off' } }), false);
});

test('a takeback brings the game as it then stands, with a higher turn', () => {
  const state = after(
    fromView(view(), 0),
    placed(11, 1, 'red', [0, 1], 1),
    event(12, 'offered', { offer: { id: 4, kind: 'takeback', by: 1, expires_in_ms: 9_000 } }),
    event(13, 'offer_closed', { offer: 4, how: 'accepted' }),
    event(14, 'taken_back', { game: gameView({ turn: 2, clocks: clocks(1) }) }),
  );
  assert.deepEqual(state.game.board, ['...', '...', '...']);
  assert.deepEqual([state.game.turn, state.game.moves.length, state.offers.length], [2, 0, 0]);
  assert.equal(canPlace(state, [0, 1]), true);
});

test('a game that starts with exchanged seats resets viewer and number', () => {
  const ended = after(
    fromView(view(), 0),
    event(11, 'ended', { outcome: { winner: 2, by: 'resignation' }, score: [0, 1] }),
  );
  assert.deepEqual([ended.phase, ended.game.to_move, ended.score], ['finished', null, [0, 1]]);
  const next = view({
    viewer: 'seat_2', seq: 40, seats: [BERT, ANNA], score: [1, 0], game: gameView({ id: 'gam_2', number: 2 }),
  });
  const state = after(ended, event(12, 'started', { view: next }), placed(41, 1, 'red', [0, 0], 1));
  assert.equal(mySeat(state), 2);
  assert.equal(state.seq, 41);
  assert.equal(state.game.id, 'gam_2');
  assert.equal(myTurn(state), true);
});

test('a started game is applied over a gap', () => {
  const gap = after(fromView(view(), 0), placed(13, 2, 'blue', [1, 1], 2));
  const state = after(gap, event(14, 'started', { view: view({ seq: 14, game: gameView({ id: 'gam_2' }) }) }));
  assert.deepEqual([state.gap, state.seq, state.game.id], [false, 14, 'gam_2']);
});

test('the end brings result, path and score', () => {
  const path = [[0, 1], [1, 1], [2, 1]];
  const state = after(
    fromView(view(), 0),
    event(11, 'ended', { outcome: { winner: 1, by: 'chain' }, winning_path: path, clocks: clocks(null), score: [1, 0] }),
  );
  assert.equal(state.phase, 'finished');
  assert.deepEqual(shown(state, null).path, path);
  assert.equal(canPlace(state, [0, 0]), false);
});

test('a pending stone is shown until the server tells it', () => {
  const pending = pend(fromView(view(), 0), { cell: [0, 1] });
  assert.deepEqual(shown(pending, null).board, ['.r.', '...', '...']);
  assert.deepEqual(pending.game.board, ['...', '...', '...']);
  assert.equal(myTurn(pending), false);
  const told = after(pending, placed(11, 1, 'red', [0, 1], 1));
  assert.equal(told.pending, null);
  assert.deepEqual(shown(told, null).board, ['.r.', '...', '...']);
});

test('a refused stone is withdrawn, and only the refused one', () => {
  const pending = pend(fromView(view(), 0), { cell: [0, 1] });
  assert.deepEqual(shown(withdrawPending(pending, 0), null).board, ['...', '...', '...']);
  assert.equal(withdrawPending(pending, 1), pending);
});

test('a pending stone outlives a return to the same turn, and no other', () => {
  const pending = pend(fromView(view(), 0), { cell: [0, 1] });
  const back = (changes) => rejoin(pending, { reply: 'view', view: view(changes) }, 0).pending;
  assert.deepEqual(back({}), pending.pending);
  assert.equal(back({ game: gameView({ turn: 1 }) }), null);
  assert.equal(back({ game: gameView({ id: 'gam_2' }) }), null);
  assert.equal(back({ game: gameView({ outcome: { winner: 2, by: 'time' } }) }), null);
});

test('pauses, time and restarts renew the clocks', () => {
  const start = fromView(view(), 0);
  const paused = after(start, event(11, 'paused', { clocks: clocks(null, [9, 8]) }));
  assert.deepEqual([paused.game.paused, paused.game.clocks.seats[0].left_ms], [true, 9]);
  assert.equal(canPlace(paused, [0, 0]), false);
  const on = after(
    paused,
    event(12, 'unpaused', { clocks: clocks(1, [9, 8]) }),
    event(13, 'time_given', { seat: 2, ms: 15_000, clocks: clocks(1, [9, 15_008]) }),
    event(14, 'restarted', { clocks: clocks(1, [7, 6]) }),
  );
  assert.deepEqual([on.game.paused, on.game.clocks.seats[1].left_ms, on.clocksAt], [false, 6, 1_000]);
});

test('presence comes without a number and counts down from its reading', () => {
  const frame = {
    table: 'tbl_1', event: 'presence',
    presence: { seats: [{ connected: true }, { connected: false, countdown_ms: 30_000 }], watchers: 3 },
  };
  const state = apply(fromView(view(), 0), frame, 500);
  assert.equal(state.presence.seats[1].until, 30_500);
  assert.equal(state.presence.seats[0].until, null);
  assert.deepEqual([state.presence.watchers, state.seq], [3, 10]);
});

test('seats are taken and given up', () => {
  const state = after(
    fromView(view({ phase: 'waiting', seats: [ANNA, null], game: null }), 0),
    event(11, 'seated', { seat: 2, player: BERT }),
  );
  assert.deepEqual(state.seats, [ANNA, BERT]);
  const left = after(state, event(12, 'unseated', { seat: 1 }), event(13, 'closed'));
  assert.deepEqual([left.seats, left.phase], [[null, BERT], 'closed']);
});

test('an event of an unknown name is counted and passed over', () => {
  const state = after(fromView(view(), 0), event(11, 'sparkled'), placed(12, 1, 'red', [0, 0], 1));
  assert.deepEqual([state.gap, state.seq, state.game.board[0]], [false, 12, 'r..']);
});
