// A game's replay: any position, and in Dark Hex from either player's eyes or the umpire's.
//
// Owns the records that it has been given, one for each pair of eyes. What those eyes may see is the
// server's to say: each record is asked for as theirs. The address carries `ply` and `as`, so that a
// position can be sent to somebody.

import { Board } from './board.js';
import { fromTemplate, set, setText } from './dom.js';
import { History } from './history.js';
import { look, lookTools } from './look.js';
import { gameText, isDark, optionsText } from './options.js';
import { changesText } from './rating.js';
import { changesOf } from './ratings.js';
import { recordLinks, recordPath, replayPath } from './records.js';
import { EYES, captionOf, endText, fromRecord, playersText, seenAt } from './replay.js';
import { showLine } from './stage.js';
import { toast } from './toast.js';
import { refusalText } from './words.js';

const STEPS = { ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'live' };

export class ReplayPage {
  #games = new Map();
  #eyes = 'umpire';
  // What the game made of its players' ratings.
  #changes = [];
  #closed = false;
  #onKey = (event) => this.#key(event);

  constructor({
    attention, onGone, game, invitation,
  }) {
    Object.assign(this, { attention, onGone, game, invitation });
    const { root, parts } = fromTemplate('replay-page');
    Object.assign(this, { root, parts });
    this.board = new Board(parts.board);
    this.history = new History(parts, () => this.#render());
    root.hidden = true;
    parts.again.addEventListener('click', () => this.#again());
    parts.eyes.addEventListener('change', ({ target }) => this.#look(target.value));
    addEventListener('keydown', this.#onKey);
    this.untold = lookTools(parts.look, () => this.#render());
    this.#begin(new URLSearchParams(location.search));
  }

  get title() {
    const game = this.#shown();
    return game ? `${playersText(game)} · ${gameText(game.options)} · hexhall` : 'hexhall';
  }

  close() {
    this.#closed = true;
    removeEventListener('keydown', this.#onKey);
    this.untold();
  }

  onEvent() {}

  onLobby() {}

  onWelcome() {}

  #shown() {
    return this.#games.get(this.#eyes);
  }

  // The whole record first, which says which game it is; then what the address asks for.
  async #begin(asked) {
    try {
      const whole = await this.#ask('umpire');
      const eyes = EYES.includes(asked.get('as')) && isDark(whole.options) ? asked.get('as') : 'umpire';
      if (eyes !== 'umpire') await this.#ask(eyes);
      if (this.#closed) return;
      this.#eyes = eyes;
      this.history.show({ game: whole });
      const ply = asked.get('ply');
      if (/^\d+$/.test(ply) && Number(ply) < whole.moves.length) this.history.go(Number(ply));
      this.#render();
      if (whole.end) this.#askChanges();
    } catch (refused) {
      if (!this.#closed) this.#gone(refused);
    }
  }

  // Where the server does not answer, nothing is said of ratings, and nothing else is amiss.
  async #askChanges() {
    this.#changes = await changesOf(this.game).catch(() => []);
    if (!this.#closed) this.#render();
  }

  // The game as those eyes saw it, asked for once.
  async #ask(eyes) {
    if (!this.#games.has(eyes)) {
      const { invitation } = this;
      const as = eyes === 'umpire' ? undefined : eyes;
      const response = await fetch(recordPath(this.game, 'json', { as, invitation }));
      const answer = await response.json();
      if (!response.ok) throw answer;
      this.#games.set(eyes, fromRecord(answer));
    }
    return this.#games.get(eyes);
  }

  #gone({ code, message }) {
    const again = !['unknown_game', 'bad_request', 'not_invited'].includes(code);
    const text = GONE[code] ?? (code ? refusalText({ code, message }) : 'The server cannot be reached.');
    this.onGone(code === 'bad_request' ? 'unknown_game' : code, text, { again });
  }

  async #look(eyes) {
    try {
      await this.#ask(eyes);
      this.#eyes = eyes;
    } catch (refused) {
      toast(refused.code ? refusalText(refused) : 'The server cannot be reached.', 'error');
    }
    if (!this.#closed) this.#render();
  }

  #again() {
    this.#games.clear();
    this.#begin(new URLSearchParams(location.search));
  }

  #key(event) {
    const step = STEPS[event.key];
    const typing = event.target.closest?.('input:not([type=radio]), select, textarea');
    // The eyes are chosen among by the arrows, as in any group of choices.
    const choosing = event.target.type === 'radio';
    if (!step || !this.#shown() || typing || choosing) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    this.history.step(step);
  }

  #render() {
    const game = this.#shown();
    if (!game) return;
    const { parts } = this;
    this.root.hidden = false;
    this.history.show({ game });
    const { ply } = this.history;
    this.board.lay(game.options.rows, game.options.cols, look());
    this.board.show(seenAt(game, this.#eyes, ply));
    setText(parts.caption, captionOf(game, ply));
    setText(parts.players, playersText(game));
    setText(parts.game, gameText(game.options));
    set(parts.game, 'data-dark', isDark(game.options));
    setText(parts.date, game.date ?? '');
    setText(parts.options, optionsText(game.options));
    this.#renderEnd(game);
    parts.eyes.hidden = !isDark(game.options);
    for (const input of parts.eyes.querySelectorAll('input')) {
      input.checked = input.value === this.#eyes;
    }
    parts.legend.hidden = this.#eyes === 'umpire';
    setText(parts['legend-text'], `a stone that ${this.#eyes === '1' ? 'red' : 'blue'} ran into`);
    this.#renderLinks(ply);
    this.attention.about(this.title);
  }

  #renderEnd(game) {
    const { result, running } = this.parts;
    const text = endText(game);
    running.hidden = !!text;
    showLine(result, text);
    this.parts.rated.hidden = !this.#changes.length;
    showLine(this.parts.changes, changesText(this.#changes, (seat) => game.players[seat - 1]));
    set(result, 'data-winner', game.end?.winner);
    set(result, 'data-color', game.end?.winner && game.colors[game.end.winner - 1]);
  }

  #renderLinks(ply) {
    const { picture, formats } = this.parts;
    const { game, invitation } = this;
    const as = this.#eyes === 'umpire' ? undefined : this.#eyes;
    set(picture, 'href', recordPath(game, 'svg', { ply, as, invitation }));
    if (!formats.childElementCount) formats.append(...recordLinks(game, invitation));
    const shown = Object.entries({ invitation, as, ply }).filter(([, value]) => value !== null && value !== undefined);
    const query = shown.length ? `?${new URLSearchParams(shown)}` : '';
    history.replaceState(null, '', replayPath(game) + query);
  }
}

const GONE = {
  unknown_game: 'There is no game with this name.',
  bad_request: 'This is not the name of a game.',
  not_invited: 'This game runs at a private table. Ask for its invitation link; once it is over, anyone with this address may see it.',
  game_runs: 'A game of Dark Hex can be replayed once it is over. Until then nobody may see all of it.',
};
