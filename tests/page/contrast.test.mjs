// The colours of both schemes: what is written can be read, and what is drawn can be seen.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const CSS = readFileSync(new URL('../../src/web/style.css', import.meta.url), 'utf8');

// The colours of the first `:root` after a text, by name.
function colors(after) {
  const block = CSS.slice(CSS.indexOf(after)).match(/:root \{([^}]*)\}/)[1];
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]+)/g)].map(([, name, color]) => [name, color]));
}

const LIGHT = colors(':root');
const SCHEMES = { light: LIGHT, dark: { ...LIGHT, ...colors('prefers-color-scheme: dark') } };

// As the Web Content Accessibility Guidelines have it.
function luminance(color) {
  const digits = color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit) : color.slice(1).match(/../g);
  const [red, green, blue] = digits.map((pair) => {
    const part = parseInt(pair, 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

function holds(pairs, least) {
  for (const [scheme, of] of Object.entries(SCHEMES)) {
    for (const [ink, ground] of pairs) {
      const is = contrast(of[ink], of[ground]);
      assert.ok(is >= least, `${ink} on ${ground} is ${is.toFixed(2)} in the ${scheme} scheme, below ${least}`);
    }
  }
}

test('texts stand out from their grounds in both schemes', () => {
  holds([
    ['ink', 'ground'], ['ink', 'card'], ['ink', 'line'], ['soft', 'ground'], ['soft', 'card'], ['soft', 'board'],
    ['accent', 'ground'], ['accent', 'card'], ['accent-ink', 'accent'], ['danger', 'ground'], ['danger', 'card'],
    ['ground', 'ink'],
  ], 4.5);
});

test('stones and edges stand out from the board in both schemes', () => {
  holds([['red', 'cell'], ['blue', 'cell'], ['red', 'board'], ['blue', 'board'], ['red', 'cell-dark'], ['blue', 'cell-dark']], 3);
});
