// What the browser's tab says: what the page is about, and, while nobody looks at it, what it calls for.
//
// Owns the document's title. A tab that is looked at needs no call.

const TURNS_MS = 1_000;

export class Attention {
  #title = 'hexhall';
  #call = null;
  #timer = null;
  #calling = false;

  /** The timers, and whether titles may change to and fro (`lively`), are passed in, so that tests own them. */
  constructor({
    page = document,
    every = (ms, run) => setInterval(run, ms),
    stop = (timer) => clearInterval(timer),
    lively = () => !matchMedia('(prefers-reduced-motion: reduce)').matches,
  } = {}) {
    Object.assign(this, { page, every, stop, lively });
    page.addEventListener('visibilitychange', () => this.#begin());
  }

  /** Says what the page is about. */
  about(title) {
    this.#title = title;
    this.#show();
  }

  /** Calls whoever looks elsewhere, until they look or there is nothing to call for: null. */
  call(text) {
    if (text === this.#call) return;
    this.#call = text;
    this.#begin();
  }

  #begin() {
    this.stop(this.#timer);
    this.#timer = null;
    this.#calling = this.page.hidden && this.#call !== null;
    if (this.#calling && this.lively()) {
      this.#timer = this.every(TURNS_MS, () => {
        this.#calling = !this.#calling;
        this.#show();
      });
    }
    this.#show();
  }

  #show() {
    const title = this.#calling ? `● ${this.#call}` : this.#title;
    if (this.page.title !== title) this.page.title = title;
  }
}
