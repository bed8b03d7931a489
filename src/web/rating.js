// Ratings in words, and the shape of their history.
//
// Pure. A class is a game at a speed, as the server has them: `{ game, speed }`.

/** Every game that has ratings, with its name. */
export const GAMES = { hex: 'Hex', dark: 'Dark Hex' };

/** Every speed, the fastest first, with what it means. */
export const SPEEDS = {
  bullet: 'below 3 minutes each',
  blitz: '3 to 8 minutes each',
  rapid: '8 to 25 minutes each',
  classical: '25 minutes each and more',
  untimed: 'no clock',
};

/** What `±` behind a rating says: two deviations. */
export const SURE = 'The player’s strength is within this, 19 times in 20.';

const TURNS = 40;

/** How fast a time control is: its initial time and what 40 turns bring, in minutes. */
export function speedOf(time) {
  if (time.control === 'none') return 'untimed';
  const turn = { fischer: time.increment_s, per_turn: time.seconds, byo_yomi: time.period_s }[time.control];
  const minutes = ((time.initial_s ?? 0) + TURNS * turn) / 60;
  return [['bullet', 3], ['blitz', 8], ['rapid', 25]].find(([, below]) => minutes < below)?.[0] ?? 'classical';
}

/** What games of these options count for. */
export function classOf(options) {
  return { game: options.game ?? 'hex', speed: speedOf(options.time) };
}

/** A class in words: `Dark Hex · rapid`. */
export function classText({ game, speed }) {
  return `${GAMES[game]} · ${speed}`;
}

/** A rating in words: `1512`, or `1512?` while it is provisional. */
export function ratingText({ rating, provisional }) {
  return `${rating}${provisional ? '?' : ''}`;
}

/** What a game made of a rating: `1512 (+8)`. */
export function changeText({ before, after }) {
  const by = after - before;
  return `${after} (${by < 0 ? `−${-by}` : `+${by}`})`;
}

/** What a rated game made of its players' ratings, by the name of each seat; null where it changed none. */
export function changesText(changes, nameOf) {
  if (!changes.length) return null;
  return `Rated: ${changes.map((change) => `${nameOf(change.seat)} ${changeText(change)}`).join(' – ')}`;
}

/** The rating of somebody's profile that counts in a class; that of somebody new where there is none. */
export function ratingIn(profile, { game, speed }) {
  return profile.ratings.find((it) => it.game === game && it.speed === speed)
    ?? { rating: 1500, provisional: true };
}

/** Wins, losses and draws: `3 won · 1 lost`. */
export function recordText({ wins, losses, draws }) {
  return [`${wins} won`, `${losses} lost`, draws > 0 && `${draws} drawn`].filter(Boolean).join(' · ');
}

/** How a listed game went for the player whose list it is in: `Won by resignation`. */
export function outcomeText({ seat, seats, outcome }) {
  const alone = seats[0] && seats[0].id === seats[1]?.id;
  const how = { chain: 'by joining the edges', resignation: 'by resignation', time: 'on time', forfeit: 'by forfeit' }[outcome.by];
  if (alone) return `${outcome.winner === 1 ? 'Seat 1' : 'Seat 2'} won ${how}`;
  return `${outcome.winner === seat ? 'Won' : 'Lost'} ${how}`;
}

/** Whom a listed game was played against, or null where it was nobody else. */
export function opponentOf({ seat, seats }) {
  const other = seats[2 - seat];
  return other && other.id === seats[seat - 1]?.id ? null : other;
}

/** A day: `30 Nov 2026`. */
export function dayText(ms) {
  return new Date(ms).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}

/**
 * The line of a history within `width` by `height`: its `points`, `[x, y]` each, beginning with the
 * rating before the first change, and the lowest and highest rating in it. Null without a change.
 */
export function line(changes, width, height) {
  if (!changes.length) return null;
  const ratings = [changes[0].before, ...changes.map(({ after }) => after)];
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const step = width / (ratings.length - 1);
  const span = Math.max(1, high - low);
  const points = ratings.map((rating, i) => [i * step, height - ((rating - low) / span) * height]);
  return { points, low, high };
}
