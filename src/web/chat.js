// What is said at a table, as far as this viewer may read it.
//
// Pure: no DOM, no clock, no socket. A value is never changed in place: what the server tells goes in,
// the next value comes out.
//
// Invariant: a room is `null` where it may not be read, and nothing that is said there is shown. Which
// rooms those are is the server's to say, by its reply to `chat`; live lines are only added to it.

import { againstComputer, mySeat, onDevice, playing } from './may.js';
import { isDark, isLate } from './options.js';

/** The longest line, in characters as the server counts them. */
export const MOST_CHARS = 300;

// From so many characters left on, they are counted down.
const COUNTED = 50;

// Of each room, as the server keeps them; the oldest goes.
const KEPT = 100;

/** Nothing is known yet. `seen` is when the newest line was said that has been read. */
export const SILENCE = { players: null, watchers: null, seen: 0 };

/** The chat after the server's reply to `chat`, which tells all that may be read now. */
export function told(chat, { players = null, watchers = null }) {
  return { ...chat, players, watchers };
}

/** Whether a line is of a room that was not known to be open: what was said there has to be asked for. */
export function opens(chat, { room }) {
  return chat[room] === null;
}

/** The chat after somebody has said something. */
export function heard(chat, { room, line }) {
  const lines = chat[room];
  if (!lines || lines.some(({ id }) => id === line.id)) return chat;
  return { ...chat, [room]: [...lines, line].slice(-KEPT) };
}

/** All lines of the rooms that may be read, in the order in which they were said: `{ room, line }`. */
export function linesOf(chat) {
  const of = (room) => (chat[room] ?? []).map((line) => ({ room, line }));
  return [...of('players'), ...of('watchers')].sort((a, b) => a.line.id - b.line.id);
}

/** How many lines of others have not been read. */
export function unread(chat, me) {
  return linesOf(chat).filter(({ line }) => line.by.id !== me && line.at_ms > chat.seen).length;
}

/** The chat once everything in it has been read. */
export function read(chat) {
  const seen = Math.max(chat.seen, ...linesOf(chat).map(({ line }) => line.at_ms));
  return seen === chat.seen ? chat : { ...chat, seen };
}

/** The viewer's own room. */
export function ownRoom(state) {
  return mySeat(state) !== null || onDevice(state) ? 'players' : 'watchers';
}

/** The rooms in which the viewer may say something, their own first. */
export function roomsToSpeak(state, chat) {
  const own = ownRoom(state);
  return own === 'players' && chat.watchers && !playing(state) ? [own, 'watchers'] : [own];
}

/** What tells that somebody's chat may have other rooms, or other people in them, than before. */
export function standing(state) {
  const { game } = state;
  return JSON.stringify([ownRoom(state), state.phase === 'playing', game?.id, !!game?.outcome]);
}

/** Whether anybody could read what is said here, or has said something. */
export function hasCompany(state, chat) {
  if (linesOf(chat).length > 0 || state.party) return true;
  if (onDevice(state)) return false;
  return !againstComputer(state) || state.presence.watchers > 0;
}

/** How many characters a line has, as the server counts them: without the white space around it. */
export function lengthOf(text) {
  return [...text.trim()].length;
}

/** What the counter at the field says: nothing far from the limit. */
export function counterText(text) {
  const left = MOST_CHARS - lengthOf(text);
  if (left > COUNTED) return '';
  return left < 0 ? `${-left} too many` : `${left} left`;
}

/** What stands where nothing has been said. */
export function emptyText(state) {
  const dark = isDark(state.options) && state.phase === 'playing' && !state.game?.outcome;
  if (ownRoom(state) === 'watchers') {
    const players = dark && !isLate(state.options)
      ? ' What the players say is shown after the game.'
      : '';
    return `Nothing has been said yet. You talk with the others who watch; the players read it after the game.${players}`;
  }
  const watchers = dark ? 'those who watch may read it after the game.' : 'those who watch may read it too.';
  return `Nothing has been said yet. You talk with who sits here; ${isLate(state.options) ? 'nobody else reads it.' : watchers}`;
}

/** What the field asks for. */
export function fieldText(room) {
  return room === 'players' ? 'Say something to the players' : 'Say something to those who watch';
}

/** What marks a line of the other room than one's own, `mine` or another's; or null. */
export function roomMark(state, room, mine) {
  if (room === ownRoom(state)) return null;
  if (mine) return `to the ${room}`;
  return room === 'players' ? 'player' : 'watcher';
}
