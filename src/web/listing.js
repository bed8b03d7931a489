// The public list of tables: the list and a change in, the next list out.
//
// Pure. A list is an array of listings in no particular order.

import { isLate } from './options.js';

/** The list after one change. */
export function listed(tables, frame) {
  switch (frame.lobby) {
    case 'tables': return frame.tables;
    case 'unlisted': return tables.filter(({ table }) => table !== frame.table);
    case 'listed':
      return [...tables.filter(({ table }) => table !== frame.listing.table), frame.listing];
    default: return tables;
  }
}

/**
 * In the order of interest: own tables, the running ones first; then those that one can join, where
 * somebody is there first; then games between people, and practice against the computer after them; the newest first in each.
 */
export function ordered(tables, playerId) {
  const rank = (listing) => {
    const newest = -listing.opened_ms;
    if (isSeated(listing, playerId)) return [0, OWN_PHASES.indexOf(listing.phase), newest];
    if (hasFreeSeat(listing)) return [1, listing.gone ? 1 : 0, newest];
    return [levelAt(listing) === null ? 2 : 3, PHASES.indexOf(listing.phase), newest];
  };
  const ranked = tables.map((listing) => ({ listing, rank: rank(listing) }));
  return ranked.sort((a, b) => compared(a.rank, b.rank)).map(({ listing }) => listing);
}

const PHASES = ['waiting', 'playing', 'finished', 'closed'];
const OWN_PHASES = ['playing', 'waiting', 'finished', 'closed'];

// By the first number that differs.
function compared(a, b) {
  const at = a.findIndex((number, i) => number !== b[i]);
  return at < 0 ? 0 : a[at] - b[at];
}

/** One's `own` tables and those of `others`, each in the order of interest. */
export function parted(tables, playerId) {
  const all = ordered(tables, playerId);
  const first = all.findIndex((listing) => !isSeated(listing, playerId));
  const own = first < 0 ? all.length : first;
  return { own: all.slice(0, own), others: all.slice(own) };
}

/** Whether a player has a seat at a listed table. */
export function isSeated({ seats }, playerId) {
  return seats.some((player) => player !== null && player.id === playerId);
}

/**
 * Whether a listed table has a seat to take, or a party to join. One that is seen late may have been
 * taken meanwhile, and is there to be watched.
 */
export function hasFreeSeat({ phase, seats, party, options }) {
  return !!party || (phase === 'waiting' && seats.some((player) => player === null) && !isLate(options));
}

/** The level of the computer that has a seat at a listed table, or null. */
export function levelAt({ seats }) {
  return seats.find((player) => player?.cpu)?.cpu ?? null;
}

/** How many a listed party has: `party of 5, 3 watching`; null without a party. */
export function partyText({ party, size }) {
  if (!party) return null;
  if (!size) return 'party';
  return `party of ${size.members}${size.watchers ? `, ${size.watchers} watching` : ''}`;
}

/** Who sits at a table of others: `Anna – free seat`. */
export function othersText(listing) {
  return seatsText(listing, isLate(listing.options) ? 'seat may be taken' : undefined);
}

/** Who sits at a table that one knows as it is now. */
export function seatsText({ seats }, free = 'free seat') {
  return seats.map((player) => player?.name ?? free).join(' – ');
}
