// @ts-check
import { LitElement, html, nothing } from 'lit';
import { live } from './live.js';
import * as format from './format.js';

const BETWEEN_LOADS = 500;
const HAND_RESTS = 1500;

/**
 * The base of every page: reads its data, reads it again when something happened, and redraws each second for the
 * countdowns. Rows that come or go while the pointer moves over them wait behind a button.
 */
export class Page extends LitElement {
  static properties = { data: { state: true }, error: { state: true }, later: { state: true }, params: { attribute: false } };

  constructor() {
    super();
    /** @type {any} */
    this.data = null;
    this.error = '';
    /** @type {any} */
    this.later = null;
    /** @type {Record<string, string>} */
    this.params = {};
    this.lastMove = 0;
    this.timer = 0;
    this.ticking = 0;
    this.loading = false;
    this.again = false;
    this.changed = (/** @type {any} */ e) => this.happened(e.detail);
    this.tick = () => this.requestUpdate();
    this.filtered = () => this.refiltered();
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    live.addEventListener('entry', this.changed);
    live.addEventListener('status', this.tick);
    window.addEventListener('filtered', this.filtered);
    this.ticking = window.setInterval(this.tick, 1000);
    this.addEventListener('pointermove', () => (this.lastMove = Date.now()));
    this.reload();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    live.removeEventListener('entry', this.changed);
    live.removeEventListener('status', this.tick);
    window.removeEventListener('filtered', this.filtered);
    clearInterval(this.ticking);
    clearTimeout(this.timer);
  }

  /** Called for each entry of the stream; null for "read again". @param {any} entry */
  happened(entry) {
    if (this.concerns(entry)) this.soon();
  }

  /** Whether the data of this page may have changed. @param {any} entry */
  concerns(entry) {
    return true;
  }

  /** Called when the filters in the address have changed. */
  refiltered() {
    this.requestUpdate();
  }

  soon() {
    if (!this.timer) {
      this.timer = window.setTimeout(() => {
        this.timer = 0;
        this.reload();
      }, BETWEEN_LOADS);
    }
  }

  async reload() {
    if (this.loading) {
      this.again = true;
      return;
    }
    this.loading = true;
    try {
      this.take(await this.load());
      this.error = '';
    } catch (failure) {
      if (/** @type {any} */ (failure).status !== 401) this.error = /** @type {Error} */ (failure).message;
    } finally {
      this.loading = false;
      if (this.again) {
        this.again = false;
        this.soon();
      }
    }
  }

  /** @returns {Promise<any>} */
  async load() {
    return {};
  }

  /** The keys of the rows, if rows must not move under the hand. @param {any} data @returns {string[] | null} */
  rowsOf(data) {
    return null;
  }

  /** @param {any} data */
  take(data) {
    const before = this.data && this.rowsOf(this.data);
    const after = before && this.rowsOf(data);
    const inHand = Date.now() - this.lastMove < HAND_RESTS && this.querySelector('tbody:hover');
    if (before && after && inHand && before.join() !== after.join()) {
      this.later = data;
      window.setTimeout(() => this.later && this.take(this.later), HAND_RESTS);
      return;
    }
    this.later = null;
    this.data = data;
  }

  /** The button behind which changes of the list wait. */
  laterChip() {
    if (!this.later) return nothing;
    const known = new Set(this.rowsOf(this.data));
    const fresh = (this.rowsOf(this.later) ?? []).filter((key) => !known.has(key)).length;
    return html`<button class="chip" @click=${() => { this.lastMove = 0; this.take(this.later); }}>${fresh ? `${fresh} new` : 'List has changed'}</button>`;
  }

  get now() {
    return live.now();
  }

  /** A time as text, the rest on hover. @param {string | undefined} iso */
  time(iso) {
    return iso ? html`<time datetime=${iso} title=${format.exact(iso)}>${format.when(Date.parse(iso), this.now)}</time>` : html`<span class="quiet">–</span>`;
  }

  /** @param {string | undefined} iso */
  ago(iso) {
    return iso ? html`<time datetime=${iso} title=${format.exact(iso)}>${format.ago(iso, this.now)}</time>` : html`<span class="quiet">never</span>`;
  }

  /** @param {string} name @param {unknown} [more] */
  state(name, more = nothing) {
    const { icon, word, tone } = format.stateOf(name);
    return html`<span class="state ${tone}"><span class="icon" aria-hidden="true">${icon}</span> ${word}${more}</span>`;
  }

  problem() {
    return this.error ? html`<p class="problem" role="alert">${this.error}</p>` : nothing;
  }

  /** @param {unknown} text @param {unknown} [action] */
  empty(text, action = nothing) {
    return html`<div class="empty"><p>${text}</p>${action}</div>`;
  }
}
