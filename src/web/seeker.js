// What this player seeks, on whichever page they are: asks, shows the ready check, and goes to the
// table of a match.

import { partsOf, recall, remember, setText } from './dom.js';
import {
  NOTHING, answered, begun, endText, readyText, secondsLeft, seekingText, sought, waitsOnText, wishOf,
} from './seeks.js';
import { chime } from './sound.js';
import { toast, toastRefusal } from './toast.js';

const TICK_MS = 250;
const MATCH = 'match';
const TAB = { tab: true };

export class Seeker {
  #watchers = new Set();
  #timer = null;
  // A seek of somebody else's has been answered, and nothing was heard of it.
  #answering = false;
  // The last match: its table, and what was sought. A reload forgets neither.
  #match = recall(MATCH, null, TAB);

  /** `goTo(table)` shows a table's page; `named()` resolves once a typed name is told. */
  constructor({
    link, attention, goTo, named,
  }) {
    Object.assign(this, {
      link, attention, goTo, named,
    });
    this.state = NOTHING;
    this.parts = partsOf(document.querySelector('[data-part=ready-check]'));
    this.sign = document.querySelector('[data-part=seeking]');
    const { 'ready-check': dialog, ready, 'not-ready': decline } = this.parts;
    ready.addEventListener('click', () => this.#ready());
    decline.addEventListener('click', () => this.#decline());
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      this.#decline();
    });
    // Seeks of an earlier connection are told anew, right after the welcome, if there are any.
    link.on('welcome', () => this.#set(NOTHING));
    link.on('lobby', (frame) => this.#hear(frame));
  }

  /** Calls `watcher` with each new state, until the function that this gives is called. */
  watch(watcher) {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /**
   * Seeks: in a `pool`, `rated` or not, by `options`, or in `answer` to another's seek. `shown` are
   * the options in full.
   */
  seek({ options, shown, ...asked }) {
    this.#answering = Boolean(asked.answer);
    this.named()
      .then(() => this.link.request('seek', { ...asked, options }))
      .then(({ seek }) => {
        // What came of an answer is told at once, and nobody waits for it.
        if (!asked.answer) this.#set(begun(this.state, { seek, pool: asked.pool, options: shown }, Date.now()));
      })
      .catch((refused) => {
        this.#answering = false;
        toastRefusal(refused);
      });
  }

  /** What led to a table, if it was a pool, to `seek` it once more; null for any other table. */
  wishFor(table) {
    return this.#match?.table === table ? this.#match.wish : null;
  }

  /** Seeks that one no more. */
  cancel(seek) {
    this.link.request('unseek', { seek }).catch(toastRefusal);
  }

  #hear(frame) {
    if (frame.lobby === 'matched') {
      const waited = this.#answering || this.state.seeks.length > 0 || this.state.check !== null;
      this.#answering = false;
      // It may be told once more, when nothing is sought.
      if (this.#match?.table !== frame.table) {
        this.#match = { table: frame.table, wish: wishOf(this.state) };
        remember(MATCH, this.#match, TAB);
      }
      this.#set(NOTHING);
      chime();
      if (waited) this.goTo(frame.table);
      else if (!location.pathname.includes(frame.table)) toast('You have been matched: your game is under “Your games”.');
      return;
    }
    if (frame.lobby === 'seek_ended') {
      const text = endText(frame.reason);
      if (text) toast(text);
    }
    const next = sought(this.state, frame, Date.now());
    const told = waitsOnText(this.state, next);
    if (told) toast(told);
    this.#set(next);
  }

  #ready() {
    this.link.request('ready', { match: this.state.check.match })
      .then(() => this.#set(answered(this.state)))
      .catch(toastRefusal);
  }

  #decline() {
    if (this.state.check) this.cancel(this.state.check.seek);
  }

  #set(state) {
    if (state === this.state) return;
    this.state = state;
    this.#show();
    for (const watcher of this.#watchers) watcher(state);
  }

  #show() {
    const { check, seeks } = this.state;
    const { 'ready-check': dialog } = this.parts;
    clearInterval(this.#timer);
    if (!check) {
      if (dialog.open) this.attention.call(null);
      dialog.close();
    } else if (!dialog.open) {
      dialog.showModal();
      chime();
      this.attention.call('Are you ready?');
    }
    if (check || seeks.length) this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
  }

  #tick() {
    const { check } = this.state;
    const seeking = seekingText(this.state, Date.now());
    this.sign.hidden = !seeking;
    setText(this.sign, seeking ?? '');
    if (!check) return;
    const left = secondsLeft(check, Date.now());
    setText(this.parts['ready-text'], readyText(this.state));
    setText(this.parts['ready-left'], `${left} s`);
    this.parts.ready.hidden = check.ready;
  }
}
