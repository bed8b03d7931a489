// The buttons of a table: which are there, and what each asks the server.
//
// `act` carries them out: `command(op, fields)`, `game(op, fields)` for a command about the game,
// `join()`, `wish()` and `seekAgain()` for the pool that led here, `resign()`, `leave()`, `end()` for both, `hint()`, and `another(level)` for a new table against the
// computer. What a button needs is asked of `may.js`.

import { awayText, levelText, LEVELS, standInText } from './computer.js';
import { cpuIcon, make, set, setText } from './dom.js';
import { secondsUntil, waitText } from './clock.js';
import {
  againstComputer, awaitsSwap, canAbort, canGiveTime, canOffer, canSuggest, canSwap, claim, freeSeats, houseLevel,
  leftToComputer, mySeat, nameOf, onDevice, otherSeat, playing,
} from './may.js';
import { membership, proposesNext } from './party.js';
import { choose, confirm, toast } from './toast.js';
import { leaveText, offerText } from './words.js';

const BUTTONS = [
  {
    id: 'join', kind: 'primary', text: () => 'Take the free seat',
    when: (state) => freeSeats(state).length > 0, run: (act) => act.join(),
  },
  {
    id: 'swap', kind: 'primary',
    text: ({ options }) => (options.swap === 'sides'
      ? 'Swap sides: take over the first stone'
      : 'Swap pieces: mirror the first stone'),
    when: canSwap, keeps: awaitsSwap, run: (act) => act.move({ swap: true }),
  },
  {
    id: 'unpause', kind: 'primary', text: () => 'Go on',
    when: (state) => playing(state) && state.game.paused, run: (act) => act.game('unpause'),
  },
  {
    id: 'rematch', kind: 'primary', text: (state) => (againstComputer(state) ? 'Play again' : state.party ? 'Ready for the next game' : 'Rematch'),
    when: (state) => canOffer(state, 'rematch') && (!state.party || proposesNext(state)), run: (act) => act.game('offer', { kind: 'rematch' }),
  },
  {
    id: 'new-opponent', text: () => 'New opponent', hint: 'Leave this table, and wait in the same pool again',
    when: (state, act) => state.phase !== 'playing' && !!act.wish(), run: (act) => act.seekAgain(),
  },
  {
    id: 'hint', text: () => 'Hint', hint: 'What the computer would play in your place, at level 6 or its own if higher (key H)', keys: 'h',
    when: (state) => playing(state) && againstComputer(state), ready: canSuggest, run: (act) => act.hint(),
  },
  {
    id: 'takeback', text: (state) => (againstComputer(state) ? 'Take back' : 'Ask to take back'),
    when: (state) => canOffer(state, 'takeback'), run: (act) => act.game('offer', { kind: 'takeback' }),
  },
  {
    id: 'pause', text: (state) => (againstComputer(state) ? 'Pause' : 'Ask for a pause'),
    when: (state) => canOffer(state, 'pause'), run: (act) => act.game('offer', { kind: 'pause' }),
  },
  {
    id: 'give-time', text: (state) => `Give ${nameOf(state, otherSeat(mySeat(state)))} 15 s`,
    when: canGiveTime, run: (act) => act.game('give_time'),
  },
  {
    id: 'abort', text: () => 'Abort',
    when: canAbort, run: (act) => act.game('abort'),
  },
  {
    id: 'resign', kind: 'danger', text: () => 'Resign', when: playing,
    run: async (act) => {
      if (await confirm('Resign this game?', 'Resign')) act.resign();
    },
  },
  {
    id: 'copy-link', text: () => 'Copy link', when: (state) => state.phase !== 'waiting' && !state.party,
    run: (act, { link }) => copy(link),
  },
  {
    id: 'leave', text: (state) => (mySeat(state) === null && !onDevice(state) && !membership(state) ? 'Back to the tables' : 'Leave'),
    when: () => true,
    run: async (act, { state }) => {
      if (!playing(state)) return act.leave();
      const ends = againstComputer(state);
      const chosen = await choose(
        leaveText(state), ends ? 'End the game' : 'Leave', ends ? 'Come back later' : null,
      );
      if (chosen === 'later' || (chosen === 'yes' && !ends)) act.leave();
      else if (chosen === 'yes') act.end();
    },
  },
];

export class Controls {
  #buttons = new Map();
  #state = null;
  #offersShown = '';

  constructor(parts, act, link) {
    Object.assign(this, { parts, act, link });
    for (const { id, kind = 'quiet', hint, keys, run } of BUTTONS) {
      const button = make('button', {
        class: kind, 'data-testid': id, title: hint, 'aria-keyshortcuts': keys, hidden: true,
      });
      button.addEventListener('click', () => run(act, { state: this.#state, link }));
      this.#buttons.set(id, button);
    }
    const promptly = ({ kind }) => kind === 'primary';
    const all = (buttons) => buttons.map(({ id }) => this.#buttons.get(id));
    parts.prompts.append(...all(BUTTONS.filter(promptly)));
    parts.actions.append(...all(BUTTONS.filter((button) => !promptly(button))));
  }

  /** Shows what the viewer may do. */
  show(state, now) {
    this.#state = state;
    for (const { id, when, text, ready, keeps } of BUTTONS) {
      const button = this.#buttons.get(id);
      const there = when(state, this.act);
      // What is about to come above a board has its place before, lest the board move under a finger.
      const kept = !there && !!keeps?.(state);
      if (there || kept) setText(button, text(state));
      set(button, 'data-kept', kept);
      // Not `disabled`, which would take the keyboard's focus away.
      if (ready) set(button, 'aria-disabled', !ready(state) && 'true');
      button.hidden = !there && !kept;
    }
    this.#showOffers(now);
  }

  /** Shows how long offers and absences still last. */
  tick(now) {
    const gone = claim(this.#state);
    const button = this.parts.offers.querySelector('[data-testid=claim]');
    if (button && gone) {
      const ready = gone.now || secondsUntil(gone.until, now) === 0;
      button.disabled = !ready;
      setText(button, ready ? 'Claim the game' : `Claim in ${waitText(gone.until, now)}`);
    }
    for (const left of this.parts.offers.querySelectorAll('[data-until]')) {
      setText(left, waitText(Number(left.dataset.until), now));
    }
  }

  // Redrawn only when they change, so that a button is not exchanged under the pointer.
  #showOffers(now) {
    const state = this.#state;
    const gone = claim(state);
    const left = leftToComputer(state);
    const invites = state.phase === 'waiting' && mySeat(state) !== null && !state.party;
    const over = againstComputer(state) && state.phase === 'finished' && !state.party;
    const shown = JSON.stringify([state.offers, !!gone, left, invites, over, mySeat(state), state.seats]);
    if (shown === this.#offersShown) return;
    this.#offersShown = shown;
    this.parts.offers.replaceChildren(...[
      invites && this.#invitation(),
      gone && this.#claim(),
      left && this.#left(left),
      over && this.#otherLevel(),
      ...state.offers.map((offer) => this.#offer(offer)),
    ].filter(Boolean));
    this.tick(now);
  }

  #invitation() {
    const field = make('input', {
      readonly: true, value: this.link, 'data-testid': 'invite-link', 'aria-label': 'Invitation link',
    });
    field.addEventListener('focus', () => field.select());
    const button = make('button', { class: 'primary', 'data-testid': 'copy-invite' }, 'Copy');
    button.addEventListener('click', () => copy(this.link, field));
    return make(
      'div',
      { class: 'offer invite' },
      make('span', {}, 'Send this link to whoever you want to play:'),
      make('span', { class: 'row tight' }, field, button),
    );
  }

  #claim() {
    const button = make('button', { class: 'primary', 'data-testid': 'claim', disabled: true });
    button.addEventListener('click', () => this.act.game('claim'));
    const name = nameOf(this.#state, otherSeat(mySeat(this.#state)));
    return make(
      'div',
      { class: 'offer' },
      make('span', {}, `${name} is away. You can wait, or claim the game.`),
      make('span', { class: 'row tight' }, button),
    );
  }

  // A seat that the computer plays for somebody, or is about to.
  #left({ seat, until }) {
    if (until === null) {
      return make(
        'div',
        { class: 'offer stand-in', 'data-testid': 'stand-in' },
        make('span', {}, cpuIcon(), standInText(this.#state, seat)),
      );
    }
    const wait = make('span', { 'data-until': until });
    return make(
      'div',
      { class: 'offer', 'data-testid': 'away' },
      make('span', {}, `${awayText(this.#state, seat)} `, wait, '.'),
    );
  }

  // After a game against the computer: a table of its own for another level.
  #otherLevel() {
    const state = this.#state;
    const level = houseLevel(state, otherSeat(mySeat(state)));
    const choice = make(
      'select',
      { 'aria-label': 'Level of the computer', 'data-testid': 'next-level' },
      ...Object.keys(LEVELS).map((it) => make('option', { value: it, selected: Number(it) === level }, levelText(it))),
    );
    const button = make('button', { class: 'quiet', 'data-testid': 'change-level' }, 'New game');
    button.addEventListener('click', () => this.act.another(Number(choice.value)));
    return make(
      'div',
      { class: 'offer' },
      make('span', {}, 'Or at another level:'),
      make('span', { class: 'row tight' }, choice, button),
    );
  }

  #offer(offer) {
    const seat = mySeat(this.#state);
    const answer = (accept) => () => this.act.command('answer', { offer: offer.id, accept });
    const buttons = seat === null ? [] : offer.by === seat
      ? [['withdraw', 'quiet', 'Withdraw', () => this.act.command('withdraw', { offer: offer.id })]]
      : [['accept', 'primary', 'Accept', answer(true)], ['decline', 'quiet', 'Decline', answer(false)]];
    return make(
      'div',
      { class: 'offer', 'data-testid': `offer-${offer.kind}` },
      make('span', {}, offerText(this.#state, offer)),
      make(
        'span',
        { class: 'row tight' },
        ...buttons.map(([id, kind, text, run]) => {
          const button = make('button', { class: kind, 'data-testid': id }, text);
          button.addEventListener('click', run);
          return button;
        }),
        make('span', { class: 'hint', 'data-until': offer.until }),
      ),
    );
  }
}

// Copies a link. Over plain HTTP a page has no clipboard: the link is then shown, to be copied.
export async function copy(link, field) {
  try {
    await navigator.clipboard.writeText(link);
    toast('The link is copied.');
  } catch {
    field?.select();
    if (!field) toast(link);
  }
}
