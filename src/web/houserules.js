// What the schema of a preset makes of a form: what each field may be, and what is asked for.
//
// Pure. The fields are gone through in an order in which each gives way to those before it, so that
// every form comes to a request that the schema accepts.

import { broken, isValid, valuesOf } from './schema.js';

// A choice of fewer turns than the rules allow, for a list that one can choose from.
const TURNS = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600];

const ORDER = [
  'size', 'rows', 'cols', 'game', 'collision', 'pass_and_play', 'rated', 'random_stones', 'time', 'swap',
  'goal', 'on_leave', 'first_move', 'first_move_s', 'spectator_delay_s',
];

/**
 * The `options` that a form asks for, and its `fields`: `{ hidden, disabled, reason, choices, lacks, min,
 * max }` by name. A hidden field has no meaning, a disabled one has one value only, and the `reason` says
 * why: where there is still a choice, of the one that it `lacks`.
 */
export function judge(form, { schema, defaults }) {
  const options = { preset: schema.properties.preset.const };
  const fields = {};
  const oblong = isOblong(schema);
  for (const name of ORDER) {
    const property = schema.properties[name];
    const board = ['size', 'rows', 'cols'].includes(name);
    if (!property || (board && (name === 'size') === oblong)) {
      fields[name] = { hidden: true };
    } else if (name === 'time') {
      options.time = timed(form, property, defaults.time, fields);
    } else {
      const { field, value } = judged(form, name, property, schema, options);
      fields[name] = field;
      if (value !== undefined) options[name] = value;
    }
  }
  return { options, fields };
}

// Whether rows and columns may differ.
function isOblong({ properties: { preset, rows }, ...schema }) {
  const least = valuesOf(rows)?.[0] ?? rows.minimum;
  return !broken(schema, { preset: preset.const, rows: least, cols: least + 1 });
}

// What the choices before it leave of a field, and its value.
function judged(form, name, property, schema, options) {
  const why = (value) => broken(schema, { ...options, [name]: value });
  const all = expanded(name, property);
  if (!all) return ranged(form, name, property, why);
  const free = all.filter((value) => !why(value));
  const excluded = all.find((value) => why(value));
  const wanted = wantedOf(form, name);
  const usual = free.includes(property.default) ? property.default : free[0];
  return {
    value: free.includes(wanted) ? wanted : usual,
    field: {
      choices: free.map(String),
      // What the preset does not leave open is no question, and nor is what cannot be said at all.
      hidden: all.length === 1 || free.length === 0,
      disabled: free.length === 1,
      lacks: excluded !== undefined && free.length > 1 ? String(excluded) : null,
      reason: excluded === undefined ? '' : why(excluded),
    },
  };
}

// A size is chosen from a list, even where it is a range.
function expanded(name, property) {
  if (name !== 'size' || property.enum) return valuesOf(property);
  return Array.from({ length: property.maximum - property.minimum + 1 }, (_, n) => property.minimum + n);
}

// What the form has, as the schema writes it.
function wantedOf(form, name) {
  if (name === 'pass_and_play') return form.seats === 'device';
  if (name === 'rated') return form.rated === 'on';
  return name === 'size' ? Number(form.size) : form[name];
}

// What one condition or another takes from a range, it takes from its upper end.
function ranged(form, name, { minimum, maximum, default: usual }, why) {
  let [most, over] = [minimum, maximum + 1];
  while (over - most > 1) {
    const middle = Math.floor((most + over) / 2);
    if (why(middle)) over = middle;
    else most = middle;
  }
  const field = {
    min: minimum, max: most, disabled: most === minimum, hidden: minimum === maximum, reason: why(maximum) ?? '',
  };
  const empty = form[name] === '' || form[name] === undefined;
  return { field, value: empty ? usual : clamped(Number(form[name]), minimum, most, usual) };
}

function clamped(number, least, most, usual) {
  return Number.isFinite(number) ? Math.min(Math.max(Math.round(number), least), most) : usual;
}

// The time control, and its numbers' fields: the first time is in minutes there.
function timed(form, property, usual, fields) {
  const kinds = Object.fromEntries(property.oneOf.map((kind) => [kind.properties.control.const, kind]));
  const control = kinds[form.time] ? form.time : usual.control;
  const numbers = kinds[control].properties;
  fields.time = { choices: Object.keys(kinds) };
  const time = { control };
  for (const name of ['initial_s', 'increment_s', 'seconds', 'period_s', 'periods']) {
    const number = numbers[name];
    const shown = name === 'initial_s' ? 'initial_min' : name;
    const unit = name === 'initial_s' ? 60 : 1;
    fields[shown] = number ? { ...limits(name, number, unit) } : { hidden: true };
    if (number) time[name] = numberOf(form[shown] * unit, number);
  }
  return isValid(property, time) ? time : usual;
}

function limits(name, number, unit) {
  if (name !== 'seconds') return { min: Math.ceil(number.minimum / unit), max: number.maximum / unit };
  return { choices: (number.enum ?? TURNS.filter((it) => isValid(number, it))).map(String) };
}

function numberOf(wanted, number) {
  if (number.enum) return number.enum.includes(wanted) ? wanted : number.enum[0];
  return clamped(wanted, number.minimum, number.maximum, number.minimum);
}
