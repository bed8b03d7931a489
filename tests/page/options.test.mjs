// The form that opens a table: what the choices leave, and what is asked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as options from '../../src/web/options.js';
import { OPTIONS, RULES } from './views.mjs';

const { START, gameText, optionsText, timeText } = options;
const settled = (it) => options.settled(it, RULES);
const fields = (it) => options.fields(it, RULES);
const request = (it) => options.request(it, RULES);
const practice = (it) => options.practice(it, RULES);
const form = (preset, changes = {}) => settled({ ...options.withPreset(START, preset, RULES), ...changes });

test('the form starts as the standard preset', () => {
  assert.deepEqual(settled(START), START);
  assert.deepEqual(request(START), {
    private: false,
    options: {
      preset: 'standard', size: 11, swap: 'sides', goal: 'join', on_leave: 'cpu', first_move: 'alternate',
      time: { control: 'fischer', initial_s: 300, increment_s: 5 },
    },
  });
});

test('party has three sizes, no Rex, and no clock or one for each turn', () => {
  const party = form('party', { goal: 'avoid', size: '12', time: 'per_turn', seconds: '45' });
  assert.deepEqual(request(party).options, {
    preset: 'party', size: 11, swap: 'off', goal: 'join', on_leave: 'cpu', first_move: 'alternate',
    time: { control: 'per_turn', seconds: 30 },
  });
  assert.equal(fields(party).goal.hidden, true);
  assert.deepEqual(fields(party).swap.choices, ['off', 'sides']);
});

test('a table without a clock cannot leave absences to the clock', () => {
  const none = form('standard', { on_leave: 'clock', time: 'none' });
  assert.equal(none.on_leave, 'cpu');
  assert.deepEqual(fields(none).on_leave.choices, ['cpu', 'claim']);
  assert.equal(form('standard', { on_leave: 'claim', time: 'none' }).on_leave, 'claim');
  assert.deepEqual(request(none).options.time, { control: 'none' });
});

test('random stones exclude the swap', () => {
  const stones = form('custom', { random_stones: '3', swap: 'sides' });
  assert.equal(stones.swap, 'off');
  assert.match(fields(stones).swap.reason, /Random stones/);
  assert.equal(request(stones).options.random_stones, 3);
  assert.equal(form('standard', { random_stones: '3' }).random_stones, '0');
});

test('random stones need six cells each, and two rows and columns', () => {
  const most = (rows, cols) => form('custom', { rows, cols, random_stones: '10' }).random_stones;
  assert.deepEqual([most('11', '11'), most('4', '4'), most('2', '3'), most('2', '2'), most('1', '53')], ['10', '2', '1', '0', '0']);
});

test('swapping pieces needs a square board', () => {
  assert.equal(form('custom', { rows: '9', cols: '9', swap: 'pieces' }).swap, 'pieces');
  const long = form('custom', { rows: '9', cols: '10', swap: 'pieces' });
  assert.equal(long.swap, 'sides');
  assert.match(fields(long).swap.reason, /square/);
});

test('custom asks for rows and columns, and the others for a size', () => {
  const custom = request(form('custom', { rows: '5', cols: '8', first_move_s: '20' })).options;
  assert.deepEqual([custom.rows, custom.cols, custom.size, custom.first_move_s], [5, 8, undefined, 20]);
  assert.equal(request(form('custom')).options.first_move_s, undefined);
  const hidden = (preset) => ['size', 'rows', 'cols', 'first_move_s'].map((name) => fields(form(preset))[name].hidden);
  assert.deepEqual(hidden('custom'), [true, false, false, false]);
  assert.deepEqual(hidden('standard'), [false, true, true, true]);
});

test('each time control asks for its own numbers', () => {
  const time = (changes) => request(form('standard', changes)).options.time;
  assert.deepEqual(time({ time: 'byo_yomi', initial_min: '1.5' }), {
    control: 'byo_yomi', initial_s: 90, period_s: 30, periods: 3,
  });
  const shownFor = (control) => ['initial_min', 'increment_s', 'seconds', 'period_s', 'periods']
    .filter((name) => !fields(form('standard', { time: control }))[name].hidden);
  assert.deepEqual(shownFor('fischer'), ['initial_min', 'increment_s']);
  assert.deepEqual(shownFor('per_turn'), ['seconds']);
  assert.deepEqual(shownFor('byo_yomi'), ['initial_min', 'period_s', 'periods']);
  assert.deepEqual(shownFor('none'), []);
});

test('dark opens Dark Hex, with what a collision does and nothing that it does not have', () => {
  const dark = form('dark', { collision: 'abrupt', goal: 'avoid', swap: 'sides', random_stones: '3', size: '7' });
  assert.deepEqual(request(dark).options, {
    preset: 'dark', game: 'dark', collision: 'abrupt', size: 7, swap: 'off', goal: 'join',
    on_leave: 'cpu', first_move: 'alternate', time: { control: 'fischer', initial_s: 300, increment_s: 5 },
  });
  assert.equal(fields(dark).game.hidden, true);
  assert.equal(fields(dark).collision.hidden, false);
  assert.deepEqual(request(form('standard', { game: 'dark' })).options.game, undefined);
});

test('custom plays either game, and what the one excludes comes back with the other', () => {
  const dark = form('custom', { game: 'dark', random_stones: '2', goal: 'avoid', first_move: 'fixed' });
  const { options } = request(dark);
  assert.deepEqual(
    [options.game, options.collision, options.swap, options.goal, options.random_stones, options.first_move],
    ['dark', 'classical', 'off', 'join', undefined, 'fixed'],
  );
  for (const name of ['swap', 'goal', 'random_stones']) {
    assert.equal(fields(dark)[name].disabled, true, name);
    assert.notEqual(fields(dark)[name].reason, '', name);
  }
  const hex = settled({ ...dark, game: 'hex' });
  assert.deepEqual([fields(hex).swap.disabled, fields(hex).collision.hidden], [false, true]);
  assert.equal(request(hex).options.collision, undefined);
});

test('a private table is asked for as such', () => {
  assert.equal(request(form('standard', { visibility: 'private' })).private, true);
});

test('options read in few words', () => {
  const options = { rows: 11, cols: 14, goal: 'avoid', swap: 'off', random_stones: 2, time: { control: 'none' } };
  assert.equal(optionsText(options), '11×14 · Rex · 2 random stones a side · no clock');
  const dark = { ...options, goal: 'join', random_stones: 0, game: 'dark', collision: 'abrupt' };
  assert.equal(optionsText(dark), '11×14 · Dark Hex (abrupt) · no clock');
  assert.deepEqual([gameText(dark), gameText(options)], ['Dark Hex (abrupt)', 'Rex']);
  const times = [
    [{ control: 'fischer', initial_s: 300, increment_s: 5 }, '5 min + 5 s'],
    [{ control: 'per_turn', seconds: 45 }, '45 s a turn'],
    [{ control: 'byo_yomi', initial_s: 90, period_s: 30, periods: 3 }, '1.5 min + 3 × 30 s'],
  ];
  for (const [time, text] of times) assert.equal(timeText(time), text);
});

test('spectators see a table late where that is asked for, and live behind a curtain', () => {
  const late = (more) => request(form('dark', { spectator_delay_s: '90', ...more })).options;
  assert.equal(late({}).spectator_delay_s, 90);
  assert.equal(late({ spectator_delay_s: '0' }).spectator_delay_s, undefined);
  assert.equal(late({ seats: 'device' }).spectator_delay_s, undefined);
});

test('a rated table is fair, left to its two players, and seen live', () => {
  const unfair = { swap: 'off', goal: 'avoid', on_leave: 'cpu', spectator_delay_s: '60' };
  const { options } = request(form('standard', { ...unfair, rated: 'on' }));
  assert.equal(options.rated, true);
  assert.deepEqual([options.swap, options.goal, options.on_leave], ['sides', 'join', 'claim']);
  assert.equal(options.spectator_delay_s, undefined);
  assert.equal(request(form('party', { rated: 'on' })).options.swap, 'sides');
  assert.equal(request(form('dark', { rated: 'on' })).options.rated, true);
  assert.deepEqual(fields(form('standard', { rated: 'on' })).on_leave.choices, ['claim', 'clock']);
  assert.deepEqual(fields(form('standard', { rated: 'on', time: 'none' })).on_leave.choices, ['claim']);
  assert.equal(optionsText({ ...OPTIONS, rated: true }), '3×3 · swap sides · 5 min + 5 s · rated');
});

test('no game is rated under custom rules, on one device, or against the computer', () => {
  for (const excluded of [form('custom', { rated: 'on' }), form('standard', { rated: 'on', seats: 'device' })]) {
    assert.equal(excluded.rated, '');
    const { hidden, disabled, reason } = fields(excluded).rated;
    assert.ok(hidden || (disabled && reason));
    assert.equal(request(excluded).options.rated, undefined);
  }
  assert.equal(practice(form('standard', { rated: 'on' })).options.rated, undefined);
});
