// The two players: name, colour, presence, score, and the clock as it runs.

import { clockNow, clockText, startMs } from './clock.js';
import { presenceText } from './computer.js';
import { cpuIcon, make, set, setText } from './dom.js';
import { colorOf, houseLevel, mySeat, standInLevel, thinkingSeat } from './may.js';
import { isDark } from './options.js';
import { playerPath } from './profilepage.js';
import { tally } from './seen.js';
import { tallyText } from './words.js';

export class Players {
  #cards;

  constructor(host) {
    this.#cards = [1, 2].map((seat) => cardOf(seat));
    host.append(...this.#cards.map(({ card }) => card));
  }

  /** Shows who sits where, and beside each name its rating, if there is one. */
  show(state, ratings) {
    this.#cards.forEach(({ card, icon, name, rating, you, score, clock, attempts }, index) => {
      const seat = index + 1;
      const [house, standIn] = [houseLevel(state, seat) !== null, standInLevel(state, seat) !== null];
      const player = state.seats[index];
      set(card, 'data-color', colorOf(state, seat));
      set(card, 'data-turn', state.phase === 'playing' && state.game?.to_move === seat);
      set(card, 'data-free', !player);
      set(card, 'data-winner', state.game?.outcome?.winner === seat);
      set(card, 'data-connected', !!player && state.presence.seats[index].connected);
      set(card, 'data-cpu', (house && 'house') || (standIn && 'stand-in'));
      set(card, 'data-thinking', thinkingSeat(state) === seat);
      icon.hidden = !house && !standIn;
      setText(name, player?.name ?? (state.party ? 'nobody yet' : 'free seat'));
      set(name, 'title', player?.name);
      set(name, 'href', player && !house && playerPath(player.id));
      // One's own name leads to one's page, and nowhere else.
      set(name, 'aria-haspopup', player && !house && player.id !== state.me && 'dialog');
      set(name, 'data-who', player && !house && player.id !== state.me && player.id);
      setText(rating, ratings[index] ?? '');
      you.hidden = mySeat(state) !== seat;
      setText(score, state.score.some(Boolean) ? String(state.score[index]) : '');
      const counted = isDark(state.options) && state.game;
      setText(attempts, counted ? tallyText(tally(state.game.moves, seat)) : '');
      set(clock, 'hidden', !state.game?.clocks && state.options.time.control === 'none');
    });
  }

  /** Shows the clocks and countdowns as they are now. */
  tick(state, now) {
    this.#cards.forEach(({ clock, extra, presence }, index) => {
      const { game } = state;
      if (game?.clocks) {
        const reading = clockNow(game.clocks, index + 1, {
          at: state.clocksAt, now, time: state.options.time, paused: game.paused,
        });
        setText(clock, clockText(reading.left_ms));
        set(clock, 'data-running', reading.running);
        set(clock, 'data-low', reading.low && !game.outcome);
        setText(extra, extraText(reading));
      } else {
        const start = startMs(state.options.time);
        setText(clock, start === undefined ? '' : clockText(start));
        set(clock, 'data-running', false);
        set(clock, 'data-low', false);
        setText(extra, '');
      }
      setText(presence, presenceText(state, index + 1, now));
    });
  }
}

function cardOf(seat) {
  // In a tab of its own: who looks at a player has not left the table.
  const name = make('a', { class: 'who', target: '_blank', rel: 'noopener', 'data-testid': `player-${seat}` });
  const rating = make('span', { class: 'points', title: 'Rating', 'data-testid': `rating-${seat}` });
  const you = make('span', { class: 'chip', hidden: true }, 'you');
  const score = make('span', { class: 'score', title: 'Games won here', 'data-testid': `score-${seat}` });
  const presence = make('span', { class: 'hint', 'data-testid': `presence-${seat}` });
  const attempts = make('span', { class: 'hint attempts', 'data-testid': `attempts-${seat}` });
  const clock = make('span', { class: 'clock', role: 'timer', 'data-testid': `clock-${seat}` });
  const extra = make('span', { class: 'hint extra', 'data-testid': `clock-extra-${seat}` });
  const icon = make('span', { class: 'driver', title: 'Played by the computer', hidden: true }, cpuIcon());
  const card = make(
    'div',
    { class: 'player', 'data-testid': `seat-${seat}` },
    make('span', { class: 'disc', 'aria-hidden': 'true' }),
    make('span', { class: 'names' }, make('span', { class: 'row tight' }, icon, name, you, score), make('span', { class: 'row below' }, rating, presence), attempts),
    make('span', { class: 'times' }, clock, extra),
  );
  return { card, icon, name, rating, you, score, presence, attempts, clock, extra };
}

function extraText({ periods, first_move_ms }) {
  return [
    periods !== undefined && periodsText(periods),
    first_move_ms !== undefined && `first move in ${Math.ceil(first_move_ms / 1000)} s`,
  ].filter(Boolean).join(' · ');
}

// The periods behind the time that is shown.
function periodsText(periods) {
  if (periods === 0) return 'last period';
  return `+ ${periods} ${periods === 1 ? 'period' : 'periods'}`;
}
