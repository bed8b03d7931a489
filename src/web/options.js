// The form that opens a table, as a value: what is chosen, what the house rules leave of it, and how
// options read in words.
//
// Pure. A `form` is a flat record of strings, as the fields of an HTML form hold them; see `START`.
// The `rules` are the server's list of presets, which say what each may be: see `houserules.js`.

import { judge } from './houserules.js';

/** The form before anything is chosen. Its first preset's own choices come from the rules. */
export const START = {
  preset: 'standard', size: '11', rows: '11', cols: '11', game: 'hex', collision: 'classical',
  swap: 'sides', goal: 'join',
  random_stones: '0', time: 'fischer', initial_min: '5', increment_s: '5', seconds: '30',
  period_s: '30', periods: '3', on_leave: 'cpu', first_move: 'alternate', first_move_s: '',
  spectator_delay_s: '0', rated: '', seats: 'two', visibility: 'public', level: '3', first: 'you',
};

const LEVELS = Array.from({ length: 10 }, (_, n) => String(n + 1));

// Fields that need not be there where they ask for nothing.
const UNSAID = ['game', 'random_stones', 'pass_and_play', 'rated', 'spectator_delay_s'];

function ruleOf(form, rules) {
  return rules.find(({ preset }) => preset === form.preset) ?? rules[0];
}

/** The form with another preset chosen, and that preset's own choices. `custom` keeps what there is. */
export function withPreset(form, preset, rules) {
  if (preset === 'custom') return { ...form, preset };
  const { on_leave: _, first_move_s: __, ...usual } = formOf(ruleOf({ preset }, rules).defaults);
  return { ...form, ...usual, rated: form.rated };
}

/**
 * What each field of the form may be: `{ hidden, disabled, reason, choices, min, max }`. A hidden field
 * has no meaning with the other choices; a disabled one has one value only, and the `reason` says why.
 */
export function fields(form, rules) {
  const { fields: judged } = judge(form, ruleOf(form, rules));
  // Members of a party who watch until their turn comes have to see it live.
  if (form.seats === 'party') judged.spectator_delay_s = { hidden: true };
  return { ...judged, level: { choices: LEVELS }, first: { choices: ['you', 'cpu'] } };
}

/** The form with every value that the other choices exclude replaced by one that they allow. */
export function settled(form, rules) {
  const rule = ruleOf(form, rules);
  const { options } = judge(form, rule);
  const { rows, cols, game, pass_and_play: _, rated, time, ...others } = options;
  const next = {
    ...form,
    ...textsOf(others),
    ...textsOf({ rows, cols, game: game ?? rule.defaults.game }),
    ...formOfTime(time),
    rated: rated ? 'on' : '',
    game: game ?? 'hex',
  };
  if (!LEVELS.includes(next.level)) next.level = START.level;
  if (!['you', 'cpu'].includes(next.first)) next.first = START.first;
  return next;
}

/** What `open` is asked with: `{ options, private }`. What goes without saying is not said. */
export function request(form, rules) {
  const { options } = judge(form, ruleOf(form, rules));
  if (form.seats === 'party') delete options.spectator_delay_s;
  for (const name of UNSAID) if (!options[name] || options[name] === 'hex') delete options[name];
  const party = form.seats === 'party' ? { party: {} } : {};
  return { options, private: form.visibility === 'private', ...party };
}

/** The fields of a form that asks for these options. */
export function formOf({ time, rows, cols, rated, ...options }) {
  return {
    ...textsOf({ size: rows, rows, cols, game: 'hex', first_move_s: '', ...options }),
    ...formOfTime(time),
    rated: rated ? 'on' : '',
  };
}

function formOfTime({ control, initial_s, ...numbers }) {
  const initial_min = initial_s === undefined ? undefined : initial_s / 60;
  return textsOf({ time: control, initial_min, ...numbers });
}

// What is there, as fields hold it.
function textsOf(record) {
  const there = Object.entries(record).filter(([, value]) => value !== undefined && typeof value !== 'boolean');
  return Object.fromEntries(there.map(([name, value]) => [name, String(value)]));
}

/**
 * What `open` is asked with for a game against the computer: who plays and what follows when a
 * player leaves are no questions then.
 */
export function practice(form, rules) {
  const asked = request({ ...form, seats: 'two', rated: '' }, rules);
  const { on_leave: _, ...options } = asked.options;
  return { ...asked, options, cpu: { level: Number(form.level), seat: form.first === 'you' ? 2 : 1 } };
}

/**
 * What `open` is asked with for another game like the one that the viewer in `seat` has just had
 * with the computer, at another level. Who moved second moves first, if players take turns at it.
 */
export function another(view, seat, level) {
  const { rows, cols, random_stones, ...rest } = view.options;
  const board = rest.preset === 'custom' ? { rows, cols, random_stones } : { size: rows };
  const cpu = { level, seat: rest.first_move === 'alternate' ? seat : 3 - seat };
  return { options: { ...rest, ...board }, private: view.private, cpu };
}

/** Whether stones are hidden in a game of these options. */
export function isDark(options) {
  return options.game === 'dark';
}

/** Whether spectators, and so the list of tables, see what happens some time after it did. */
export function isLate(options) {
  return options.spectator_delay_s > 0;
}

/** The game that is played: `Hex`, `Rex`, or Dark Hex with its rule: `Dark Hex (abrupt)`. */
export function gameText(options) {
  if (isDark(options)) return `Dark Hex (${options.collision})`;
  return options.goal === 'avoid' ? 'Rex' : 'Hex';
}

/** Options in few words: `11×11 · swap sides · 5 min + 5 s`, `7×7 · Dark Hex (abrupt) · no clock`. */
export function optionsText(options) {
  return [
    `${options.rows}×${options.cols}`,
    isDark(options) && gameText(options),
    options.goal === 'avoid' && 'Rex',
    options.swap !== 'off' && `swap ${options.swap}`,
    options.random_stones > 0 && `${options.random_stones} random stones a side`,
    timeText(options.time),
    options.rated && 'rated',
    options.pass_and_play && 'one device',
    isLate(options) && `seen ${span(options.spectator_delay_s)} late`,
  ].filter(Boolean).join(' · ');
}

/** A time control in few words. */
export function timeText(time) {
  switch (time.control) {
    case 'fischer': return `${span(time.initial_s)} + ${time.increment_s} s`;
    case 'per_turn': return `${span(time.seconds)} a turn`;
    case 'byo_yomi': return `${span(time.initial_s)} + ${time.periods} × ${span(time.period_s)}`;
    default: return 'no clock';
  }
}

function span(seconds) {
  return seconds >= 60 && seconds % 30 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
