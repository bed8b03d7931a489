// The page: its routes, its one connection, and what is above every page.
//
// `/` is the lobby, `/t/{table}` a table, `/game/{game}` a game's replay; the address of what is
// private carries its `invitation`.
//
// Hooks for tests, as `data-testid`:
//   everywhere  connection (online | connecting | reconnecting | offline), connection-banner, retry,
//               name, save-name, toast, announcer, confirm-yes, confirm-no
//   lobby       play-cpu, open-table, tables, listing (data-table, data-phase), join, watch, return,
//               return-private, no-tables, own-tables, online, pools, pool-hex-11 … (aria-pressed),
//               waiting, waited, cancel-seek, seek-game, seeks, seek (data-seek), answer-seek, no-seeks
//   matching    ready-check, ready-text, ready-left, ready, not-ready
//   board       board (data-turn: the colour that may be placed now), cell-a1 … (data-stone: red,
//               blue or empty; data-last, data-path, data-pending, data-found, data-bare, data-ran,
//               data-hint), options, rotate, flip, sound
//   table       game (data-dark), status (data-phase), turn (data-seat, data-mine), viewer
//               (data-viewer), watchers, result (data-winner, data-color), records, replay,
//               record-sgf …, dark (data-kind), dark-text, dark-replay, veil, legend, hint-text; on one
//               device cover (data-color), cover-text, lift, linger, cover-now
//   players     seat-1 (data-cpu: house | stand-in; data-thinking), player-1, clock-1 (data-running,
//               data-low), clock-extra-1, presence-1, score-1, attempts-1; the same for 2
//   asking      join, swap, hint, takeback, pause, unpause, rematch, give-time, abort, resign, claim,
//               leave, copy-link, invite-link (an input), copy-invite, offer-rematch …, accept,
//               decline, withdraw, away, stand-in, next-level, change-level
//   history     ply, ply-first, ply-back, ply-on, ply-live, moves, cpu-legend
//   replay      players, caption, eyes, eyes-umpire, eyes-1, eyes-2, running, again, picture; gone

import { fromTemplate, make, partsOf, recall, remember, set, setText } from './dom.js';
import { Link } from './link.js';
import { LobbyPage, tablePath } from './lobby.js';
import { ReplayPage } from './replaypage.js';
import { Seeker } from './seeker.js';
import { TablePage } from './tablepage.js';
import { toast, toastRefusal } from './toast.js';
import { closeReason } from './words.js';

const BANNER_AFTER_MS = 1_000;

const parts = partsOf(document.body);
let page = null;

const link = new Link({ url: socketUrl, hello: () => ({ name: recall('name', undefined) }) });

const seeker = new Seeker({ link, goTo: (table) => go(tablePath(table)), named: nameTold });

link.on('event', (frame) => page.onEvent(frame));
link.on('lobby', (frame) => page.onLobby(frame));
link.on('welcome', ({ player }) => {
  showName(player.name);
  page.onWelcome();
});
link.on('notice', ({ notice }) => {
  if (notice === 'closing') showBanner(closeReason(1012).text);
});
link.on('status', showConnection);
// A name that the server does not take must not keep anyone out.
link.on('unwelcome', (refused) => {
  if (refused.code !== 'bad_request' || recall('name', null) === null) return;
  remember('name', null);
  toast(`That name was not accepted: ${refused.message}`, 'error');
  link.connect();
});

function socketUrl() {
  const { protocol, host } = location;
  const table = tableOf(location);
  const hint = table ? `?table=${encodeURIComponent(table)}` : '';
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/ws${hint}`;
}

/** The table that an address names, or null. */
function tableOf({ pathname }) {
  return named(/^\/t\/([^/]+)\/?$/, pathname);
}

/** The game whose replay an address names, or null. */
function gameOf({ pathname }) {
  return named(/^\/game\/([^/]+)\/?$/, pathname);
}

function named(pattern, pathname) {
  const found = pattern.exec(pathname);
  return found && decodeURIComponent(found[1]);
}

function go(path) {
  history.pushState(null, '', path);
  route();
}

function route() {
  page?.close();
  const [table, game] = [tableOf(location), gameOf(location)];
  const invitation = new URLSearchParams(location.search).get('invitation') ?? undefined;
  if (table) {
    page = new TablePage({ link, go, named: nameTold, onGone, table, invitation });
  } else if (game) {
    page = new ReplayPage({ onGone, game, invitation });
  } else if (location.pathname === '/') {
    page = new LobbyPage({
      link, go, named: nameTold, seeker,
    });
  } else {
    onGone('unknown_page', 'There is no such page.');
    return;
  }
  show(page);
}

/** Shows, in place of the page, why there is nothing to show; with `again`, it may be tried again. */
function onGone(code, text, { again = false } = {}) {
  page?.close();
  const { root, parts: gone } = fromTemplate('gone-page');
  setText(gone.title, GONE[code] ?? 'Nothing here');
  setText(gone.text, text);
  gone.again.hidden = !again;
  gone.again.addEventListener('click', route);
  set(gone.home, 'class', again ? 'button' : 'button primary');
  root.dataset.testid = 'gone';
  page = { root, title: 'hexhall', close() {}, onEvent() {}, onLobby() {}, onWelcome() {} };
  show(page);
}

const GONE = {
  unknown_table: 'No such table', not_invited: 'By invitation only', unknown_game: 'No such game',
  game_runs: 'This game still runs',
};

function show({ root, title }) {
  parts.main.replaceChildren(root);
  document.title = title;
}

let bannerTimer = null;

function showConnection({ state, text }) {
  const { banner } = parts;
  const sign = document.querySelector('[data-testid=connection]');
  setText(sign, state === 'stopped' ? 'offline' : state);
  sign.dataset.state = state;
  clearTimeout(bannerTimer);
  if (state === 'online') {
    banner.hidden = true;
    return;
  }
  const tell = () => showBanner(state === 'stopped' ? `${text} ` : `${text} Reconnecting … `, retryButton());
  // A connection that is back at once is not worth a word.
  if (state === 'stopped' || !banner.hidden) tell();
  else bannerTimer = setTimeout(tell, BANNER_AFTER_MS);
}

function showBanner(...content) {
  parts.banner.replaceChildren(...content);
  parts.banner.hidden = false;
}

function retryButton() {
  const button = make('button', { 'data-testid': 'retry' }, 'Try now');
  button.addEventListener('click', () => link.connect());
  return button;
}

function showName(name) {
  const { input, save } = nameForm();
  if (document.activeElement !== input) input.value = name;
  save.hidden = true;
}

function nameForm() {
  const form = parts['name-form'];
  return { form, input: form.elements.name, save: form.querySelector('button') };
}

function bringNameToLife() {
  const { form, input, save } = nameForm();
  input.value = recall('name', '');
  input.addEventListener('input', () => {
    save.hidden = input.value.trim() === (link.welcome?.player.name ?? '');
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    saveName();
    input.blur();
  });
}

function saveName() {
  const { input, save } = nameForm();
  remember('name', input.value.trim() || null);
  save.hidden = true;
  // A name is told in `hello`, once a connection.
  link.reconnect();
}

/** Saves a name that was typed and left. Resolves once the server goes by it. */
async function nameTold() {
  if (nameForm().save.hidden) return;
  const welcomed = link.welcomed();
  saveName();
  await welcomed;
}

document.addEventListener('click', (event) => {
  const anchor = event.target.closest?.('a[data-link]');
  if (!anchor || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(anchor.getAttribute('href'));
});
addEventListener('popstate', route);
addEventListener('online', () => link.connect());
// A browser may keep a page that was left, socket and all, for the way back: without this its
// player would seem to be there.
addEventListener('pagehide', () => link.pause());
addEventListener('pageshow', ({ persisted }) => { if (persisted) link.connect(); });
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && link.status.state === 'reconnecting') link.connect();
});
addEventListener('unhandledrejection', ({ reason }) => {
  if (reason?.code) toastRefusal(reason);
});

bringNameToLife();
route();
link.connect();
