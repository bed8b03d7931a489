// The way into a party by its code: joins it and goes on to its table.

import { make } from './dom.js';
import { tablePath } from './lobby.js';
import { refusalText } from './words.js';

export class DoorPage {
  /** `enter(path)` goes on without leaving this page among those to come back to. */
  constructor({ link, enter, onGone, code }) {
    this.link = link;
    this.root = make('div', { class: 'card gone', 'data-testid': 'door' }, make('p', {}, 'Looking for the party …'));
    link.follow(
      'door',
      () => ['join_party', { code }],
      ({ view }) => enter(tablePath(view.table)),
      (refused) => onGone(refused.code, refusalText(refused)),
    );
  }

  get title() {
    return 'hexhall';
  }

  close() {
    // The table goes on being followed: its page asks for it anew.
    this.link.drop('door');
  }

  onEvent() {}

  onLobby() {}

  onWelcome() {}
}
