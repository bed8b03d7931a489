// The moves of the game, and stepping through its positions.
//
// Owns which position is looked at: `ply` is null for the live one.

import { cpuIcon, make, set, setText } from './dom.js';
import { moveText, moveTold } from './words.js';

export class History {
  #game = null;
  #moves = null;

  /** `onStep` is told that another position is to be shown. */
  constructor(parts, onStep) {
    Object.assign(this, { parts, onStep, ply: null });
    parts.history.addEventListener('click', ({ target }) => {
      const { step, ply } = target.closest('button')?.dataset ?? {};
      if (step) this.step(step);
      else if (ply) this.go(Number(ply));
    });
  }

  /** Shows the moves of the state's game. Another game, or a takeback, leads back to the live position. */
  show({ game }) {
    const moves = game?.moves ?? [];
    if (game?.id !== this.#game || this.ply > moves.length) this.ply = null;
    this.#game = game?.id;
    if (moves !== this.#moves) {
      this.#moves = moves;
      this.parts.moves.replaceChildren(...moves.map(moveOf));
      this.parts.moves.scrollTop = this.parts.moves.scrollHeight;
      this.parts['by-cpu'].hidden = !moves.some(({ cpu }) => cpu);
    }
    this.#mark();
  }

  /** Back to the live position. */
  live() {
    this.go(null);
  }

  /** To the `first` position, one `back` or `on`, or to the `live` one. */
  step(step) {
    const count = this.#moves.length;
    const at = this.ply ?? count;
    this.go({ first: 0, back: Math.max(0, at - 1), on: Math.min(count, at + 1), live: null }[step]);
  }

  /** To the position after that many moves; null is the live one. */
  go(ply) {
    const next = ply === this.#moves.length ? null : ply;
    if (next === this.ply) return;
    this.ply = next;
    this.#mark();
    this.onStep();
  }

  #mark() {
    const { history, moves, ply } = this.parts;
    const count = this.#moves.length;
    const at = this.ply ?? count;
    setText(ply, this.ply === null ? `${count} ${count === 1 ? 'move' : 'moves'}` : `${at} of ${count}`);
    set(history, 'data-old', this.ply !== null);
    for (const button of history.querySelectorAll('[data-step]')) {
      const back = button.dataset.step === 'first' || button.dataset.step === 'back';
      button.disabled = back ? at === 0 : this.ply === null;
    }
    [...moves.children].forEach((item, n) => {
      set(item.firstChild, 'aria-current', n + 1 === at ? 'step' : null);
    });
  }
}

function moveOf(move, n) {
  const item = make('li', {}, make(
    'button',
    { class: 'quiet', 'data-ply': n + 1, 'data-color': move.color, 'aria-label': `Move ${n + 1}: ${moveTold(move)}` },
    make('span', { class: 'number' }, String(n + 1)),
    make('span', { class: 'disc', 'aria-hidden': 'true' }),
    make('span', { class: 'word' }, moveText(move)),
    move.cpu ? cpuIcon() : null,
  ));
  set(item, 'data-wide', !!move.swap);
  set(item, 'data-collision', !!move.collision);
  set(item, 'data-unseen', !move.swap && !move.cell);
  set(item, 'data-cpu', !!move.cpu);
  return item;
}
