// The party of a table, as the page knows it: who is in it, who hosts, who plays next.
//
// Pure questions to a table's state, and the words for the answers.

/** The viewer's own entry among the members, or null. */
export function membership({ party, me }) {
  return party?.members.find(({ player }) => player.id === me) ?? null;
}

/** Whether the viewer hosts the party. */
export function isHost({ party, me }) {
  return !!party && !!me && party.host === me;
}

/**
 * The members as the page lists them: `{ id, name, wins, games, plays, host, seat, next, here, me }`,
 * `seat` null without one.
 */
export function membersOf(state) {
  const { party, presence, seats, me } = state;
  const { here = [] } = presence.party ?? {};
  const next = nextOf(state);
  return (party?.members ?? []).map(({ player, plays, games, wins }) => {
    const at = seats.findIndex((seated) => seated?.id === player.id);
    return {
      id: player.id, name: player.name, plays, games, wins,
      host: party.host === player.id,
      seat: at < 0 ? null : at + 1,
      next: !!next?.includes(player.id),
      here: here.includes(player.id),
      me: player.id === me,
    };
  });
}

// Who plays the next game; null while one runs, whose end settles that.
function nextOf(state) {
  return isBusy(state) ? null : state.presence.party?.next ?? [];
}

/** Who plays the next game: `Next: Ana – Bo`; empty while it cannot be known. */
export function nextText(state) {
  const next = nextOf(state);
  if (!next) return '';
  const names = next.map((id) => (
    state.party.members.find(({ player }) => player.id === id)?.player.name ?? '?'
  ));
  switch (names.length) {
    case 0: return 'Next: nobody is here who wants to play.';
    case 1: return `Next: ${names[0]} – the computer, level ${state.party.cpu_level}`;
    default: return `Next: ${names.join(' – ')}`;
  }
}

/** Whether a game runs that the host may only end by waiting for its end. */
export function isBusy({ phase, seats }) {
  return phase === 'playing' && !seats.some((player) => player?.cpu);
}

/** What the host's button for the next game says. */
export function startText({ phase, game }) {
  if (phase === 'playing') return 'End this game and start the next';
  return game ? 'Start the next game' : 'Start the game';
}

/**
 * What the button for the next game is for the viewer: `{ text, disabled }`, or null where others
 * press it. A rated game of two begins when both who play it have pressed.
 */
export function startButton(state) {
  const { next = [], asked = null } = state.presence.party ?? {};
  const agree = state.nextOptions.rated && next.length === 2;
  if (isBusy(state) || !(agree ? next.includes(state.me) : isHost(state))) return null;
  if (!agree) return { text: startText(state), disabled: !next.length };
  if (asked === state.me) return { text: 'You have asked for the rated game', disabled: true };
  return { text: asked ? 'Agree to the rated game' : 'Ask for the rated game', disabled: false };
}

/**
 * Whether it is for the viewer to propose the next game: they play it, and no button of the card begins
 * it for them.
 */
export function proposesNext(state) {
  const { next = [] } = state.presence.party ?? {};
  return next.includes(state.me) && !startButton(state);
}

/** For whom everybody else waits. */
export function waitsText(state) {
  const { next = [] } = state.presence.party ?? {};
  return state.nextOptions.rated && next.length === 2
    ? 'The next game is rated: it begins when both who play it have asked for it.'
    : 'The host starts the next game.';
}

/** How the seats go round, by the names that the wire has for it. */
export const TURNS = {
  none: 'The same two play on',
  winner_stays: 'Winner stays',
  round_robin: 'Everybody in turn',
};

/** What is told of a change in the party. */
export function changeText({ kind, player, plays, removed, turns }) {
  switch (kind) {
    case 'party_joined': return plays ? `${player.name} is in the party.` : `${player.name} only watches.`;
    case 'party_left': return removed ? `${player.name} was sent away.` : `${player.name} has left the party.`;
    case 'host_changed': return `${player.name} hosts the party now.`;
    case 'options_set': return 'The host has set other rules for the next game.';
    case 'turns_set': return `The host has set: ${TURNS[turns].toLowerCase()}.`;
    default: return null;
  }
}

/** The code as it may be typed, spaces and case aside; null for what cannot be one. */
export function codeOf(typed) {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  return /^[A-Z0-9]{6}$/.test(code) ? code : null;
}

/** The address that leads into the party of a code. */
export function partyPath(code) {
  return `/p/${code}`;
}

/** The party after a game of two members has ended, which counts unless it is void. */
export function counted({ party, seats }, { winner }) {
  const [one, two] = seats;
  if (!party || winner === null || !one || !two || one.cpu || two.cpu) return party;
  const won = seats[winner - 1].id;
  const members = party.members.map((member) => {
    const { id } = member.player;
    if (id !== one.id && id !== two.id) return member;
    return { ...member, games: member.games + 1, wins: member.wins + (id === won ? 1 : 0) };
  });
  return { ...party, members };
}
