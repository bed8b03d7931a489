// Premoves and conditional moves, as the page shows and asks for them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  MOST, canPlan, canPremove, canSave, draftBoard, draftOf, draftText, drafted, droppedText, isCurrent,
  isPlanned, lineText, planOf, plannedText, premoveCell, undrafted, withLine, withPremove, withoutLine,
} from '../../src/web/plans.js';
import { apply, fromView, rejoin } from '../../src/web/table.js';
import { announcement } from '../../src/web/words.js';
import { OPTIONS, event, gameView, placed, view } from './views.mjs';

const waiting = (changes = {}) => fromView(view({ game: gameView({ to_move: 2, turn: 1 }), ...changes }), 0);
const unnumbered = (name, fields) => ({ table: 'tbl_1', event: name, ...fields });
const cells = (...of) => of.map((cell) => ({ cell }));

test('one plans in hex while the other is to move, and at no other time', () => {
  assert.equal(canPlan(waiting()), true);
  assert.equal(canPlan(waiting({ viewer: 'spectator' })), false);
  assert.equal(canPlan(waiting({ game: gameView({ to_move: 1 }) })), false);
  assert.equal(canPlan(waiting({ options: { ...OPTIONS, game: 'dark' } })), false);
  assert.equal(canPlan(waiting({ game: null })), false);
  assert.equal(canPremove(waiting({ game: gameView({ to_move: 2, board: ['r..', '...', '...'] }) }), [0, 0]), false);
});

test('what is planned comes beside the numbers, and goes the same way', () => {
  const start = waiting();
  const plan = { premove: { cell: [1, 1] }, lines: [cells([0, 0], [2, 2])] };
  const planned = apply(start, unnumbered('planned', { plan }), 0);
  assert.deepEqual([planned.seq, planned.gap, premoveCell(planned)], [10, false, [1, 1]]);
  assert.equal(announcement(planned, unnumbered('planned', { plan })), 'Premove: b2, 1 conditional line.');
  const gone = apply(planned, unnumbered('plan_dropped', { why: 'illegal' }), 0);
  assert.equal(isPlanned(gone), false);
  assert.match(announcement(gone, unnumbered('plan_dropped', { why: 'illegal' })), /cannot be played any more/);
  assert.equal(isPlanned(apply(planned, unnumbered('planned', {}), 0)), false);
  // The next numbered event joins on.
  assert.equal(apply(planned, placed(11, 2, 'blue', [0, 0], 2), 0).gap, false);
});

test('a run of missed events says what is planned by now, and a fresh view does', () => {
  const plan = { premove: { cell: [1, 1] } };
  const state = waiting({ plan });
  assert.equal(plannedText(state), 'Premove: b2');
  const resumed = (more) => ({ reply: 'resumed', viewer: 'seat_1', events: [event(11, 'closed')], ...more });
  assert.equal(isPlanned(rejoin(state, resumed({}), 0)), false);
  assert.deepEqual(planOf(rejoin(state, resumed({ plan }), 0)), { premove: { cell: [1, 1] }, lines: [] });
  assert.equal(isPlanned(rejoin(state, { reply: 'view', view: view() }, 0)), false);
});

test('a cell chosen once is a premove, and chosen again none; lines stay', () => {
  const lines = [cells([0, 0], [2, 2])];
  const state = waiting({ plan: { lines } });
  const planned = withPremove(state, [1, 1]);
  assert.deepEqual(planned, { premove: { cell: [1, 1] }, lines });
  const again = waiting({ plan: planned });
  assert.deepEqual(withPremove(again, [1, 1]), { lines });
  assert.deepEqual(withPremove(again, [1, 2]), { premove: { cell: [1, 2] }, lines });
  assert.deepEqual(withPremove(again, null), { lines });
  assert.deepEqual(withoutLine(again, 0), { premove: { cell: [1, 1] }, lines: [] });
});

test('a line is played out in both colours, ends with an own move, and takes shorter ones in', () => {
  const state = waiting({ plan: { lines: [cells([0, 0], [2, 2]), cells([0, 1], [2, 2])] } });
  let draft = draftOf(state);
  assert.equal(draftText(draft, state), 'Place the move that Bert may play.');
  assert.equal(draftBoard(draft, state).turn, 'blue');
  draft = drafted(draft, state, [0, 0]);
  assert.equal(draftText(draft, state), 'If Bert plays a1: place your answer.');
  assert.equal(canSave(draft, state), false);
  assert.equal(drafted(draft, state, [0, 0]), draft);
  draft = drafted(draft, state, [2, 2]);
  assert.equal(canSave(draft, state), true);
  assert.deepEqual(draftBoard(draft, state), {
    board: ['b..', '...', '..r'], drafted: [[0, 0], [2, 2]], last: [2, 2], turn: 'blue',
  });
  draft = drafted(drafted(draft, state, [1, 0]), state, [1, 1]);
  assert.equal(lineText(cells(...draft.cells)), 'a1 → c3, a2 → b2');
  const { lines } = withLine(state, draft.cells);
  assert.deepEqual(lines.map((line) => line.length), [2, 4]);
  assert.equal(undrafted(draft).cells.length, 3);
  assert.equal(isCurrent(draft, state), true);
  assert.equal(isCurrent(draft, apply(state, placed(11, 2, 'blue', [0, 0], 2), 0)), false);
});

test('there is room for so much, and reasons to drop it have words where they are news', () => {
  const lines = Array.from({ length: MOST.lines }, (_, n) => cells([0, n], [1, n]));
  const options = { ...OPTIONS, rows: 40, cols: 40 };
  const board = Array.from({ length: 40 }, () => '.'.repeat(40));
  const state = waiting({ options, plan: { lines }, game: gameView({ to_move: 2, board }) });
  let draft = draftOf(state);
  for (let n = 0; n < MOST.moves + 1; n += 1) draft = drafted(draft, state, [5, n]);
  assert.equal(draft.cells.length, MOST.moves);
  assert.equal(canSave(draft, state), false);
  assert.equal(canSave(draft, waiting({ options, game: gameView({ to_move: 2, board }) })), true);
  assert.equal(droppedText('ended'), null);
  assert.equal(droppedText('moved'), null);
});
