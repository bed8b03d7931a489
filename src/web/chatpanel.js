// The chat of a table: what is said there, and a field to say something.
//
// Owns what has been told of it, and which lines are shown. It stands in the page, not above it, and
// covers nothing. Lines are asked for after each answer to `watch`, whenever other rooms may have
// become open, and when somebody has been muted or blocked.

import {
  MOST_CHARS, SILENCE, counterText, emptyText, fieldText, hasCompany, heard, lengthOf, linesOf, opens,
  read, roomMark, roomsToSpeak, standing, told, unread,
} from './chat.js';
import { waitText } from './clock.js';
import {
  fromTemplate, make, recall, remember, set, setText,
} from './dom.js';
import { playerPath } from './profilepage.js';
import { announce } from './toast.js';
import { refusalText } from './words.js';

const NARROW = '(max-width: 56rem)';
// How long to wait before lines that did not come are asked for again.
const AGAIN_MS = 2_000;
// How long a screen reader may take to pass over lines that are no news.
const HUSH_MS = 500;
// How near to its end a log counts as being at it, in pixels.
const NEAR = 8;

export class ChatPanel {
  #state = null;
  #chat = SILENCE;
  #standing = '';
  // Once there, it stays: a field must not vanish under who is typing.
  #there = false;
  // When a refusal lapses that says how long to wait, and what it says before.
  #refused = null;
  #again = null;
  #hushed = null;
  #closed = false;

  constructor(host, { link, manners, table }) {
    Object.assign(this, { link, table });
    const { root, parts } = fromTemplate('chat-panel');
    Object.assign(this, { root, parts });
    host.append(root);
    const { at = 0, of } = recall('chat-seen', {});
    if (of === table) this.#chat = { ...SILENCE, seen: at };
    this.open = recall('chat-open', !matchMedia(NARROW).matches);
    this.unwatch = manners.watch(() => this.ask());
    parts.toggle.addEventListener('click', () => this.#toggle());
    parts.field.addEventListener('input', () => this.#count());
    parts.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#say();
    });
    parts.room.addEventListener('change', () => this.#showField());
  }

  /** Shows the chat of a table that is now so. */
  show(state) {
    this.#state = state;
    const now = standing(state);
    const moved = this.#standing && this.#standing !== now;
    this.#standing = now;
    // Before the first answer to `watch`, there is nothing to ask.
    if (moved) this.ask();
    this.#render();
  }

  /** Asks what has been said. */
  async ask() {
    clearTimeout(this.#again);
    try {
      const reply = await this.link.request('chat', { table: this.table });
      if (this.#closed) return;
      this.#chat = told(this.#chat, reply);
      this.#render({ anew: true });
    } catch (refused) {
      if (!refused.code) throw refused;
      const passes = ['busy', 'rate_limited', 'internal'].includes(refused.code);
      // Whoever has lost the connection watches anew, and asks anew after that.
      if (passes && !this.#closed) this.#again = setTimeout(() => this.ask(), refused.retry_ms ?? AGAIN_MS);
    }
  }

  /** Somebody has said something. */
  hear(frame) {
    if (opens(this.#chat, frame)) {
      this.ask();
      return;
    }
    this.#chat = heard(this.#chat, frame);
    // An open panel is read out as it grows.
    if (!this.open && frame.line.by.id !== this.#state?.me) announce(`${frame.line.by.name} says something in the chat.`);
    this.#render();
  }

  /** Counts down how long one still has to be silent. */
  tick(now) {
    if (!this.#refused) return;
    const { until, says } = this.#refused;
    if (now >= until) this.#refuse(null);
    else setText(this.parts.refused, says(waitText(until, now)));
  }

  close() {
    this.#closed = true;
    this.unwatch();
    clearTimeout(this.#again);
  }

  #toggle() {
    this.open = !this.open;
    remember('chat-open', this.open);
    this.#render();
    if (this.open) toEnd(this.parts.lines);
  }

  async #say() {
    const { field, room } = this.parts;
    const text = field.value.trim();
    if (!text) return;
    const over = lengthOf(text) - MOST_CHARS;
    if (over > 0) {
      this.#refuse({ code: 'bad_request', message: `a line has at most ${MOST_CHARS} characters: take ${over} away` });
      return;
    }
    this.#refuse(null);
    const sent = field.value;
    const asked = roomsToSpeak(this.#state, this.#chat).length > 1 ? { room: room.value } : {};
    try {
      await this.link.request('say', { table: this.table, ...asked, text });
    } catch (refused) {
      this.#refuse(refused);
      return;
    }
    // What was typed meanwhile stays.
    if (field.value === sent) field.value = '';
    this.#count();
    toEnd(this.parts.lines);
  }

  // Why nothing was said. The text stays in its field.
  #refuse(refused) {
    const { refused: part, field } = this.parts;
    if (refused && !refused.code) throw refused;
    const waits = refused?.code === 'rate_limited' && refused.retry_ms;
    this.#refused = waits
      ? { until: performance.now() + refused.retry_ms, says: (wait) => `You can say more in ${wait}.` }
      : null;
    part.hidden = !refused;
    set(field, 'aria-invalid', refused ? 'true' : null);
    if (waits) this.tick(performance.now());
    else setText(part, refused ? refusalText(refused, { patient: true }) : '');
  }

  #count() {
    const { field, counter, refused } = this.parts;
    const text = counterText(field.value);
    setText(counter, text);
    set(counter, 'data-over', lengthOf(field.value) > MOST_CHARS);
    // A refusal speaks of the text as it was; how long to wait is no matter of the text.
    if (!refused.hidden && !this.#refused) this.#refuse(null);
  }

  #render({ anew = false } = {}) {
    const { root, parts } = this;
    const state = this.#state;
    if (!state) return;
    this.#there ||= hasCompany(state, this.#chat);
    root.hidden = !this.#there;
    set(parts.toggle, 'aria-expanded', String(this.open));
    parts.body.hidden = !this.open;
    parts.form.hidden = state.phase === 'closed';
    this.#showLines(anew);
    if (this.open && !root.hidden) this.#read();
    const count = unread(this.#chat, state.me);
    parts.unread.hidden = count === 0;
    setText(parts.unread, count ? `${count} new` : '');
    this.#showField();
  }

  #read() {
    const before = this.#chat;
    this.#chat = read(before);
    if (this.#chat !== before) remember('chat-seen', { of: this.table, at: this.#chat.seen });
  }

  #showField() {
    const { room, field } = this.parts;
    const rooms = roomsToSpeak(this.#state, this.#chat);
    room.hidden = rooms.length < 2;
    if (room.hidden) room.value = rooms[0];
    set(field, 'placeholder', room.hidden ? fieldText(room.value) : 'Say something');
    set(field, 'aria-label', fieldText(room.value));
  }

  // Only what is new is added, so that the log is read out line by line and keeps its place.
  #showLines(anew) {
    const { lines, empty } = this.parts;
    const all = linesOf(this.#chat);
    empty.hidden = all.length > 0;
    setText(empty, emptyText(this.#state));
    const key = ({ room, line }) => `${room} ${line.id} ${line.at_ms}`;
    const atEnd = isAtEnd(lines);
    const shown = new Map([...lines.children].map((row) => [row.dataset.key, row]));
    const wanted = new Set(all.map(key));
    if (anew) this.#hush();
    for (const [it, row] of shown) if (!wanted.has(it)) row.remove();
    all.forEach((it, place) => {
      const row = shown.get(key(it)) ?? this.#row(it, key(it));
      setText(row.querySelector('[data-room-mark]'), roomMark(this.#state, it.room, it.line.by.id === this.#state.me) ?? '');
      if (lines.children[place] !== row) lines.insertBefore(row, lines.children[place] ?? null);
    });
    if (atEnd) toEnd(lines);
  }

  // What was said before one came is not read out as if it were news.
  #hush() {
    const { lines } = this.parts;
    set(lines, 'aria-live', 'off');
    clearTimeout(this.#hushed);
    this.#hushed = setTimeout(() => set(lines, 'aria-live', 'polite'), HUSH_MS);
  }

  #row({ room, line }, key) {
    const { by, text, at_ms } = line;
    const at = new Date(at_ms);
    const mine = by.id === this.#state.me;
    const name = mine
      ? make('b', { class: 'who' }, 'you')
      : make('a', {
        class: 'who', href: playerPath(by.id), target: '_blank', rel: 'noopener', 'data-who': by.id, 'aria-haspopup': 'dialog',
      }, by.name);
    return make(
      'p',
      { 'data-testid': 'line', 'data-key': key, 'data-room': room, 'data-mine': mine },
      name,
      ' ',
      make('span', { class: 'chip', 'data-room-mark': true }),
      ' ',
      make('time', { datetime: at.toISOString(), title: at.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'medium' }) }, at.toLocaleTimeString(undefined, { timeStyle: 'short' })),
      ' ',
      make('span', { class: 'text', dir: 'auto' }, text),
    );
  }
}

function isAtEnd({ scrollHeight, scrollTop, clientHeight }) {
  return scrollHeight - scrollTop - clientHeight < NEAR;
}

function toEnd(log) {
  log.scrollTop = log.scrollHeight;
}
