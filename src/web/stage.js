// What stands around a table's board: the end, what Dark Hex hides, a hint, and the curtain.
//
// Owns nothing: each function has the page's `parts` show a table's state.

import { hintText } from './computer.js';
import { set, setText } from './dom.js';
import {
  againstComputer, colorOf, curtained, mySeat, playing,
} from './may.js';
import { recordLinks, replayPath } from './records.js';
import { DARK, darkness } from './seen.js';
import {
  HIDDEN, coverText, darkText, resultText,
} from './words.js';

/** How the game ended, and the ways to its record. */
export function showEnd(parts, state) {
  const { game } = state;
  const text = resultText(state);
  showLine(parts.result, text);
  const { winner } = game?.outcome ?? {};
  set(parts.result, 'data-winner', winner);
  set(parts.result, 'data-color', winner && game.colors[winner - 1]);
  parts.records.hidden = !text;
  if (!text || parts.records.dataset.game === game.id) return;
  parts.records.dataset.game = game.id;
  parts.replay.href = replayPath(game.id);
  parts.formats.replaceChildren(...recordLinks(game.id));
}

/** A line that is there only while it says something. */
export function showLine(part, text) {
  part.hidden = !text;
  setText(part, text ?? '');
}

/** What is hidden, from whom, and what was run into. */
export function showDark(parts, state) {
  const told = darkText(state);
  const dark = darkness(state);
  parts.dark.hidden = !told;
  setText(parts['dark-text'], told?.text ?? '');
  parts['dark-replay'].hidden = dark !== DARK.KEPT;
  if (state.game) set(parts['dark-replay'], 'href', replayPath(state.game.id));
  set(parts.dark, 'data-kind', told?.kind);
  // The same words about another attempt are news again, and move again.
  set(parts.dark, 'data-odd', state.game?.turn % 2 === 1);
  const watches = mySeat(state) === null;
  parts.veil.hidden = !watches || curtained(state) !== null || (dark !== DARK.WATCHER && dark !== DARK.KEPT);
  setText(parts['veil-text'], dark === DARK.KEPT ? 'The board stays hidden here.' : HIDDEN.watcher);
  parts.legend.hidden = !dark || watches;
  set(parts.board, 'data-dark', dark);
}

/** What the computer suggests, or that it is asked. */
export function showHint(parts, state) {
  const { hint } = state;
  parts.hint.hidden = !hint;
  setText(parts['hint-text'], hint ? hintText(state) ?? 'The computer looks for a hint …' : '');
  parts.keys.hidden = !playing(state) || !againstComputer(state);
}

/**
 * The curtain before the `board`, which is not in the page at all while it is down; `lingering` is what
 * is still shown of a turn that has passed.
 */
export function showCurtain(parts, board, state, lingering) {
  const seat = curtained(state);
  const covered = seat !== null && !lingering;
  parts.cover.hidden = !covered;
  parts.linger.hidden = !lingering;
  if (covered) board.svg.remove();
  else if (!board.svg.isConnected) parts.board.append(board.svg);
  if (seat === null) return;
  const { pass, lift } = coverText(state, seat);
  setText(parts['cover-text'], pass);
  setText(parts.lift, lift);
  set(parts.cover, 'data-color', colorOf(state, seat));
  setText(parts['linger-text'], `${pass} The board is covered in a moment.`);
}
