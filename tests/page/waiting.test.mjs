// The games that wait for one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Account } from '../../src/web/account.js';
import { waitingElsewhere } from '../../src/web/turns.js';
import { agoText, inOrder, waitingText } from '../../src/web/waiting.js';
import { refusalText } from '../../src/web/words.js';
import { ANNA, BERT } from './views.mjs';

const NOW = 10_000_000;

const waiting = (phase, fields = {}) => ({
  listing: { table: 'tbl_1', phase, seats: [ANNA, BERT] }, private: false, seats: [1],
  to_move: null, my_turn: false, since_ms: NOW, clocks: null, ...fields,
});

test('a game that waits for one’s move is counted where it is not seen', () => {
  const there = (table, my_turn) => {
    const known = waiting('playing', { my_turn });
    return { ...known, listing: { ...known.listing, table } };
  };
  const tables = [there('tbl_1', true), there('tbl_2', true), there('tbl_3', false)];
  assert.equal(waitingElsewhere(tables, null), 2);
  assert.equal(waitingElsewhere(tables, 'tbl_2'), 1);
  assert.equal(waitingElsewhere(tables, 'tbl_3'), 2);
});

test('one’s own turns come first, the longest waiting before the others', () => {
  const tables = [
    waiting('finished', { n: 1 }),
    waiting('playing', { n: 2, to_move: 2 }),
    waiting('playing', { n: 3, to_move: 1, my_turn: true, since_ms: NOW }),
    waiting('playing', { n: 4, to_move: 1, my_turn: true, since_ms: NOW - 5 }),
  ];
  assert.deepEqual(inOrder(tables).map(({ n }) => n), [4, 3, 2, 1]);
});

test('a turn says whose it is, since when, and the time left', () => {
  const clocks = { running: 1, seats: [{ left_ms: 252_000 }, { left_ms: 60_000 }] };
  const mine = waiting('playing', { to_move: 1, my_turn: true, since_ms: NOW - 200_000 });
  assert.equal(waitingText(mine, NOW), 'Your turn, for 3 min');
  assert.equal(waitingText({ ...mine, clocks }, NOW), 'Your turn, for 3 min · 4:12 left');
  const theirs = waiting('playing', { to_move: 2, clocks: { ...clocks, running: 2 } });
  assert.equal(waitingText(theirs, NOW - 5), 'Bert is to move, for less than a minute · 1:00 left');
  assert.equal(waitingText({ ...theirs, clocks: { ...clocks, running: null } }, NOW), 'Bert is to move; the clocks stand');
});

test('a table without a running game says what it waits for', () => {
  assert.equal(waitingText(waiting('waiting'), NOW), 'Waiting for an opponent');
  assert.equal(waitingText(waiting('finished'), NOW), 'The game is over; there may be another');
});

test('a span is told in the unit that fits it', () => {
  const MINUTE = 60_000;
  assert.equal(agoText(59_999), 'less than a minute');
  assert.equal(agoText(59 * MINUTE), '59 min');
  assert.equal(agoText(47 * 60 * MINUTE), '47 h');
  assert.equal(agoText(48 * 60 * MINUTE), '2 days');
});

test('what the server refuses is thrown with its code, and so is what never reached it', async () => {
  const answer = (status, body) => new Account({
    fetch: async () => ({ status, ok: status < 300, json: async () => body }),
  });
  assert.deepEqual(await answer(200, { bots: [] }).bots(), { bots: [] });
  assert.equal(await answer(204).revokeKey('plr_1', 'key_1'), null);
  const taken = { code: 'name_taken', message: 'taken', suggestion: 'Anna 2' };
  await assert.rejects(answer(409, taken).rename('Anna'), taken);
  const gone = new Account({ fetch: async () => { throw new TypeError('failed'); } });
  await assert.rejects(gone.me(), { code: 'offline' });
});

test('the words of a refusal are the server’s where only it knows, written as the page writes', () => {
  const misspelt = { code: 'bad_phrase', message: 'word 1, `appel`, is misspelt: did you mean `apple`?' };
  assert.equal(refusalText(misspelt), 'Word 1, “appel”, is misspelt: did you mean “apple”?');
  const early = { code: 'rate_limited', message: 'too many names: try again in 12 minutes' };
  assert.equal(refusalText(early), 'That was too fast. Try again in a moment.');
  assert.equal(refusalText(early, { patient: true }), 'Too many names: try again in 12 minutes.');
});

test('a change is asked for in JSON, with the names in an address encoded', async () => {
  const asked = [];
  const account = new Account({
    fetch: async (...request) => { asked.push(request); return { status: 200, ok: true, json: async () => ({}) }; },
  });
  await account.newKey('a/b', 'home');
  const [[path, { method, headers, body }]] = asked;
  assert.deepEqual([method, path], ['POST', '/v1/me/bots/a%2Fb/keys']);
  assert.deepEqual([headers, body], [{ 'content-type': 'application/json' }, '{"label":"home"}']);
});
