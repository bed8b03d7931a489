// The house rules as the page reads them: every form comes to a request that their schema accepts, and
// every value that the schema names can be chosen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { START, fields, request, settled, withPreset } from '../../src/web/options.js';
import { broken, isValid, valuesOf } from '../../src/web/schema.js';
import { RULES } from './views.mjs';

const CHOICES = {
  size: ['1', '3', '7', '11', '12', '13', '19', '53', '60'],
  rows: ['0', '1', '2', '3', '11', '53', '54'],
  cols: ['1', '2', '5', '11', '53'],
  game: ['hex', 'dark'],
  collision: ['classical', 'abrupt'],
  swap: ['off', 'sides', 'pieces'],
  goal: ['join', 'avoid'],
  random_stones: ['0', '1', '7', '10', '11', '-1', ''],
  time: ['none', 'fischer', 'per_turn', 'byo_yomi', 'sand'],
  initial_min: ['0', '0.5', '5', '1440', '9999'],
  increment_s: ['0', '5', '600', '601'],
  seconds: ['1', '30', '45', '60', '600'],
  period_s: ['0', '30', '86400'],
  periods: ['0', '1', '20', '21'],
  on_leave: ['cpu', 'claim', 'clock'],
  first_move: ['alternate', 'fixed'],
  first_move_s: ['', '0', '30', '3600', '4000'],
  spectator_delay_s: ['0', '1', '600', '601', 'x'],
  rated: ['', 'on'],
  seats: ['two', 'device', 'party'],
};

// Numbers that look random and are the same each time.
function dice(seed) {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

function* forms(count) {
  const roll = dice(7);
  for (let n = 0; n < count; n += 1) {
    const form = { ...START, preset: RULES[roll(RULES.length)].preset };
    for (const [name, values] of Object.entries(CHOICES)) {
      if (roll(3) > 0) form[name] = values[roll(values.length)];
    }
    yield form;
  }
}

const schemaOf = ({ preset }) => RULES.find((rules) => rules.preset === preset).schema;

test('every form comes to a request that the rules accept, and stays as it is settled', () => {
  for (const form of forms(4_000)) {
    const { options } = request(form, RULES);
    assert.ok(isValid(schemaOf(form), options), JSON.stringify([form, options, broken(schemaOf(form), options)]));
    const once = settled(form, RULES);
    assert.deepEqual(settled(once, RULES), once);
    assert.deepEqual(request(once, RULES), request(form, RULES));
  }
});

test('whatever a list of the form offers may be chosen, and is then asked for', () => {
  for (const form of forms(300)) {
    const once = settled(form, RULES);
    for (const name of ['swap', 'goal', 'on_leave', 'first_move', 'collision']) {
      const { choices = [], hidden } = fields(once, RULES)[name];
      for (const value of hidden ? [] : choices) {
        assert.equal(request({ ...once, [name]: value }, RULES).options[name], value);
      }
    }
  }
});

test('each value that the rules name can be chosen', () => {
  for (const { preset, schema } of RULES) {
    const asked = new Map();
    const base = withPreset(START, preset, RULES);
    for (const form of [...forms(4_000)].map((it) => ({ ...base, ...it, preset }))) {
      const { options } = request(form, RULES);
      for (const [name, value] of Object.entries(options)) asked.set(name, (asked.get(name) ?? new Set()).add(value));
    }
    for (const name of ['swap', 'goal', 'on_leave', 'first_move', 'collision']) {
      const values = schema.properties[name] ? valuesOf(schema.properties[name]) : [];
      for (const value of values) assert.ok(asked.get(name)?.has(value), `${name} ${value} of ${preset}`);
    }
  }
});

test('what a condition takes away is told with its reason', () => {
  const rated = fields(settled({ ...START, rated: 'on' }, RULES), RULES);
  assert.equal(rated.goal.reason, 'Rex is not rated.');
  assert.deepEqual([rated.goal.disabled, rated.spectator_delay_s.max], [true, 0]);
  const small = settled({ ...START, preset: 'custom', rows: '2', cols: '2' }, RULES);
  assert.deepEqual([fields(small, RULES).random_stones.max, fields(small, RULES).random_stones.disabled], [0, true]);
  assert.match(fields(small, RULES).random_stones.reason, /too small/);
});

test('numbers have the ends that the rules give them', () => {
  const custom = fields(settled({ ...START, preset: 'custom', time: 'byo_yomi' }, RULES), RULES);
  const ends = ({ min, max }) => [min, max];
  assert.deepEqual(ends(custom.rows), [1, 53]);
  assert.deepEqual(ends(custom.periods), [1, 20]);
  assert.deepEqual(ends(custom.initial_min), [0, 1440]);
  assert.deepEqual(ends(custom.first_move_s), [1, 3600]);
});

test('a preset that there is no more is not kept', () => {
  assert.equal(settled({ ...START, preset: 'arena' }, RULES).preset, RULES[0].preset);
});

test('a keyword that is not known is not ignored', () => {
  assert.throws(() => isValid({ pattern: 'x' }, 'x'));
});

test('where a condition leaves a choice, the field names what it took away', () => {
  const form = settled({ ...START, preset: 'standard', time: 'none' }, RULES);
  const { choices, lacks, reason } = fields(form, RULES).on_leave;
  assert.deepEqual([choices.includes('clock'), lacks], [false, 'clock']);
  assert.match(reason, /^Without a clock/);
  const free = fields(settled({ ...START, preset: 'standard' }, RULES), RULES).on_leave;
  assert.equal(free.lacks, null);
});
