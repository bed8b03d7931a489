// What the page tells in passing: toasts, announcements for screen readers, and questions.

import {
  make, partsOf, set, setText,
} from './dom.js';
import { refusalText } from './words.js';

const SHOWN_MS = 6_000;
const AT_MOST = 4;

const parts = partsOf(document.body);

// A phone's whole width is a message's: it stands where less of a board is, at the head or the foot.
function place() {
  const board = document.querySelector('main .board')?.getBoundingClientRect();
  set(parts.toasts, 'data-low', !!board && innerHeight - board.bottom > board.top);
}

addEventListener('scroll', () => { if (parts.toasts.childElementCount) place(); }, { passive: true });

/** Shows a sentence for a few seconds. `kind` is `info` or `error`. */
export function toast(text, kind = 'info') {
  const { toasts } = parts;
  const same = [...toasts.children].find((shown) => shown.firstChild.textContent === text);
  same?.remove();
  const close = make('button', { class: 'quiet', 'aria-label': 'Dismiss' }, '×');
  const shown = make('div', { class: `toast ${kind}`, 'data-testid': 'toast' }, make('span', {}, text), close);
  close.addEventListener('click', () => shown.remove());
  toasts.append(shown);
  place();
  while (toasts.children.length > AT_MOST) toasts.firstChild.remove();
  setTimeout(() => shown.remove(), SHOWN_MS);
}

/** Shows why something was refused. */
export function toastRefusal(refused) {
  if (!refused.code) throw refused;
  toast(refusalText(refused), 'error');
}

/** Copies a text. Over plain HTTP a page has no clipboard: `otherwise` is done then. */
export async function copyText(text, otherwise) {
  try {
    await navigator.clipboard.writeText(text);
    toast('Copied.');
  } catch {
    otherwise();
  }
}

/** Says something to screen readers, and to nobody else. */
export function announce(text) {
  if (text) setText(parts.live, text);
}

/** Takes back what was said to screen readers, which is over. */
export function hush() {
  setText(parts.live, '');
}

/** Asks before something that cannot be undone. Resolves to whether it was agreed to. */
export async function confirm(question, yes) {
  return await choose(question, yes, null) === 'yes';
}

/**
 * Asks which of two ways to go: `yes`, which cannot be undone, or `later`, which can, and is not
 * offered where it is null. Resolves to `yes`, `later`, or anything else for neither.
 */
export function choose(question, yes, later) {
  const { dialog } = parts;
  const button = (value) => dialog.querySelector(`[value=${value}]`);
  setText(dialog.querySelector('p'), question);
  setText(button('yes'), yes);
  setText(button('later'), later ?? '');
  button('later').hidden = later === null;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue), { once: true });
  });
}
