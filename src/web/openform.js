// The form that opens a table: shows what the choices leave, and hands on what was chosen.

import { make, recall, remember, set, setText } from './dom.js';
import { START, fields, optionsText, request, settled, withPreset } from './options.js';

const WORDS = {
  game: { hex: 'Hex', dark: 'Dark Hex: hidden stones' },
  collision: { classical: 'Move again (classical)', abrupt: 'The turn passes (abrupt)' },
  swap: {
    off: 'No swap', sides: 'Swap sides', pieces: 'Swap pieces',
  },
  time: {
    none: 'No clock', fischer: 'With increment', per_turn: 'Time for each turn', byo_yomi: 'Byo-yomi',
  },
  on_leave: { claim: 'The other may claim', clock: 'Only the clock runs' },
};

const FORM = 'new-table';

/** Brings the form to life. `onOpen` is given what `open` is asked with. */
export function openForm(form, summary, onOpen) {
  let values = settled({ ...START, ...recall(FORM, {}) });

  const show = () => {
    for (const [name, field] of Object.entries(fields(values))) showField(form, name, field);
    for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
    setText(summary, summaryOf(values));
  };

  form.addEventListener('input', ({ target }) => {
    // A number that is being typed is left alone until it is one.
    if (target.type === 'number' && !target.validity.valid) return;
    values = settled(target.name === 'preset'
      ? withPreset(values, target.value)
      : { ...values, [target.name]: target.value });
    show();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    remember(FORM, values);
    onOpen(request(values));
  });
  show();
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
    make('option', { value }, WORDS[name]?.[value] ?? (name === 'size' ? `${value} × ${value}` : value))
  )));
}

function summaryOf(values) {
  const { options } = request(values);
  const side = options.size;
  return optionsText({ random_stones: 0, rows: side, cols: side, ...options });
}
