// The ratings at a rated table: beside the names as they stand, and after a game what it made of them.
//
// Owns what was asked of the server, once for each pair of players and each end of a game. Where the
// server does not answer, there is no rating to be seen, and nothing else is amiss.

import { ask } from './api.js';
import {
  changeText, changesText, classOf, ratingIn, ratingText,
} from './rating.js';

const NOTHING = { texts: [null, null], changes: [] };

/** What a game made of its players' ratings: nothing where it is not rated, or is not over. */
export async function changesOf(game) {
  const { changes } = await ask(`/v1/games/${encodeURIComponent(game)}/ratings`);
  return changes;
}

export class Ratings {
  #key = null;
  #known = NOTHING;

  /** `onTold` is called once ratings that were not there are. */
  constructor(onTold) {
    this.onTold = onTold;
  }

  /**
   * What stands beside each name, or null, as `texts`; and what the game that is over made of the
   * ratings, or null, as `end`. Asks for what is not known.
   */
  of(state) {
    const key = keyOf(state);
    if (key !== this.#key) {
      this.#key = key;
      this.#known = NOTHING;
      if (key) this.#ask(state, key);
    }
    const { texts, changes } = this.#known;
    if (!changes.length) return { texts, end: null };
    const changed = (player) => changes.find((it) => it.player === player?.id);
    return {
      texts: state.seats.map((player) => (changed(player) ? changeText(changed(player)) : null)),
      end: changesText(changes, (seat) => playerIn(state, seat, changes)),
    };
  }

  async #ask(state, key) {
    const told = isOver(state)
      ? changesOf(state.game.id).then((changes) => ({ ...NOTHING, changes }))
      : standing(state).then((texts) => ({ ...NOTHING, texts }));
    const known = await told.catch(() => NOTHING);
    if (this.#key !== key) return;
    this.#known = known;
    this.onTold();
  }
}

// What it is that is known; null where there is nothing to know. Who gets up changes no game that is over.
function keyOf(state) {
  const { options, seats, game } = state;
  if (!options.rated) return null;
  if (isOver(state)) return game.id;
  return seats.some(Boolean) ? JSON.stringify(seats.map((player) => player?.id)) : null;
}

// Whether the last game has counted, and no other runs.
function isOver({ game, phase }) {
  return phase !== 'playing' && !!game?.outcome?.winner;
}

// Who had the seat, by name where it is known, and else by their colour.
function playerIn(state, seat, changes) {
  const { player: id } = changes.find((change) => change.seat === seat);
  const here = [...state.seats, ...(state.played ?? []), ...(state.party?.members ?? []).map(({ player }) => player)];
  return here.find((player) => player?.id === id)?.name ?? state.game.colors[seat - 1];
}

function standing({ options, seats }) {
  const of = async (player) => {
    const profile = await ask(`/v1/players/${encodeURIComponent(player.id)}`);
    return ratingText(ratingIn(profile, classOf(options)));
  };
  return Promise.all(seats.map((player) => (player ? of(player) : null)));
}
