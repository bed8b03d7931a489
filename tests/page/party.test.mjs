// What the page makes of a party: its members, who is next, and what is told of changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeSeats } from '../../src/web/may.js';
import { formOf, request, settled, START } from '../../src/web/options.js';
import {
  codeOf, isBusy, isHost, membersOf, membership, nextText, proposesNext, startButton, startText,
  waitsText,
} from '../../src/web/party.js';
import { apply, fromView } from '../../src/web/table.js';
import { announcement, offerText, viewerText } from '../../src/web/words.js';
import { ANNA, BERT, OPTIONS, RULES, event, gameView, view } from './views.mjs';

const CLEO = { id: 'plr_c', name: 'Cleo' };

const member = (player, changes = {}) => ({ player, plays: true, games: 0, wins: 0, ...changes });

const party = (changes = {}) => ({
  code: 'K7PMWX', host: ANNA.id, members: [member(ANNA), member(BERT), member(CLEO)],
  turns: 'winner_stays', cpu_level: 3, ...changes,
});

const partyView = (changes = {}) => view({
  party: party(),
  presence: {
    seats: [{ connected: true }, { connected: true }], watchers: 1,
    party: { here: [ANNA.id, CLEO.id], next: [ANNA.id, CLEO.id] },
  },
  ...changes,
});

const state = (changes = {}, me = ANNA.id) => ({ ...fromView(partyView(changes), 0), me });

test('members are shown with their marks, in the order in which they came', () => {
  const [anna, bert, cleo] = membersOf(state({ phase: 'finished' }));
  assert.deepEqual([anna.host, anna.seat, anna.next, anna.here, anna.me], [true, 1, true, true, true]);
  assert.deepEqual([bert.host, bert.seat, bert.next, bert.here], [false, 2, false, false]);
  assert.deepEqual([cleo.seat, cleo.next], [null, true]);
});

test('a change of seats is no news in a party, where the start settles who plays', () => {
  assert.equal(announcement(state(), event(11, 'seated', { seat: 2, player: CLEO })), null);
  assert.equal(announcement(state(), event(11, 'unseated', { seat: 2 })), null);
  const waiting = state({ phase: 'waiting', game: null });
  assert.match(viewerText(waiting), /settled by the start/);
  assert.match(viewerText(state()), /^You are red/);
});

test('it is told beforehand who plays next', () => {
  assert.equal(nextText(state({ phase: 'finished' })), 'Next: Anna – Cleo');
  const next = (ids) => state({ phase: 'waiting', presence: { ...partyView().presence, party: { here: ids, next: ids } } });
  assert.equal(nextText(next([BERT.id])), 'Next: Bert – the computer, level 3');
  assert.match(nextText(next([])), /nobody/);
});

test('who is next is not told while a game runs whose end settles it', () => {
  assert.equal(nextText(state()), '');
  assert.deepEqual(membersOf(state()).filter((member) => member.next), []);
  const practice = state({ seats: [ANNA, { id: 'plr_0', name: 'CPU level 3', cpu: 3 }] });
  assert.equal(nextText(practice), 'Next: Anna – Cleo');
});

test('a member is known by who they are, and the host alone hosts', () => {
  assert.equal(isHost(state()), true);
  assert.equal(isHost(state({}, BERT.id)), false);
  assert.equal(membership(state({}, 'plr_x')), null);
  assert.equal(isHost(state({}, null)), false);
});

test('a game against the computer may be ended by the next, and no other', () => {
  assert.equal(isBusy(state()), true);
  const practice = state({ seats: [ANNA, { id: 'plr_0', name: 'CPU level 3', cpu: 3 }] });
  assert.equal(isBusy(practice), false);
  assert.match(startText(practice), /End this game/);
  assert.equal(startText({ phase: 'waiting', game: null }), 'Start the game');
});

test('nobody takes a seat in a party', () => {
  const waiting = state({ viewer: 'spectator', phase: 'waiting', seats: [ANNA, null], game: null });
  assert.deepEqual(freeSeats(waiting), []);
});

test('a game that ends counts for both, and a void one for nobody', () => {
  const ended = (winner) => apply(state(), event(11, 'ended', {
    outcome: { winner, by: winner ? 'resignation' : 'aborted' }, score: [0, 0],
  }), 0);
  const tally = ({ party: { members } }) => members.map(({ games, wins }) => [games, wins]);
  assert.deepEqual(tally(ended(2)), [[1, 0], [1, 1], [0, 0]]);
  assert.deepEqual(tally(ended(null)), [[0, 0], [0, 0], [0, 0]]);
});

test('the last game keeps its rules on the page while the next has others', () => {
  const options = { ...OPTIONS, rows: 9, cols: 9 };
  const change = { kind: 'options_set', options };
  const over = state({ phase: 'finished', game: gameView({ outcome: { winner: 1, by: 'chain' } }) });
  const set = apply(over, event(11, 'party', { change, party: party() }), 0);
  assert.deepEqual([set.options.rows, set.nextOptions.rows], [3, 9]);
  const afresh = fromView(partyView({ options, game: gameView({ options: OPTIONS }) }), 0);
  assert.deepEqual([afresh.options.rows, afresh.nextOptions.rows], [3, 9]);
  const before = apply(state({ phase: 'waiting', game: null }), event(11, 'party', { change, party: party() }), 0);
  assert.equal(before.options.rows, 9);
});

test('a code is read however it is typed', () => {
  assert.equal(codeOf(' k7p-mwx '), 'K7PMWX');
  assert.equal(codeOf('k7p mwx'), 'K7PMWX');
  for (const typed of ['', 'K7PMW', 'K7PMWXY', 'K7PMW!']) assert.equal(codeOf(typed), null);
});

test('the form of the house rules begins with what is set and asks for the same', () => {
  const all = [
    OPTIONS,
    { ...OPTIONS, rated: true },
    { ...OPTIONS, preset: 'party', rows: 13, cols: 13, swap: 'off', time: { control: 'per_turn', seconds: 60 } },
    { ...OPTIONS, preset: 'dark', rows: 9, cols: 9, game: 'dark', collision: 'abrupt', swap: 'off' },
    {
      ...OPTIONS, preset: 'custom', rows: 5, cols: 7, random_stones: 2, swap: 'off', first_move: 'fixed',
      first_move_s: 20, time: { control: 'byo_yomi', initial_s: 90, period_s: 10, periods: 4 },
    },
  ].map((options) => ({ ...options, rows: Math.max(options.rows, options.preset === 'custom' ? 5 : 7), cols: Math.max(options.cols, 7) }));
  for (const { rows, cols, ...options } of all) {
    const { options: asked } = request(settled({ ...START, ...formOf({ rows, cols, ...options }), seats: 'party' }, RULES), RULES);
    const { size = null, rows: r = size, cols: c = size, random_stones = 0, ...rest } = asked;
    assert.deepEqual({ ...rest, rows: r, cols: c, random_stones }, { ...options, rows, cols });
  }
});

test('a party is opened by the form, and sees its table at once', () => {
  const asked = request(settled({ ...START, seats: 'party', spectator_delay_s: '30' }, RULES), RULES);
  assert.deepEqual(asked.party, {});
  assert.equal(asked.options.spectator_delay_s, undefined);
  assert.equal(request(START, RULES).party, undefined);
});

test('a rated game is asked for by both who play it, and any other started by the host', () => {
  const finished = (asked, rated = true) => ({
    phase: 'finished', options: { ...OPTIONS, rated },
    presence: { ...partyView().presence, party: { here: [], next: [ANNA.id, CLEO.id], asked } },
  });
  const button = (asked, me, rated) => startButton(state(finished(asked, rated), me));
  assert.deepEqual(button(undefined, CLEO.id), { text: 'Ask for the rated game', disabled: false });
  assert.equal(button(CLEO.id, CLEO.id).disabled, true);
  assert.deepEqual(button(CLEO.id, ANNA.id), { text: 'Agree to the rated game', disabled: false });
  assert.equal(button(CLEO.id, BERT.id), null);
  assert.match(waitsText(state(finished(), BERT.id)), /both who play/);
  assert.equal(button(undefined, CLEO.id, false), null);
  assert.equal(button(undefined, ANNA.id, false).disabled, false);
  assert.match(waitsText(state(finished(undefined, false), BERT.id)), /host/);
});

test('who plays the next game says that they are ready, unless a button of the card begins it', () => {
  const asks = (me, rated) => proposesNext(state({
    phase: 'finished', options: { ...OPTIONS, rated },
    presence: { ...partyView().presence, party: { here: [], next: [ANNA.id, CLEO.id] } },
  }, me));
  assert.deepEqual([ANNA, BERT, CLEO].map(({ id }) => asks(id, false)), [false, false, true]);
  assert.deepEqual([ANNA, BERT, CLEO].map(({ id }) => asks(id, true)), [false, false, false]);
  const offer = { id: 1, kind: 'rematch', by: 2 };
  assert.equal(offerText(state(), offer), 'Bert is ready for the next game.');
  assert.equal(offerText(state(), { ...offer, by: 1 }), 'You are ready for the next game.');
});

test('another name is that of the seat and of the member', () => {
  const player = { ...ANNA, name: 'Countess' };
  const after = apply(state(), event(11, 'renamed', { player }), 0);
  assert.equal(after.seats[0].name, 'Countess');
  assert.equal(membersOf(after)[0].name, 'Countess');
  assert.equal(membersOf(after)[1].name, 'Bert');
});
