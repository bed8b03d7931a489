// What is said at a table, as the page keeps it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  SILENCE, counterText, emptyText, hasCompany, heard, lengthOf, linesOf, opens, ownRoom, read, roomMark,
  roomsToSpeak, standing, told, unread,
} from '../../src/web/chat.js';
import { fromView } from '../../src/web/table.js';
import {
  ANNA, BERT, OPTIONS, gameView, view,
} from './views.mjs';

const line = (id, by, text = 'hm') => ({ id, by, text, at_ms: 1_000 * id });
const said = (room, it) => ({ table: 'tbl_1', event: 'said', room, line: it });
const ids = (chat) => linesOf(chat).map(({ line: { id } }) => id);
const at = (changes, me = 'plr_a') => ({ ...fromView(view(changes), 0), me });
const over = { game: gameView({ to_move: null, outcome: { winner: 1, by: 'resignation' } }), phase: 'finished' };

test('lines of both rooms stand in the order in which they were said', () => {
  const chat = told(SILENCE, { players: [line(1, ANNA), line(4, BERT)], watchers: [line(2, BERT), line(3, BERT)] });
  assert.deepEqual(linesOf(chat).map(({ room, line: { id } }) => [id, room]), [
    [1, 'players'], [2, 'watchers'], [3, 'watchers'], [4, 'players'],
  ]);
});

test('a room that the reply leaves out may not be read, and a line of it asks for the rest', () => {
  const chat = told(SILENCE, { players: [line(1, ANNA)] });
  assert.equal(opens(chat, said('watchers', line(2, BERT))), true);
  assert.equal(opens(chat, said('players', line(2, BERT))), false);
  assert.deepEqual(ids(heard(chat, said('watchers', line(2, BERT)))), [1]);
});

test('a reply takes the place of all that was known, whatever may no longer be read', () => {
  const before = told(SILENCE, { players: [line(1, ANNA), line(2, BERT)], watchers: [line(3, BERT)] });
  assert.deepEqual(ids(told(before, { players: [line(1, ANNA)] })), [1]);
});

test('a line that is told twice stands once, and of a room the last hundred are kept', () => {
  let chat = told(SILENCE, { players: [] });
  for (let n = 1; n <= 120; n += 1) chat = heard(chat, said('players', line(n, ANNA)));
  assert.deepEqual([ids(chat).length, ids(chat)[0], ids(chat).at(-1)], [100, 21, 120]);
  assert.equal(heard(chat, said('players', line(120, ANNA))), chat);
});

test('what others have said counts as new until it is read, and stays read after a return', () => {
  const chat = told(SILENCE, { players: [line(1, ANNA), line(2, BERT), line(3, BERT)] });
  assert.equal(unread(chat, ANNA.id), 2);
  const known = read(chat);
  assert.equal(unread(known, ANNA.id), 0);
  const again = told({ ...SILENCE, seen: known.seen }, { players: [line(2, BERT), line(3, BERT), line(4, BERT)] });
  assert.equal(unread(again, ANNA.id), 1);
  assert.equal(read(known), known);
});

test('who sits talks to the players, and to the watchers too once the game is over', () => {
  const open = told(SILENCE, { players: [], watchers: [] });
  assert.deepEqual(roomsToSpeak(at({}), told(SILENCE, { players: [] })), ['players']);
  assert.deepEqual(roomsToSpeak(at({}), open), ['players']);
  assert.deepEqual(roomsToSpeak(at(over), open), ['players', 'watchers']);
  assert.deepEqual(roomsToSpeak(at({ viewer: 'spectator' }), open), ['watchers']);
});

test('whoever plays on one device behind a curtain sits there, too', () => {
  const options = { ...OPTIONS, game: 'dark', pass_and_play: true };
  const state = at({ viewer: 'spectator', seats: [ANNA, ANNA], options, game: gameView({ options }) });
  assert.equal(ownRoom(state), 'players');
  assert.equal(ownRoom({ ...state, me: 'plr_c' }), 'watchers');
});

test('lines of the other room are marked', () => {
  const marks = (state, mine) => ['players', 'watchers'].map((room) => roomMark(state, room, mine));
  assert.deepEqual(marks(at({}), false), [null, 'watcher']);
  assert.deepEqual(marks(at({}), true), [null, 'to the watchers']);
  assert.deepEqual(marks(at({ viewer: 'spectator' }), false), ['player', null]);
});

test('other rooms may be open after a start, an end, and when one sits down or gets up', () => {
  const standings = [
    at({}), at({ viewer: 'spectator' }), at(over), at({ game: gameView({ id: 'gam_2', number: 2 }) }),
  ].map(standing);
  assert.equal(new Set(standings).size, standings.length);
  assert.equal(standing(at({ seq: 11 })), standing(at({})));
});

test('nobody is offered a talk with a computer, or with themselves on one device', () => {
  const silence = told(SILENCE, { players: [] });
  const practice = { seats: [ANNA, { id: 'plr_cpu', name: 'CPU level 3', cpu: 3 }] };
  const device = { seats: [ANNA, ANNA], viewer: 'both', options: { ...OPTIONS, pass_and_play: true } };
  const game = gameView({ options: device.options });
  assert.equal(hasCompany(at({}), silence), true);
  assert.equal(hasCompany(at(practice), silence), false);
  assert.equal(hasCompany(at({ ...device, game }), silence), false);
  const watched = { seats: [{ connected: true }, { connected: true }], watchers: 1 };
  assert.equal(hasCompany(at({ ...practice, presence: watched }), silence), true);
  assert.equal(hasCompany(at({ ...device, game }), told(SILENCE, { players: [line(1, ANNA)] })), true);
  assert.equal(hasCompany(at({ ...device, viewer: 'spectator', game }, 'plr_c'), silence), true);
});

test('characters are counted as the server counts them, near the limit only', () => {
  assert.equal(lengthOf('  🙂é \n'), 2);
  assert.equal(counterText('x'.repeat(249)), '');
  assert.equal(counterText('x'.repeat(250)), '50 left');
  assert.equal(counterText('🙂'.repeat(300)), '0 left');
  assert.equal(counterText('x'.repeat(304)), '4 too many');
});

test('an empty chat says who would read what is said', () => {
  assert.match(emptyText(at({})), /those who watch may read it too/);
  assert.match(emptyText(at({ viewer: 'spectator' })), /the players read it after the game\.$/);
  const options = { ...OPTIONS, game: 'dark' };
  assert.match(emptyText(at({ viewer: 'spectator', game: gameView({ options }) })), /shown after the game\.$/);
  const dark = { options, game: gameView({ options }) };
  assert.match(emptyText(at({ ...dark, viewer: 'spectator' })), /What the players say is shown after the game\.$/);
  assert.match(emptyText(at(dark)), /those who watch may read it after the game\.$/);
  assert.match(emptyText(at({ ...dark, ...over, options })), /those who watch may read it too\.$/);
  assert.match(emptyText(at({ options: { ...OPTIONS, spectator_delay_s: 10 } })), /nobody else reads it\.$/);
});
