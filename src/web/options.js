// What a table can be opened with: which choices a preset leaves, which choices exclude others,
// and how options read in words.
//
// Pure. A `form` is a flat record of strings, as the fields of an HTML form hold them; see `START`.

/** The form as it stands when the page is opened. */
export const START = {
  preset: 'standard', size: '11', rows: '11', cols: '11', game: 'hex', collision: 'classical',
  swap: 'sides', goal: 'join',
  random_stones: '0', time: 'fischer', initial_min: '5', increment_s: '5', seconds: '30',
  period_s: '30', periods: '3', on_leave: 'cpu', first_move: 'alternate', first_move_s: '',
  spectator_delay_s: '0', rated: '', seats: 'two', visibility: 'public', level: '3', first: 'you',
};

const WHOLE = (from, to) => Array.from({ length: to - from + 1 }, (_, n) => String(from + n));

const TURNS = ['5', '10', '15', '20', '30', '45', '60', '90', '120', '180', '300', '600'];

const PRESETS = {
  party: {
    sizes: ['11', '13', '19'],
    swaps: ['off', 'sides'],
    times: ['none', 'per_turn'],
    turns: ['30', '60'],
    start: { game: 'hex', size: '11', swap: 'off', goal: 'join', random_stones: '0', time: 'none' },
  },
  standard: {
    sizes: WHOLE(7, 19),
    swaps: ['sides', 'pieces', 'off'],
    times: ['fischer', 'per_turn', 'byo_yomi', 'none'],
    start: {
      game: 'hex', size: '11', swap: 'sides', goal: 'join', random_stones: '0', time: 'fischer',
      initial_min: '5', increment_s: '5', first_move: 'alternate',
    },
  },
  dark: {
    sizes: WHOLE(7, 19),
    swaps: ['off'],
    times: ['fischer', 'per_turn', 'byo_yomi', 'none'],
    start: {
      game: 'dark', size: '11', swap: 'off', goal: 'join', random_stones: '0', time: 'fischer',
      initial_min: '5', increment_s: '5', first_move: 'alternate',
    },
  },
  custom: {
    sizes: [],
    swaps: ['sides', 'pieces', 'off'],
    times: ['fischer', 'per_turn', 'byo_yomi', 'none'],
    start: {},
  },
};

/** The form with another preset chosen, and that preset's own choices. */
export function withPreset(form, preset) {
  return { ...form, preset, ...PRESETS[preset].start };
}

/**
 * What each field of the form may be: `{ hidden, disabled, reason, choices }`. A hidden field has
 * no meaning with the other choices; a disabled one has one value only, and the `reason` says why.
 */
export function fields(form) {
  const preset = PRESETS[form.preset];
  const custom = form.preset === 'custom';
  const only = (...presets) => ({ hidden: !presets.includes(form.preset) });
  const timed = (...controls) => ({ hidden: !controls.includes(form.time) });
  const dark = form.game === 'dark';
  const device = form.seats === 'device';
  const rated = form.rated === 'on' && !custom && !device;
  const stones = custom && Number(form.random_stones) > 0;
  const square = !custom || Number(form.rows) === Number(form.cols);
  const swaps = preset.swaps.filter((swap) => (square || swap !== 'pieces') && !(rated && swap === 'off'));
  const leavings = form.time === 'none' ? ['cpu', 'claim'] : ['cpu', 'claim', 'clock'];
  return {
    size: { hidden: custom, choices: preset.sizes },
    rows: only('custom'),
    cols: only('custom'),
    game: { hidden: !custom, choices: ['hex', 'dark'] },
    collision: { hidden: !dark, choices: ['classical', 'abrupt'] },
    swap: {
      hidden: form.preset === 'dark',
      choices: stones || dark ? ['off'] : swaps,
      disabled: stones || dark,
      reason: (dark && 'Nobody sees a first move to swap.')
        || (stones && 'Random stones leave no first move to swap.')
        || (rated && 'Rated games have the swap on.')
        || (!square && 'Swapping pieces needs a square board.') || '',
    },
    goal: {
      disabled: form.preset === 'party' || dark || rated,
      reason: (dark && 'Dark Hex is won by joining.')
        || (rated && 'Rex is not rated.')
        || (form.preset === 'party' && 'Rex is for standard and custom tables.') || '',
    },
    random_stones: {
      disabled: !custom || dark || mostStones(form) === 0,
      max: dark ? 0 : mostStones(form),
      reason: (dark && 'Dark Hex begins on an empty board.')
        || (!custom && 'Random stones are for custom tables.')
        || (mostStones(form) === 0 && 'The board is too small for random stones.') || '',
    },
    time: { choices: preset.times },
    initial_min: timed('fischer', 'byo_yomi'),
    increment_s: timed('fischer'),
    seconds: { ...timed('per_turn'), choices: preset.turns ?? TURNS },
    period_s: timed('byo_yomi'),
    periods: timed('byo_yomi'),
    on_leave: {
      choices: device ? ['clock'] : leavings.filter((it) => !(rated && it === 'cpu')),
      disabled: device,
      reason: (device && 'On one device nobody is ever gone alone.')
        || (rated && 'In a rated game nobody plays for who is gone.') || '',
    },
    first_move: {
      disabled: inTurns(form),
      reason: inTurns(form) ? 'Here, players take turns at moving first.' : '',
    },
    first_move_s: only('custom'),
    // Behind a curtain the player has to see what spectators see, and at once; and so do members of
    // a party who watch until their turn comes.
    spectator_delay_s: {
      hidden: (dark && device) || form.seats === 'party',
      disabled: rated,
      reason: rated ? 'Ratings change as the game ends: it is seen live.' : '',
    },
    rated: {
      disabled: custom || device,
      reason: (custom && 'Custom tables are not rated.')
        || (device && 'Nobody wins a rating from themselves.') || '',
    },
    level: { choices: WHOLE(1, 10) },
    first: { choices: ['you', 'cpu'] },
  };
}

/** The form with every value that the other choices exclude replaced by one that they allow. */
export function settled(form) {
  const next = { ...form };
  if (next.preset !== 'custom') next.game = next.preset === 'dark' ? 'dark' : 'hex';
  const dark = next.game === 'dark';
  if (inTurns(next)) next.first_move = 'alternate';
  if (fields(next).rated.disabled) next.rated = '';
  if (next.preset === 'party' || dark || next.rated) next.goal = 'join';
  if (next.rated) next.spectator_delay_s = '0';
  if (dark) next.swap = 'off';
  const most = next.preset === 'custom' && !dark ? mostStones(next) : 0;
  next.random_stones = String(Math.min(Math.max(0, Number(next.random_stones) || 0), most));
  for (const name of ['size', 'time', 'collision', 'swap', 'seconds', 'on_leave', 'level', 'first']) {
    const { choices, hidden } = fields(next)[name];
    if (choices && !hidden && !choices.includes(next[name])) [next[name]] = choices;
  }
  return next;
}

/** What `open` is asked with: `{ options, private }`. */
export function request(form) {
  const { preset, swap, goal, on_leave, first_move } = form;
  const custom = preset === 'custom';
  const options = { preset, swap, goal, on_leave, first_move, time: timeOf(form) };
  if (form.seats === 'device') options.pass_and_play = true;
  if (form.rated) options.rated = true;
  const late = Number(form.spectator_delay_s);
  if (late > 0 && !fields(form).spectator_delay_s.hidden) options.spectator_delay_s = late;
  if (form.game === 'dark') {
    options.game = 'dark';
    options.collision = form.collision;
  }
  if (custom) {
    options.rows = Number(form.rows);
    options.cols = Number(form.cols);
    options.random_stones = Number(form.random_stones);
    if (form.first_move_s) options.first_move_s = Number(form.first_move_s);
  } else {
    options.size = Number(form.size);
  }
  const party = form.seats === 'party' ? { party: {} } : {};
  return { options, private: form.visibility === 'private', ...party };
}

/** The fields of a form that asks for these options. */
export function formOf(options) {
  const { time } = options;
  const text = (value) => (value === undefined ? undefined : String(value));
  const form = {
    preset: options.preset,
    size: text(options.rows),
    rows: text(options.rows),
    cols: text(options.cols),
    game: options.game ?? 'hex',
    collision: options.collision,
    swap: options.swap,
    goal: options.goal,
    random_stones: text(options.random_stones),
    time: time.control,
    initial_min: time.initial_s === undefined ? undefined : String(time.initial_s / 60),
    increment_s: text(time.increment_s),
    seconds: text(time.seconds),
    period_s: text(time.period_s),
    periods: text(time.periods),
    on_leave: options.on_leave,
    first_move: options.first_move,
    first_move_s: text(options.first_move_s) ?? '',
  };
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined));
}

/**
 * What `open` is asked with for a game against the computer: who plays and what follows when a
 * player leaves are no questions then.
 */
export function practice(form) {
  const asked = request({ ...form, seats: 'two', rated: '' });
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
    options.spectator_delay_s > 0 && `seen ${span(options.spectator_delay_s)} late`,
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

function timeOf(form) {
  const initial_s = Math.round(Number(form.initial_min) * 60);
  switch (form.time) {
    case 'fischer': return { control: 'fischer', initial_s, increment_s: Number(form.increment_s) };
    case 'per_turn': return { control: 'per_turn', seconds: Number(form.seconds) };
    case 'byo_yomi':
      return {
        control: 'byo_yomi',
        initial_s,
        period_s: Number(form.period_s),
        periods: Number(form.periods),
      };
    default: return { control: 'none' };
  }
}

// Whether players take turns at moving first, whatever they would like.
function inTurns({ preset }) {
  return preset === 'standard' || preset === 'dark';
}

// A random opening needs two rows and columns, and six cells for each stone of a side.
function mostStones({ rows, cols }) {
  if (Number(rows) < 2 || Number(cols) < 2) return 0;
  return Math.min(10, Math.floor((Number(rows) * Number(cols)) / 6));
}

function span(seconds) {
  return seconds >= 60 && seconds % 30 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
