// The first page: opening a table, and the live list of public ones.

import { cpuIcon, fromTemplate, make, setText } from './dom.js';
import { Hall } from './hall.js';
import { showHow } from './how.js';
import { hasFreeSeat, levelAt, listed, othersText, parted, partyText } from './listing.js';
import { openForm } from './openform.js';
import { optionsText } from './options.js';
import { codeOf, partyPath } from './party.js';
import { playerPath } from './profilepage.js';
import { listedSeeks, online } from './seeks.js';
import { toastRefusal } from './toast.js';
import { Yours } from './yours.js';

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
    link, account, go, named, seeker,
  }) {
    Object.assign(this, { link, go, named });
    const { root, parts } = fromTemplate('lobby-page');
    this.root = root;
    this.parts = parts;
    this.yours = new Yours({ link, account, parts, path: tablePath });
    this.hall = new Hall({ parts, seeker, me: () => link.welcome?.player.id });
    openForm(parts, (asked) => this.#open(asked), (asked) => seeker.seek(asked));
    this.#bringCodeToLife();
    showHow(parts.how);
    link.follow('lobby', () => ['lobby'], (reply) => this.#showAll(reply));
    this.#show(null);
    this.#showMe();
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
    this.yours.onLobby(frame);
  }

  onEvent() {}

  onWelcome() {
    this.#show(this.#tables);
    this.#showMe();
    this.yours.refresh();
  }

  close() {
    this.yours.close();
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

  #showMe() {
    const me = this.link.welcome?.player.id;
    this.parts.me.hidden = !me;
    if (me) this.parts.me.href = playerPath(me);
  }

  #open(asked) {
    return this.named()
      .then(() => this.link.request('open', asked))
      .then(({ view, invitation }) => this.go(tablePath(view.table, invitation)));
  }

  #bringCodeToLife() {
    const { 'code-form': form, code } = this.parts;
    code.addEventListener('input', () => code.setCustomValidity(''));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const read = codeOf(code.value);
      if (read) {
        this.named().then(() => this.go(partyPath(read))).catch(toastRefusal);
        return;
      }
      code.setCustomValidity('A code has six letters and digits.');
      form.reportValidity();
    });
  }

  #join({ table, party }) {
    this.named()
      .then(() => this.link.request(party ? 'join_party' : 'join', { table }))
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
    const row = (listing) => this.#keptRow(listing, before);
    const rows = others.length ? others.map(row) : [emptyRow(tables, own)];
    const focused = document.activeElement;
    this.parts.tables.replaceChildren(...rows);
    if (focused.isConnected && focused !== document.activeElement) focused.focus();
  }

  // A row that says the same stays the same element, under the pointer and the keyboard's focus.
  #keptRow(listing, before) {
    const made = JSON.stringify(listing);
    const kept = before.get(listing.table);
    const row = kept?.made === made ? kept.row : this.#row(listing);
    this.#rows.set(listing.table, { made, row });
    return row;
  }

  #row(listing) {
    const { table, phase, options } = listing;
    const free = hasFreeSeat(listing);
    const level = levelAt(listing);
    const enter = make('a', {
      class: 'button', href: tablePath(table), 'data-link': true, 'data-testid': 'watch',
    }, 'Watch');
    const join = free ? make('button', { class: 'primary', 'data-testid': 'join' }, 'Join') : null;
    join?.addEventListener('click', () => this.#join(listing));
    return make(
      'li',
      { 'data-table': table, 'data-phase': phase, 'data-cpu': level, 'data-testid': 'listing' },
      make('span', { class: 'who' }, othersText(listing)),
      make('span', { class: 'chips' }, listing.party && make('span', { class: 'chip party' }, partyText(listing)), level && make('span', { class: 'chip cpu' }, cpuIcon(), 'computer'), listing.gone && make('span', { class: 'chip', title: 'Everybody who sits there is gone just now.' }, 'nobody there'), make('span', { class: 'chip phase' }, phase)),
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
