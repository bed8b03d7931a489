// The form that opens a table, for others or against the computer: shows what the choices leave,
// and hands on what was chosen.

import { make, recall, remember, set, setText } from './dom.js';
import { levelText } from './computer.js';
import {
  START, fields, formOf, gameText, isDark, optionsText, practice, request, settled, withPreset,
} from './options.js';

const WORDS = {
  game: { hex: 'Hex', dark: 'Dark Hex: hidden stones' },
  collision: { classical: 'Move again (classical)', abrupt: 'The turn passes (abrupt)' },
  swap: {
    off: 'No swap', sides: 'Swap sides', pieces: 'Swap pieces',
  },
  time: {
    none: 'No clock', fischer: 'With increment', per_turn: 'Time for each turn', byo_yomi: 'Byo-yomi',
  },
  on_leave: { cpu: 'The computer plays on', claim: 'The other may claim', clock: 'Only the clock runs' },
  first: { you: 'You', cpu: 'The computer' },
};

const FORM = 'new-table';

/** Has the form begin with this level of the computer. */
export function rememberLevel(level) {
  remember(FORM, { ...recall(FORM, {}), level: String(level) });
}

/**
 * Brings the form to life. Its parts are the `form` itself, the button to `play` the computer, and
 * what says what is chosen: `summary`, and `rules` for the computer; `seek` asks for an opponent.
 * `onOpen` is given what `open` is asked with, and `onSeek` what a seek is.
 */
export function openForm({
  form, play, seek, summary, rules,
}, onOpen, onSeek) {
  let values = settled({ ...START, ...recall(FORM, {}) });

  const show = () => {
    showValues(form, values);
    setText(summary, summaryOf(request(values)));
    setText(rules, rulesText(practice(values)));
    // On one device the opponent is there, and whom a link is sent to needs no seek.
    seek.disabled = values.seats === 'device' || values.visibility === 'private';
  };

  form.addEventListener('input', ({ target }) => {
    values = withInput(values, target);
    show();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    remember(FORM, values);
    onOpen(request(values));
  });
  // Not a second way to send the form: Enter in one of its fields would choose the first.
  play.addEventListener('click', () => {
    if (!form.reportValidity()) return;
    remember(FORM, values);
    onOpen(practice(values));
  });
  seek.addEventListener('click', () => {
    if (!form.reportValidity()) return;
    remember(FORM, values);
    const { options } = request(values);
    onSeek({ options, shown: whole(options) });
  });
  show();
}

// A box that is ticked has its value, and one that is not has none.
function valueOf(input) {
  return input.type === 'checkbox' && !input.checked ? '' : input.value;
}

function putValue(input, value) {
  if (input.type === 'checkbox') input.checked = value !== '';
  // What is being typed keeps its cursor.
  else if (input.value !== value) input.value = value;
}

/**
 * Brings a form with the rules alone to life, for a party: it begins with the `options` that are set,
 * and `onSet` is given those that are to be.
 */
export function rulesForm(form, options, onSet) {
  let values = settled({ ...START, ...formOf(options), seats: 'party' });
  form.addEventListener('input', ({ target }) => {
    values = withInput(values, target);
    showValues(form, values);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    onSet(request(values).options);
  });
  showValues(form, values);
}

// The form after an input. A number that is being typed is left alone until it is one.
function withInput(values, target) {
  if (target.type === 'number' && !target.validity.valid) return values;
  return settled(target.name === 'preset'
    ? withPreset(values, target.value)
    : { ...values, [target.name]: valueOf(target) });
}

// A form has the fields that it needs, and not always all of them.
function showValues(form, values) {
  for (const [name, field] of Object.entries(fields(values))) {
    if (form.elements[name]) showField(form, name, field);
  }
  for (const [name, value] of Object.entries(values)) {
    if (form.elements[name]) putValue(form.elements[name], value);
  }
}

function showField(form, name, { hidden = false, disabled = false, reason = '', choices, max }) {
  const label = form.querySelector(`[data-field=${name}]`);
  const input = label.querySelector('input, select');
  label.hidden = hidden;
  if (input.tagName === 'SELECT' && choices) setChoices(input, name, choices);
  if (max !== undefined) set(input, 'max', max);
  // A hidden field must not keep the form from being sent.
  input.disabled = hidden || disabled;
  let note = label.querySelector('small');
  if (reason && !note) {
    note = make('small', { class: 'hint' });
    label.append(note);
  }
  if (note) setText(note, reason);
}

function setChoices(select, name, choices) {
  if ([...select.options].map(({ value }) => value).join() === choices.join()) return;
  select.replaceChildren(...choices.map((value) => (
    make('option', { value }, TEXTS[name]?.(value) ?? WORDS[name]?.[value] ?? value)
  )));
}

const TEXTS = { size: (side) => `${side} × ${side}`, level: levelText };

function summaryOf({ options }) {
  return optionsText(whole(options));
}

// What was asked for, as far as it is shown, the way a server tells it.
function whole(options) {
  return { random_stones: 0, rows: options.size, cols: options.size, ...options };
}

// The game by its name, too, where the summary leaves it to be understood.
function rulesText(asked) {
  const { options } = asked;
  const name = isDark(options) || options.goal === 'avoid' ? '' : `${gameText(options)} · `;
  return name + summaryOf(asked);
}
