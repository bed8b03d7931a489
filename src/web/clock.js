// What a clock shows between two readings.
//
// Pure: instants are arguments, in milliseconds of one local time line.

// Milliseconds below which a clock counts as low: of a main time, and of a single turn or period.
const LOW_MS = 20_000;
const LOW_TURN_MS = 10_000;

/**
 * A seat's clock now: the reading, less what has passed if it runs. In byo-yomi, time that runs
 * out goes on into the next period, as it does on the server.
 *
 * Returns `{ left_ms, periods, first_move_ms, running, low }`.
 */
export function clockNow(clocks, seat, { at, now, time, paused = false }) {
  const reading = clocks.seats[seat - 1];
  const running = clocks.running === seat && !paused;
  const passed = running ? Math.max(0, now - at) : 0;
  const { left_ms, periods } = time.control === 'byo_yomi'
    ? runPeriods(reading, passed, time)
    : { left_ms: Math.max(0, reading.left_ms - passed), periods: reading.periods };
  const first_move_ms = reading.first_move_ms === undefined
    ? undefined
    : Math.max(0, reading.first_move_ms - passed);
  const nearest = Math.min(left_ms, first_move_ms ?? Infinity);
  const lowMs = time.control === 'fischer' ? LOW_MS : LOW_TURN_MS;
  return { left_ms, periods, first_move_ms, running, low: nearest < lowMs && !periods };
}

// A reading counts the periods that stand untouched behind its time, so both the main time and a
// period that runs out go on into the next of them.
function runPeriods({ left_ms, periods }, passed, { period_s }) {
  let left = left_ms - passed;
  let behind = periods;
  while (left <= 0 && behind > 0) {
    behind -= 1;
    left += period_s * 1000;
  }
  return { left_ms: Math.max(0, left), periods: behind };
}

/** Whether a seat's clock runs and is low. */
export function isLow({ game, clocksAt, options }, seat, now) {
  if (!game?.clocks || game.outcome) return false;
  const reading = clockNow(game.clocks, seat, {
    at: clocksAt, now, time: options.time, paused: game.paused,
  });
  return reading.running && reading.low;
}

/** What each clock shows before a game, in milliseconds; none without a clock. */
export function startMs(time) {
  const seconds = { fischer: time.initial_s, byo_yomi: time.initial_s, per_turn: time.seconds }[time.control];
  return seconds === undefined ? undefined : seconds * 1000;
}

/** `1:05:00`, `5:00`, and tenths under ten seconds: `9.9`. Whole seconds are rounded up. */
export function clockText(ms) {
  if (ms <= 9_900) return (Math.ceil(ms / 100) / 10).toFixed(1);
  const seconds = Math.ceil(ms / 1000);
  const two = (n) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

/** How long it still takes until an instant: `45 s`, and `4:59` when it is minutes. */
export function waitText(until, now) {
  const seconds = secondsUntil(until, now);
  return seconds < 100 ? `${seconds} s` : clockText(seconds * 1000);
}

/** Whole seconds until an instant, never below zero. */
export function secondsUntil(until, now) {
  return Math.max(0, Math.ceil((until - now) / 1000));
}
