// How the board is looked at on this screen: its orientation, and whether it is mirrored.
//
// Kept in this browser for every board. It is never part of a game.

import { recall, remember } from './dom.js';

const ORDER = ['flat', 'wide', 'tall'];
const UPRIGHT = matchMedia('(max-width: 700px) and (orientation: portrait)');

/** How it is looked at now. Standing on its corner, it is largest on a phone held upright. */
export function look() {
  return { orientation: UPRIGHT.matches ? 'tall' : 'flat', mirrored: false, ...recall('look', {}) };
}

/** Turns the board to its next orientation. */
export function rotate() {
  const now = look();
  remember('look', { ...now, orientation: ORDER[(ORDER.indexOf(now.orientation) + 1) % ORDER.length] });
}

/** Exchanges rows and columns. */
export function flip() {
  const now = look();
  remember('look', { ...now, mirrored: !now.mirrored });
}

/** Has `run` called when the screen is turned. Gives what ends that. */
export function onTurned(run) {
  UPRIGHT.addEventListener('change', run);
  return () => UPRIGHT.removeEventListener('change', run);
}
