// The board as an SVG picture that can be played on, by pointer and by keyboard, or only looked at.
//
// Owns its elements and the keyboard's cursor. What it shows is told by `show`, and it tells what
// was chosen by `onChoose(cell)`; it decides nothing about the game.

import { draw, set } from './dom.js';
import { cellText, layout, sameCell, stoneAt } from './hex.js';

// A star of four points.
const STAR = 'M0-.62.15-.15.62 0 .15.15 0 .62-.15.15-.62 0-.15-.15Z';

const ARROWS = {
  ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
};

export class Board {
  #cells = [];
  #cursor = null;
  #shown = null;
  #place = null;

  /** Without `onChoose`, the board is only looked at. */
  constructor(host, onChoose = null) {
    this.host = host;
    this.onChoose = onChoose;
    this.svg = draw('svg', {
      role: 'grid', tabindex: onChoose && 0, 'data-testid': 'board', 'aria-label': 'Hex board',
    });
    host.append(this.svg);
    if (!onChoose) return;
    this.svg.addEventListener('click', (event) => this.#click(event));
    this.svg.addEventListener('keydown', (event) => this.#key(event));
    this.svg.addEventListener('blur', () => this.#moveCursor(null));
  }

  /** Lays the board out: its size, and how it is looked at (`orientation`, `mirrored`). */
  lay(rows, cols, look) {
    const place = { rows, cols, ...look };
    if (JSON.stringify(place) === JSON.stringify(this.#place)) return;
    this.#place = place;
    const { center, corners, edges, labels, axis, box } = layout(rows, cols, look);
    const outline = `M${corners.map((corner) => corner.map(round).join(' ')).join('L')}Z`;
    this.#cells = [];
    const rowsDrawn = Array.from({ length: rows }, (_, row) => {
      const cells = Array.from({ length: cols }, (__, col) => cellOf(row, col, center(row, col), outline, axis));
      this.#cells.push(cells);
      return draw('g', { role: 'row' }, ...cells);
    });
    set(this.svg, 'viewBox', [box.x, box.y, box.width, box.height].map(round).join(' '));
    set(this.svg, 'data-orientation', look.orientation);
    set(this.svg, 'aria-rowcount', rows);
    set(this.svg, 'aria-colcount', cols);
    this.svg.replaceChildren(
      draw('g', { class: 'edges', 'aria-hidden': 'true' }, ...edges.map(edgeOf)),
      draw('g', { class: 'labels', 'aria-hidden': 'true' }, ...labels.map(labelOf)),
      ...rowsDrawn,
    );
    this.#cursor = null;
    if (this.#shown) this.#paint();
  }

  /**
   * Shows a position: `board`, the `last` stone's cell, the winning `path`, the `pending` cell, and
   * the colour that may be placed now (`turn`), or null. In Dark Hex also the stones that were
   * `found` by collisions, those that the end has laid `bare`, and the cell that was just run into
   * (`ran`). A cell that is suggested (`hint`) has a mark of its own, and one that a move is planned
   * for (`planned`) the shadow of a stone in the colour that may plan now (`plans`). Stones of a line
   * that is being put together (`drafted`) are told apart from those that stand, and so is one that
   * waits for a second press (`aim`).
   */
  show(position) {
    this.#shown = position;
    this.#paint();
  }

  #paint() {
    const {
      board, last, path, pending, turn, old, ran, hint, planned, plans, aim,
    } = this.#shown;
    const named = (cells) => new Set(cells.map(cellText));
    const { drafted = [] } = this.#shown;
    const [onPath, found, bare, drafts] = [path, this.#shown.found, this.#shown.bare, drafted].map(named);
    set(this.svg, 'data-turn', turn);
    set(this.svg, 'data-plans', plans);
    set(this.svg, 'data-old', old);
    set(this.svg, 'data-won', path.length > 0);
    this.#cells.forEach((line, row) => line.forEach((cell, col) => {
      const at = [row, col];
      const stone = stoneAt(board, at);
      const name = cellText(at);
      set(cell, 'data-stone', stone ?? '');
      set(cell, 'data-last', sameCell(last, at) && !pending);
      set(cell, 'data-path', onPath.has(name));
      set(cell, 'data-pending', !!pending && sameCell(pending, at));
      set(cell, 'data-found', found.has(name));
      set(cell, 'data-bare', bare.has(name));
      set(cell, 'data-ran', !!ran && sameCell(ran, at));
      set(cell, 'data-hint', !!hint && sameCell(hint, at));
      set(cell, 'data-aim', !!aim && sameCell(aim, at));
      set(cell, 'data-planned', !!planned && sameCell(planned, at));
      set(cell, 'data-drafted', drafts.has(name));
      set(cell, 'aria-label', [
        stone ? `${name} ${stone}` : name,
        found.has(name) && 'found by a collision',
        bare.has(name) && 'hidden until the end',
        onPath.has(name) && 'winning chain',
        hint && sameCell(hint, at) && 'suggested by the computer',
        planned && sameCell(planned, at) && 'your premove',
        aim && sameCell(aim, at) && 'press once more to place the stone',
        drafts.has(name) && 'in the line',
      ].filter(Boolean).join(', '));
    }));
  }

  #click(event) {
    const cell = event.target.closest?.('[data-cell]');
    if (cell) this.onChoose(cell.dataset.cell.split(',').map(Number));
  }

  // The arrows follow rows and columns as they lie on the screen: flipped, they change places.
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { rows, cols, mirrored } = this.#place;
    const arrow = ARROWS[event.key];
    if (arrow) {
      const [down, right] = mirrored ? [arrow[1], arrow[0]] : arrow;
      const [row, col] = this.#cursor ?? this.#shown.last ?? [rows >> 1, cols >> 1];
      const next = this.#cursor || this.#shown.last ? [row + down, col + right] : [row, col];
      this.#moveCursor([clamp(next[0], rows), clamp(next[1], cols)]);
    } else if ((event.key === 'Enter' || event.key === ' ') && this.#cursor) {
      this.onChoose(this.#cursor);
    } else if (event.key === 'Escape') {
      this.#moveCursor(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  #moveCursor(cell) {
    const element = ([row, col]) => this.#cells[row][col];
    if (this.#cursor) set(element(this.#cursor), 'data-cursor', false);
    this.#cursor = cell;
    if (cell) set(element(cell), 'data-cursor', true);
    set(this.svg, 'aria-activedescendant', cell && element(cell).id);
  }
}

// A cell, its stone, and the stone's mark: a bar along the way that its colour has to go, so that
// colours are told apart without seeing them. A stone that was found has a fence around it, and a
// cell that is suggested a star in it.
function cellOf(row, col, [x, y], outline, axis) {
  const name = cellText([row, col]);
  const bar = (color) => draw('line', {
    class: `mark ${color}`, x1: -0.26, x2: 0.26, transform: `rotate(${round(axis[color])})`,
  });
  return draw(
    'g',
    {
      role: 'gridcell', id: `cell-${name}`, class: 'cell', 'data-testid': `cell-${name}`,
      'data-cell': `${row},${col}`, 'data-stone': '', 'aria-label': name,
      transform: `translate(${round(x)} ${round(y)})`,
    },
    draw('path', { class: 'ground', d: outline }),
    draw('path', { class: 'fence', d: outline }),
    draw('circle', { class: 'stone', r: 0.7 }),
    bar('red'),
    bar('blue'),
    draw('circle', { class: 'ring', r: 0.44 }),
    draw('path', { class: 'star', d: STAR }),
    draw('path', { class: 'cursor', d: outline }),
  );
}

function edgeOf({ color, line: [[x1, y1], [x2, y2]] }) {
  return draw('line', {
    class: color, x1: round(x1), y1: round(y1), x2: round(x2), y2: round(y2),
  });
}

function labelOf({ text, at: [x, y] }) {
  return draw('text', { x: round(x), y: round(y), dy: '.35em' }, text);
}

function round(n) {
  return Math.round(n * 1000) / 1000;
}

function clamp(n, count) {
  return Math.min(count - 1, Math.max(0, n));
}
