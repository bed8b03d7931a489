// The public list of tables.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasFreeSeat, isSeated, listed, ordered, othersText, parted, partyText, seatsText } from '../../src/web/listing.js';
import { ANNA, BERT, OPTIONS } from './views.mjs';

const HOUSE = { id: 'plr_0', name: 'CPU level 3', cpu: 3 };

const listing = (table, phase, seats, opened_ms = 0) => ({ table, phase, seats, opened_ms, options: OPTIONS });

test('tables come, change and go', () => {
  const one = listing('tbl_1', 'waiting', [ANNA, null]);
  const full = listing('tbl_1', 'playing', [ANNA, BERT]);
  const list = listed([], { lobby: 'listed', listing: one });
  assert.deepEqual(list, [one]);
  assert.deepEqual(listed(list, { lobby: 'listed', listing: full }), [full]);
  assert.deepEqual(listed(list, { lobby: 'unlisted', table: 'tbl_1' }), []);
  assert.deepEqual(listed(list, { lobby: 'unlisted', table: 'tbl_2' }), [one]);
});

test('a whole list replaces what was known', () => {
  const two = listing('tbl_2', 'waiting', [BERT, null]);
  assert.deepEqual(listed([listing('tbl_1', 'waiting', [ANNA, null])], { lobby: 'tables', tables: [two] }), [two]);
});

test('own tables come first, then free seats, then games of people, then practice, and the newest in each', () => {
  const tables = [
    listing('practice', 'playing', [BERT, HOUSE], 20),
    listing('own waiting', 'waiting', [ANNA, null], 30),
    listing('finished', 'finished', [BERT, null], 9),
    listing('playing', 'playing', [BERT, BERT], 9),
    listing('old', 'waiting', [BERT, null], 1),
    listing('new', 'waiting', [BERT, null], 2),
    listing('mine', 'playing', [BERT, ANNA], 0),
  ];
  assert.deepEqual(ordered(tables, ANNA.id).map(({ table }) => table), [
    'mine', 'own waiting', 'new', 'old', 'playing', 'finished', 'practice',
  ]);
});

test('of the free seats those come first where somebody is there', () => {
  const gone = { ...listing('new', 'waiting', [BERT, null], 2), gone: true };
  assert.deepEqual(ordered([gone, listing('old', 'waiting', [BERT, null], 1)], ANNA.id).map(({ table }) => table), ['old', 'new']);
});

test('own tables stand apart from those of others', () => {
  const ids = ({ own, others }) => [own, others].map((tables) => tables.map(({ table }) => table));
  const [mine, theirs] = [listing('mine', 'playing', [HOUSE, ANNA]), listing('theirs', 'waiting', [BERT, null])];
  assert.deepEqual(ids(parted([theirs, mine], ANNA.id)), [['mine'], ['theirs']]);
  assert.deepEqual(ids(parted([mine], ANNA.id)), [['mine'], []]);
  assert.deepEqual(ids(parted([theirs, mine], undefined)), [[], ['theirs', 'mine']]);
});

test('only a waiting table has a seat to take', () => {
  assert.equal(hasFreeSeat(listing('t', 'waiting', [ANNA, null])), true);
  assert.equal(hasFreeSeat(listing('t', 'waiting', [ANNA, BERT])), false);
  assert.equal(hasFreeSeat(listing('t', 'closed', [ANNA, null])), false);
});

test('a seat of a table that is seen late may be taken, and is not offered', () => {
  const late = { ...listing('t', 'waiting', [ANNA, null]), options: { ...OPTIONS, spectator_delay_s: 10 } };
  assert.equal(hasFreeSeat(late), false);
  assert.equal(othersText(late), 'Anna – seat may be taken');
});

test('who sits at a table is named', () => {
  const table = listing('t', 'waiting', [ANNA, null]);
  assert.deepEqual([seatsText(table), othersText(table)], ['Anna – free seat', 'Anna – free seat']);
  assert.equal(isSeated(table, ANNA.id), true);
  assert.equal(isSeated(table, BERT.id), false);
});

test('a party is listed with how many it has and how many of them watch', () => {
  assert.equal(partyText(listing('tbl_1', 'waiting', [ANNA, null])), null);
  const party = { ...listing('tbl_1', 'playing', [ANNA, BERT]), party: 'K7QMWX' };
  assert.equal(partyText({ ...party, size: { members: 2, watchers: 0 } }), 'party of 2');
  assert.equal(partyText({ ...party, size: { members: 5, watchers: 3 } }), 'party of 5, 3 watching');
});
