// The title of a tab: what the page is about, and what it calls for while nobody looks at it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Attention } from '../../src/web/attention.js';
import { callText } from '../../src/web/words.js';
import { gameView, view } from './views.mjs';

// A tab that is looked at or not, and the one timer of its title.
function tab({ lively = true } = {}) {
  const page = { hidden: true, title: '', addEventListener: (_, looked) => { page.looked = looked; } };
  const clock = { tick: null };
  const attention = new Attention({
    page,
    every: (_, run) => { clock.tick = run; return run; },
    stop: (timer) => { if (timer === clock.tick) clock.tick = null; },
    lively: () => lively,
  });
  attention.about('Hex · hexhall');
  return { page, clock, attention };
}

test('the title of a tab that nobody looks at calls to and fro until it is looked at', () => {
  const { page, clock, attention } = tab();
  attention.call('Your turn!');
  assert.equal(page.title, '● Your turn!');
  clock.tick();
  assert.equal(page.title, 'Hex · hexhall');
  clock.tick();
  assert.equal(page.title, '● Your turn!');
  // What the page is about may change meanwhile.
  attention.about('Rex · hexhall');
  clock.tick();
  assert.equal(page.title, 'Rex · hexhall');
  page.hidden = false;
  page.looked();
  assert.equal(page.title, 'Rex · hexhall');
  assert.equal(clock.tick, null);
});

test('a tab that is looked at is not called from, and nor is one with nothing to call for', () => {
  const { page, clock, attention } = tab();
  page.hidden = false;
  attention.call('Your turn!');
  assert.equal(page.title, 'Hex · hexhall');
  assert.equal(clock.tick, null);
  page.hidden = true;
  page.looked();
  assert.equal(page.title, '● Your turn!');
  attention.call(null);
  assert.equal(page.title, 'Hex · hexhall');
  assert.equal(clock.tick, null);
});

test('where nothing is to move the call stands still', () => {
  const { page, clock, attention } = tab({ lively: false });
  attention.call('Your turn!');
  assert.equal(page.title, '● Your turn!');
  assert.equal(clock.tick, null);
});

test('a player is called for a turn, an offer and a game that has begun, and a watcher for nothing', () => {
  const game = (to_move, moves = []) => ({ game: gameView({ to_move, moves }) });
  const move = { seat: 1, color: 'red', cell: [0, 0] };
  assert.equal(callText(view({ viewer: 'seat_1', ...game(1) })), 'Your turn!');
  assert.equal(callText(view({ viewer: 'seat_2', ...game(1) })), 'Your game has begun!');
  assert.equal(callText(view({ viewer: 'seat_1', ...game(2, [move]) })), null);
  const offers = [{ id: 1, kind: 'takeback', by: 2 }];
  assert.match(callText(view({ viewer: 'seat_1', offers, ...game(2, [move]) })), /^Bert proposes/);
  assert.equal(callText(view({ viewer: 'seat_2', offers, ...game(1, [move, { ...move, seat: 2 }]) })), null);
  assert.equal(callText(view({ viewer: 'spectator', offers, ...game(1) })), null);
});
