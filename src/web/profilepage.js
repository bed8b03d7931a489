// A player's page: ratings, how one of them came about, and games.
//
// Owns what the server has told of the player; the games come a page at a time. On one's own page
// they are all of one's games, private and running ones too, once it is known who one is.

import { ask, failureText } from './api.js';
import { draw, fromTemplate, make, set, setText } from './dom.js';
import { seatsText } from './listing.js';
import { optionsText } from './options.js';
import {
  SURE, changeText, classText, dayText, line, opponentOf, outcomeText, ratingText, recordText,
} from './rating.js';
import { replayPath } from './records.js';
import { toast } from './toast.js';

/** The address of a player's page. */
export function playerPath(id) {
  return `/player/${encodeURIComponent(id)}`;
}

const WIDTH = 320;
const HEIGHT = 90;

export class ProfilePage {
  #closed = false;
  #next = null;
  #own = false;
  #shown = null;

  constructor({
    link, attention, onGone, player,
  }) {
    Object.assign(this, {
      link, attention, onGone, player,
    });
    const { root, parts } = fromTemplate('player-page');
    Object.assign(this, { root, parts });
    this.path = `/v1/players/${encodeURIComponent(player)}`;
    this.title = 'hexhall';
    parts.more.addEventListener('click', () => this.#more());
    root.hidden = true;
    this.#begin();
  }

  close() {
    this.#closed = true;
  }

  onEvent() {}

  onLobby() {}

  async onWelcome() {
    this.#showDeeds();
    const { parts, root } = this;
    // What is not there yet asks for the right list by itself.
    if (this.#own || root.hidden || !this.#isMe()) return;
    try {
      this.#own = true;
      const games = await ask(this.#games());
      if (this.#closed) return;
      parts.games.replaceChildren();
      this.#list(games);
    } catch (refused) {
      // Those that everybody may see stay.
      this.#own = false;
      toast(failureText(refused), 'error');
    }
  }

  // Whether this is one's own page, as far as is known yet.
  #isMe() {
    return this.link.welcome?.player.id === this.player;
  }

  // Where a list of the games is.
  #games() {
    return this.#own ? '/v1/me/games' : `${this.path}/games`;
  }

  // What can be done about the player: nothing about oneself, or about nobody yet.
  #showDeeds() {
    const { deeds, name } = this.parts;
    deeds.hidden = !this.link.welcome || this.#isMe() || !name.textContent;
  }

  async #begin() {
    try {
      this.#own = this.#isMe();
      const [profile, games] = await Promise.all([ask(this.path), ask(this.#games())]);
      if (this.#closed) return;
      this.#show(profile);
      this.#list(games);
      this.onWelcome();
    } catch (refused) {
      if (this.#closed) return;
      const nobody = ['unknown_player', 'bad_request'].includes(refused.code);
      const text = nobody ? 'There is no player with this name.' : failureText(refused);
      this.onGone(nobody ? 'unknown_player' : refused.code, text, { again: !nobody });
    }
  }

  #show({ name, since_ms, ratings }) {
    const { parts, root } = this;
    this.title = `${name} · hexhall`;
    this.attention.about(this.title);
    root.hidden = false;
    setText(parts.name, name);
    set(parts.deeds, 'data-who', this.player);
    set(parts.deeds, 'data-name', name);
    this.#showDeeds();
    setText(parts.since, `here since ${dayText(since_ms)}`);
    parts.none.hidden = ratings.length > 0;
    parts.ratings.replaceChildren(...ratings.map((rating) => this.#rating(rating)));
    const most = [...ratings].sort((a, b) => games(b) - games(a))[0];
    if (most) this.#chart(most);
  }

  // A rating, and the way to its history.
  #rating(rating) {
    const { game, speed, deviation, provisional, rank } = rating;
    const place = rank !== null && `place ${rank}`;
    const known = provisional ? `provisional, ± ${2 * deviation}` : `± ${2 * deviation}`;
    const button = make(
      'button',
      { type: 'button', class: 'rating', 'data-class': `${game}-${speed}`, 'data-testid': `rating-${game}-${speed}`, 'aria-pressed': 'false' },
      make('span', { class: 'hint' }, classText(rating)),
      make('b', {}, ratingText(rating)),
      make('span', { class: 'hint', title: SURE }, [place, known].filter(Boolean).join(' · ')),
      make('span', { class: 'hint' }, recordText(rating)),
    );
    button.addEventListener('click', () => this.#chart(rating));
    return make('li', {}, button);
  }

  // Shows how a rating came about.
  async #chart(rating) {
    const { parts } = this;
    const chosen = `${rating.game}-${rating.speed}`;
    this.#shown = chosen;
    for (const button of parts.ratings.querySelectorAll('button')) {
      set(button, 'aria-pressed', String(button.dataset.class === chosen));
    }
    setText(parts['chart-title'], classText(rating));
    parts.history.hidden = false;
    let content;
    try {
      const { changes } = await ask(`${this.path}/history/${rating.game}/${rating.speed}`);
      content = chart(changes);
    } catch (refused) {
      content = make('p', { class: 'hint' }, `The history cannot be shown. ${failureText(refused)}`);
    }
    // Another may have been chosen while this one was on its way.
    if (this.#shown !== chosen || this.#closed) return;
    parts.chart.replaceChildren(content);
    set(parts.chart, 'data-shows', chosen);
  }

  async #more() {
    const { more } = this.parts;
    more.disabled = true;
    try {
      const games = await ask(`${this.#games()}?before=${encodeURIComponent(this.#next)}`);
      if (!this.#closed) this.#list(games);
    } catch (refused) {
      toast(failureText(refused), 'error');
    }
    more.disabled = false;
  }

  #list({ running = [], games, next }) {
    const { parts } = this;
    this.#next = next;
    setText(parts['no-games'], this.#own ? 'No games yet.' : 'No games at public tables yet.');
    parts.games.append(...running.map(runningRow), ...games.map(gameRow));
    parts['no-games'].hidden = parts.games.childElementCount > 0;
    parts.more.hidden = next === null;
  }
}

function games({ wins, losses, draws }) {
  return wins + losses + draws;
}

// A game of one's own that runs. A private table's address with its invitation is on the home page.
function runningRow({ game, table, options, own, private: hidden, seats, to_move }) {
  const turn = own.includes(to_move);
  return make(
    'li',
    { 'data-game': game, 'data-testid': 'running' },
    make('span', { class: 'row' }, make('span', { class: 'how' }, seatsText({ seats })), hidden && PRIVATE(), make('span', { class: 'chip phase' }, turn ? 'your turn' : 'playing')),
    make('a', { class: 'button', href: `/t/${encodeURIComponent(table)}`, 'data-link': true, 'data-testid': 'play' }, turn ? 'Play' : 'Return'),
    make('span', { class: 'hint what' }, optionsText(options)),
  );
}

const PRIVATE = () => make('span', { class: 'chip', title: 'Nobody else has this game in a list', 'data-testid': 'private' }, 'private');

function gameRow(listed) {
  const { game, seat, options, outcome, change, finished_ms, private: hidden } = listed;
  const opponent = opponentOf(listed);
  const name = opponent && !opponent.cpu
    ? make('a', { class: 'who', href: playerPath(opponent.id), 'data-link': true }, opponent.name)
    : make('span', { class: 'who' }, opponent?.name ?? 'on one device');
  const how = make('span', { class: 'how' }, outcomeText(listed));
  const by = change && make('span', { class: 'chip change', title: 'The rating after this game', 'data-fell': change.after < change.before }, changeText(change));
  return make(
    'li',
    { 'data-game': game, 'data-testid': 'played', 'data-won': opponent !== null && outcome.winner === seat },
    make('span', { class: 'row' }, how, opponent && ' against ', name, by, hidden && PRIVATE()),
    make('a', { class: 'button', href: replayPath(game), 'data-link': true, 'data-testid': 'record' }, 'Replay'),
    make('span', { class: 'hint what' }, `${optionsText(options)} · ${dayText(finished_ms)}`),
  );
}

// A rating's history as a picture; the numbers in it are said in its label.
function chart(changes) {
  const drawn = line(changes, WIDTH, HEIGHT);
  if (!drawn) return make('p', { class: 'hint' }, 'There is no history yet.');
  const { points, low, high } = drawn;
  const last = points.at(-1);
  const label = `From ${changes[0].before} to ${changes.at(-1).after} in ${changes.length} ${changes.length === 1 ? 'game' : 'games'}; lowest ${low}, highest ${high}.`;
  const text = (y, rating) => draw('text', { x: -6, y, 'text-anchor': 'end', 'dominant-baseline': 'middle' }, String(rating));
  return draw(
    'svg',
    { class: 'history-line', viewBox: `-40 -10 ${WIDTH + 50} ${HEIGHT + 20}`, role: 'img', 'aria-label': label },
    draw('line', { class: 'bound', x1: 0, x2: WIDTH, y1: 0, y2: 0 }),
    draw('line', { class: 'bound', x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT }),
    text(0, high),
    high > low ? text(HEIGHT, low) : null,
    draw('polyline', { points: points.map((point) => point.map((n) => n.toFixed(1)).join()).join(' ') }),
    draw('circle', { cx: last[0].toFixed(1), cy: last[1].toFixed(1), r: 3.5 }),
  );
}
