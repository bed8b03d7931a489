// Seeks: one's own, and those on the list.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  NOTHING, answered, begun, endText, listedSeeks, online, poolText, ratingText, reachText, readyText,
  secondsLeft, seekingText, sought, waitText, waitsOnText, wishOf,
} from '../../src/web/seeks.js';

const OPTIONS = {
  preset: 'standard', rows: 11, cols: 11, swap: 'sides', time: { control: 'fischer', initial_s: 300, increment_s: 5 },
};
const SEEK = { seek: 'sek_1', pool: 'hex-11', options: OPTIONS };

test('a seek begins once, and ends', () => {
  const one = begun(NOTHING, SEEK, 1_000);
  assert.deepEqual(one.seeks, [{ ...SEEK, since: 1_000 }]);
  assert.equal(begun(one, SEEK, 2_000), one);
  assert.deepEqual(sought(one, { lobby: 'seek_ended', seek: 'sek_2' }, 0), one);
  assert.deepEqual(sought(one, { lobby: 'seek_ended', seek: 'sek_1' }, 0), NOTHING);
  assert.equal(sought(one, { lobby: 'online', players: 3 }, 0), one);
});

test('what the server tells of one’s seeks replaces what was known', () => {
  const told = { lobby: 'seeks', seeks: [{ ...SEEK, waited_ms: 31_000 }] };
  const state = sought(NOTHING, told, 40_000);
  assert.equal(state.seeks[0].since, 9_000);
  assert.equal(state.check, null);
  assert.deepEqual(sought(state, { lobby: 'seeks', seeks: [] }, 0), NOTHING);
});

test('a ready check counts down, is answered, and ends with its seek', () => {
  const check = { match: 'mat_1', seek: 'sek_1', left_ms: 10_000 };
  const asked = sought(begun(NOTHING, SEEK, 0), { lobby: 'ready_check', ...check }, 5_000);
  assert.equal(secondsLeft(asked.check, 5_000), 10);
  assert.equal(secondsLeft(asked.check, 14_001), 1);
  assert.equal(secondsLeft(asked.check, 20_000), 0);
  assert.equal(asked.check.ready, false);
  assert.equal(answered(asked).check.ready, true);
  assert.equal(answered(NOTHING), NOTHING);
  assert.equal(sought(asked, { lobby: 'seek_ended', seek: 'sek_1' }, 0).check, null);
  assert.equal(sought(asked, { lobby: 'matched', table: 'tbl_1' }, 0), NOTHING);
});

test('a ready check says for which of one’s seeks it is', () => {
  const large = { seek: 'sek_2', options: { ...OPTIONS, rows: 14, cols: 14, rated: true } };
  const check = { match: 'mat_1', seek: 'sek_2', left_ms: 10_000 };
  const asked = sought({ seeks: [SEEK, large], check: null }, { lobby: 'ready_check', ...check }, 0);
  assert.equal(
    readyText(asked),
    'There is an opponent for you: Hex 14×14 · 5 min + 5 s · rated. Are you ready?',
  );
  assert.match(readyText(sought(asked, { lobby: 'ready_check', ...check, seek: 'sek_1' }, 0)), /11×11 · 5 min \+ 5 s\. Are/);
  assert.match(readyText({ ...asked, seeks: [] }), /for you\. Are you ready/);
  assert.match(readyText(answered(asked)), /^Waiting/);
});

test('whoever was ready is told that the opponent was not', () => {
  const check = { match: 'mat_1', seek: 'sek_1', left_ms: 10_000 };
  const asked = sought(begun(NOTHING, SEEK, 0), { lobby: 'ready_check', ...check }, 0);
  const goesOn = sought(asked, { lobby: 'seeks', seeks: [{ ...SEEK, waited_ms: 0 }] }, 0);
  assert.match(waitsOnText(answered(asked), goesOn), /did not answer/);
  assert.equal(waitsOnText(asked, goesOn), null);
  assert.equal(waitsOnText(answered(asked), NOTHING), null);
  assert.equal(waitsOnText(NOTHING, goesOn), null);
});

test('seeks on the list come, come back and go', () => {
  const one = { seek: 'sek_1', rating: 1500 };
  const list = listedSeeks([], { lobby: 'seek_listed', seek: one });
  assert.deepEqual(list, [one]);
  assert.deepEqual(listedSeeks(list, { lobby: 'seek_listed', seek: one }), [one]);
  assert.deepEqual(listedSeeks(list, { lobby: 'seek_unlisted', seek: 'sek_1' }), []);
  assert.deepEqual(listedSeeks(list, { lobby: 'tables', tables: [], seeks: [], players: 1 }), []);
  assert.equal(listedSeeks(list, { lobby: 'unlisted', table: 'tbl_1' }), list);
  assert.equal(online(3, { lobby: 'online', players: 4 }), 4);
  assert.equal(online(3, { lobby: 'listed' }), 3);
});

test('how far one looks widens until it is anybody, and other pages tell of the longest wait', () => {
  assert.match(reachText(0), /within ±100 points/);
  assert.match(reachText(12_900), /within ±220 points of your rating, ±420 where/);
  assert.match(reachText(29_999), /within ±390 points/);
  assert.match(reachText(30_000), /anybody/);
  assert.equal(seekingText({ seeks: [] }, 0), null);
  assert.equal(seekingText({ seeks: [{ since: 9_000 }, { since: 2_000 }] }, 14_000), 'Seeking · 0:12');
});

test('after a match the pool can be sought once more, where it is known which one led there', () => {
  const seek = { seek: 'sek_1', pool: 'hex-11', options: { ...OPTIONS, rated: true }, since: 0 };
  assert.deepEqual(wishOf({ seeks: [seek] }), { pool: 'hex-11', shown: seek.options, rated: true });
  const unrated = { ...seek, options: OPTIONS };
  assert.deepEqual(wishOf({ seeks: [unrated] }), { pool: 'hex-11', shown: OPTIONS });
  assert.equal(wishOf({ seeks: [seek, unrated] }), null);
  assert.equal(wishOf({ seeks: [{ ...seek, pool: undefined }] }), null);
  assert.equal(wishOf({ seeks: [] }), null);
});

test('waits, pools, ratings and ends are put into words', () => {
  assert.equal(waitText(7_900), '0:07');
  assert.equal(waitText(750_000), '12:30');
  assert.equal(waitText(-1), '0:00');
  assert.deepEqual(poolText(OPTIONS), { title: 'Hex 11×11', what: '5 min + 5 s' });
  assert.equal(poolText({ ...OPTIONS, game: 'dark', collision: 'classical' }).title, 'Dark Hex 11×11');
  assert.deepEqual(poolText({ ...OPTIONS, preset: 'party', swap: 'off' }), {
    title: 'House rules 11×11', what: 'no swap · 5 min + 5 s',
  });
  assert.equal(ratingText({ rating: 1500, provisional: true }), '1500?');
  assert.equal(ratingText({ rating: 1712 }), '1712');
  assert.match(endText('not_ready'), /in time/);
  assert.match(endText('unmatched'), /^Nothing came of that match/);
  assert.match(endText('unmatched'), /Nothing came of that match/);
  assert.match(endText('barred'), /left rated games/);
  assert.equal(endText('withdrawn'), null);
});
