// What the page says of blocks, mutes, reports, and what the operator does.
//
// Pure.

/** What a button says that keeps somebody away (`blocks`, `mutes`), or, where they are, does so no more. */
export function wayText(way, kept) {
  if (way === 'blocks') return kept ? 'Unblock' : 'Block';
  return kept ? 'Unmute' : 'Mute';
}

/** What has been done. */
export function keptText(way, name, away) {
  if (way === 'blocks') return away ? `${name} is blocked.` : `${name} is blocked no more.`;
  return away ? `You no longer read what ${name} says.` : `You read what ${name} says again.`;
}

/** What is asked before somebody is blocked. */
export function blockQuestion(name) {
  return `Block ${name}? You are not matched with each other any more, and do not read each other. A game that runs goes on.`;
}

/** What stands in the place of a list without anybody. */
export function nobodyText(way) {
  return way === 'blocks' ? 'You have blocked nobody.' : 'You have muted nobody.';
}

/** A moment in the reader's own words: `30 Nov 2026, 12:05`. */
export function momentText(ms) {
  return new Date(ms).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** What a notice of the operator's is about. */
export function noticeTitle({ kind, until_ms }) {
  switch (kind) {
    case 'warning': return 'A warning from the operator';
    case 'muted': return until_ms ? `You are muted until ${momentText(until_ms)}` : 'You are muted';
    case 'unmuted': return 'You may speak again';
    case 'renamed': return 'The operator has given you another name';
    default: return 'A word from the operator';
  }
}

/** When somebody who is banned may come back, where the server's sentence does not say it all. */
export function banText(until) {
  return until === null ? '' : ` You can come back ${momentText(until)}.`;
}
