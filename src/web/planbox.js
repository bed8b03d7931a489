// The box that shows what a player has planned, and where conditional moves are put together: they
// are played out on the board, both colours in turn.
//
// Owns the line that is being put together. `act` carries out what is asked for: `plan(plan)`, and
// `redraw()` when the board has to show another line.

import { make, set, setText } from './dom.js';
import {
  canPlan, canSave, draftBoard, draftOf, draftText, drafted, isCurrent, isPlanned, lineText, planOf,
  premoveText, undrafted, withLine, withPremove, withoutLine,
} from './plans.js';
import { announce, toast } from './toast.js';

// Where a table's page is one column.
const NARROW = '(max-width: 56rem)';

export class PlanBox {
  #state = null;
  #draft = null;
  #shown = '';

  constructor(parts, act) {
    Object.assign(this, { parts, act });
    parts.plans.addEventListener('click', ({ target }) => {
      const { plan, line } = target.closest('button')?.dataset ?? {};
      if (plan) this.#do(plan, Number(line));
    });
  }

  /** Shows what is planned, and what may be. */
  show(state) {
    this.#state = state;
    if (this.#draft && !isCurrent(this.#draft, state)) {
      const begun = this.#draft.cells.length > 0;
      this.#draft = null;
      if (begun) toast('The game has moved on: the line that you put together was not saved.');
    }
    const { parts } = this;
    const may = canPlan(state);
    parts.plans.hidden = !may && !isPlanned(state);
    if (parts.plans.hidden) return;
    const draft = this.#draft;
    parts.drafting.hidden = !draft;
    parts.draft.hidden = !may || !!draft;
    parts['plan-tip'].hidden = !may || !!draft || isPlanned(state);
    if (draft) {
      setText(parts['draft-text'], draftText(draft, state));
      setText(parts['draft-line'], lineText(draft.cells.map((cell) => ({ cell }))));
      parts.save.disabled = !canSave(draft, state);
      parts.undo.disabled = draft.cells.length === 0;
    }
    this.#showPlan();
  }

  /** What the board shows of the line that is put together; null while none is. */
  get board() {
    return this.#draft && draftBoard(this.#draft, this.#state);
  }

  /** A cell is chosen on the board. Says whether it went into a line. */
  choose(cell) {
    if (!this.#draft) return false;
    this.#become(drafted(this.#draft, this.#state, cell));
    return true;
  }

  /** Gives up the line that is put together, or else the premove. Says whether there was either. */
  cancel() {
    if (this.#draft) this.#become(null);
    else if (canPlan(this.#state) && planOf(this.#state).premove) this.#do('premove');
    else return false;
    return true;
  }

  #do(what, n) {
    const state = this.#state;
    switch (what) {
      case 'draft': return this.#become(draftOf(state));
      case 'undo': return this.#become(undrafted(this.#draft));
      case 'stop': return this.#become(null);
      case 'save': {
        const plan = withLine(state, this.#draft.cells);
        this.#draft = null;
        this.act.redraw();
        return this.act.plan(plan);
      }
      case 'premove': return this.act.plan(withPremove(state, null));
      case 'line': return this.act.plan(withoutLine(state, n));
      default: return null;
    }
  }

  #become(draft) {
    const begins = draft && !this.#draft;
    this.#draft = draft;
    if (draft) announce(draftText(draft, this.#state));
    this.act.redraw();
    // Where the box stands above the board, both are brought to be seen.
    if (begins && matchMedia(NARROW).matches) this.parts.plans.scrollIntoView({ block: 'start' });
  }

  // Redrawn only when it changes, so that a button is not exchanged under the pointer.
  #showPlan() {
    const { lines } = planOf(this.#state);
    const premove = premoveText(this.#state);
    const shown = JSON.stringify([premove, lines]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.parts.planned.replaceChildren(...[
      premove && item('premove', premove, { 'data-plan': 'premove' }),
      ...lines.map((line, n) => item('line', lineText(line), { 'data-plan': 'line', 'data-line': n })),
    ].filter(Boolean));
    set(this.parts.planned, 'data-empty', !premove && lines.length === 0);
  }
}

function item(kind, text, data) {
  return make(
    'li',
    { 'data-testid': `plan-${kind}` },
    make('span', {}, text),
    make('button', { class: 'quiet', 'aria-label': `Take back ${text}`, ...data }, '×'),
  );
}
