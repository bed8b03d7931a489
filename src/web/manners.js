// Whom one has blocked, and whom one has muted: asked of the server, and changed there.
//
// Owns what the server has last told of it. `account` asks; whoever shows something that hangs on it
// watches.

/** The two ways to keep somebody away, by the names that the server has for them. */
export const WAYS = ['blocks', 'mutes'];

export class Manners {
  #known = { blocks: null, mutes: null };
  #watchers = new Set();

  constructor({ account }) {
    this.account = account;
  }

  /** Calls `watcher` after each change, until the function that this gives is called. */
  watch(watcher) {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Asks who is kept away in a way: `{ player, since_ms }` each. Rejects with `Refused`. */
  async list(way) {
    const list = (await this.account.keptAway(way))[way];
    this.#known[way] = new Set(list.map(({ player }) => player.id));
    return list;
  }

  /** Whether somebody is kept away in a way; null where that is not known. */
  has(way, player) {
    return this.#known[way]?.has(player) ?? null;
  }

  /** Keeps somebody away, or does so no more. Rejects with `Refused`. */
  async keep(way, player, away) {
    await (away ? this.account.keepAway(way, player) : this.account.readmit(way, player));
    if (away) this.#known[way]?.add(player);
    else this.#known[way]?.delete(player);
    for (const watcher of this.#watchers) watcher();
  }
}
