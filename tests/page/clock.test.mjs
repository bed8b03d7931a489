// What clocks show between two readings.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clockNow, clockText, isLow, secondsUntil, startMs, waitText,
} from '../../src/web/clock.js';

const FISCHER = { control: 'fischer', initial_s: 300, increment_s: 5 };
const BYO_YOMI = { control: 'byo_yomi', initial_s: 60, period_s: 30, periods: 3 };

const clocks = (running, ...seats) => ({ running, seats });

test('clocks read in whole seconds, and in tenths under ten seconds', () => {
  const texts = [
    [3_905_000, '1:05:05'], [300_000, '5:00'], [299_001, '5:00'], [65_000, '1:05'],
    [10_000, '0:10'], [9_901, '0:10'], [9_900, '9.9'], [1_234, '1.3'], [1, '0.1'], [0, '0.0'],
  ];
  for (const [ms, text] of texts) assert.equal(clockText(ms), text, `${ms}`);
});

test('only the running clock counts down, from the moment of reading', () => {
  const both = clocks(1, { left_ms: 60_000 }, { left_ms: 50_000 });
  const at = { at: 1_000, now: 3_500, time: FISCHER };
  assert.equal(clockNow(both, 1, at).left_ms, 57_500);
  assert.equal(clockNow(both, 2, at).left_ms, 50_000);
  assert.equal(clockNow(both, 1, { ...at, paused: true }).left_ms, 60_000);
});

test('a clock never shows less than nothing, nor more than was read', () => {
  const both = clocks(1, { left_ms: 1_000 }, { left_ms: 1_000 });
  assert.equal(clockNow(both, 1, { at: 0, now: 9_000, time: FISCHER }).left_ms, 0);
  assert.equal(clockNow(both, 1, { at: 500, now: 0, time: FISCHER }).left_ms, 1_000);
});

test('a clock is low in the last seconds, and not while whole periods are left', () => {
  const low = (left_ms, time, periods) => clockNow(
    clocks(null, { left_ms, periods }, { left_ms }), 1, { at: 0, now: 0, time },
  ).low;
  assert.deepEqual([low(20_000, FISCHER), low(19_999, FISCHER)], [false, true]);
  const turn = { control: 'per_turn', seconds: 15 };
  assert.deepEqual([low(10_000, turn), low(9_999, turn)], [false, true]);
  assert.deepEqual([low(5_000, BYO_YOMI, 1), low(5_000, BYO_YOMI, 0)], [false, true]);
});

test('main time that runs out goes on into the first period', () => {
  const now = (passed) => clockNow(
    clocks(1, { left_ms: 4_000, periods: 3 }, { left_ms: 60_000, periods: 3 }),
    1,
    { at: 0, now: passed, time: BYO_YOMI },
  );
  assert.deepEqual([now(3_999).left_ms, now(3_999).periods], [1, 3]);
  assert.deepEqual([now(5_000).left_ms, now(5_000).periods], [29_000, 2]);
  assert.deepEqual([now(35_000).left_ms, now(35_000).periods], [29_000, 1]);
  assert.deepEqual([now(500_000).left_ms, now(500_000).periods], [0, 0]);
});

test('a period that is used up is lost, and with the last one nothing is left', () => {
  const now = (passed, periods) => clockNow(
    clocks(1, { left_ms: 30_000, periods }, { left_ms: 60_000, periods: 3 }),
    1,
    { at: 0, now: passed, time: BYO_YOMI },
  );
  assert.deepEqual([now(31_000, 2).left_ms, now(31_000, 2).periods], [29_000, 1]);
  assert.deepEqual([now(31_000, 0).left_ms, now(31_000, 0).periods], [0, 0]);
});

test('the time for the first move counts down with the clock, and makes it low', () => {
  const both = clocks(1, { left_ms: 60_000, first_move_ms: 30_000 }, { left_ms: 60_000 });
  const reading = clockNow(both, 1, { at: 0, now: 12_000, time: FISCHER });
  assert.equal(reading.first_move_ms, 18_000);
  assert.equal(reading.low, true);
  assert.equal(clockNow(both, 2, { at: 0, now: 12_000, time: FISCHER }).first_move_ms, undefined);
});

test('a clock starts with what its control gives', () => {
  assert.equal(startMs(FISCHER), 300_000);
  assert.equal(startMs(BYO_YOMI), 60_000);
  assert.equal(startMs({ control: 'per_turn', seconds: 30 }), 30_000);
  assert.equal(startMs({ control: 'none' }), undefined);
});

test('time runs short for whose clock runs, and only while the game does', () => {
  const state = { game: { clocks: clocks(1, { left_ms: 25_000 }, { left_ms: 5_000 }) }, clocksAt: 0, options: { time: FISCHER } };
  assert.equal(isLow(state, 1, 4_000), false);
  assert.equal(isLow(state, 1, 6_000), true);
  assert.equal(isLow(state, 2, 6_000), false, 'it stands');
  assert.equal(isLow({ ...state, game: { ...state.game, outcome: { winner: 2 } } }, 1, 6_000), false);
  assert.equal(isLow({ ...state, game: { clocks: null } }, 1, 6_000), false);
});

test('a wait is told in seconds, and in minutes when it is long', () => {
  assert.deepEqual([waitText(98_001, 0), waitText(99_001, 0), waitText(300_000, 0)], ['99 s', '1:40', '5:00']);
});

test('seconds until an instant are rounded up and never negative', () => {
  assert.equal(secondsUntil(5_001, 0), 6);
  assert.equal(secondsUntil(0, 5_000), 0);
});
