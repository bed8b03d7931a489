// The geometry of the board, the names of its cells, and positions worked out from moves.
//
// Pure: no DOM. A cell is `[row, col]`, both from 0 at the top left. Lengths are in units of a
// cell's circumradius; screen axes point right and down.

const ROOT3 = Math.sqrt(3);

/** Degrees by which each way of looking at the board turns it clockwise. */
export const ORIENTATIONS = { flat: 0, wide: -30, tall: 60 };

/** A column as letters: 0 is `a`, 25 is `z`, 26 is `aa`. */
export function columnLetters(col) {
  const letter = (n) => String.fromCharCode(97 + n);
  return col < 26 ? letter(col) : letter(Math.floor(col / 26) - 1) + letter(col % 26);
}

/** `[13, 2]` is `c14`. */
export function cellText([row, col]) {
  return `${columnLetters(col)}${row + 1}`;
}

/** The cell that a text names, in either case, or null. */
export function parseCell(text) {
  const found = /^([a-z]{1,2})([1-9]\d?)$/i.exec(text);
  if (!found) return null;
  const col = [...found[1].toLowerCase()].reduce((n, c) => n * 26 + c.charCodeAt(0) - 96, 0) - 1;
  return [Number(found[2]) - 1, col];
}

/** Whether two cells, or two absent ones, are the same. */
export function sameCell(a, b) {
  return a && b ? a[0] === b[0] && a[1] === b[1] : !a && !b;
}

// The neighbour across each side of a cell, clockwise from the upper right. Side k lies between
// corners k and k + 1.
const ACROSS = [[-1, 1], [0, 1], [1, 0], [1, -1], [0, -1], [-1, 0]];
const CORNERS = ACROSS.map((_, k) => {
  const angle = (-90 + 60 * k) * (Math.PI / 180);
  return [Math.cos(angle), Math.sin(angle)];
});

/** The neighbours of a cell that are on the board. */
export function neighbours(rows, cols, [row, col]) {
  return ACROSS.map(([down, right]) => [row + down, col + right])
    .filter(([r, c]) => r >= 0 && c >= 0 && r < rows && c < cols);
}

/**
 * Where everything stands on the screen.
 *
 * `mirrored` reflects the board in the line through `a1` on which rows and columns change places.
 * Returns `center(row, col)`, the six `corners` about a centre, the coloured `edges`, coordinate
 * `labels`, the direction in degrees in which each colour runs (`axis`), and the `box` of it all.
 */
export function layout(rows, cols, { orientation = 'flat', mirrored = false } = {}) {
  const turn = (ORIENTATIONS[orientation] ?? 0) * (Math.PI / 180);
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const place = ([x, y]) => {
    const [u, v] = mirrored ? [x / 2 + (y * ROOT3) / 2, (x * ROOT3) / 2 - y / 2] : [x, y];
    return [u * cos - v * sin, u * sin + v * cos];
  };
  const flat = (row, col) => [ROOT3 * (col + row / 2), 1.5 * row];
  const center = (row, col) => place(flat(row, col));
  const degrees = ([x, y]) => (Math.atan2(y, x) * 180) / Math.PI;
  const labels = labelsOf(rows, cols, center);
  const extreme = [
    ...[[0, 0], [0, cols - 1], [rows - 1, 0], [rows - 1, cols - 1]].map(([r, c]) => center(r, c)),
    ...labels.map((label) => label.at),
  ];
  return {
    center,
    corners: CORNERS.map(place),
    edges: edgesOf(rows, cols, flat).map((edge) => ({ ...edge, line: edge.line.map(place) })),
    labels,
    axis: { red: degrees(center(1, 0)), blue: degrees(center(0, 1)) },
    box: boxAround(extreme, 1.1),
  };
}

function labelsOf(rows, cols, center) {
  const out = 1.12;
  const labels = [];
  for (let col = 0; col < cols; col += 1) {
    const text = columnLetters(col);
    labels.push({ text, at: center(-out, col + out / 2) });
    labels.push({ text, at: center(rows - 1 + out, col - out / 2) });
  }
  for (let row = 0; row < rows; row += 1) {
    const text = String(row + 1);
    labels.push({ text, at: center(row, -out * 0.95) });
    labels.push({ text, at: center(row, cols - 1 + out * 0.95) });
  }
  return labels;
}

// The outer sides of the border cells. The side at an obtuse corner belongs to both colours: each
// has the half that lies next to its own edge.
function edgesOf(rows, cols, flat) {
  const owner = ([r, c]) => [
    (r < 0 || r >= rows) && 'red',
    (c < 0 || c >= cols) && 'blue',
  ].filter(Boolean);
  const edges = [];
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      if (row > 0 && row < rows - 1 && col > 0 && col < cols - 1) continue;
      const [x, y] = flat(row, col);
      const corner = (k) => [x + CORNERS[k % 6][0], y + CORNERS[k % 6][1]];
      const beyond = (k) => owner([row + ACROSS[k % 6][0], col + ACROSS[k % 6][1]]);
      for (let side = 0; side < 6; side += 1) {
        const owners = beyond(side);
        const [from, to] = [corner(side), corner(side + 1)];
        const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
        if (owners.length === 1) {
          edges.push({ color: owners[0], line: [from, to] });
        } else if (owners.length === 2) {
          const before = beyond(side + 5)[0];
          edges.push({ color: before, line: [from, middle] });
          edges.push({ color: before === 'red' ? 'blue' : 'red', line: [middle, to] });
        }
      }
    }
  }
  return edges;
}

function boxAround(points, margin) {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  const [x, y] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return { x, y, width: Math.max(...xs) + margin - x, height: Math.max(...ys) + margin - y };
}

/** The board with one cell changed, as strings of `r`, `b` and `.`, one a row. */
export function withStone(board, [row, col], color) {
  return board.map((line, r) => (
    r === row ? line.slice(0, col) + (color ? color[0] : '.') + line.slice(col + 1) : line
  ));
}

/** The colour of the stone on a cell, or null. */
export function stoneAt(board, [row, col]) {
  return { r: 'red', b: 'blue' }[board[row]?.[col]] ?? null;
}

/** The other colour. */
export function otherColor(color) {
  return color === 'red' ? 'blue' : 'red';
}

/**
 * The position after the first `ply` moves, as far as their cells are known: the `board`, and the
 * cell that the `last` of them was about, or null. A swap of sides leaves the stone as it is; a
 * collision shows the stone that stood there.
 */
export function positionAt({ rows, cols, opening, moves, ply }) {
  let board = Array.from({ length: rows }, () => '.'.repeat(cols));
  opening.forEach((cell, n) => {
    board = withStone(board, cell, n % 2 ? 'blue' : 'red');
  });
  let last = null;
  for (const move of moves.slice(0, ply)) {
    if (!move.swap) {
      last = move.cell ?? null;
      const color = move.collision ? otherColor(move.color) : move.color;
      if (last) board = withStone(board, last, color);
    } else if (move.swap === 'pieces') {
      board = withStone(board, last, null);
      last = [last[1], last[0]];
      board = withStone(board, last, 'blue');
    }
  }
  return { board, last };
}
