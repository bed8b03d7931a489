// The dialogue in which somebody is reported to the operator: why, in which words, and at which table.

import { make, partsOf, setText } from './dom.js';
import { isSeated, seatsText } from './listing.js';
import { optionsText } from './options.js';
import { toast } from './toast.js';
import { refusalText } from './words.js';

export class ReportDialog {
  #player = null;

  /** `here()` gives the table whose page is open, or null. */
  constructor({ root, account, here }) {
    Object.assign(this, { root, account, here });
    const parts = partsOf(root);
    this.parts = parts;
    parts['report-close'].addEventListener('click', () => root.close());
    root.addEventListener('click', ({ target }) => { if (target === root) root.close(); });
    const form = parts['report-form'];
    form.addEventListener('input', () => this.#inputs());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#send();
    });
  }

  /** Opens it on a player. */
  open(player) {
    const { parts, root } = this;
    this.#player = player;
    setText(parts['report-name'], player.name);
    parts['report-form'].reset();
    this.#refuse(null);
    this.#inputs();
    this.#showTables([]);
    root.showModal();
    this.#loadTables(player);
  }

  // Beside the table that is looked at, those where one sits with the player.
  async #loadTables(player) {
    try {
      const { tables } = await this.account.tables();
      if (player !== this.#player) return;
      const shared = tables.map(({ listing }) => listing).filter((it) => isSeated(it, player.id));
      this.#showTables(shared.filter(({ table }) => table !== this.here()));
    } catch (refused) {
      // The table that is looked at, and none, can be chosen without.
      if (!refused.code) throw refused;
    }
  }

  #showTables(shared) {
    const { table: list } = this.parts['report-form'].elements;
    const chosen = list.value;
    const here = this.here();
    list.replaceChildren(...[
      here && make('option', { value: here }, 'At this table'),
      ...shared.map((it) => make('option', { value: it.table }, `${seatsText(it)}, ${optionsText(it.options)}`)),
      make('option', { value: '' }, 'At no table in particular'),
    ].filter(Boolean));
    if ([...list.options].some(({ value }) => value === chosen)) list.value = chosen;
    if (chosen === '' && here) list.value = here;
    this.#inputs();
  }

  // Another reason than those on the list needs words.
  #inputs() {
    const { reason, text, table } = this.parts['report-form'].elements;
    text.required = reason.value === 'other';
    this.parts['report-lines'].hidden = table.value === '';
    if (!this.parts['report-refused'].hidden) this.#refuse(null);
  }

  async #send() {
    const { reason, text, table } = this.parts['report-form'].elements;
    const words = text.value.trim();
    const send = this.parts['report-send'];
    send.disabled = true;
    try {
      await this.account.report({
        player: this.#player.id,
        reason: reason.value,
        ...(table.value && { table: table.value }),
        ...(words && { text: words }),
      });
      this.root.close();
      toast(`Thank you. The operator will read what you report of ${this.#player.name}.`);
    } catch (refused) {
      this.#refuse(refused);
    } finally {
      send.disabled = false;
    }
  }

  #refuse(refused) {
    if (refused && !refused.code) throw refused;
    const part = this.parts['report-refused'];
    part.hidden = !refused;
    setText(part, refused ? refusalText(refused, { patient: true }) : '');
  }
}
