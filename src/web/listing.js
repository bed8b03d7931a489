// The public list of tables: the list and a change in, the next list out.
//
// Pure. A list is an array of listings in no particular order.

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

/** In the order of interest: own tables, then those with a free seat, then running games. */
export function ordered(tables, playerId) {
  const rank = (listing) => (isSeated(listing, playerId) ? 0 : 1 + PHASES.indexOf(listing.phase));
  return [...tables].sort((a, b) => rank(a) - rank(b) || b.opened_ms - a.opened_ms);
}

const PHASES = ['waiting', 'playing', 'finished', 'closed'];

/** Whether a player has a seat at a listed table. */
export function isSeated({ seats }, playerId) {
  return seats.some((player) => player?.id === playerId);
}

/** Whether a listed table has a seat to take. */
export function hasFreeSeat({ phase, seats }) {
  return phase === 'waiting' && seats.some((player) => player === null);
}

/** The level of the computer that has a seat at a listed table, or null. */
export function levelAt({ seats }) {
  return seats.find((player) => player?.cpu)?.cpu ?? null;
}

/** Who sits at a listed table: `Anna – free seat`. */
export function seatsText({ seats }) {
  return seats.map((player) => player?.name ?? 'free seat').join(' – ');
}
