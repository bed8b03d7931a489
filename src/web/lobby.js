// The first page: opening a table, and the live list of public ones.

import { cpuIcon, fromTemplate, make, recall, setText } from './dom.js';
import { hasFreeSeat, isSeated, levelAt, listed, parted, seatsText } from './listing.js';
import { Hall } from './hall.js';
import { openForm } from './openform.js';
import { optionsText } from './options.js';
import { listedSeeks, online } from './seeks.js';
import { toastRefusal } from './toast.js';

/** The address of a table's page. */
export function tablePath(table, invitation) {
  const query = invitation ? `?invitation=${encodeURIComponent(invitation)}` : '';
  return `/t/${encodeURIComponent(table)}${query}`;
}

export class LobbyPage {
  #tables = null;
  #seeks = null;
  #online = null;
  // The rows that are shown: by table, what each was made from, and its element.
  #rows = new Map();

  /** `named` resolves once a name that was typed and not saved is told to the server. */
  constructor({
    link, go, named, seeker,
  }) {
    Object.assign(this, { link, go, named });
    const { root, parts } = fromTemplate('lobby-page');
    this.root = root;
    this.parts = parts;
    this.hall = new Hall({ parts, seeker, me: () => link.welcome?.player.id });
    openForm(parts, (asked) => this.#open(asked), (asked) => seeker.seek(asked));
    link.follow('lobby', () => ['lobby'], (reply) => this.#showAll(reply));
    this.#show(null);
  }

  get title() {
    return 'hexhall';
  }

  onLobby(frame) {
    if (!this.#tables) return;
    this.#show(listed(this.#tables, frame));
    const [seeks, players] = [listedSeeks(this.#seeks, frame), online(this.#online, frame)];
    if (seeks !== this.#seeks) this.#showSeeks(seeks);
    if (players !== this.#online) this.#showOnline(players);
  }

  onEvent() {}

  onWelcome() {
    this.#show(this.#tables);
  }

  close() {
    this.link.unfollow('lobby', ['leave_lobby']);
    this.hall.close();
  }

  #showAll({
    tables, seeks, players, pools,
  }) {
    this.#show(tables);
    this.hall.showPools(pools);
    this.#showSeeks(seeks);
    this.#showOnline(players);
  }

  #showSeeks(seeks) {
    this.#seeks = seeks;
    this.hall.showSeeks(seeks);
  }

  #showOnline(players) {
    this.#online = players;
    this.hall.showOnline(players);
  }

  #open(asked) {
    this.named()
      .then(() => this.link.request('open', asked))
      .then(({ view, invitation }) => this.go(tablePath(view.table, invitation)))
      .catch(toastRefusal);
  }

  #join(table) {
    this.named()
      .then(() => this.link.request('join', { table }))
      .then(() => this.go(tablePath(table)))
      .catch(toastRefusal);
  }

  #show(tables) {
    this.#tables = tables;
    const me = this.link.welcome?.player.id;
    const { own, others } = parted(tables ?? [], me);
    setText(this.parts.count, others.length ? String(others.length) : '');
    const before = this.#rows;
    this.#rows = new Map();
    const row = (listing) => this.#keptRow(listing, me, before);
    const path = recall('private', null);
    const owned = [...(path ? [privateRow(path)] : []), ...own.map(row)];
    const rows = others.length ? others.map(row) : [emptyRow(tables, own)];
    const focused = document.activeElement;
    this.parts.yours.hidden = !owned.length;
    this.parts.own.replaceChildren(...owned);
    this.parts.tables.replaceChildren(...rows);
    if (focused.isConnected && focused !== document.activeElement) focused.focus();
  }

  // A row that says the same stays the same element, under the pointer and the keyboard's focus.
  #keptRow(listing, me, before) {
    const made = JSON.stringify([listing, me]);
    const kept = before.get(listing.table);
    const row = kept?.made === made ? kept.row : this.#row(listing, me);
    this.#rows.set(listing.table, { made, row });
    return row;
  }

  #row(listing, me) {
    const { table, phase, options } = listing;
    const mine = isSeated(listing, me);
    const free = hasFreeSeat(listing) && !mine;
    const level = levelAt(listing);
    const enter = make('a', {
      class: mine ? 'button primary' : 'button', href: tablePath(table), 'data-link': true,
      'data-testid': mine ? 'return' : 'watch',
    }, mine ? 'Return' : 'Watch');
    const join = free ? make('button', { class: 'primary', 'data-testid': 'join' }, 'Join') : null;
    join?.addEventListener('click', () => this.#join(table));
    return make(
      'li',
      { 'data-table': table, 'data-phase': phase, 'data-cpu': level, 'data-testid': 'listing' },
      make('span', { class: 'who' }, seatsText(listing)),
      make('span', { class: 'chips' }, level && make('span', { class: 'chip cpu' }, cpuIcon(), 'computer'), make('span', { class: 'chip phase' }, phase)),
      make('span', { class: 'hint what' }, optionsText(options)),
      make('span', { class: 'row' }, join, enter),
    );
  }
}

function emptyRow(tables, own) {
  const nobody = own.length ? 'Nobody else has a public table open.'
    : 'Nobody has a public table open. Open one, and it appears here for everyone.';
  return make(
    'li',
    { class: 'empty', 'data-testid': 'no-tables' },
    tables ? nobody : 'Looking for tables …',
  );
}

// A private table is on nobody's list: the way back to one's own is kept in this browser.
function privateRow(path) {
  return make(
    'li',
    {},
    make('span', { class: 'who' }, 'Your private table'),
    make('span', { class: 'row' }, make('a', {
      class: 'button primary', href: path, 'data-link': true, 'data-testid': 'return-private',
    }, 'Return')),
  );
}
