// Where a game that has ended can be had: its replay, and its record in every format.

import { make } from './dom.js';

const FORMATS = [
  ['svg', 'picture'], ['sgf', 'SGF'], ['hexworld', 'HexWorld'], ['hexwiki', 'HexWiki'], ['json', 'JSON'],
];

/** The address of a game's replay. */
export function replayPath(game) {
  return `/game/${encodeURIComponent(game)}`;
}

/** The address of a game in a format, with whatever else is asked for in its query. */
export function recordPath(game, format, asked = {}) {
  const known = Object.entries(asked).filter(([, value]) => value !== null && value !== undefined);
  const query = known.length ? `?${new URLSearchParams(known)}` : '';
  return `/v1/games/${encodeURIComponent(game)}.${format}${query}`;
}

/** A link to each format, with what stands between them. */
export function recordLinks(game, invitation) {
  return FORMATS.flatMap(([format, name], n) => [
    n ? ' · ' : '',
    make('a', {
      href: recordPath(game, format, { invitation }), target: '_blank', 'data-testid': `record-${format}`,
    }, name),
  ]);
}
