// The party's card on a table's page: its code and link, its members, and what the host decides.
//
// `act` carries out what is pressed: `party(op, fields)` for a request at the table, `joinParty(play)`,
// and `copy(text)`.

import { LEVELS, levelText } from './computer.js';
import { fromTemplate, make, set, setText } from './dom.js';
import { rulesForm } from './openform.js';
import { optionsText } from './options.js';
import {
  TURNS, isBusy, isHost, membersOf, membership, nextText, partyPath, startButton, waitsText,
} from './party.js';
import { playerPath } from './profilepage.js';
import { confirm } from './toast.js';

export class PartyCard {
  #state = null;
  // What the list was made from, and the rules that the form was filled in with.
  #listed = '';
  #ruled = '';

  constructor(host, act) {
    Object.assign(this, { host, act });
    const { root, parts } = fromTemplate('party-card');
    Object.assign(this, { root, parts });
    host.append(root);
    parts.turns.append(...Object.entries(TURNS).map(([value, text]) => make('option', { value }, text)));
    parts.level.append(...Object.keys(LEVELS).map((value) => make('option', { value }, levelText(value))));
    parts.share.hidden = !navigator.share;
    const on = (part, event, run) => parts[part].addEventListener(event, run);
    on('copy', 'click', () => act.copy(this.#link()));
    on('share', 'click', () => this.#share());
    on('start', 'click', () => act.party('start', { after: this.#state.game?.id }));
    on('join', 'click', () => act.joinParty(true));
    on('play', 'change', () => act.joinParty(parts.play.checked));
    on('turns', 'change', () => act.party('set_turns', { turns: parts.turns.value }));
    on('level', 'change', () => act.party('set_turns', { cpu_level: Number(parts.level.value) }));
    on('rules', 'toggle', () => this.#showRules());
  }

  /** Shows the party, where the table has one. */
  show(state) {
    this.#state = state;
    const { parts, root } = this;
    const { party } = state;
    root.hidden = !party || state.phase === 'closed';
    set(this.host, 'data-first', state.phase !== 'playing');
    if (root.hidden) return;
    const [mine, host] = [membership(state), isHost(state)];
    setText(parts.code, party.code);
    setText(parts.next, nextText(state));
    setText(parts.by, `Rules: ${optionsText(state.nextOptions)}`);
    parts.join.hidden = !!mine;
    parts.wish.hidden = !mine;
    parts.play.checked = !!mine?.plays;
    parts.host.hidden = !host;
    const start = startButton(state);
    parts.start.hidden = !start;
    setText(parts.start, start?.text ?? '');
    set(parts.start, 'disabled', !!start?.disabled);
    parts.waits.hidden = !!start || !mine || state.phase === 'playing' || !(host || state.phase === 'finished');
    setText(parts.waits, waitsText(state));
    if (parts.turns.value !== party.turns) parts.turns.value = party.turns;
    if (parts.level.value !== String(party.cpu_level)) parts.level.value = String(party.cpu_level);
    parts.rules.hidden = state.phase === 'playing';
    this.#showMembers();
    this.#showRules();
  }

  #link() {
    return location.origin + partyPath(this.#state.party.code);
  }

  async #share() {
    try {
      await navigator.share({ title: 'hexhall', text: `Play Hex with us: ${this.#state.party.code}`, url: this.#link() });
    } catch {
      // Whoever shuts the sheet of the system has chosen not to share.
    }
  }

  // Redrawn only when it changes, so that a button is not exchanged under the pointer.
  #showMembers() {
    const members = membersOf(this.#state);
    const rule = isHost(this.#state);
    const playing = isBusy(this.#state);
    const made = JSON.stringify([members, rule, playing]);
    if (made === this.#listed) return;
    this.#listed = made;
    const focused = document.activeElement?.dataset.testid;
    this.parts.members.replaceChildren(...members.map((member) => this.#member(member, rule, playing)));
    if (focused && document.activeElement === document.body) {
      this.parts.members.querySelector(`[data-testid="${CSS.escape(focused)}"]`)?.focus();
    }
  }

  #member({ id, name, wins, games, plays, host, seat, next, here, me }, rule, playing) {
    const mark = (text, kind) => make('span', { class: 'chip', 'data-mark': kind }, text);
    const button = (what, op, text, question) => {
      const it = make('button', { class: 'quiet', 'data-testid': `${what}-${name}` }, text);
      it.addEventListener('click', async () => {
        if (await confirm(question, text)) this.act.party(op, { player: id });
      });
      return it;
    };
    const row = make(
      'li',
      { 'data-testid': `member-${name}`, 'data-here': here },
      me ? make('span', { class: 'who', title: name }, name) : make('a', {
        class: 'who', title: name, href: playerPath(id), target: '_blank', rel: 'noopener', 'data-who': id, 'aria-haspopup': 'dialog',
      }, name),
      make(
        'span',
        { class: 'marks' },
        me ? mark('you', 'me') : null,
        host ? mark('host', 'host') : null,
        seat && playing ? mark('plays', 'seat') : null,
        next ? mark('next', 'next') : null,
        plays ? null : mark('watches', 'watches'),
        here ? null : mark('away', 'away'),
      ),
      make('span', { class: 'score', title: 'Games won, of games played here' }, games ? `${wins}/${games}` : ''),
    );
    if (rule && !me) {
      row.append(make(
        'span',
        { class: 'row tight deeds' },
        button('make-host', 'make_host', 'Make host', `Hand the party over to ${name}?`),
        seat && playing ? null : button('remove', 'remove_member', 'Remove', `Send ${name} away for good?`),
      ));
    }
    return row;
  }

  // The form of the house rules is made when it is first opened, and anew when the rules change.
  #showRules() {
    const { parts } = this;
    const made = JSON.stringify(this.#state.nextOptions);
    if (!isHost(this.#state) || !parts.rules.open || made === this.#ruled) return;
    this.#ruled = made;
    const fields = document.getElementById('lobby-page').content
      .querySelectorAll('[data-part=house-rules], [data-field=rated]');
    const form = make('form', { class: 'options' }, ...[...fields].map((it) => it.cloneNode(true)), make(
      'div', { class: 'row' }, make('button', { class: 'primary', 'data-testid': 'set-rules' }, 'Set these rules'),
    ));
    rulesForm(form, this.#state.nextOptions, (options) => {
      this.act.party('set_options', { options });
      parts.rules.open = false;
    });
    parts['rules-form'].replaceChildren(form);
  }
}
