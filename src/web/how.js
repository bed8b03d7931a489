// How it is played, in the few words that somebody new needs.

import { make } from './dom.js';

const HOW = {
  Hex: 'Red and blue put a stone on an empty cell in turn. Red joins the top edge with the bottom one, blue the left with the right. Whoever does so first, by an unbroken chain, wins. Stones are never moved or taken, and somebody always wins.',
  'The swap': 'To begin is worth a lot, so the second player may answer the first stone by taking it over. Begin with one that is neither strong nor weak.',
  'Dark Hex': 'You see your own stones alone. Whoever tries a cell where a hidden stone stands sees that stone from then on, and moves again – or, by the abrupt rule, loses the turn.',
  Rated: 'A rated game changes both players’ ratings by how it ends. Anything else is for fun.',
  'A party': 'Friends come together by a code or a link, watch each other, and play in turns.',
};

/** Puts it into a list of words. */
export function showHow(list) {
  list.append(...Object.entries(HOW).flatMap(([word, text]) => [make('dt', {}, word), make('dd', {}, text)]));
}
