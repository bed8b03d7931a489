// Small helpers over the DOM and the browser's storage.

const SVG = 'http://www.w3.org/2000/svg';

/** An element: `make('button', { class: 'quiet', 'data-testid': 'x' }, 'Text')`. */
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) set(element, name, value);
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The sign of the computer, where words beside it say the same. */
export function cpuIcon() {
  return draw('svg', { class: 'icon', 'aria-hidden': 'true' }, draw('use', { href: '#cpu-icon' }));
}

/** Sets an attribute only if it changes; null and false take it away. */
export function set(element, name, value) {
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
    return;
  }
  const text = value === true ? '' : String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Sets the text only if it changes, so that nothing is announced or selected anew. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A copy of a template's content, and its `data-part` elements by name. */
export function fromTemplate(id) {
  const root = document.getElementById(id).content.firstElementChild.cloneNode(true);
  return { root, parts: partsOf(root) };
}

/** The `data-part` elements under (and including) an element, by name. */
export function partsOf(root) {
  const all = [root, ...root.querySelectorAll('[data-part]')];
  return Object.fromEntries(all.filter((e) => e.dataset?.part).map((e) => [e.dataset.part, e]));
}

/**
 * Something kept in this browser; a browser that keeps nothing gives the fallback. With `tab`, what is
 * kept for as long as the tab is open, through its reloads.
 */
export function recall(key, fallback, { tab = false } = {}) {
  try {
    return JSON.parse(storage(tab).getItem(`hexhall.${key}`)) ?? fallback;
  } catch {
    return fallback;
  }
}

/** Keeps something in this browser, or for this `tab`, where it can. */
export function remember(key, value, { tab = false } = {}) {
  try {
    storage(tab).setItem(`hexhall.${key}`, JSON.stringify(value));
  } catch {
    // Storage can be full or forbidden. The page works without.
  }
}

function storage(tab) {
  return tab ? sessionStorage : localStorage;
}
