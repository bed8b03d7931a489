// What the operator has told one: shown one after another, each until it is acknowledged.
//
// Owns those that are known and not acknowledged. The server keeps a notice until it hears that it
// was read, so that one which could not be told is shown again at the next return. A notice is shown
// in a dialogue, and while one plays in a place beside the board, which a dialogue would cover.

import { partsOf, setText } from './dom.js';
import { momentText, noticeTitle } from './mannerwords.js';
import { refusalText } from './words.js';

/** The notices that wait, after more of them are known: each once, the oldest first. */
export function gathered(waiting, more) {
  const known = new Set(waiting.map(({ id }) => id));
  return [...waiting, ...more.filter(({ id }) => !known.has(id))].sort((a, b) => a.at_ms - b.at_ms);
}

export class Notices {
  #waiting = [];
  #done = new Set();
  #place = null;
  // The notice that has been announced while it stands aside.
  #announced = null;

  /** `mention(text)` says a sentence in passing. */
  constructor({ root, account, mention }) {
    Object.assign(this, { root, account, mention });
    const parts = partsOf(root);
    this.parts = parts;
    // It is acknowledged, or stays, even where a browser closes it all the same.
    root.addEventListener('cancel', (event) => event.preventDefault());
    root.addEventListener('close', () => this.#show());
    parts['notice-read'].addEventListener('click', () => this.#read());
  }

  /** More notices are known. */
  tell(notices) {
    this.#waiting = gathered(this.#waiting, notices.filter(({ id }) => !this.#done.has(id)));
    this.#show();
  }

  /** Where notices stand in the page while a dialogue would be in the way; null where it would not. */
  aside(place) {
    if (place === this.#place) return;
    this.#place = place;
    this.#show();
  }

  #show() {
    const { root, parts } = this;
    const [notice] = this.#waiting;
    const place = notice ? this.#place : null;
    const home = place ?? root;
    // Moved only when it has to be: whoever is about to press its button presses it.
    if (parts['notice-body'].parentElement !== home) home.append(parts['notice-body']);
    if (!notice || place) root.close();
    if (!notice) return;
    setText(parts['notice-title'], noticeTitle(notice));
    setText(parts['notice-text'], notice.text);
    // What ends needs no reason.
    parts['notice-text'].hidden = !notice.text;
    setText(parts['notice-when'], momentText(notice.at_ms));
    this.#refuse(null);
    if (!place && !root.open) root.showModal();
    if (!place || this.#announced === notice.id) return;
    this.#announced = notice.id;
    this.mention(`${noticeTitle(notice)}. It stands by the board until you have read it.`);
  }

  async #read() {
    const [{ id }] = this.#waiting;
    const button = this.parts['notice-read'];
    button.disabled = true;
    try {
      await this.account.readNotice(id);
    } catch (refused) {
      // Read on another device already.
      if (!refused.code?.startsWith('unknown_')) {
        this.#refuse(refused);
        return;
      }
    } finally {
      button.disabled = false;
    }
    this.#done.add(id);
    this.#waiting = this.#waiting.filter((notice) => notice.id !== id);
    this.#show();
  }

  #refuse(refused) {
    if (refused && !refused.code) throw refused;
    const part = this.parts['notice-refused'];
    part.hidden = !refused;
    setText(part, refused ? refusalText(refused, { patient: true }) : '');
  }
}
