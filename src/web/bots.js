// One's bots and their keys, within the dialogue about oneself.

import { make } from './dom.js';
import { confirm, copyText } from './toast.js';
import { dayText } from './words.js';

export class Bots {
  /** `refused` hears of what the server refused. */
  constructor({ account, parts, refused }) {
    Object.assign(this, { account, parts, refused });
    const form = parts['new-bot'];
    this.#on(form, 'submit', async () => {
      await account.newBot(form.elements.name.value.trim());
      form.reset();
      await this.load();
    });
  }

  /** Asks for the bots and shows them. */
  async load() {
    const { bots } = await this.account.bots();
    const rows = bots.map((bot) => this.#row(bot));
    this.parts.bots.replaceChildren(...(rows.length ? rows : [make('li', { class: 'hint' }, 'You have none.')]));
  }

  /** Takes secrets off the page. */
  forget() {
    this.parts.bots.replaceChildren();
  }

  #on(element, event, run) {
    element.addEventListener(event, (happened) => {
      happened.preventDefault();
      run().catch(this.refused);
    });
  }

  #row(bot) {
    const keys = make('ul', { class: 'things' });
    const made = make('div', {});
    const label = make('input', {
      name: 'label', maxlength: 24, required: true, placeholder: 'What the key is for',
      'aria-label': 'What the key is for', autocomplete: 'off', 'data-testid': 'key-label',
    });
    const form = make('form', { class: 'row tight' }, label, make('button', { 'data-testid': 'key-add' }, 'Make a key'));
    const details = make('details', {}, make('summary', {}, 'Keys'), keys, made, form);
    const load = async () => {
      const told = await this.account.keys(bot.id);
      const rows = told.keys.map((key) => this.#keyRow(bot, key, load));
      keys.replaceChildren(...(rows.length ? rows : [make('li', { class: 'hint' }, 'It has none, and so nobody can be it.')]));
    };
    details.addEventListener('toggle', () => { if (details.open) load().catch(this.refused); });
    this.#on(form, 'submit', async () => {
      const { secret } = await this.account.newKey(bot.id, label.value.trim());
      form.reset();
      made.replaceChildren(...secretShown(secret));
      await load();
    });
    const remove = make('button', { class: 'danger', 'aria-label': `Delete ${bot.name}`, 'data-testid': 'bot-delete' }, 'Delete');
    this.#on(remove, 'click', async () => {
      if (!await confirm(`Delete ${bot.name} for ever? Its keys are good no more, and what plays with them is signed out. Its games stay, and so nobody else can have its name.`, 'Delete it')) return;
      await this.account.deleteBot(bot.id);
      await this.load();
    });
    return make('li', { 'data-testid': 'bot', 'data-bot': bot.id }, make('span', { class: 'who' }, bot.name), remove, details);
  }

  #keyRow(bot, key, load) {
    const revoke = make('button', { class: 'danger', 'data-testid': 'key-revoke' }, 'Revoke');
    this.#on(revoke, 'click', async () => {
      if (!await confirm(`Revoke the key “${key.label}”? What plays with it is signed out.`, 'Revoke it')) return;
      await this.account.revokeKey(bot.id, key.id);
      await load();
    });
    const used = key.used_ms ? `last used ${dayText(key.used_ms)}` : 'never used';
    return make(
      'li',
      { 'data-testid': 'key' },
      make('span', {}, key.label, ' ', make('code', {}, `${key.hint}…`)),
      make('span', { class: 'hint' }, `made ${dayText(key.created_ms)} · ${used}`),
      revoke,
    );
  }
}

function secretShown(secret) {
  const field = make('input', { readonly: true, 'aria-label': 'The new key', 'data-testid': 'key-secret' });
  field.value = secret;
  const copy = make('button', { type: 'button' }, 'Copy');
  copy.addEventListener('click', () => copyText(secret, () => field.select()));
  return [
    make('p', { class: 'hint' }, 'This key is shown once. Whoever has it is the bot.'),
    make('div', { class: 'row tight' }, field, copy),
  ];
}
