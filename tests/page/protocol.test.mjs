// The page reads what the protocol's own documentation says that a server sends.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  SILENCE, heard, linesOf, told,
} from '../../src/web/chat.js';
import { apply, fromView, rejoin } from '../../src/web/table.js';
import { shown } from '../../src/web/seen.js';
import { announcement, resultText } from '../../src/web/words.js';
import { view } from './views.mjs';

const text = readFileSync(new URL('../../proto/PROTOCOL.md', import.meta.url), 'utf8');

// The frames of the blocks marked as that kind, one a line.
const frames = (kind, source) => [...source.matchAll(new RegExp(`^\`\`\`json ${kind}\n([^]*?)^\`\`\``, 'gm'))]
  .flatMap((block) => block[1].trim().split('\n').map((line) => JSON.parse(line)));

// What changes nothing of a table as such: the chat keeps what is said.
const ELSEWHERE = new Set(['said']);

test('the whole game of the documentation is followed to its end', () => {
  const whole = text.slice(text.indexOf('## A whole game'));
  const replies = frames('reply', whole);
  const opened = replies.find(({ reply }) => reply === 'opened');
  const missed = replies.filter(({ reply }) => reply === 'resumed').flatMap(({ events }) => events);
  const events = [...frames('event', whole), ...missed].sort((a, b) => a.seq - b.seq);
  const state = events.reduce((next, frame) => apply(next, frame, 0), fromView(opened.view, 0));
  assert.deepEqual([state.gap, state.seq, state.phase], [false, 10, 'finished']);
  assert.deepEqual(state.game.board, ['.rb', 'br.', '.r.']);
  assert.deepEqual(shown(state, null).path, [[0, 1], [1, 1], [2, 1]]);
  assert.deepEqual(shown(state, state.game.moves.length).board, state.game.board);
  assert.equal(resultText(state), 'Bo won by joining the edges.');
});

test('every event of the documentation is applied, and read out without a gap in its words', () => {
  const events = frames('event', text);
  const names = new Set(events.map((frame) => frame.event));
  assert.ok(names.size >= 15, [...names].join());
  for (const frame of events.filter((it) => !ELSEWHERE.has(it.event))) {
    const start = fromView(view({ table: frame.table, seq: (frame.seq ?? 1) - 1 }), 0);
    const state = apply(start, frame, 0);
    assert.notEqual(state, start, frame.event);
    assert.equal(state.gap, false, frame.event);
    const words = announcement(state, frame) ?? '';
    assert.doesNotMatch(words, /undefined|null|NaN/, frame.event);
  }
});

test('what is said in the documentation goes into the chat, and changes nothing of the table', () => {
  const [said] = frames('event', text).filter(({ event }) => event === 'said');
  const start = fromView(view({ table: said.table }), 0);
  assert.equal(apply(start, said, 0), start);
  const [reply] = frames('reply', text).filter((frame) => frame.reply === 'chat');
  const chat = told(SILENCE, reply);
  assert.deepEqual(linesOf(chat).map(({ room, line }) => [room, line.by.name, line.text]), [['players', 'Ana', 'good luck']]);
  assert.equal(linesOf(heard(chat, { ...said, line: { ...said.line, id: 9 } })).length, 2);
});

test('every answer to `watch` in the documentation is applied', () => {
  for (const reply of frames('reply', text).filter((frame) => ['view', 'opened', 'joined'].includes(frame.reply))) {
    assert.equal(rejoin(null, reply, 0).seq, reply.view.seq);
  }
  const [resumed] = frames('reply', text).filter((frame) => frame.reply === 'resumed');
  const [first] = resumed.events;
  const before = fromView(view({ table: resumed.table, viewer: resumed.viewer, seq: first.seq - 1 }), 0);
  assert.equal(rejoin(before, resumed, 0).seq, resumed.events.at(-1).seq);
});
