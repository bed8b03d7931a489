// Whom one keeps away, what the operator tells, and a ban.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Account } from '../../src/web/account.js';
import { Manners } from '../../src/web/manners.js';
import { gathered } from '../../src/web/notices.js';
import { banText, noticeTitle, wayText } from '../../src/web/mannerwords.js';

// An account whose server answers each request by `answer(method, path, body)`: a status and a body.
function accountOf(answer) {
  const asked = [];
  const fetch = async (path, { method, body }) => {
    asked.push([method, path, body && JSON.parse(body)].filter(Boolean));
    const { status = 200, said = null, head = {} } = answer(method, path);
    return { status, ok: status < 400, json: async () => said, headers: new Headers(head) };
  };
  return { account: new Account({ fetch }), asked };
}

const BERT = { player: { id: 'plr_b', name: 'Bert' }, since_ms: 5 };

test('nothing is known of anybody before the server has told it', async () => {
  const { account } = accountOf((_, path) => ({ said: { [path.split('/').at(-1)]: path.endsWith('blocks') ? [BERT] : [] } }));
  const manners = new Manners({ account });
  assert.equal(manners.has('blocks', 'plr_b'), null);
  await manners.list('blocks');
  assert.equal(manners.has('blocks', 'plr_b'), true);
  assert.equal(manners.has('blocks', 'plr_c'), false);
});

test('a block is made and taken back at the server, and told to who watches', async () => {
  const { account, asked } = accountOf((method) => (method === 'GET' ? { said: { blocks: [], mutes: [] } } : { status: 204 }));
  const manners = new Manners({ account });
  await manners.list('blocks');
  asked.length = 0;
  let changes = 0;
  const unwatch = manners.watch(() => { changes += 1; });
  await manners.keep('blocks', 'plr_b', true);
  assert.equal(manners.has('blocks', 'plr_b'), true);
  await manners.keep('blocks', 'plr_b', false);
  assert.equal(manners.has('blocks', 'plr_b'), false);
  assert.deepEqual(asked, [['PUT', '/v1/me/blocks/plr_b'], ['DELETE', '/v1/me/blocks/plr_b']]);
  assert.equal(changes, 2);
  unwatch();
  await manners.keep('blocks', 'plr_b', true);
  assert.equal(changes, 2);
});

test('a block that is refused has changed nothing', async () => {
  const { account } = accountOf((method) => (method === 'GET'
    ? { said: { blocks: [], mutes: [] } }
    : { status: 409, said: { code: 'too_many', message: 'there are 500' } }));
  const manners = new Manners({ account });
  await manners.list('blocks');
  manners.watch(() => assert.fail('nothing has changed'));
  await assert.rejects(manners.keep('blocks', 'plr_b', true), { code: 'too_many' });
  assert.equal(manners.has('blocks', 'plr_b'), false);
});

test('how long to wait is read from the head of an answer', async () => {
  const said = { code: 'banned', message: 'you are banned: insults' };
  const { account } = accountOf(() => ({ status: 403, said, head: { 'Retry-After': '60' } }));
  await assert.rejects(account.me(), { code: 'banned', retry_ms: 60_000 });
  const { account: other } = accountOf(() => ({ status: 403, said }));
  await assert.rejects(other.me(), (refused) => !('retry_ms' in refused));
});

test('a button says what pressing it does', () => {
  assert.deepEqual(
    ['blocks', 'mutes'].flatMap((way) => [false, true].map((kept) => wayText(way, kept))),
    ['Block', 'Unblock', 'Mute', 'Unmute'],
  );
});

test('notices are shown once each, the oldest first, however often they are told', () => {
  const notice = (id, at_ms) => ({ id, at_ms, kind: 'warning', text: id });
  const waiting = gathered([notice('ntc_b', 2)], [notice('ntc_c', 3), notice('ntc_a', 1), notice('ntc_b', 2)]);
  assert.deepEqual(waiting.map(({ id }) => id), ['ntc_a', 'ntc_b', 'ntc_c']);
});

test('a report says what was chosen', async () => {
  const { account, asked } = accountOf(() => ({ status: 201, said: { id: 'rep_1' } }));
  const report = { player: 'plr_b', table: 'tbl_1', reason: 'spam' };
  assert.deepEqual(await account.report(report), { id: 'rep_1' });
  assert.deepEqual(asked, [['POST', '/v1/reports', report]]);
});

test('a mute says until when, if it has an end; so does a ban', () => {
  const until_ms = Date.UTC(2026, 10, 30, 12);
  assert.match(noticeTitle({ kind: 'muted', until_ms }), /^You are muted until .*2026/);
  assert.equal(noticeTitle({ kind: 'muted' }), 'You are muted');
  assert.match(noticeTitle({ kind: 'warning' }), /warning/);
  assert.equal(noticeTitle({ kind: 'something_new' }), 'A word from the operator');
  assert.match(banText(until_ms), /2026/);
  assert.equal(banText(null), '');
});
