// The computer at the page: opened against, played against, standing in for somebody, and asked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  LEVELS, awayText, hintText, levelText, playedForText, presenceText, standInText,
} from '../../src/web/computer.js';
import { levelAt } from '../../src/web/listing.js';
import {
  againstComputer, canGiveTime, canOffer, canSuggest, claim, leftToComputer, standInLevel, thinkingSeat,
} from '../../src/web/may.js';
import { START, another, practice, settled, withPreset } from '../../src/web/options.js';
import { captionOf, fromRecord } from '../../src/web/replay.js';
import { shown } from '../../src/web/seen.js';
import { apply, awaitHint, fromView, hinted, pend, rejoin } from '../../src/web/table.js';
import { announcement, leaveText, moveTold, turnText } from '../../src/web/words.js';
import { ANNA, BERT, OPTIONS, RULES, clocks, event, gameView, placed, view } from './views.mjs';

const HOUSE = { id: 'plr_0', name: 'CPU level 3', cpu: 3 };
const LEFT = { ...OPTIONS, on_leave: 'cpu' };
const against = (changes = {}) => fromView(view({ seats: [ANNA, HOUSE], options: LEFT, ...changes }), 0);
const two = (changes = {}) => fromView(view({ options: LEFT, ...changes }), 0);
const after = (state, ...frames) => frames.reduce((next, frame) => apply(next, frame, 0), state);
const presence = (one, other) => ({ seats: [one, other], watchers: 0 });
const HERE = { connected: true };
const byCpu = (...told) => ({ ...placed(...told), cpu: true });

test('one press asks for a game by the rules of the form, and never for one on one device', () => {
  const form = settled({ ...withPreset(START, 'dark', RULES), size: '7', seats: 'device', level: '6', first: 'cpu' }, RULES);
  assert.deepEqual(practice(form, RULES), {
    private: false,
    cpu: { level: 6, seat: 1 },
    options: {
      preset: 'dark', game: 'dark', collision: 'classical', size: 7, swap: 'off', goal: 'join',
      first_move: 'alternate', time: { control: 'fischer', initial_s: 300, increment_s: 5 },
    },
  });
  assert.deepEqual(practice(START, RULES).cpu, { level: 3, seat: 2 });
});

test('a level that is none is not kept', () => {
  assert.equal(settled({ ...START, level: '11' }, RULES).level, '3');
  assert.equal(settled({ ...START, level: '10' }, RULES).level, '10');
  assert.deepEqual(Object.keys(LEVELS).map(Number), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.equal(new Set(Object.values(LEVELS)).size, 10);
  assert.equal(levelText(1), '1 – beginner');
});

test('another level is asked for by the same rules, and who moved second moves first', () => {
  const custom = { ...LEFT, preset: 'custom' };
  assert.deepEqual(another(against({ options: custom, private: true }), 1, 7), {
    options: custom, private: true, cpu: { level: 7, seat: 1 },
  });
  const { options, cpu } = another(against({ options: { ...LEFT, first_move: 'fixed' } }), 1, 7);
  assert.deepEqual([options.size, options.rows, options.random_stones, cpu.seat], [3, undefined, undefined, 2]);
});

test('against the computer a move is taken back, and there is nobody to give time to', () => {
  const state = after(against(), placed(11, 1, 'red', [0, 1], 1));
  assert.deepEqual([againstComputer(state), canOffer(state, 'takeback'), canGiveTime(state)], [true, true, false]);
  assert.equal(againstComputer({ ...state, viewer: 'spectator' }), false);
  assert.equal(againstComputer(two()), false);
});

test('the computer thinks while its own seat is to move, and not in a pause', () => {
  const state = after(against(), placed(11, 1, 'red', [0, 1], 1));
  assert.equal(thinkingSeat(against()), null);
  assert.equal(thinkingSeat(state), 2);
  assert.equal(turnText(state), 'CPU level 3 is thinking (blue).');
  assert.equal(presenceText(state, 2, 0), 'thinking …');
  const paused = after(state, event(12, 'paused', { clocks: clocks(null) }));
  assert.deepEqual([thinkingSeat(paused), presenceText(paused, 2, 0)], [null, 'computer']);
});

test('a seat is left to the computer, and given back at once', () => {
  const gone = { table: 'tbl_1', event: 'presence', presence: presence(HERE, { connected: false, countdown_ms: 9_000 }) };
  const away = apply(two({ game: gameView({ to_move: 2 }) }), gone, 0);
  assert.deepEqual(leftToComputer(away), { seat: 2, until: 9_000 });
  assert.equal(presenceText(away, 2, 0), 'away · 9 s');
  assert.equal(awayText(away, 2), 'Bert is away. The computer plays on in');
  assert.equal(claim(away), null);
  const frame = event(11, 'taken_over', { seat: 2, level: 5 });
  const taken = apply(away, frame, 0);
  assert.deepEqual(leftToComputer(taken), { seat: 2, until: null });
  assert.equal(standInText(taken, 2), 'The computer plays for Bert until Bert is back.');
  assert.equal(announcement(taken, frame), standInText(taken, 2));
  assert.equal(turnText(taken), 'The computer is thinking for Bert (blue).');
  assert.equal(presenceText(taken, 2, 0), 'away · thinking …');
  assert.deepEqual([canOffer(taken, 'pause'), claim(taken)], [false, null]);
  const back = apply(taken, event(12, 'returned', { seat: 2 }), 0);
  assert.deepEqual([leftToComputer(back), presenceText(back, 2, 0)], [null, 'here']);
  assert.equal(announcement(back, event(12, 'returned', { seat: 2 })), 'Bert is back, and has the seat again.');
  const own = { ...back, viewer: 'seat_2' };
  assert.equal(announcement(own, event(12, 'returned', { seat: 2 })), 'You have your seat back from the computer.');
});

test('with both players gone the computer is not said to think', () => {
  const absent = { connected: false };
  assert.equal(thinkingSeat(two({ viewer: 'spectator', presence: presence({ ...absent, cpu: 5 }, HERE) })), 1);
  assert.equal(thinkingSeat(two({ viewer: 'spectator', presence: presence({ ...absent, cpu: 5 }, absent) })), null);
});

test('whoever has their seat back is to move, whatever the computer was about to play', () => {
  const state = two({ viewer: 'seat_1', presence: presence({ connected: false, cpu: 5 }, HERE) });
  assert.equal(turnText(state), 'Your turn (red).');
  assert.equal(leftToComputer(state), null);
});

test('the end of a game leaves no seat to the computer', () => {
  const state = after(
    two({ presence: presence(HERE, { connected: false, cpu: 5 }) }),
    event(11, 'ended', { outcome: { winner: 1, by: 'time' }, score: [1, 0] }),
  );
  assert.deepEqual([standInLevel(state, 2), leftToComputer(state), presenceText(state, 2, 0)], [null, null, 'away']);
});

test('a run that was missed and a fresh view show the same of who plays', () => {
  const moves = [
    { seat: 1, color: 'red', cell: [0, 1] }, { seat: 2, color: 'blue', cell: [1, 1], cpu: true },
    { seat: 1, color: 'red', cell: [2, 2] },
  ];
  const fresh = two({
    seq: 14, presence: presence(HERE, { connected: false, cpu: 5 }),
    game: gameView({ moves, board: ['.r.', '.b.', '..r'], turn: 3, to_move: 2, clocks: clocks(2) }),
  });
  const events = [
    placed(11, 1, 'red', [0, 1], 1), event(12, 'taken_over', { seat: 2, level: 5 }),
    byCpu(13, 2, 'blue', [1, 1], 2), placed(14, 1, 'red', [2, 2], 3),
  ];
  const resumed = rejoin(two(), { reply: 'resumed', table: 'tbl_1', viewer: 'seat_1', events }, 0);
  const told = (state) => [
    shown(state, null), shown(state, 2), state.game.moves, leftToComputer(state), thinkingSeat(state), turnText(state),
    [1, 2].map((seat) => presenceText(state, seat, 0)),
  ];
  assert.deepEqual(told(resumed), told(fresh));
});

test('moves that the computer played are told apart, at the table and in a replay', () => {
  const frame = byCpu(11, 1, 'red', [0, 1], 1);
  const collided = event(12, 'collided', { seat: 2, turn: 2, to_move: 2, cpu: true, clocks: clocks(2) });
  const swapped = event(12, 'swapped', {
    seat: 2, swap: 'sides', cell: [0, 1], color: 'red', colors: ['blue', 'red'], turn: 2, to_move: 1, cpu: true,
  });
  for (const second of [collided, swapped]) {
    assert.deepEqual(after(two(), frame, second).game.moves.map(({ cpu }) => cpu), [true, true]);
  }
  assert.equal('cpu' in after(two(), placed(11, 1, 'red', [0, 1], 1)).game.moves[0], false);
  assert.equal(moveTold(after(two(), frame).game.moves[0]), 'red b1, played by the computer');
  const record = fromRecord({
    id: 'gam_1', date: null, game: 'hex', size: { rows: 2, cols: 2 }, swap: 'off', goal: 'join', time: null,
    players: ['Anna', 'CPU level 3'], opening: [], winning_path: [], end: null,
    moves: [{ color: 'red', cell: [0, 1] }, { color: 'blue', cell: [0, 0], cpu: true }],
  });
  assert.equal(captionOf(record, 1), 'Move 1: red b1.');
  assert.equal(captionOf(record, 2), 'Move 2: blue a1, played by the computer.');
});

test('whoever comes back is told how many moves were played for them', () => {
  const before = two({ viewer: 'seat_1' });
  const played = after(before, byCpu(11, 1, 'red', [0, 1], 1), placed(12, 2, 'blue', [1, 1], 2));
  assert.equal(playedForText(before, played), 'While you were away, the computer played a move for you.');
  const more = after(played, byCpu(13, 1, 'red', [2, 2], 3), placed(14, 2, 'blue', [1, 2], 4), byCpu(15, 1, 'red', [2, 1], 5));
  assert.equal(playedForText(before, more), 'While you were away, the computer played 3 moves for you.');
  assert.equal(playedForText(more, more), null);
  assert.equal(playedForText(null, more), null);
  assert.equal(playedForText({ ...before, viewer: 'seat_2' }, { ...more, viewer: 'seat_2' }), null);
});

test('a hint is asked for once a turn, in games against the computer alone', () => {
  assert.equal(canSuggest(two()), false);
  assert.equal(canSuggest({ ...against(), viewer: 'spectator' }), false);
  assert.equal(canSuggest(against()), true);
  const asked = awaitHint(against());
  assert.deepEqual([canSuggest(asked), hintText(asked)], [false, null]);
  const refused = hinted(asked, { game: 'gam_1', turn: 0 }, null);
  assert.equal(canSuggest(refused), true);
  assert.equal(canSuggest(after(against(), placed(11, 1, 'red', [0, 1], 1))), false);
});

test('a hint is shown until the next move, and one that comes later is not', () => {
  const asked = awaitHint(against());
  const suggestion = { re: 9, reply: 'suggestion', move: { cell: [1, 2] }, win_percent: 63 };
  const state = hinted(asked, { game: 'gam_1', turn: 0 }, suggestion);
  assert.deepEqual(shown(state, null).hint, [1, 2]);
  assert.equal(hintText(state), 'Hint: the computer would play c2 in your place. It puts your chances at 63 %.');
  assert.equal(shown(pend(state, { cell: [0, 0] }), null).hint, null);
  const moved = after(state, placed(11, 1, 'red', [0, 0], 1));
  assert.deepEqual([moved.hint, shown(moved, null).hint], [null, null]);
  assert.equal(shown(moved, 0).hint, null);
  const late = after(asked, placed(11, 1, 'red', [0, 0], 1));
  assert.equal(hinted(late, { game: 'gam_1', turn: 0 }, suggestion), late);
});

test('a hint outlives a return to the same turn, and may be to swap', () => {
  const swap = hinted(awaitHint(against()), { game: 'gam_1', turn: 0 }, { move: { swap: true } });
  assert.equal(hintText(swap), 'Hint: the computer would swap sides in your place.');
  assert.equal(shown(swap, null).hint, null);
  const back = (changes) => rejoin(swap, { reply: 'view', view: view({ seats: [ANNA, HOUSE], ...changes }) }, 0).hint;
  assert.deepEqual(back({}), swap.hint);
  assert.equal(back({ game: gameView({ turn: 2 }) }), null);
});

test('leaving says what comes of it', () => {
  assert.match(leaveText(two()), /computer plays for you until you come back/);
  assert.match(leaveText(against()), /counts as resigned.*your clock runs/);
  assert.match(leaveText(against({ game: gameView({ clocks: null }) })), /waits for you/);
  for (const on_leave of ['claim', 'clock']) assert.match(leaveText(two({ options: { ...OPTIONS, on_leave } })), /come back/);
});

test('a table against the computer is listed as such', () => {
  assert.equal(levelAt({ seats: [HOUSE, ANNA] }), 3);
  assert.equal(levelAt({ seats: [ANNA, BERT] }), null);
  assert.equal(levelAt({ seats: [ANNA, null] }), null);
});
