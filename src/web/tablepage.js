// A table's page: follows the table, keeps its state, and has the parts of the page show it.
//
// Owns the state, which only `table.js` makes. Everything that is shown is worked out from it anew
// after each change; nothing is kept in the page that a fresh view would not put right.

import { Board } from './board.js';
import { ChatPanel } from './chatpanel.js';
import { isLow } from './clock.js';
import { Controls, copy } from './controls.js';
import { hintText, playedForText } from './computer.js';
import { fromTemplate, recall, remember, set, setText } from './dom.js';
import { cellText, sameCell } from './hex.js';
import { History } from './history.js';
import { tablePath } from './lobby.js';
import {
  look, lookTools, pressesTwice, togglePressesTwice,
} from './look.js';
import {
  againstComputer, busy, canPlace, canSuggest, colorOf, curtained, mySeat, myTurn, onDevice, playing,
} from './may.js';
import { rememberLevel } from './openform.js';
import { another, gameText, isDark, optionsText } from './options.js';
import { membership } from './party.js';
import { PartyCard } from './partycard.js';
import { PlanBox } from './planbox.js';
import { canPlan, canPremove, premoveCell, withPremove } from './plans.js';
import { Players } from './players.js';
import { Ratings } from './ratings.js';
import { shown } from './seen.js';
import { click, soundOn, toggleSound, warn } from './sound.js';
import {
  showCurtain, showDark, showEnd, showHint, showLine,
} from './stage.js';
import { apply, awaitHint, hinted, pend, rejoin, withdrawPending } from './table.js';
import { announce, toast, toastRefusal } from './toast.js';
import { tell } from './told.js';
import {
  callText, refusalText, statusText, titleText, turnText, viewerText,
} from './words.js';

const TICK_MS = 100;
// How long the board stays to be seen after a move, before the curtain covers it.
const LINGER_MS = 4_000;

export class TablePage {
  #state = null;
  // Whether the last run of missed events did not join on, so that only a fresh view will do.
  #fresh = false;
  // What is still shown of a turn that has passed, where the curtain is about to cover it.
  #lingering = null;
  #lingers = null;
  #closed = false;
  // Where a stone would stand after a second press.
  #aim = null;
  // The game in which one was warned that one's time runs short.
  #warned = null;
  #onKey = (event) => this.#key(event);

  /** `named` resolves once a name that was typed and not saved is told to the server. */
  constructor({
    link, attention, manners, notices, seeker, go, named, onGone, table, invitation,
  }) {
    Object.assign(this, {
      link, attention, notices, seeker, go, named, onGone, table, invitation,
    });
    const { root, parts } = fromTemplate('table-page');
    Object.assign(this, { root, parts });
    this.board = new Board(parts.board, (cell) => this.#choose(cell));
    this.players = new Players(parts.players);
    this.ratings = new Ratings(() => { if (!this.#closed) this.#render(); });
    this.history = new History(parts, () => this.#render());
    this.card = new PartyCard(parts.party, this);
    this.chat = new ChatPanel(parts.chat, { link, manners, table });
    this.planbox = new PlanBox(parts, { plan: (plan) => this.plan(plan), redraw: () => this.#redraw() });
    this.path = tablePath(table, invitation);
    this.controls = new Controls(parts, this, location.origin + this.path);
    root.addEventListener('click', ({ target }) => this.#tool(target.closest('[data-do]')));
    addEventListener('keydown', this.#onKey);
    root.hidden = true;
    link.follow('table', () => this.#watch(), (reply) => this.#joinOn(reply), (refused) => {
      forgetWayBack(this.path);
      onGone(refused.code, refusalText(refused));
    });
    this.timer = setInterval(() => this.#tick(), TICK_MS);
    this.untold = lookTools(parts.look, () => { if (this.#state) this.#render(); });
  }

  get title() {
    return this.#state ? titleText(this.#state) : 'hexhall';
  }

  close() {
    this.#closed = true;
    removeEventListener('keydown', this.#onKey);
    clearInterval(this.timer);
    clearTimeout(this.#lingers);
    this.untold();
    this.chat.close();
    this.notices.aside(null);
    this.attention.call(null);
    this.link.unfollow('table', ['unwatch', { table: this.table }]);
  }

  onLobby() {}

  onWelcome() {}

  onEvent(frame) {
    if (!this.#state || frame.table !== this.table) return;
    if (frame.event === 'said') {
      this.chat.hear(frame);
      return;
    }
    const before = this.#state;
    const after = apply(before, frame, performance.now());
    if (after === before) return;
    if (frame.event === 'curtain' && !after.game?.outcome) this.#linger(before);
    this.#become(after);
    if (after.gap) {
      if (!before.gap) this.link.refresh('table');
      return;
    }
    if (isSentAway(after, frame)) {
      forgetWayBack(this.path);
      this.onGone('removed', refusalText({ code: 'removed' }));
      return;
    }
    tell(before, after, frame);
    if (frame.event === 'started') this.history.live();
  }

  /** Plays a move: shown at once as pending, and taken back if the server refuses it. */
  move(action) {
    const { turn } = this.#state.game;
    const sent = this.game('move', { turn, move: action, ...this.#hand() }, () => {
      this.#become(withdrawPending(this.#state, turn));
      // What was legal here and is not there says that the page may have missed something.
      this.link.refresh('table');
    });
    this.#become(pend(this.#state, action));
    click();
    return sent;
  }

  /** Has the server hold what to play when one's turn comes, in place of what it held before. */
  plan({ premove, lines }) {
    const { turn } = this.#state.game;
    // The server tells what is planned by an event. A turn that has passed is missed by nobody.
    return this.link.command('plan', {
      table: this.table, game: this.#state.game.id, turn, premove, lines,
    }).catch((refused) => {
      if (!PASSED.has(refused.code)) toastRefusal(refused);
    });
  }

  /** Gives the game up. */
  resign() {
    return this.game('resign', this.#hand());
  }

  /** A command about the game that is at the table. */
  game(op, fields = {}, onRefused = () => {}) {
    return this.command(op, { game: this.#state.game.id, ...fields }, onRefused);
  }

  /** A command at the table. A refusal is shown. */
  command(op, fields = {}, onRefused = () => {}) {
    return this.link.command(op, { table: this.table, ...fields }).catch((refused) => {
      onRefused();
      toastRefusal(refused);
    });
  }

  /** Asks the computer what it would play in the viewer's place. */
  hint() {
    if (!canSuggest(this.#state)) return;
    this.history.live();
    const { table } = this;
    const { id: game, turn } = this.#state.game;
    const told = (suggestion) => {
      const next = hinted(this.#state, { game, turn }, suggestion);
      if (this.#closed || next === this.#state) return;
      this.#become(next);
      announce(hintText(next));
    };
    this.#become(awaitHint(this.#state));
    this.link.request('suggest', { table, game, turn }).then(told, (refused) => {
      told(null);
      // A hint for what has been played meanwhile is missed by nobody.
      if (!PASSED.has(refused.code)) toastRefusal(refused);
    });
  }

  /** Another game against the computer, at another level: at a table of its own. */
  async another(level) {
    const { link, table } = this;
    try {
      const { view, invitation } = await link.request('open', another(this.#state, mySeat(this.#state), level));
      rememberLevel(level);
      // The table is left behind, and closes. Nothing hangs on it.
      link.request('leave', { table }).catch(() => {});
      this.go(tablePath(view.table, invitation));
    } catch (refused) {
      toastRefusal(refused);
    }
  }

  join() {
    const { table, invitation } = this;
    this.named()
      .then(() => this.link.request('join', { table, invitation }))
      .then((reply) => this.#joinOn(reply))
      .catch(toastRefusal);
  }

  /** Joins the party, or says anew whether one wants to play. */
  joinParty(play) {
    const { table, invitation } = this;
    this.named()
      .then(() => this.link.request('join_party', { table, invitation, play }))
      .then((reply) => this.#joinOn(reply))
      .catch((refused) => {
        toastRefusal(refused);
        this.#render();
      });
  }

  /** Something that the host of the party decides. */
  party(op, fields) {
    this.link.request(op, { table: this.table, ...fields }).catch((refused) => {
      toastRefusal(refused);
      // What the page shows is what is set.
      this.#render();
    });
  }

  /** Copies a link. */
  copy(link) {
    copy(link);
  }

  leave() {
    const stays = mySeat(this.#state) !== null || onDevice(this.#state) || membership(this.#state);
    const said = stays ? this.link.request('leave', { table: this.table }) : Promise.resolve();
    said.then(() => this.go('/')).catch(toastRefusal);
  }

  /** What was sought when one was matched at this table, or null. */
  wish() {
    return this.seeker.wishFor(this.table);
  }

  /** Leaves, and seeks that once more. */
  seekAgain() {
    this.seeker.seek(this.wish());
    this.leave();
  }

  /** Gives the game up and goes, so that nothing of it is kept waiting. */
  end() {
    this.resign().then(() => this.leave());
  }

  // On one device, a move is for the seat whose board is shown, and never taken for the other's.
  #hand() {
    return onDevice(this.#state) ? { seat: mySeat(this.#state) } : {};
  }

  // Asks for the board of the seat to move, whose player now has the device.
  #lift() {
    const { game } = this.#state;
    this.link.request('lift', { table: this.table, game: game.id, seat: curtained(this.#state) })
      .then((reply) => this.#joinOn(reply))
      .catch(toastRefusal);
  }

  // What the turn brought stays to be seen for a while, by whoever still has the device.
  #linger(seen) {
    this.#lingering = seen;
    this.#lingers = setTimeout(() => this.#cover(), LINGER_MS);
  }

  #cover() {
    clearTimeout(this.#lingers);
    if (!this.#lingering) return;
    this.#lingering = null;
    this.#render();
  }

  #watch() {
    const { table, invitation } = this;
    const last = this.#state && !this.#fresh
      ? { viewer: this.#state.viewer, seq: this.#state.seq }
      : undefined;
    return ['watch', { table, invitation, last }];
  }

  #joinOn(reply) {
    const next = rejoin(this.#state, reply, performance.now());
    const missed = next && playedForText(this.#state, next);
    this.#fresh = !next || next.gap;
    if (next) this.#become(next);
    if (missed) toast(missed);
    if (next) this.chat.ask();
    if (this.#fresh) this.link.refresh('table');
  }

  #choose(cell) {
    if (this.history.ply !== null) this.history.live();
    else if (this.planbox.choose(cell)) return;
    else if (canPremove(this.#state, cell)) this.plan(withPremove(this.#state, cell));
    else if (canPlace(this.#state, cell)) this.#place(cell);
    else if (playing(this.#state)) announce(turnText(this.#state));
  }

  // Where stones are placed by a second press, the first one shows where.
  #place(cell) {
    if (!pressesTwice() || sameCell(this.#aim, cell)) {
      this.#aim = null;
      this.move({ cell });
      return;
    }
    this.#aim = cell;
    announce(`${cellText(cell)}: press once more to place the stone.`);
    this.#render();
  }

  #key(event) {
    const elsewhere = event.target.closest?.('input, select, textarea, dialog');
    if (event.key === 'Escape' && !elsewhere && this.#state) {
      this.planbox.cancel();
      return;
    }
    const step = STEPS[event.key];
    if (step && !elsewhere && this.#state && !event.defaultPrevented && isPlain(event)) {
      event.preventDefault();
      this.history.step(step);
      return;
    }
    if (event.key.toLowerCase() !== 'h' || elsewhere || !this.#state) return;
    if (!isPlain(event) || event.repeat) return;
    this.hint();
  }

  #tool(button) {
    switch (button?.dataset.do) {
      case 'sound':
        toggleSound();
        this.#render();
        break;
      case 'twice':
        togglePressesTwice();
        this.#aim = null;
        this.#render();
        break;
      case 'lift':
        this.#lift();
        break;
      case 'cover':
        this.#cover();
        break;
      default:
    }
  }

  #become(state) {
    this.#state = { ...state, me: this.link.welcome?.player.id ?? state.me };
    // What was aimed at in a turn that has passed is no half of a move in the next.
    if (!myTurn(this.#state)) this.#aim = null;
    if (curtained(this.#state) === null) this.#cover();
    this.notices.aside(busy(this.#state) ? this.parts.notices : null);
    const stays = mySeat(state) !== null || onDevice(this.#state) || membership(this.#state);
    if (state.private && stays && state.phase !== 'closed') {
      remember('private', this.path);
    } else {
      forgetWayBack(this.path);
    }
    this.#render();
  }

  #redraw() {
    this.history.live();
    this.#render();
  }

  // What is planned is shown on the live board, or else the line that is put together.
  #planShown(state, ply) {
    if (ply !== null) return {};
    const draft = this.planbox.board;
    if (draft) return { ...draft, hint: null, pending: null };
    if (this.#aim && canPlace(state, this.#aim)) return { aim: this.#aim };
    const plans = canPlan(state) ? colorOf(state, mySeat(state)) : null;
    return { planned: premoveCell(state), plans };
  }

  #render() {
    const state = this.#lingering ?? this.#state;
    const { parts } = this;
    const now = performance.now();
    this.root.hidden = false;
    this.history.show(state);
    this.planbox.show(this.#state);
    const { ply } = this.history;
    this.board.lay(state.options.rows, state.options.cols, look());
    this.board.show({
      ...shown(state, ply),
      turn: ply === null && !this.#lingering && myTurn(state) ? colorOf(state, mySeat(state)) : null,
      old: ply !== null,
      ...this.#planShown(state, ply),
    });
    set(parts.board, 'data-drafting', !!this.planbox.board);
    showDark(parts, state);
    showHint(parts, state);
    showCurtain(parts, this.board, this.#state, this.#lingering);
    const ratings = this.ratings.of(this.#state);
    this.players.show(this.#state, ratings.texts);
    showLine(parts.changes, ratings.end);
    this.card.show(this.#state);
    this.chat.show(this.#state);
    this.controls.show(this.#state, now);
    setText(parts.status, statusText(state));
    set(parts.status, 'data-phase', state.phase);
    setText(parts.turn, turnText(state));
    set(parts.turn, 'data-seat', state.game?.to_move);
    set(parts.turn, 'data-mine', myTurn(state));
    setText(parts.viewer, viewerText(state));
    set(parts.viewer, 'data-viewer', state.viewer);
    const { watchers } = state.presence;
    setText(parts.watchers, watchers ? `${watchers} watching` : '');
    setText(parts.game, gameText(state.options));
    set(parts.game, 'data-dark', isDark(state.options));
    parts.rated.hidden = !state.options.rated;
    setText(parts.options, optionsText(state.options) + (state.private ? ' · private' : ''));
    setText(toolOf(parts, 'twice'), `Confirm moves: ${pressesTwice() ? 'on' : 'off'}`);
    // Whoever watches places nothing.
    toolOf(parts, 'twice').hidden = mySeat(this.#state) === null && !onDevice(this.#state);
    setText(toolOf(parts, 'sound'), soundOn() ? 'Sound: on' : 'Sound: off');
    showEnd(parts, state);
    this.#tick();
    this.attention.about(this.title);
    this.attention.call(callText(this.#state));
  }

  #tick() {
    if (!this.#state) return;
    const now = performance.now();
    this.players.tick(this.#state, now);
    // Once a game: who plays on in short time knows.
    if (this.#warned !== this.#state.game?.id && playing(this.#state) && isLow(this.#state, mySeat(this.#state), now)) {
      this.#warned = this.#state.game.id;
      warn();
    }
    this.controls.tick(now);
    this.chat.tick(now);
  }
}

// The board has its own use for them while the keyboard's focus is on it.
const STEPS = { ArrowLeft: 'back', ArrowRight: 'on' };

function isPlain({ ctrlKey, metaKey, altKey, shiftKey }) {
  return !ctrlKey && !metaKey && !altKey && !shiftKey;
}

// Whether the viewer was sent away from a private table, and hears nothing more of it.
function isSentAway({ me, private: hidden }, { event, change }) {
  return event === 'party' && hidden && change.kind === 'party_left' && change.removed && change.player.id === me;
}

// What a hint is refused as that came too late.
const PASSED = new Set(['stale_turn', 'not_your_turn', 'other_game', 'game_over']);

// The lobby leads back to the private table that was sat at last.
function forgetWayBack(path) {
  if (recall('private', null) === path) remember('private', null);
}

function toolOf(parts, tool) {
  return parts.table.querySelector(`[data-do=${tool}]`);
}
