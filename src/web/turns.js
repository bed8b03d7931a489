// How many games wait for one's move elsewhere: a number beside the page's name, on every page but the
// first, which lists them.
//
// A turn is no change of any list, so the server is asked: with each page, after each connection, when
// the page is looked at again, and once a minute while it is.

import { setText } from './dom.js';

const MINUTE_MS = 60_000;

/** Those of one's tables, but for the one that is `here`, where it is one's own turn. */
export function waitingElsewhere(tables, here) {
  return tables.filter(({ my_turn, listing }) => my_turn && listing.table !== here).length;
}

export class Turns {
  #asked = 0;

  /** `here()` is the table that the page shows, or null. */
  constructor({ link, account, sign, here }) {
    Object.assign(this, { link, account, sign, here });
    const looked = () => { if (!document.hidden) this.refresh(); };
    document.addEventListener('visibilitychange', looked);
    setInterval(looked, MINUTE_MS);
    link.on('welcome', () => this.refresh());
  }

  /** Asks anew. */
  async refresh() {
    if (!this.link.online) return;
    this.#asked += 1;
    const asked = this.#asked;
    // What was known stays where the server does not answer; the next look asks again.
    const answer = await this.account.tables().catch(() => null);
    if (answer && asked === this.#asked) this.#show(waitingElsewhere(answer.tables, this.here()));
  }

  #show(count) {
    const { sign } = this;
    sign.hidden = count === 0;
    setText(sign, count ? String(count) : '');
    const games = count === 1 ? 'One of your other games waits' : `${count} of your other games wait`;
    sign.setAttribute('aria-label', `${games} for your move`);
    sign.title = `${games} for your move`;
  }
}
