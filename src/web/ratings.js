// The ratings beside the names at a rated table: as they stand, and after a game what it made of them.
//
// Owns what was asked of the server, once for each pair of players and each end of a game. Where the
// server does not answer, there is no rating to be seen, and nothing else is amiss.

import { ask } from './api.js';
import { changeText, classOf, ratingIn, ratingText } from './rating.js';

const NONE = [null, null];

export class Ratings {
  #key = null;
  #texts = NONE;

  /** `onTold` is called once ratings that were not there are. */
  constructor(onTold) {
    this.onTold = onTold;
  }

  /** What stands beside each name, or null. Asks for what is not known. */
  of(state) {
    const key = keyOf(state);
    if (key !== this.#key) {
      this.#key = key;
      this.#texts = NONE;
      if (key) this.#ask(state, key);
    }
    return this.#texts;
  }

  async #ask(state, key) {
    const texts = await (isOver(state) ? changed(state) : standing(state)).catch(() => NONE);
    if (this.#key !== key) return;
    this.#texts = texts;
    this.onTold();
  }
}

// What the texts depend on; null where there are none.
function keyOf(state) {
  const { options, seats, game } = state;
  if (!options.rated || !seats.some(Boolean)) return null;
  return JSON.stringify([seats.map((player) => player?.id), isOver(state) && game.id]);
}

// Whether the last game has counted, and no other runs.
function isOver({ game, phase }) {
  return phase !== 'playing' && !!game?.outcome?.winner;
}

async function changed({ game, seats }) {
  const { changes } = await ask(`/v1/games/${encodeURIComponent(game.id)}/ratings`);
  return seats.map((player) => {
    const change = changes.find((it) => it.player === player?.id);
    return change ? changeText(change) : null;
  });
}

function standing({ options, seats }) {
  const of = async (player) => {
    const profile = await ask(`/v1/players/${encodeURIComponent(player.id)}`);
    return ratingText(ratingIn(profile, classOf(options)));
  };
  return Promise.all(seats.map((player) => (player ? of(player) : null)));
}
