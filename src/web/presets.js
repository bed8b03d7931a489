// What tables may be opened with, as the server tells it: asked for once, and kept.

import { ask } from './api.js';

let asked = null;

/** The list of presets, in the order in which they are offered. Throws what kept it from coming. */
export function presets() {
  asked ??= ask('/v1/presets').then(
    (list) => list.presets,
    (refused) => {
      asked = null;
      throw refused;
    },
  );
  return asked;
}
