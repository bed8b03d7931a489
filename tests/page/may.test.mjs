// What a viewer may do, and what the page says of it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { canAbort, canGiveTime, canOffer, claim, freeSeats } from '../../src/web/may.js';
import { apply, fromView } from '../../src/web/table.js';
import {
  announcement, closeReason, offerText, refusalText, resultText, turnText, viewerText,
} from '../../src/web/words.js';
import { ANNA, OPTIONS, clocks, event, gameView, placed, view } from './views.mjs';

const state = (changes) => fromView(view(changes), 0);
const moves = [
  { seat: 1, color: 'red', cell: [0, 0] }, { seat: 2, color: 'blue', cell: [1, 1] },
];

test('a game can be aborted until both have moved, and by players only', () => {
  assert.equal(canAbort(state()), true);
  assert.equal(canAbort(state({ game: gameView({ moves: moves.slice(0, 1) }) })), true);
  assert.equal(canAbort(state({ game: gameView({ moves }) })), false);
  assert.equal(canAbort(state({ viewer: 'spectator' })), false);
});

test('a takeback needs an own move, and may be asked for in a pause', () => {
  const one = gameView({ moves: moves.slice(0, 1) });
  assert.equal(canOffer(state({ game: one }), 'takeback'), true);
  assert.equal(canOffer(state({ game: one, viewer: 'seat_2' }), 'takeback'), false);
  assert.equal(canOffer(state({ game: { ...one, paused: true } }), 'takeback'), true);
  const ended = { phase: 'finished', game: { ...one, outcome: { winner: 1, by: 'time' } } };
  assert.equal(canOffer(state({ game: one, options: { ...OPTIONS, rated: true } }), 'takeback'), false);
  assert.equal(canOffer(state(ended), 'takeback'), false);
});

test('what is proposed already is not proposed again', () => {
  const offers = [{ id: 1, kind: 'pause', by: 2, expires_in_ms: 5_000 }];
  assert.equal(canOffer(state(), 'pause'), true);
  assert.equal(canOffer(state({ offers }), 'pause'), false);
  assert.match(offerText(state({ offers }), state({ offers }).offers[0]), /^Bert proposes to pause/);
});

test('a pause and more time need a clock', () => {
  const options = { ...OPTIONS, time: { control: 'none' } };
  const none = state({ options, game: gameView({ clocks: null }) });
  assert.deepEqual([canOffer(none, 'pause'), canGiveTime(none)], [false, false]);
  assert.equal(canGiveTime(state()), true);
});

test('a rematch needs an ended game and both players', () => {
  const ended = { phase: 'finished', game: gameView({ outcome: { winner: 1, by: 'time' } }) };
  assert.equal(canOffer(state(ended), 'rematch'), true);
  assert.equal(canOffer(state({ ...ended, seats: [ANNA, null] }), 'rematch'), false);
  assert.equal(canOffer(state(), 'rematch'), false);
});

test('a game can be claimed from a player who is away for long enough', () => {
  const away = (seat, changes = {}) => state({
    ...changes, presence: { seats: [{ connected: true }, seat], watchers: 0 },
  });
  assert.equal(claim(state()), null);
  assert.deepEqual(claim(away({ connected: false, countdown_ms: 9 })), { now: false, until: 9 });
  assert.equal(claim(away({ connected: false, claimable: true })).now, true);
  const clock = { options: { ...OPTIONS, on_leave: 'clock' } };
  assert.equal(claim(away({ connected: false, countdown_ms: 9 }, clock)), null);
});

test('a spectator may take a free seat, and a player needs none', () => {
  const waiting = { phase: 'waiting', seats: [ANNA, null], game: null };
  assert.deepEqual(freeSeats(state({ ...waiting, viewer: 'spectator' })), [2]);
  assert.deepEqual(freeSeats(state(waiting)), []);
  assert.deepEqual(freeSeats(state({ viewer: 'spectator' })), []);
});

test('results are told from where one sits', () => {
  const text = (outcome, changes = {}) => (
    resultText(state({ phase: 'finished', ...changes, game: gameView({ outcome }) }))
  );
  assert.equal(resultText(state()), null);
  assert.equal(text({ winner: 1, by: 'chain' }), 'You won by joining the edges.');
  assert.equal(text({ winner: 2, by: 'chain' }), 'Bert won by joining the edges.');
  assert.equal(text({ winner: 2, by: 'resignation' }), 'Bert won: you resigned.');
  assert.equal(text({ winner: 1, by: 'time' }, { viewer: 'spectator' }), 'Anna won: Bert ran out of time.');
  assert.equal(text({ winner: null, by: 'aborted' }), 'The game was aborted.');
  const rex = { options: { ...OPTIONS, goal: 'avoid' } };
  assert.equal(text({ winner: 1, by: 'chain' }, rex), 'You won: Bert joined their edges.');
  assert.equal(text({ winner: 2, by: 'chain' }, rex), 'Bert won: you joined your edges.');
});

test('a result is not told of somebody who has sat down since', () => {
  const game = gameView({ outcome: { winner: 2, by: 'resignation' } });
  const ended = { phase: 'waiting', seats: [ANNA, null], game };
  assert.equal(resultText(state(ended)), 'Blue won: red resigned.');
});

test('a result keeps the names of those who played when they get up', () => {
  const follow = (before, ...frames) => frames.reduce((it, frame) => apply(it, frame, 0), before);
  const ended = event(11, 'ended', { outcome: { winner: 1, by: 'resignation' }, score: [1, 0] });
  const gone = event(12, 'unseated', { seat: 2 });
  const renamed = event(13, 'renamed', { player: { ...ANNA, name: 'Annabel' } });
  assert.equal(resultText(follow(state(), ended, gone)), 'You won: Bert resigned.');
  const watched = follow(state({ viewer: 'spectator' }), ended, gone, renamed);
  assert.equal(resultText(watched), 'Annabel won: Bert resigned.');
  // A fresh view of that game knows no more than the page did.
  const { game } = watched;
  const fresh = view({ viewer: 'spectator', phase: 'waiting', seats: [ANNA, null], game });
  assert.equal(resultText(fromView(fresh, 0, watched)), 'Annabel won: Bert resigned.');
});

test('after a swap of sides everybody is told their new colour', () => {
  const swapped = event(12, 'swapped', {
    seat: 2, swap: 'sides', cell: [0, 1], color: 'red', colors: ['blue', 'red'], turn: 2, to_move: 1, clocks: clocks(1),
  });
  const after = [placed(11, 1, 'red', [0, 1], 1), swapped].reduce((s, frame) => apply(s, frame, 0), state());
  assert.equal(viewerText(after), 'You are blue: join the two blue edges.');
  assert.equal(turnText(after), 'Your turn (blue).');
  assert.equal(announcement(after, swapped), 'Bert swapped sides. Your turn (blue).');
});

test('moves are announced with their cell', () => {
  const frame = placed(11, 1, 'red', [0, 1], 1);
  assert.equal(announcement(apply(state(), frame, 0), frame), 'red b1. Bert is to move (blue).');
});

// The codes as the protocol lists them, so that a new one does not stay without words.
const listedCodes = (pattern) => {
  const source = readFileSync(new URL('../../proto/src/error.rs', import.meta.url), 'utf8');
  return [...source.matchAll(pattern)].map((found) => found[1]);
};

test('every refusal has words, its own or the server\'s', () => {
  const codes = listedCodes(/^ {4}\w+ = "(\w+)",$/gm);
  assert.ok(codes.length > 30);
  // What only a faulty page would hear, and what the server words better.
  const left = ['bad_frame', 'bad_request', 'unknown_request', 'hello_first', 'hello_twice', 'bad_options'];
  for (const code of codes) {
    const text = refusalText({ code, message: 'as the server says' });
    assert.equal(text === 'as the server says', left.includes(code), code);
  }
});

test('how many tables one may hold is what the server says, as a sentence', () => {
  const message = 'you hold 4 tables, and a guest may hold 4: leave one of them';
  const text = refusalText({ code: 'too_many_tables', message });
  assert.equal(text, 'You hold 4 tables, and a guest may hold 4: leave one of them.');
});

test('every close code has words, and only those that would repeat stop the page', () => {
  const codes = listedCodes(/^ {4}\w+ = (\d{4}), ".*";$/gm).map(Number);
  assert.ok(codes.length >= 11);
  const stopping = [1009, 4003, 4004, 4005, 4006, 4007, 4008];
  assert.deepEqual(codes.filter((code) => closeReason(code).stop), codes.filter((code) => stopping.includes(code)));
  for (const code of codes) assert.ok(closeReason(code).text);
});
