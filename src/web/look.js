// How the board is looked at on this screen: its orientation, and whether it is mirrored.
//
// Kept in this browser for every board. It is never part of a game.

import { make, recall, remember } from './dom.js';

const ORDER = ['flat', 'wide', 'tall'];
const UPRIGHT = matchMedia('(max-width: 700px) and (orientation: portrait)');

/** How it is looked at now. Standing on its corner, it is largest on a phone held upright. */
export function look() {
  return { orientation: UPRIGHT.matches ? 'tall' : 'flat', mirrored: false, ...recall('look', {}) };
}

/** Whether a stone is placed by a second press on its cell, for whom a board's cells are small. */
export function pressesTwice() {
  return recall('twice', false);
}

/** Has a stone placed by a second press, or by one. */
export function togglePressesTwice() {
  remember('twice', !pressesTwice());
}

/**
 * Buttons into `tools` that turn and flip the board on this screen. Has `run` called when the board is to
 * be looked at otherwise, also because the screen is turned. Gives what ends that.
 */
export function lookTools(tools, run) {
  const tool = (name, title, change) => {
    const button = make('button', { class: 'quiet', title, 'data-testid': name.toLowerCase() }, name);
    button.addEventListener('click', () => {
      remember('look', { ...look(), ...change(look()) });
      run();
    });
    return button;
  };
  tools.append(
    tool('Rotate', 'Turn the board on this screen', ({ orientation }) => (
      { orientation: ORDER[(ORDER.indexOf(orientation) + 1) % ORDER.length] }
    )),
    tool('Flip', 'Exchange rows and columns on this screen', ({ mirrored }) => ({ mirrored: !mirrored })),
  );
  UPRIGHT.addEventListener('change', run);
  return () => UPRIGHT.removeEventListener('change', run);
}
