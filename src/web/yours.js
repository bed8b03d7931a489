// "Your games": the tables where one sits, with one press back to one's seat.
//
// The server is asked when the page opens or is looked at again, when the list of tables tells of a
// change of one of them, and once a minute while the page is looked at, because a turn is no change
// of the list.

import { cpuIcon, make, recall } from './dom.js';
import { isSeated, levelAt, seatsText } from './listing.js';
import { optionsText } from './options.js';
import { inOrder, waitingText } from './waiting.js';

const MINUTE_MS = 60_000;

export class Yours {
  #tables = null;
  #ahead = 0;
  #asking = false;
  #askAgain = false;
  #timer = null;

  /** `path` gives a table's address. */
  constructor({ link, account, parts, path }) {
    Object.assign(this, { link, account, parts, path });
    this.looked = () => { if (!document.hidden) this.refresh(); };
    document.addEventListener('visibilitychange', this.looked);
    addEventListener('focus', this.looked);
    this.#timer = setInterval(this.looked, MINUTE_MS);
    this.#show();
    this.refresh();
  }

  close() {
    document.removeEventListener('visibilitychange', this.looked);
    removeEventListener('focus', this.looked);
    clearInterval(this.#timer);
    this.closed = true;
  }

  /** A table on the list has changed, or is gone from it. */
  onLobby(frame) {
    const table = frame.table ?? frame.listing?.table;
    const known = this.#tables?.some(({ listing }) => listing.table === table);
    const me = this.link.welcome?.player.id;
    if (frame.lobby === 'tables' || known || (frame.listing && isSeated(frame.listing, me))) this.refresh();
  }

  /** Asks anew; one question at a time. */
  async refresh() {
    if (!this.link.online) return;
    if (this.#asking) {
      this.#askAgain = true;
      return;
    }
    this.#asking = true;
    do {
      this.#askAgain = false;
      try {
        const { tables, now_ms } = await this.account.tables();
        this.#tables = tables;
        // By the server's clock: this device's may be set otherwise.
        this.#ahead = now_ms - Date.now();
        if (!this.closed) this.#show();
      } catch (refused) {
        // What was known stays; the next look asks again.
        if (!refused.code) throw refused;
      }
    } while (this.#askAgain && !this.closed);
    this.#asking = false;
  }

  #show() {
    const { own, none } = this.parts;
    const rows = inOrder(this.#tables ?? []).map((table) => this.#row(table));
    own.hidden = !rows.length;
    none.hidden = rows.length > 0;
    none.textContent = this.#tables
      ? 'No game waits for you. Open a table or join one: it is kept here until it is over.'
      : 'Looking for your games …';
    // Whoever is about to press a row presses it.
    const at = own.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
    own.replaceChildren(...rows);
    if (at) own.querySelector(`a[href="${CSS.escape(at)}"]`)?.focus();
  }

  #row(table) {
    const { listing, my_turn, private: hidden } = table;
    const path = this.path(listing.table);
    // The address with the invitation, which is told to whoever opened the table and kept here.
    const kept = recall('private', null);
    const level = levelAt(listing);
    return make(
      'li',
      {
        'data-table': listing.table, 'data-phase': listing.phase, 'data-mine': my_turn,
        'data-testid': 'waiting',
      },
      make('span', { class: 'who' }, seatsText(listing)),
      make(
        'span', { class: 'chips' },
        level && make('span', { class: 'chip cpu' }, cpuIcon(), 'computer'),
        hidden && make('span', { class: 'chip' }, 'private'),
        make('span', { class: 'chip phase' }, my_turn ? 'your turn' : listing.phase),
      ),
      make(
        'span', { class: 'hint what' },
        make('span', { class: 'since', 'data-testid': 'since' }, waitingText(table, Date.now() + this.#ahead)),
        make('br'),
        optionsText(listing.options),
      ),
      make('span', { class: 'row' }, make('a', {
        class: my_turn ? 'button primary' : 'button',
        href: kept?.startsWith(`${path}?`) ? kept : path,
        'data-link': true,
        'data-testid': hidden ? 'return-private' : 'return',
      }, my_turn ? 'Play' : 'Return')),
    );
  }
}
