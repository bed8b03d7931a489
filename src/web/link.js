// The one connection to the server: `hello`, requests and their replies, and coming back.
//
// Commands survive a lost connection: each has its own command id and is sent again, unchanged,
// until it is answered, and the server plays it once. Other requests are refused as `offline`
// when the connection goes. What the page follows is asked for again after each `welcome`, before
// any command, and when the connection has been quiet for long: a browser sees no pings, and finds
// a dead connection only by asking.
//
// The socket, the timers and chance are passed in, so that tests own them.

import { closeReason, refusalText } from './words.js';

const PROTOCOL = 'hexhall.v1.json';
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;
const ANSWER_MS = 10_000;
const QUIET_MS = 25_000;
const AGAIN_MS = 500;
const AGAIN_AT_MOST = 5;
// Refusals that tell of the server's state, not of what was asked.
const PASSING = new Set(['busy', 'rate_limited']);
// Refusals after which a new connection follows, and with it a new attempt.
const PARTING = new Set(['offline', 'shutting_down']);

/** A request that was refused, or that could not be asked (`code` is then `offline`). */
export class Refused extends Error {
  constructor(body) {
    super(body.message);
    Object.assign(this, body);
  }
}

// 128 random bits. `crypto.randomUUID` is missing where a page comes over plain HTTP.
function randomCommand() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const OFFLINE = { code: 'offline', message: 'There is no connection to the server.' };

export class Link {
  #socket = null;
  #asked = new Map();
  #follows = new Map();
  #listeners = new Map();
  #nextId = 1;
  #tries = 0;
  #backInMs = null;
  #retryTimer = null;
  #helloTimer = null;
  #quietTimer = null;
  // Who waits for the next welcome.
  #waiting = [];

  /** `url()` and `hello()` are asked anew for each connection. */
  constructor({
    url,
    hello = () => ({}),
    open = (address, protocol) => new WebSocket(address, protocol),
    after = (ms, run) => setTimeout(run, ms),
    cancel = (timer) => clearTimeout(timer),
    random = Math.random,
    newCommand = randomCommand,
  }) {
    Object.assign(this, { url, hello, open, after, cancel, random, newCommand });
    /**
     * `connecting`, `online`, `reconnecting` or `stopped`, and why; `banned` has the refusal that said
     * so, or is true where the connection ended with no more than that.
     */
    this.status = { state: 'connecting', text: '' };
    /** The last `welcome`. */
    this.welcome = null;
  }

  /** Listens to `status`, `welcome`, `event`, `lobby`, `notice`. */
  on(type, listener) {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  get online() {
    return this.status.state === 'online';
  }

  /** Connects now, whatever it was waiting for. */
  connect() {
    this.cancel(this.#retryTimer);
    this.#retryTimer = null;
    if (this.#socket) return;
    if (this.status.state === 'stopped') this.#setStatus({ state: 'reconnecting', text: '' });
    const socket = this.open(this.url(), PROTOCOL);
    this.#socket = socket;
    const mine = (run) => (event) => { if (this.#socket === socket) run(event); };
    socket.onopen = mine(() => this.#sayHello());
    socket.onmessage = mine(({ data }) => this.#read(JSON.parse(data)));
    socket.onclose = mine(({ code }) => this.#lost(code));
    // A socket that hangs before its welcome is given up, like a request without an answer.
    this.#helloTimer = this.after(ANSWER_MS, mine(() => this.reconnect()));
  }

  /** Lets go of the connection until `connect` makes a new one. */
  pause() {
    this.#drop();
    this.cancel(this.#retryTimer);
    if (this.status.state !== 'stopped') this.#setStatus({ state: this.welcome ? 'reconnecting' : 'connecting', text: '' });
  }

  /** Drops the connection and makes a new one, at once. */
  reconnect() {
    this.#drop();
    this.#wait(0, closeReason(1006).text);
  }

  /** Resolves with the next `welcome`. Rejects with `Refused` where none is to come. */
  welcomed() {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Asks once. Rejects with `Refused`. */
  request(op, fields = {}) {
    return this.#ask({ op, ...fields }, false);
  }

  /** Asks until it is answered, under one command id. Rejects with `Refused`. */
  command(op, fields) {
    return this.#ask({ op, ...fields, command: this.newCommand() }, true);
  }

  /**
   * Follows something under a key: `make()` gives the request, now and after each return;
   * `onReply` and `onRefused` hear the answer of each.
   */
  follow(key, make, onReply, onRefused = () => {}) {
    const follow = { make, onReply, onRefused };
    this.#follows.set(key, follow);
    this.refresh(key);
  }

  /** Asks for what is followed under a key once more. */
  refresh(key) {
    const follow = this.#follows.get(key);
    if (!follow || !this.online) return;
    const current = (run) => (answer) => { if (this.#follows.get(key) === follow) run(answer); };
    this.request(...follow.make()).then(current(follow.onReply), current((refused) => {
      if (PASSING.has(refused.code) || refused.code === 'internal') {
        this.after(refused.retry_ms ?? 4 * AGAIN_MS, current(() => this.refresh(key)));
      } else if (!PARTING.has(refused.code)) {
        follow.onRefused(refused);
      }
    }));
  }

  /** Ends what is followed under a key, and tells the server with `request`, if it can. */
  unfollow(key, request) {
    if (this.#follows.delete(key) && this.online) this.request(...request).catch(() => {});
  }

  /** Follows no more what the server goes on telling. */
  drop(key) {
    this.#follows.delete(key);
  }

  #refreshAll() {
    for (const key of this.#follows.keys()) this.refresh(key);
  }

  #ask(fields, lasting) {
    if (!this.online && !lasting) return Promise.reject(new Refused(OFFLINE));
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      const ask = { frame: { id, ...fields }, lasting, resolve, reject, timer: null, again: 0 };
      this.#asked.set(id, ask);
      if (this.online) this.#send(ask);
    });
  }

  #send(ask) {
    this.cancel(ask.timer);
    ask.timer = this.after(ANSWER_MS, () => this.reconnect());
    this.#socket.send(JSON.stringify(ask.frame));
  }

  #sayHello() {
    const id = this.#nextId;
    this.#nextId += 1;
    const frame = { id, op: 'hello', ...this.hello() };
    const socket = this.#socket;
    const resolve = (reply) => this.#welcomed(reply);
    const reject = (refused) => {
      if (this.#socket !== socket) return;
      if (refused.code.startsWith('bad_')) {
        this.#stop({ text: refused.message });
      } else if (refused.code === 'banned') {
        this.#stop({ text: refusalText(refused), banned: refused });
      } else {
        this.#lost(1006, refused.retry_ms);
      }
    };
    this.#asked.set(id, { frame, lasting: false, resolve, reject, timer: null, again: 0 });
    this.#send(this.#asked.get(id));
  }

  #welcomed(reply) {
    this.cancel(this.#helloTimer);
    this.#tries = 0;
    this.welcome = reply;
    this.#setStatus({ state: 'online', text: '' });
    this.#tell('welcome', reply);
    for (const { resolve } of this.#waiting.splice(0)) resolve(reply);
    this.#refreshAll();
    for (const ask of this.#asked.values()) if (ask.lasting) this.#send(ask);
  }

  #read(frame) {
    this.cancel(this.#quietTimer);
    this.#quietTimer = this.after(QUIET_MS, () => this.#refreshAll());
    if ('re' in frame) this.#answered(frame);
    else if ('event' in frame) this.#tell('event', frame);
    else if ('lobby' in frame) this.#tell('lobby', frame);
    else if ('notice' in frame) {
      if (frame.notice === 'closing') this.#backInMs = frame.back_in_ms;
      this.#tell('notice', frame);
    }
  }

  #answered(frame) {
    const ask = this.#asked.get(frame.re);
    if (!ask) return;
    this.cancel(ask.timer);
    if (frame.reply === 'error' && ask.lasting && this.#putOff(ask, frame)) return;
    this.#asked.delete(frame.re);
    if (frame.reply === 'error') ask.reject(new Refused(frame));
    else ask.resolve(frame);
  }

  // A command that the server could not take on now is asked again: soon, or after its restart.
  #putOff(ask, { code, retry_ms }) {
    if (PARTING.has(code)) return true;
    if (!PASSING.has(code) || ask.again >= AGAIN_AT_MOST) return false;
    ask.again += 1;
    ask.timer = this.after(retry_ms ?? AGAIN_MS, () => { if (this.online) this.#send(ask); });
    return true;
  }

  #lost(code, retryMs = null) {
    this.#drop();
    const { stop, ...why } = closeReason(this.#backInMs === null ? code : 1012);
    if (stop) this.#stop(why);
    else this.#wait(retryMs ?? this.#nextWait(), why.text);
  }

  // Lets go of the socket; nothing that it still says is heard.
  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    this.cancel(this.#helloTimer);
    this.cancel(this.#quietTimer);
    socket?.close();
    for (const [id, ask] of this.#asked) {
      this.cancel(ask.timer);
      if (ask.lasting) continue;
      this.#asked.delete(id);
      ask.reject(new Refused(OFFLINE));
    }
  }

  #wait(ms, text) {
    this.cancel(this.#retryTimer);
    this.#setStatus({ state: this.welcome ? 'reconnecting' : 'connecting', text });
    this.#retryTimer = this.after(ms, () => this.connect());
  }

  #stop(why) {
    this.#drop();
    this.#setStatus({ state: 'stopped', ...why });
    for (const { reject } of this.#waiting.splice(0)) reject(new Refused({ ...OFFLINE, message: why.text }));
  }

  // The server's own word where it gave one, else longer after each failure; never all at once.
  #nextWait() {
    const jitter = 0.5 + this.random();
    if (this.#backInMs !== null) {
      const ms = this.#backInMs * (1 + this.random() / 4);
      this.#backInMs = null;
      return ms;
    }
    const ms = FIRST_WAIT_MS * 2 ** Math.min(this.#tries, 8) * jitter;
    this.#tries += 1;
    return Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, ms));
  }

  #setStatus(status) {
    this.status = status;
    this.#tell('status', status);
  }

  #tell(type, value) {
    for (const listener of this.#listeners.get(type) ?? []) listener(value);
  }
}
