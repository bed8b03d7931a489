// The page: its routes, its one connection, and what is above every page.
//
// `/` is the lobby, `/t/{table}` a table, `/p/{code}` the way into a party, `/game/{game}` a game's
// replay, `/player/{player}` a player, `/leaderboard` the leaderboards; the address of what is private
// carries its `invitation`.
//
// Hooks for tests, as `data-testid`:
//   everywhere  elsewhere, seeking, connection (online | connecting | reconnecting | offline | banned), connection-banner,
//               retry, name, save-name, account, toast, announcer, confirm-yes, confirm-no
//   account     account-dialog, account-close, account-refused, account-name, account-rename, sounds,
//               name-refused, name-suggested, phrase-state, phrase-new, phrase-words, phrase-copy,
//               phrase-done, recover-phrase, recover, recover-refused, devices, device,
//               sign-out-others, bots, bot (data-bot), bot-name, bot-add, key, key-label, key-add,
//               key-secret, key-revoke, bot-delete, device-sign-out
//   lobby       how, party-code, join-code, play-cpu, open-table, tables, listing (data-table, data-phase), join, watch,
//               no-tables, online, pools, pools-rated, pool-hex-11 … (aria-pressed), waiting-seek, waited, reach,
//               cancel-seek,
//               seek-game, seeks, seek (data-seek), answer-seek, no-seeks; own-tables, waiting (data-table, data-phase, data-mine), since, return,
//               return-private, no-own-tables
//   matching    ready-check, ready-text, ready-left, ready, not-ready
//   board       board (data-turn: the colour that may be placed now), cell-a1 … (data-stone: red,
//               blue or empty; data-last, data-path, data-pending, data-found, data-bare, data-ran,
//               data-hint, data-aim), options, rotate, flip, twice, sound
//   table       game (data-dark), status (data-phase), turn (data-seat, data-mine), viewer
//               (data-viewer), watchers, result (data-winner, data-color), records, replay,
//               record-sgf …, dark (data-kind), dark-text, dark-replay, veil, legend, hint-text; on one
//               device cover (data-color), cover-text, lift, linger, cover-now
//   chat        chat, chat-toggle, unread, chat-empty, lines, line (data-room, data-mine), say-room, say, say-counter,
//               send, say-refused
//   manners     name-menu, menu-profile, menu-mute, menu-block (data-kept), menu-report, menu-refused,
//               menu-close; report-dialog, report-reason, report-text, report-table, report-send,
//               report-refused; blocks, mutes, kept-blocks, kept-mutes, readmit-…; player-menu;
//               notice, notice-title, notice-text, notice-read
//   players     seat-1 (data-cpu: house | stand-in; data-thinking), player-1, clock-1 (data-running,
//               data-low), clock-extra-1, presence-1, score-1, attempts-1; the same for 2
//   asking      join, swap, hint, takeback, pause, unpause, rematch, new-opponent, give-time, abort, resign, claim,
//               leave, copy-link, invite-link (an input), copy-invite, offer-rematch …, accept,
//               decline, withdraw, away, stand-in, next-level, change-level
//   party       party-card, party-code, copy-code, share, member-… (data-here), next-up, next-rules,
//               start, join-party, wants-to-play, turns, cpu-level, house-rules, set-rules,
//               make-host-…, remove-…; door
//   history     ply, ply-first, ply-back, ply-on, ply-live, moves, cpu-legend
//   ratings     rated, rating-1, rating-2 (at a table), changes (there and at a replay); to-leaderboard, to-me (in the lobby);
//               player-name, ratings, rating-hex-rapid …, no-ratings, chart (data-shows), games, played
//               (data-game, data-won), record, no-games, more; running (data-game), play, private (on
//               one's own page); leaderboard (data-shows),
//               leaderboard-game, leaderboard-speed, place (data-mine), no-places
//   replay      players, caption, eyes, eyes-umpire, eyes-1, eyes-2, running, again, picture; gone

import { Account } from './account.js';
import { AccountDialog } from './accountdialog.js';
import { Attention } from './attention.js';
import { DoorPage } from './door.js';
import { fromTemplate, make, partsOf, set, setText } from './dom.js';
import { LeaderboardPage } from './leaderboardpage.js';
import { Link } from './link.js';
import { LobbyPage, tablePath } from './lobby.js';
import { Manners } from './manners.js';
import { banText } from './mannerwords.js';
import { NameMenu } from './namemenu.js';
import { Notices } from './notices.js';
import { ProfilePage } from './profilepage.js';
import { ReplayPage } from './replaypage.js';
import { ReportDialog } from './reportdialog.js';
import { Seeker } from './seeker.js';
import { TablePage } from './tablepage.js';
import { hush, toast, toastRefusal } from './toast.js';
import { Turns } from './turns.js';
import { closeReason, refusalText } from './words.js';

const BANNER_AFTER_MS = 1_000;

const parts = partsOf(document.body);
let page = null;

const attention = new Attention();
const link = new Link({ url: socketUrl });
const account = new Account();
const manners = new Manners({ account });
const notices = new Notices({ root: parts.notice, account, mention: toast });
const dialog = new AccountDialog({
  account, manners, root: parts['account-dialog'], onNamed, onMe: (me) => notices.tell(me.notices ?? []),
});
const reportDialog = new ReportDialog({
  root: parts['report-dialog'], account, here: () => tableOf(location),
});
new NameMenu({ root: parts['name-menu'], manners, report: (player) => reportDialog.open(player) });

const seeker = new Seeker({
  link, attention, goTo: (table) => go(tablePath(table)), named: nameTold,
});

const turns = new Turns({
  link, account, sign: parts.elsewhere, here: () => tableOf(location),
});

link.on('event', (frame) => {
  // Another name, chosen on another device or given by the operator, is told at one's tables.
  if (frame.event === 'renamed' && frame.player.id === link.welcome?.player.id) onNamed(frame.player);
  page.onEvent(frame);
});
link.on('lobby', (frame) => page.onLobby(frame));
link.on('welcome', ({ player, notices: waiting = [] }) => {
  showName(player.name);
  notices.tell(waiting);
  page.onWelcome();
});
link.on('notice', ({ notice, personal }) => {
  if (notice === 'closing') showBanner(closeReason(1012).text);
  if (notice !== 'personal') return;
  notices.tell([personal]);
  // The notice says so in words; the name itself is asked for.
  if (personal.kind === 'renamed') account.me().then(({ player }) => onNamed(player), () => {});
});
link.on('status', showConnection);
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

/** The player whose page an address names, or null. */
function playerOf({ pathname }) {
  return named(/^\/player\/([^/]+)\/?$/, pathname);
}

/** The code of the party that an address leads into, or null. */
function codeIn({ pathname }) {
  return named(/^\/p\/([^/]+)\/?$/, pathname);
}

function named(pattern, pathname) {
  const found = pattern.exec(pathname);
  return found && decodeURIComponent(found[1]);
}

function go(path) {
  history.pushState(null, '', path);
  route();
  // The keyboard and screen readers go on from the top of what is there now.
  parts.main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

// In place of the page that led here.
function enter(path) {
  history.replaceState(null, '', path);
  route();
}

function route() {
  if (link.status.banned) {
    showBanned(link.status);
    return;
  }
  page?.close();
  hush();
  turns.refresh();
  const [table, code] = [tableOf(location), codeIn(location)];
  const [game, player] = [gameOf(location), playerOf(location)];
  const invitation = new URLSearchParams(location.search).get('invitation') ?? undefined;
  if (table) {
    page = new TablePage({
      link, attention, manners, notices, seeker, go, named: nameTold, onGone, table, invitation,
    });
  } else if (code) {
    page = new DoorPage({ link, enter, onGone, code });
  } else if (game) {
    page = new ReplayPage({ attention, onGone, game, invitation });
  } else if (player) {
    page = new ProfilePage({ link, attention, onGone, player });
  } else if (location.pathname === '/leaderboard') {
    page = new LeaderboardPage({ attention, me: () => link.welcome?.player.id });
  } else if (location.pathname === '/') {
    page = new LobbyPage({
      link, account, go, named: nameTold, seeker,
    });
  } else {
    onGone('unknown_page', 'No page has this address.');
    return;
  }
  show(page);
}

/**
 * Shows, in place of the page, why there is nothing to show; with `again`, it may be tried again: by
 * `tryAgain`, and `onWelcome` hears of a connection.
 */
function onGone(code, text, { again = false, tryAgain = route, onWelcome = () => {} } = {}) {
  page?.close();
  const { root, parts: gone } = fromTemplate('gone-page');
  setText(gone.title, GONE[code] ?? 'There is nothing here');
  setText(gone.text, text);
  gone.again.hidden = !again;
  gone.again.addEventListener('click', tryAgain);
  // Whoever is banned is led nowhere else.
  gone.home.hidden = code === 'banned';
  set(gone.home, 'class', again ? 'button' : 'button primary');
  root.dataset.testid = 'gone';
  page = { root, title: 'hexhall', close() {}, onEvent() {}, onLobby() {}, onWelcome };
  show(page);
}

const GONE = {
  unknown_code: 'No such party', removed: 'Not this party', party_full: 'The party is full',
  unknown_table: 'No such table', not_invited: 'By invitation only', unknown_game: 'No such game',
  unknown_player: 'No such player',
  banned: 'You are banned',
  game_runs: 'This game still runs',
};

function show({ root, title }) {
  parts.main.replaceChildren(root);
  attention.about(title);
}

let bannerTimer = null;

// Whoever is banned is told why and until when, and left alone: what is said here is all there is.
async function showBanned({ banned, text }) {
  let refused = banned;
  if (banned === true) {
    // The connection ended with no more than that. What is asked now is refused with the reason.
    refused = await account.me().then(() => null, (it) => (it.code === 'banned' ? it : null));
  }
  const until = refused?.retry_ms === undefined ? null : Date.now() + refused.retry_ms;
  const why = refused ? `${refusalText(refused)}${banText(until)}` : text;
  onGone('banned', why, { again: true, tryAgain: () => link.connect(), onWelcome: route });
}

function showConnection({ state, text, banned }) {
  const { banner } = parts;
  const sign = document.querySelector('[data-testid=connection]');
  setText(sign, banned ? 'banned' : state === 'stopped' ? 'offline' : state);
  // Whoever is banned has no name to change and no account to see to.
  for (const part of ['name-form', 'account']) parts[part].hidden = !!banned;
  sign.dataset.state = state;
  clearTimeout(bannerTimer);
  if (state === 'online' || banned) {
    banner.hidden = true;
    if (banned) showBanned({ banned, text });
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
  input.addEventListener('input', () => {
    const typed = input.value.trim();
    save.hidden = !typed || typed === (link.welcome?.player.name ?? '');
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    nameTold().then(() => input.blur(), (refused) => dialog.openFor(refused, input.value));
  });
}

/** Saves a name that was typed and left. Resolves once the server goes by it. */
async function nameTold() {
  const { input, save } = nameForm();
  if (save.hidden) return;
  const { player } = await account.rename(input.value.trim());
  onNamed(player);
}

/** One goes by a name from now on. */
function onNamed(player) {
  if (link.welcome) link.welcome.player = player;
  showName(player.name);
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

parts.account.addEventListener('click', () => dialog.open());
bringNameToLife();
route();
link.connect();
