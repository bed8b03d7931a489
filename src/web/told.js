// What an event at a table is told by: words for screen readers, a toast, a sound.

import { againstComputer, mySeat } from './may.js';
import {
  chime, click, knock, toll,
} from './sound.js';
import { announce, toast } from './toast.js';
import { announcement } from './words.js';

// The events that are worth a toast: those that nothing else on the page shows.
const TOLD = new Set([
  'swapped', 'offer_closed', 'taken_back', 'time_given', 'restarted', 'unseated', 'returned', 'party',
  'plan_dropped',
]);

const HEARD = { collided: knock, started: chime, ended: toll };

/** Tells of an event, given the table's state before it and after it. */
export function tell(before, after, frame) {
  const text = announcement(after, frame);
  announce(text);
  if (text && TOLD.has(frame.event) && !isOwn(before, frame)) toast(text);
  HEARD[frame.event]?.();
  // One's own stone was heard as it was placed.
  if (frame.event === 'placed' && frame.seat !== mySeat(before)) click();
}

// Whether an event tells its viewer what they have done themselves. To come back is no deed.
function isOwn(state, { event, seat, change }) {
  if (event === 'party') return change.player?.id === state.me && change.kind === 'party_joined';
  if (event === 'taken_back') return againstComputer(state);
  return event !== 'returned' && seat === mySeat(state);
}
