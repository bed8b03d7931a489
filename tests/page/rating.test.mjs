// Ratings: in words, as a line, and beside the names of a rated table.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changeText, classOf, classText, line, opponentOf, outcomeText, ratingIn, ratingText, recordText, speedOf,
} from '../../src/web/rating.js';
import { Ratings } from '../../src/web/ratings.js';
import { ANNA, BERT, OPTIONS, gameView, view } from './views.mjs';

const fischer = (initial_s, increment_s) => ({ control: 'fischer', initial_s, increment_s });

test('speeds are told apart as the server does', () => {
  const times = [
    [{ control: 'none' }, 'untimed'],
    [fischer(179, 0), 'bullet'],
    [fischer(180, 0), 'blitz'],
    [fischer(60, 3), 'blitz'],
    [fischer(300, 5), 'rapid'],
    [fischer(1500, 0), 'classical'],
    [{ control: 'per_turn', seconds: 30 }, 'rapid'],
    [{ control: 'byo_yomi', initial_s: 600, period_s: 30, periods: 3 }, 'classical'],
  ];
  for (const [time, speed] of times) assert.equal(speedOf(time), speed);
  assert.deepEqual(classOf(OPTIONS), { game: 'hex', speed: 'rapid' });
  assert.deepEqual(classOf({ game: 'dark', time: { control: 'none' } }), { game: 'dark', speed: 'untimed' });
});

test('ratings, changes and records are told in few words', () => {
  assert.equal(classText({ game: 'dark', speed: 'blitz' }), 'Dark Hex · blitz');
  assert.equal(ratingText({ rating: 1512, provisional: false }), '1512');
  assert.equal(ratingText({ rating: 1512, provisional: true }), '1512?');
  assert.equal(changeText({ before: 1504, after: 1512 }), '1512 (+8)');
  assert.equal(changeText({ before: 1512, after: 1504 }), '1504 (−8)');
  assert.equal(changeText({ before: 1512, after: 1512 }), '1512 (+0)');
  assert.equal(recordText({ wins: 3, losses: 0, draws: 0 }), '3 won · 0 lost');
  assert.equal(recordText({ wins: 3, losses: 1, draws: 2 }), '3 won · 1 lost · 2 drawn');
});

test('somebody without a rating in a class begins there at 1500', () => {
  const rapid = { game: 'hex', speed: 'rapid', rating: 1612, provisional: false };
  assert.equal(ratingIn({ ratings: [rapid] }, { game: 'hex', speed: 'rapid' }), rapid);
  assert.equal(ratingText(ratingIn({ ratings: [rapid] }, { game: 'dark', speed: 'rapid' })), '1500?');
});

test('a listed game says how it went for the player whose list it is in, and against whom', () => {
  const game = { seat: 1, seats: [ANNA, BERT], outcome: { winner: 1, by: 'chain' } };
  assert.equal(outcomeText(game), 'Won by joining the edges');
  assert.equal(outcomeText({ ...game, seat: 2 }), 'Lost by joining the edges');
  assert.equal(outcomeText({ ...game, outcome: { winner: 2, by: 'time' } }), 'Lost on time');
  assert.equal(opponentOf(game), BERT);
  assert.equal(opponentOf({ ...game, seat: 2 }), ANNA);
  const alone = { ...game, seats: [ANNA, ANNA] };
  assert.equal(outcomeText(alone), 'Seat 1 won by joining the edges');
  assert.equal(opponentOf(alone), null);
});

test('the line of a history begins with the rating before the first game and fills its space', () => {
  assert.equal(line([], 100, 50), null);
  const { points, low, high } = line([{ before: 1500, after: 1600 }, { before: 1600, after: 1550 }], 100, 50);
  assert.deepEqual([low, high], [1500, 1600]);
  assert.deepEqual(points, [[0, 50], [50, 0], [100, 25]]);
  const flat = line([{ before: 1500, after: 1500 }], 100, 50);
  assert.deepEqual(flat.points, [[0, 50], [100, 50]]);
});

// A server that knows these answers, and what it was asked.
function serve(t, answers) {
  const asked = [];
  t.mock.method(globalThis, 'fetch', async (path) => {
    asked.push(path);
    const body = answers[path];
    return { ok: body !== undefined, json: async () => body ?? { code: 'unknown_player', message: 'nobody' } };
  });
  return asked;
}

const RATED = view({ options: { ...OPTIONS, rated: true } });
const OVER = {
  ...RATED, phase: 'finished', game: gameView({ outcome: { winner: 1, by: 'resignation' } }),
};

function profile(rating) {
  return { ratings: [{ game: 'hex', speed: 'rapid', rating, provisional: false }] };
}

const NOTHING = { texts: [null, null], end: null };

// What is known once the server has answered.
function told(state) {
  return new Promise((resolve) => {
    const ratings = new Ratings(() => resolve(ratings.of(state)));
    assert.deepEqual(ratings.of(state), NOTHING);
  });
}

test('at a rated table each name has its rating beside it, asked for once', async (t) => {
  const asked = serve(t, { '/v1/players/plr_a': profile(1612), '/v1/players/plr_b': { ratings: [] } });
  assert.deepEqual(await told(RATED), { texts: ['1612', '1500?'], end: null });
  assert.deepEqual(asked, ['/v1/players/plr_a', '/v1/players/plr_b']);
});

test('after the end each name has what the game made of its rating, and the game tells of both', async (t) => {
  const changes = [
    { player: 'plr_a', seat: 1, before: 1500, after: 1662 }, { player: 'plr_b', seat: 2, before: 1500, after: 1338 },
  ];
  serve(t, { '/v1/games/gam_1/ratings': { changes } });
  assert.deepEqual(await told(OVER), {
    texts: ['1662 (+162)', '1338 (−162)'], end: 'Rated: Anna 1662 (+162) – Bert 1338 (−162)',
  });
  // Whoever takes a seat after the game has not played it.
  serve(t, { '/v1/games/gam_1/ratings': { changes } });
  assert.deepEqual(await told({ ...OVER, seats: [{ id: 'plr_c', name: 'Cleo' }, BERT] }), {
    texts: [null, '1338 (−162)'], end: 'Rated: red 1662 (+162) – Bert 1338 (−162)',
  });
});

test('a game without a result leaves the ratings as they stand', async (t) => {
  const asked = serve(t, { '/v1/players/plr_a': profile(1612), '/v1/players/plr_b': profile(1400) });
  const aborted = { ...OVER, game: gameView({ outcome: { winner: null, by: 'aborted' } }) };
  assert.deepEqual(await told(aborted), { texts: ['1612', '1400'], end: null });
  assert.equal(asked.length, 2);
});

test('where the server does not answer there is no rating, and at an unrated table nothing is asked', async (t) => {
  const asked = serve(t, {});
  assert.deepEqual(await told(RATED), NOTHING);
  const before = asked.length;
  const ratings = new Ratings(() => assert.fail('nothing was asked'));
  assert.deepEqual(ratings.of(view()), NOTHING);
  assert.equal(asked.length, before);
});
