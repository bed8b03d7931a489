// A game's record as the replay shows it: positions, words and colours from one pair of eyes.
//
// Pure. A record is what `/v1/games/{id}.json` answers; one asked for with `as=1` or `as=2` holds
// only what that seat knew, so nothing here decides who may know what.

import { positionAt } from './hex.js';
import { foundAt } from './seen.js';
import { moveTold } from './words.js';

/** Whose eyes there are: `umpire` sees everything. */
export const EYES = ['umpire', '1', '2'];

/** The game of a record, in the words that tables use. */
export function fromRecord(record) {
  const sides = record.swap === 'sides' && record.moves.some(({ swap }) => swap);
  const [first, second] = sides ? ['blue', 'red'] : ['red', 'blue'];
  return {
    id: record.id,
    date: record.date,
    options: {
      rows: record.size.rows,
      cols: record.size.cols,
      game: record.game,
      collision: record.game === 'dark' ? record.collision ?? 'classical' : undefined,
      swap: record.swap,
      goal: record.goal,
      random_stones: record.opening.length / 2,
      time: timeOf(record.time),
    },
    players: record.players.map((name, n) => name ?? `seat ${n + 1}`),
    colors: [first, second],
    opening: record.opening,
    moves: record.moves.map((move, n) => moveOf(move, n, record)),
    path: record.winning_path,
    end: record.end,
  };
}

/** The position after the first `ply` moves; null is the last one, which shows what decided it. */
export function seenAt({ options: { rows, cols }, opening, moves, path }, eyes, ply) {
  const last = ply === null || ply >= moves.length;
  const at = last ? moves.length : ply;
  const move = moves[at - 1];
  const found = eyes === 'umpire' ? [] : foundAt(moves, Number(eyes), at);
  return {
    ...positionAt({ rows, cols, opening, moves, ply: at }),
    path: last ? path : [],
    pending: null,
    found,
    bare: [],
    ran: move?.collision ? move.cell ?? null : null,
    hint: null,
    turn: null,
    old: false,
  };
}

/** What the position is: `Move 7: red ran into a hidden stone at b3.`, and at last how it ended. */
export function captionOf(game, ply) {
  const { moves } = game;
  const at = ply ?? moves.length;
  const move = at ? `Move ${at}: ${moveTold(moves[at - 1])}.` : 'Before the first move.';
  const end = ply === null || at === moves.length ? endText(game) : null;
  return end ? `${move} ${end}` : move;
}

/** Who played, each with the colour held at the end. */
export function playersText({ players, colors }) {
  return players.map((name, n) => `${name} (${colors[n]})`).join(' – ');
}

/** How the game ended, or null while it runs. */
export function endText({ end, players, options }) {
  if (!end) return null;
  if (end.void) {
    return {
      aborted: 'The game was aborted.',
      not_started: 'No result: a clock ran out before both had moved.',
      abandoned: 'No result: both players were away too long.',
    }[end.void];
  }
  const [winner, loser] = [players[end.winner - 1], players[2 - end.winner]];
  const rex = options.goal === 'avoid';
  return {
    chain: rex ? `${winner} won: ${loser} joined their edges.` : `${winner} won by joining the edges.`,
    resignation: `${winner} won: ${loser} resigned.`,
    time: `${winner} won: ${loser} ran out of time.`,
    forfeit: `${winner} won: ${loser} left.`,
  }[end.by];
}

// Records tell the colour of a move, and tables also its seat: only a swap of sides sets them apart.
function moveOf({ color, cell, swap, collision, cpu }, n, record) {
  const swapped = record.swap === 'sides' && record.moves.slice(0, n).some((move) => move.swap);
  const red = swapped ? 2 : 1;
  return {
    seat: color === 'red' ? red : 3 - red,
    color,
    ...(cell && { cell }),
    ...(swap && { swap: record.swap }),
    ...(collision && { collision }),
    ...(cpu && { cpu }),
  };
}

// Records count in milliseconds, and tables in seconds.
function timeOf(time) {
  const seconds = (ms) => ms / 1000;
  switch (time?.kind) {
    case 'fischer':
      return {
        control: 'fischer', initial_s: seconds(time.initial_ms), increment_s: seconds(time.increment_ms),
      };
    case 'per_turn': return { control: 'per_turn', seconds: seconds(time.turn_ms) };
    case 'byo_yomi':
      return {
        control: 'byo_yomi', initial_s: seconds(time.initial_ms), period_s: seconds(time.period_ms),
        periods: time.periods,
      };
    default: return { control: 'none' };
  }
}
