// The board's geometry, the names of cells, and positions worked out from moves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ORIENTATIONS, cellText, layout, neighbours, parseCell, positionAt, stoneAt } from '../../src/web/hex.js';

test('cells read back as they are written', () => {
  for (let row = 0; row < 53; row += 1) {
    for (let col = 0; col < 53; col += 1) {
      assert.deepEqual(parseCell(cellText([row, col])), [row, col]);
    }
  }
  const written = [[[0, 0], 'a1'], [[13, 2], 'c14'], [[0, 25], 'z1'], [[0, 26], 'aa1'], [[52, 52], 'ba53']];
  for (const [cell, text] of written) assert.equal(cellText(cell), text);
  assert.deepEqual(parseCell('C14'), [13, 2]);
});

test('texts that are no cells are refused', () => {
  for (const text of ['', 'a', '1', 'a0', '1a', 'a-1', 'a01', 'aaa1', 'a256', 'a1 ']) {
    assert.equal(parseCell(text), null, text);
  }
});

test('an acute corner has two neighbours and an obtuse one three', () => {
  const count = (row, col) => neighbours(11, 11, [row, col]).length;
  assert.deepEqual([count(0, 0), count(0, 10), count(10, 0), count(10, 10)], [2, 3, 3, 2]);
  assert.equal(count(5, 5), 6);
});

const LOOKS = Object.keys(ORIENTATIONS).flatMap((orientation) => (
  [false, true].map((mirrored) => ({ orientation, mirrored }))
));

test('neighbours touch and no others do, however the board is looked at', () => {
  for (const look of LOOKS) {
    const { center } = layout(5, 7, look);
    for (let row = 0; row < 5; row += 1) {
      for (let col = 0; col < 7; col += 1) {
        const near = new Set(neighbours(5, 7, [row, col]).map(String));
        for (let r = 0; r < 5; r += 1) {
          for (let c = 0; c < 7; c += 1) {
            if (r === row && c === col) continue;
            const [a, b] = [center(row, col), center(r, c)];
            const touches = Math.hypot(a[0] - b[0], a[1] - b[1]) < 1.75;
            assert.equal(touches, near.has(`${r},${c}`), `${row},${col} and ${r},${c}`);
          }
        }
      }
    }
  }
});

test('flat, a row lies along the screen; mirrored, a column does', () => {
  const step = (look, cell) => {
    const { center } = layout(3, 3, look);
    return [0, 1].map((k) => center(...cell)[k] - center(0, 0)[k]);
  };
  const [right, level] = step({ orientation: 'flat' }, [0, 1]);
  assert.ok(right > 1.7 && Math.abs(level) < 1e-9);
  const [mirroredRight, mirroredLevel] = step({ orientation: 'flat', mirrored: true }, [1, 0]);
  assert.ok(mirroredRight > 1.7 && Math.abs(mirroredLevel) < 1e-9);
});

test('standing tall, the acute corners are above each other', () => {
  const { center } = layout(11, 11, { orientation: 'tall' });
  const [top, bottom] = [center(0, 0), center(10, 10)];
  assert.ok(Math.abs(top[0] - bottom[0]) < 1e-9);
  assert.ok(bottom[1] > top[1]);
});

test('red and blue have edges of equal length on a square board', () => {
  for (const size of [1, 2, 11]) {
    const { edges } = layout(size, size);
    const length = (color) => edges.filter((edge) => edge.color === color)
      .reduce((sum, { line: [[x1, y1], [x2, y2]] }) => sum + Math.hypot(x2 - x1, y2 - y1), 0);
    assert.ok(Math.abs(length('red') - length('blue')) < 1e-9, `${size}`);
    assert.ok(Math.abs(length('red') + length('blue') - (8 * size - 2)) < 1e-9, `${size}`);
  }
});

test('everything lies within the box', () => {
  for (const look of LOOKS) {
    const { box, edges, labels } = layout(3, 9, look);
    for (const [x, y] of [...edges.flatMap((edge) => edge.line), ...labels.map((label) => label.at)]) {
      assert.ok(x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height);
    }
  }
});

const game = (moves, opening = []) => (ply) => positionAt({ rows: 3, cols: 3, opening, moves, ply });

test('a position is the moves up to it', () => {
  const at = game([
    { seat: 1, color: 'red', cell: [0, 1] },
    { seat: 2, color: 'blue', cell: [1, 1] },
  ]);
  assert.deepEqual(at(0), { board: ['...', '...', '...'], last: null });
  assert.deepEqual(at(1), { board: ['.r.', '...', '...'], last: [0, 1] });
  assert.deepEqual(at(2), { board: ['.r.', '.b.', '...'], last: [1, 1] });
});

test('a swap of sides leaves the stone', () => {
  const at = game([{ seat: 1, color: 'red', cell: [0, 1] }, { seat: 2, color: 'blue', swap: 'sides' }]);
  assert.deepEqual(at(2), { board: ['.r.', '...', '...'], last: [0, 1] });
});

test('a swap of pieces mirrors the stone and makes it blue', () => {
  const at = game([{ seat: 1, color: 'red', cell: [0, 1] }, { seat: 2, color: 'blue', swap: 'pieces' }]);
  assert.deepEqual(at(2), { board: ['...', 'b..', '...'], last: [1, 0] });
});

test('opening stones alternate, red first', () => {
  const { board } = game([], [[0, 0], [2, 2]])(0);
  assert.equal(stoneAt(board, [0, 0]), 'red');
  assert.equal(stoneAt(board, [2, 2]), 'blue');
  assert.equal(stoneAt(board, [1, 1]), null);
  assert.equal(stoneAt(board, [3, 0]), null);
});
