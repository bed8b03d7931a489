// Finding an opponent, on the first page: the pools, what one waits for, and the seeks of others.

import { make, recall, remember, setText } from './dom.js';
import { optionsText } from './options.js';
import {
  poolText, ratingText, reachText, waitText,
} from './seeks.js';

const TICK_MS = 1_000;

const RATED = 'pools-rated';

export class Hall {
  #seeks = null;
  #timer = null;
  #pools = '';

  /** `parts` are those of the page; `me()` is this player's id, if it is known. */
  constructor({ parts, seeker, me }) {
    Object.assign(this, { parts, seeker, me });
    this.unwatch = seeker.watch(() => this.#showOwn());
    const rated = parts['pools-rated'];
    rated.checked = recall(RATED, true);
    rated.addEventListener('change', () => remember(RATED, rated.checked));
    this.#showOwn();
    this.showSeeks(null);
  }

  close() {
    clearInterval(this.#timer);
    this.unwatch();
  }

  /** Shows the pools that there are. */
  showPools(pools) {
    const made = JSON.stringify(pools);
    if (made === this.#pools) return;
    this.#pools = made;
    this.parts.pools.replaceChildren(...pools.map((pool) => this.#pool(pool)));
    this.#showOwn();
  }

  /** Shows the seeks of others; null while they are not known. */
  showSeeks(seeks) {
    this.#seeks = seeks;
    const others = (seeks ?? []).filter(({ player }) => player.id !== this.me());
    const oldest = [...others].sort((a, b) => a.since_ms - b.since_ms);
    const rows = oldest.map((seek) => this.#row(seek));
    const none = seeks ? 'Nobody has asked for a game of their own. “Ask for an opponent” under “New table” puts yours here.' : 'Looking …';
    const empty = make('li', { class: 'empty', 'data-testid': 'no-seeks' }, none);
    this.parts.seeks.replaceChildren(...(rows.length ? rows : [empty]));
  }

  /** Shows how many players are connected. */
  showOnline(players) {
    setText(this.parts.online, players === null ? '' : `${players} ${players === 1 ? 'player' : 'players'} online`);
  }

  #pool({ pool, options, unrated }) {
    const { title, what } = poolText(options);
    const button = make(
      'button',
      { type: 'button', class: 'pool', 'data-pool': pool, 'data-testid': `pool-${pool}` },
      make('b', {}, title),
      make('span', {}, what),
      unrated && make('span', {}, 'never rated'),
    );
    button.addEventListener('click', () => {
      const own = this.seeker.state.seeks.find((seek) => seek.pool === pool);
      if (own) this.seeker.cancel(own.seek);
      else this.seeker.seek(this.#wish(pool, options, unrated));
    });
    return button;
  }

  #wish(pool, options, unrated = false) {
    const rated = this.parts['pools-rated'].checked && !unrated;
    return { pool, shown: { ...options, rated }, ...(rated && { rated }) };
  }

  #showOwn() {
    const { seeks } = this.seeker.state;
    const pools = new Set(seeks.map(({ pool }) => pool));
    for (const button of this.parts.pools.children) {
      button.setAttribute('aria-pressed', String(pools.has(button.dataset.pool)));
    }
    this.parts.waiting.hidden = !seeks.length;
    this.parts.waits.replaceChildren(...seeks.map((seek) => this.#wait(seek)));
    clearInterval(this.#timer);
    if (seeks.length) this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  #wait({ seek, options, since }) {
    const cancel = make('button', { class: 'quiet', 'data-testid': 'cancel-seek' }, 'Cancel');
    cancel.addEventListener('click', () => this.seeker.cancel(seek));
    return make(
      'li',
      { 'data-testid': 'waiting-seek' },
      make('span', { class: 'who' }, poolText(options).title, ' · ', make('span', { 'data-testid': 'waited', 'data-since': since }, waitText(Date.now() - since))),
      make('span', { class: 'row' }, cancel),
      make('span', { class: 'hint what' }, optionsText(options), make('br'), make('span', { 'data-testid': 'reach', 'data-reach': since }, reachText(Date.now() - since))),
    );
  }

  // Only the times, so that whoever is about to press a button presses it.
  #tick() {
    for (const time of this.parts.waits.querySelectorAll('[data-since]')) {
      setText(time, waitText(Date.now() - Number(time.dataset.since)));
    }
    for (const reach of this.parts.waits.querySelectorAll('[data-reach]')) {
      setText(reach, reachText(Date.now() - Number(reach.dataset.reach)));
    }
  }

  #row(listed) {
    const { seek, player, options } = listed;
    const play = make('button', { class: 'primary', 'data-testid': 'answer-seek' }, 'Play');
    play.addEventListener('click', () => this.seeker.seek({ answer: seek }));
    return make(
      'li',
      { 'data-seek': seek, 'data-testid': 'seek' },
      make('span', { class: 'who' }, `${player.name} (${ratingText(listed)})`),
      make('span', { class: 'row' }, play),
      make('span', { class: 'hint what' }, optionsText(options)),
    );
  }
}
