// What is heard, if it is wanted: a soft click for each move, a knock for each collision, chimes for
// what begins and ends, and a warning. Off until switched on.

import { recall, remember } from './dom.js';

let context = null;

/** Whether moves are heard. */
export function soundOn() {
  return recall('sound', false);
}

/** Switches the sound on or off, and says which. */
export function toggleSound() {
  remember('sound', !soundOn());
  if (soundOn()) click();
  return soundOn();
}

/** The click of a stone, if sound is on. */
export function click() {
  play('sine', [[520, 0], [180, 0.06]], 0.18, 0.1);
}

/** The knock of a collision, if sound is on: lower, and twice. */
export function knock() {
  play('triangle', [[190, 0], [110, 0.08]], 0.3, 0.11);
  play('triangle', [[150, 0.13], [80, 0.22]], 0.3, 0.25);
}

/** Two rising notes, if sound is on: a game begins, or an opponent is found. */
export function chime() {
  play('sine', [[523, 0], [523, 0.1]], 0.2, 0.35);
  play('sine', [[784, 0.14], [784, 0.3]], 0.2, 0.6);
}

/** Two falling notes, if sound is on: the game is over. */
export function toll() {
  play('sine', [[659, 0], [659, 0.1]], 0.2, 0.35);
  play('sine', [[440, 0.16], [440, 0.3]], 0.2, 0.7);
}

/** Three short notes, if sound is on: one's own time runs short. */
export function warn() {
  for (const at of [0, 0.16, 0.32]) play('square', [[880, at], [880, at + 0.04]], 0.06, at + 0.1);
}

// A tone that glides through frequencies at instants, in seconds from now, and fades until `end`.
function play(type, glide, loud, end) {
  if (!soundOn() || !window.AudioContext) return;
  context ??= new AudioContext();
  const [tone, gain] = [context.createOscillator(), context.createGain()];
  const now = context.currentTime;
  const [[from, begin], [to, reached]] = glide;
  tone.type = type;
  tone.frequency.setValueAtTime(from, now + begin);
  tone.frequency.exponentialRampToValueAtTime(to, now + reached);
  gain.gain.setValueAtTime(loud, now + begin);
  gain.gain.exponentialRampToValueAtTime(0.001, now + end - 0.01);
  tone.connect(gain).connect(context.destination);
  tone.start(now + begin);
  tone.stop(now + end);
}
