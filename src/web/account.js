// What one asks of the server for oneself: over HTTP, as the player of the browser's cookie.
//
// `fetch` is passed in, so that tests own it.

import { Refused } from './link.js';

const OFFLINE = { code: 'offline', message: 'There is no connection to the server.' };

export class Account {
  constructor({ fetch = (path, asked) => globalThis.fetch(path, asked) } = {}) {
    this.fetch = fetch;
  }

  /** Who one is: `player`, `claimed`, `devices`. All of these reject with `Refused`. */
  me() {
    return this.#ask('GET', '/v1/me');
  }

  /** The tables where one sits: `tables`, `now_ms`. */
  tables() {
    return this.#ask('GET', '/v1/me/tables');
  }

  /** Goes by another name: the account. */
  rename(name) {
    return this.#ask('POST', '/v1/me/name', { name });
  }

  /** A new recovery phrase: `words`. */
  newPhrase() {
    return this.#ask('POST', '/v1/me/recovery', {});
  }

  /** Signs in with a phrase: `player`. The browser has another cookie then. */
  recover(phrase) {
    return this.#ask('POST', '/v1/recover', { phrase });
  }

  /** Signs one device out. */
  signOut(device) {
    return this.#ask('DELETE', `/v1/me/devices/${encodeURIComponent(device)}`);
  }

  /** Signs every other device out: the account. */
  signOutOthers() {
    return this.#ask('POST', '/v1/me/devices/revoke', {});
  }

  /** One's bots: `bots`. */
  bots() {
    return this.#ask('GET', '/v1/me/bots');
  }

  /** Makes a bot. */
  newBot(name) {
    return this.#ask('POST', '/v1/me/bots', { name });
  }

  /** A bot's keys: `keys`. */
  keys(bot) {
    return this.#ask('GET', `/v1/me/bots/${encodeURIComponent(bot)}/keys`);
  }

  /** Makes a key: `key`, and `secret`, which is told once. */
  newKey(bot, label) {
    return this.#ask('POST', `/v1/me/bots/${encodeURIComponent(bot)}/keys`, { label });
  }

  /** Deletes a bot. */
  deleteBot(bot) {
    return this.#ask('DELETE', `/v1/me/bots/${encodeURIComponent(bot)}`);
  }

  /** Has a key be good no more. */
  revokeKey(bot, key) {
    const path = `/v1/me/bots/${encodeURIComponent(bot)}/keys/${encodeURIComponent(key)}`;
    return this.#ask('DELETE', path);
  }

  /** Whom one keeps away in a way, `blocks` or `mutes`: a list under that name. */
  keptAway(way) {
    return this.#ask('GET', `/v1/me/${way}`);
  }

  /** Keeps somebody away. */
  keepAway(way, player) {
    return this.#ask('PUT', `/v1/me/${way}/${encodeURIComponent(player)}`);
  }

  /** Keeps somebody away no more. */
  readmit(way, player) {
    return this.#ask('DELETE', `/v1/me/${way}/${encodeURIComponent(player)}`);
  }

  /** Reports a `player` to the operator: `reason`, `text?`, `table?`. */
  report(report) {
    return this.#ask('POST', '/v1/reports', report);
  }

  /** Says that a notice of the operator's was read. */
  readNotice(notice) {
    return this.#ask('DELETE', `/v1/me/notices/${encodeURIComponent(notice)}`);
  }

  async #ask(method, path, body) {
    const json = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    let answer;
    try {
      answer = await this.fetch(path, { method, ...json, cache: 'no-store', credentials: 'same-origin' });
    } catch {
      throw new Refused(OFFLINE);
    }
    if (answer.status === 204) return null;
    // What stands between may answer in its own words.
    const said = await answer.json().catch(() => ({ code: 'internal', message: '' }));
    // How long to wait is in the answer's head.
    const wait = Number(answer.headers?.get('retry-after') ?? NaN);
    if (!answer.ok) throw new Refused({ ...(wait >= 0 && { retry_ms: 1_000 * wait }), ...said });
    return said;
  }
}
