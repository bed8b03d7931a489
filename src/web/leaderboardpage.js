// The leaderboards: one for each game at each speed, a page at a time. The address carries which, so
// that it can be sent to somebody.

import { ask, failureText } from './api.js';
import { fromTemplate, make, set, setText } from './dom.js';
import { playerPath } from './profilepage.js';
import { GAMES, SPEEDS, SURE, classText, dayText, recordText } from './rating.js';

export class LeaderboardPage {
  #closed = false;
  #asked = 0;

  constructor({ attention, me }) {
    Object.assign(this, { attention, me });
    const { root, parts } = fromTemplate('leaderboard-page');
    Object.assign(this, { root, parts });
    const asked = new URLSearchParams(location.search);
    const known = (name, among, usual) => (asked.get(name) in among ? asked.get(name) : usual);
    this.game = known('game', GAMES, 'hex');
    this.speed = known('speed', SPEEDS, 'rapid');
    this.page = Math.max(1, Number.parseInt(asked.get('page'), 10) || 1);
    const choices = (select, among, chosen) => select.replaceChildren(
      ...Object.entries(among).map(([value, text]) => make('option', { value, selected: value === chosen }, text)),
    );
    const speeds = Object.entries(SPEEDS).map(([speed, means]) => [speed, `${speed}: ${means}`]);
    choices(parts.game, GAMES, this.game);
    choices(parts.speed, Object.fromEntries(speeds), this.speed);
    parts.choice.addEventListener('change', () => {
      Object.assign(this, { game: parts.game.value, speed: parts.speed.value, page: 1 });
      this.#ask();
    });
    parts.choice.addEventListener('submit', (event) => event.preventDefault());
    parts.back.addEventListener('click', () => this.#turn(-1));
    parts.on.addEventListener('click', () => this.#turn(1));
    parts.again.addEventListener('click', () => this.#ask());
    this.#ask();
  }

  get title() {
    return `${classText(this)} · leaderboard · hexhall`;
  }

  close() {
    this.#closed = true;
  }

  onEvent() {}

  onLobby() {}

  onWelcome() {
    this.#mark();
  }

  #turn(by) {
    this.page += by;
    this.#ask();
  }

  async #ask() {
    this.#asked += 1;
    const asked = this.#asked;
    const { game, speed, page } = this;
    history.replaceState(null, '', `/leaderboard?${new URLSearchParams({ game, speed, page })}`);
    this.attention.about(this.title);
    const answer = await ask(`/v1/leaderboards/${game}/${speed}?page=${page}`).catch((refused) => ({ refused }));
    // Another may have been asked for meanwhile.
    if (asked === this.#asked && !this.#closed) this.#show(answer);
  }

  #show({ places = [], players = 0, next = null, refused = null }) {
    const { parts } = this;
    parts.failed.hidden = !refused;
    if (refused) setText(parts.why, failureText(refused));
    parts.empty.hidden = !!refused || places.length > 0;
    setText(parts.empty, players > 0 ? 'Nobody stands this far down.'
      : 'Nobody yet: a place is for whoever has played a dozen rated games or so, and one of them within 45 days.');
    parts.board.hidden = places.length === 0;
    parts.places.replaceChildren(...places.map((place) => this.#place(place)));
    parts.pages.hidden = places.length === 0 || (next === null && this.page === 1);
    parts.back.disabled = this.page === 1;
    parts.on.disabled = next === null;
    setText(parts.page, `page ${this.page}`);
    setText(parts.count, players ? String(players) : '');
    this.#mark();
    parts.root.dataset.shows = `${this.game}-${this.speed}`;
  }

  // Marks the place of whoever looks, who may be known later than the places.
  #mark() {
    for (const row of this.parts.places.children) set(row, 'data-mine', row.dataset.player === this.me());
  }

  #place({ rank, player, rating, deviation, updated_ms, ...record }) {
    const name = make('a', { class: 'who', href: playerPath(player.id), 'data-link': true }, player.name);
    return make(
      'tr',
      { 'data-testid': 'place', 'data-player': player.id },
      make('td', {}, String(rank)),
      make('td', {}, name),
      make('td', {}, make('b', {}, String(rating)), make('span', { class: 'hint', title: SURE }, ` ± ${2 * deviation}`)),
      make('td', { class: 'hint wide' }, recordText(record)),
      make('td', { class: 'hint wide' }, dayText(updated_ms)),
    );
  }
}
