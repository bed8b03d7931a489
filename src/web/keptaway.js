// The lists of those whom one has blocked and muted, within the dialogue about oneself.

import { make } from './dom.js';
import { WAYS } from './manners.js';
import { keptText, nobodyText, wayText } from './mannerwords.js';
import { toast } from './toast.js';
import { dayText } from './words.js';

export class KeptAway {
  /** `refused` hears of what the server refused. */
  constructor({ manners, parts, refused }) {
    Object.assign(this, { manners, parts, refused });
  }

  /** Asks for both lists and shows them. */
  async load() {
    await Promise.all(WAYS.map((way) => this.#loadOne(way)));
  }

  async #loadOne(way) {
    const rows = (await this.manners.list(way)).map((kept) => this.#row(way, kept));
    this.parts[way].replaceChildren(...(rows.length ? rows : [make('li', { class: 'hint' }, nobodyText(way))]));
  }

  #row(way, { player, since_ms }) {
    const button = make('button', { 'data-testid': `readmit-${player.name}`, 'aria-label': `${wayText(way, true)} ${player.name}` }, wayText(way, true));
    button.addEventListener('click', async () => {
      button.disabled = true;
      try {
        await this.manners.keep(way, player.id, false);
        toast(keptText(way, player.name, false));
        await this.#loadOne(way);
        // The row is gone that had the keyboard's focus.
        this.parts[way].tabIndex = -1;
        this.parts[way].focus();
      } catch (refused) {
        button.disabled = false;
        this.refused(refused);
      }
    });
    return make(
      'li',
      { 'data-testid': `kept-${way}`, class: 'kept' },
      make('span', { class: 'who' }, player.name),
      make('span', { class: 'hint' }, `since ${dayText(since_ms)}`),
      button,
    );
  }
}
