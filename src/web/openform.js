// The form that opens a table, for others or against the computer: shows what the choices leave,
// and hands on what was chosen. What a field may be is the server's to say: see `presets.js`.

import { make, recall, remember, set, setText } from './dom.js';
import { levelText } from './computer.js';
import {
  START, fields, formOf, gameText, isDark, optionsText, practice, request, settled, withPreset,
} from './options.js';
import { presets } from './presets.js';
import { toastRefusal } from './toast.js';

const WORDS = {
  game: { hex: 'Hex', dark: 'Dark Hex: hidden stones' },
  collision: { classical: 'Move again (classical)', abrupt: 'The turn passes (abrupt)' },
  swap: {
    off: 'No swap', sides: 'Swap sides', pieces: 'Swap pieces',
  },
  time: {
    none: 'No clock', fischer: 'With increment', per_turn: 'Time for each turn', byo_yomi: 'Byo-yomi',
  },
  goal: { join: 'Join your edges', avoid: 'Avoid joining them (Rex)' },
  first_move: { alternate: 'Players take turns', fixed: 'Seat 1 again' },
  on_leave: { cpu: 'The computer plays on', claim: 'The other may claim', clock: 'Only the clock runs' },
  first: { you: 'You', cpu: 'The computer' },
};

const FORM = 'new-table';

// How long to wait before house rules that did not come are asked for again.
const AGAIN_MS = 2_000;

/** Has the form begin with this level of the computer. */
export function rememberLevel(level) {
  remember(FORM, { ...recall(FORM, {}), level: String(level) });
}

/**
 * Brings the form to life. Its parts are the `form` itself, the button to `play` the computer, and
 * what says what is chosen: `summary`, and `rules` for the computer; `seek` asks for an opponent.
 * `onOpen` is given what `open` is asked with, and `onSeek` what a seek is; what `onOpen` promises may
 * be refused, and is then told at the field that is meant. Until the house rules are there the form is
 * busy, and does nothing.
 */
export async function openForm({
  form, play, seek, summary, rules: chosen,
}, onOpen, onSeek) {
  const rules = await rulesFor(form);
  // Whom one plays with is another matter each time.
  let values = settled({ ...START, ...recall(FORM, {}), seats: START.seats }, rules);

  const show = () => {
    showValues(form, values, rules);
    setText(summary, summaryOf(request(values, rules)));
    setText(chosen, rulesText(practice(values, rules)));
    // On one device the opponent is there, and whom a link is sent to needs no seek.
    seek.disabled = values.seats === 'device' || values.visibility === 'private';
  };
  const open = (asked) => {
    remember(FORM, values);
    onOpen(asked).catch((refused) => showRefusal(form, refused));
  };

  form.addEventListener('input', ({ target }) => {
    clearRefusals(form);
    values = withInput(values, target, rules);
    show();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    open(request(values, rules));
  });
  // Not a second way to send the form: Enter in one of its fields would choose the first.
  play.addEventListener('click', () => {
    if (form.reportValidity()) open(practice(values, rules));
  });
  seek.addEventListener('click', () => {
    if (!form.reportValidity()) return;
    remember(FORM, values);
    const { options } = request(values, rules);
    onSeek({ options, shown: whole(options) });
  });
  setBusy(form, false);
  show();
}

// A form does nothing before the house rules are there.
function setBusy(form, busy) {
  if (busy) form.setAttribute('aria-busy', 'true');
  else form.removeAttribute('aria-busy');
  for (const button of form.querySelectorAll('button')) button.disabled = busy;
}

// The house rules, however often they have to be asked for; the form is busy until they are there.
async function rulesFor(form) {
  setBusy(form, true);
  for (;;) {
    try {
      return await presets();
    } catch {
      await new Promise((resolve) => { setTimeout(resolve, AGAIN_MS); });
      // Nobody waits for a form whose page has been left.
      if (!form.isConnected) await new Promise(() => {});
    }
  }
}

// A refusal that names a field is told there, and any other beside the form.
function showRefusal(form, refused) {
  const names = (refused.message ?? '').matchAll(/`([a-z_.]+)/g);
  const shown = [...names].map(([, name]) => form.elements[name.split('.').pop()])
    .find((field) => field?.setCustomValidity && field.willValidate && field.offsetParent);
  if (!shown) {
    toastRefusal(refused);
    return;
  }
  shown.setCustomValidity(refused.message);
  form.reportValidity();
}

function clearRefusals(form) {
  for (const field of form.elements) field.setCustomValidity('');
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
export async function rulesForm(form, options, onSet) {
  const rules = await rulesFor(form);
  let values = settled({ ...START, ...formOf(options), seats: 'party' }, rules);
  form.addEventListener('input', ({ target }) => {
    values = withInput(values, target, rules);
    showValues(form, values, rules);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    onSet(request(values, rules).options);
  });
  setBusy(form, false);
  showValues(form, values, rules);
}

// The form after an input. A number that is being typed is left alone until it is one.
function withInput(values, target, rules) {
  if (target.type === 'number' && !target.validity.valid) return values;
  return settled(target.name === 'preset'
    ? withPreset(values, target.value, rules)
    : { ...values, [target.name]: valueOf(target) }, rules);
}

// A form has the fields that it needs, and not always all of them.
function showValues(form, values, rules) {
  for (const [name, field] of Object.entries(fields(values, rules))) {
    if (form.elements[name]) showField(form, name, field);
  }
  for (const [name, value] of Object.entries(values)) {
    if (form.elements[name]) putValue(form.elements[name], value);
  }
}

function showField(form, name, {
  hidden = false, disabled = false, reason = '', choices, lacks = null, min, max,
}) {
  const label = form.querySelector(`[data-field=${name}]`);
  const input = label.querySelector('input, select');
  label.hidden = hidden;
  if (input.tagName === 'SELECT' && choices) setChoices(input, name, choices);
  if (min !== undefined) set(input, 'min', min);
  if (max !== undefined) set(input, 'max', max);
  // A hidden field must not keep the form from being sent.
  input.disabled = hidden || disabled;
  // A reason stands beside what is left, so that it has to name what it took away.
  const why = lacks === null || !reason ? reason : `“${wordOf(name, lacks)}” is left out: ${reason}`;
  let note = label.querySelector('small');
  if (why && !note) {
    note = make('small', { class: 'hint' });
    label.append(note);
  }
  if (note) setText(note, why);
}

function setChoices(select, name, choices) {
  if ([...select.options].map(({ value }) => value).join() === choices.join()) return;
  select.replaceChildren(...choices.map((value) => (
    make('option', { value }, wordOf(name, value))
  )));
}

function wordOf(name, value) {
  return TEXTS[name]?.(value) ?? WORDS[name]?.[value] ?? value;
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
