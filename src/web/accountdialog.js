// The dialogue about oneself: name, recovery phrase, signing in with one, devices, bots, and whom one
// keeps away.

import { Bots } from './bots.js';
import { KeptAway } from './keptaway.js';
import { make, partsOf, setText } from './dom.js';
import { soundOn, toggleSound } from './sound.js';
import { confirm, copyText, toast } from './toast.js';
import { dayText, refusalText } from './words.js';

export class AccountDialog {
  #me = null;

  /** `onNamed` hears of a name once the server goes by it, and `onMe` of what else is told of oneself. */
  constructor({ account, manners, root, onNamed, onMe }) {
    Object.assign(this, { account, root, onNamed, onMe });
    const parts = partsOf(root);
    this.parts = parts;
    const refused = (it) => this.#refused(it);
    this.bots = new Bots({ account, parts, refused });
    this.keptAway = new KeptAway({ manners, parts, refused });
    parts.close.addEventListener('click', () => root.close());
    // A press beside the dialogue closes it, as one on its edge does not.
    root.addEventListener('click', (event) => { if (event.target === root) root.close(); });
    root.addEventListener('close', () => this.#forget());
    parts.sound.addEventListener('change', () => toggleSound());
    this.#on(parts.rename, 'submit', (form) => this.#rename(form.elements.name.value.trim()));
    this.#on(parts.suggested, 'click', ({ value }) => this.#rename(value));
    this.#on(parts['phrase-new'], 'click', () => this.#newPhrase());
    this.#on(parts['phrase-copy'], 'click', () => this.#copyPhrase());
    this.#on(parts['phrase-done'], 'click', () => this.#forgetPhrase());
    this.#on(parts.recover, 'submit', (form) => this.#recover(form.elements.phrase.value));
    this.#on(parts['sign-out'], 'click', () => this.#signOutOthers());
  }

  /** Opens it. */
  open() {
    if (!this.root.open) this.root.showModal();
    this.parts.sound.checked = soundOn();
    this.#load();
  }

  /** Opens it on a name that was refused. */
  openFor(refused, name) {
    this.open();
    this.parts.rename.elements.name.value = name.trim();
    this.#nameRefused(refused);
  }

  #on(element, event, run) {
    element.addEventListener(event, (happened) => {
      happened.preventDefault();
      Promise.resolve(run(element)).catch((refused) => this.#refused(refused));
    });
  }

  async #load() {
    try {
      this.#show(await this.account.me());
      await Promise.all([this.bots.load(), this.keptAway.load()]);
    } catch (refused) {
      this.#refused(refused);
    }
  }

  #show(me) {
    this.#me = me;
    const { parts } = this;
    const field = parts.rename.elements.name;
    if (document.activeElement !== field && parts['name-refused'].hidden) field.value = me.player.name;
    setText(parts['phrase-state'], me.claimed
      ? 'You have a recovery phrase. A new one takes its place, and the old one is good no more.'
      : 'Twelve words with which you are yourself on another device. Without them, your games and your name are lost with this browser.');
    setText(parts['phrase-new'], me.claimed ? 'Make a new recovery phrase' : 'Show me a recovery phrase');
    setText(parts['recover-state'], me.claimed
      ? `This browser then stops being ${me.player.name}.`
      : `This browser then stops being ${me.player.name}, who has no recovery phrase: nobody could be that player again.`);
    parts.devices.replaceChildren(...me.devices.map((device) => this.#deviceRow(device)));
    parts['sign-out'].hidden = me.devices.length < 2;
    this.#tell(parts.refused, null);
    this.onMe(me);
  }

  async #rename(name) {
    this.#nameRefused(null);
    try {
      const me = await this.account.rename(name);
      this.parts.rename.elements.name.value = me.player.name;
      this.#show(me);
      this.onNamed(me.player);
      toast(`You are ${me.player.name} now.`);
    } catch (refused) {
      this.#nameRefused(refused);
    }
  }

  #nameRefused(refused) {
    const { suggested } = this.parts;
    this.#tell(this.parts['name-refused'], refused);
    suggested.hidden = !refused?.suggestion;
    suggested.value = refused?.suggestion ?? '';
    setText(suggested, `Be ${refused?.suggestion ?? ''}`);
  }

  async #newPhrase() {
    const again = this.#me?.claimed;
    if (again && !await confirm('Make a new recovery phrase? The one that you have is good no more then.', 'Make a new one')) return;
    const { words } = await this.account.newPhrase();
    const { parts } = this;
    parts.words.replaceChildren(...words.map((word) => make('li', {}, word)));
    parts.phrase.hidden = false;
    parts['phrase-new'].hidden = true;
    this.#show(await this.account.me());
  }

  #copyPhrase() {
    const { words } = this.parts;
    const text = [...words.children].map((word) => word.textContent).join(' ');
    return copyText(text, () => getSelection().selectAllChildren(words));
  }

  #forgetPhrase() {
    const { parts } = this;
    parts.words.replaceChildren();
    parts.phrase.hidden = true;
    parts['phrase-new'].hidden = false;
  }

  async #recover(phrase) {
    this.#tell(this.parts['recover-refused'], null);
    try {
      await this.account.recover(phrase);
    } catch (refused) {
      this.#tell(this.parts['recover-refused'], refused);
      return;
    }
    // Somebody else from here on: nothing that the page knows is theirs.
    location.reload();
  }

  // This device has no button: to be signed out here is to be lost, unless one has the phrase.
  #deviceRow(device) {
    const row = deviceRow(device);
    if (device.current) return row;
    const button = make('button', { class: 'danger', 'data-testid': 'device-sign-out' }, 'Sign out');
    this.#on(button, 'click', () => this.#signOut(device));
    row.append(button);
    return row;
  }

  async #signOut({ id }) {
    if (!await confirm('Sign this device out? It can come back with the recovery phrase alone.', 'Sign it out')) return;
    await this.account.signOut(id);
    this.#show(await this.account.me());
    toast('The device is signed out.');
  }

  async #signOutOthers() {
    if (!await confirm('Sign all other devices out? They can come back with the recovery phrase alone.', 'Sign them out')) return;
    this.#show(await this.account.signOutOthers());
    toast('All other devices are signed out.');
  }

  #refused(refused) {
    if (!refused.code) throw refused;
    this.#tell(this.parts.refused, refused);
  }

  #tell(part, refused) {
    part.hidden = !refused;
    setText(part, refused ? refusalText(refused, { patient: true }) : '');
  }

  // Secrets do not wait in a closed dialogue for whoever opens it next.
  #forget() {
    this.#forgetPhrase();
    this.parts.recover.reset();
    this.bots.forget();
    this.#nameRefused(null);
    this.#tell(this.parts['recover-refused'], null);
  }
}

function deviceRow({ current, created_ms, used_ms }) {
  const used = used_ms ? ` · last used ${dayText(used_ms)}` : '';
  return make(
    'li',
    { 'data-testid': 'device' },
    make('span', {}, current ? 'This device' : 'Another device'),
    make('span', { class: 'hint' }, `since ${dayText(created_ms)}${used}`),
  );
}
