// A soft click for each move, if it is wanted. Off until switched on.

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
  if (!soundOn() || !window.AudioContext) return;
  context ??= new AudioContext();
  const [tone, gain] = [context.createOscillator(), context.createGain()];
  const now = context.currentTime;
  tone.frequency.setValueAtTime(520, now);
  tone.frequency.exponentialRampToValueAtTime(180, now + 0.06);
  gain.gain.setValueAtTime(0.18, now);
  gain.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(gain).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}
