// What can be done about somebody: opened by a press on their name, wherever that is.
//
// A name is a link to its player's page, marked `data-who` with the id. A plain press opens this
// menu in its place; with a modifier key it stays a link. The menu is a dialogue, so that it has the
// keyboard's focus and gives it back.

import { partsOf, set, setText } from './dom.js';
import { WAYS } from './manners.js';
import { blockQuestion, keptText, wayText } from './mannerwords.js';
import { playerPath } from './profilepage.js';
import { confirm, toast } from './toast.js';
import { refusalText } from './words.js';

// How near to the edge of the window the menu may stand, in pixels.
const MARGIN = 8;

export class NameMenu {
  #player = null;

  /** `report(player)` opens the dialogue in which somebody is reported. */
  constructor({ root, manners, report }) {
    Object.assign(this, { root, manners, report });
    const parts = partsOf(root);
    this.parts = parts;
    document.addEventListener('click', (event) => this.#pressed(event));
    parts['menu-close'].addEventListener('click', () => root.close());
    parts['menu-profile'].addEventListener('click', () => root.close());
    // A press beside it closes it.
    root.addEventListener('click', ({ target }) => { if (target === root) root.close(); });
    parts['menu-mute'].addEventListener('click', () => this.#turn('mutes'));
    parts['menu-block'].addEventListener('click', () => this.#turn('blocks'));
    parts['menu-report'].addEventListener('click', () => {
      root.close();
      report(this.#player);
    });
  }

  /** Opens it on a player, at an element; `profile` says whether it leads to the player's page. */
  open(player, element, { profile = true } = {}) {
    const { parts, root } = this;
    this.#player = player;
    setText(parts['menu-name'], player.name);
    parts['menu-profile'].hidden = !profile;
    parts['menu-profile'].href = playerPath(player.id);
    this.#refuse(null);
    this.#show();
    root.showModal();
    place(root, element.getBoundingClientRect());
    for (const way of WAYS) this.manners.list(way).then(() => this.#show(), (refused) => this.#refuse(refused));
  }

  #pressed(event) {
    const name = event.target.closest?.('[data-who]');
    if (!name || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
    event.preventDefault();
    this.open(
      { id: name.dataset.who, name: name.dataset.name ?? name.textContent },
      name,
      { profile: name.tagName === 'A' },
    );
  }

  // What is not known yet cannot be pressed.
  #show() {
    for (const [way, part] of [['mutes', 'menu-mute'], ['blocks', 'menu-block']]) {
      const kept = this.manners.has(way, this.#player.id);
      this.parts[part].disabled = kept === null;
      setText(this.parts[part], wayText(way, kept));
      set(this.parts[part], 'data-kept', kept);
    }
  }

  async #turn(way) {
    const { id, name } = this.#player;
    const away = !this.manners.has(way, id);
    if (way === 'blocks' && away) {
      this.root.close();
      if (!await confirm(blockQuestion(name), 'Block')) return;
    }
    try {
      await this.manners.keep(way, id, away);
      this.root.close();
      toast(keptText(way, name, away));
    } catch (refused) {
      if (!refused.code) throw refused;
      if (this.root.open) this.#refuse(refused);
      else toast(refusalText(refused, { patient: true }), 'error');
    }
  }

  #refuse(refused) {
    if (refused && !refused.code) throw refused;
    const part = this.parts['menu-refused'];
    part.hidden = !refused;
    setText(part, refused ? refusalText(refused, { patient: true }) : '');
  }
}

// Below the name, or above it where there is no room; a style sheet may put it elsewhere.
function place(menu, { left, top, bottom }) {
  const { width, height } = menu.getBoundingClientRect();
  const x = Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN));
  const below = bottom + height + MARGIN <= innerHeight;
  const y = below ? bottom : Math.max(MARGIN, top - height);
  menu.style.setProperty('--x', `${x}px`);
  menu.style.setProperty('--y', `${y}px`);
}
