// @ts-check
import { LitElement, html, nothing } from 'lit';
import { get, part, query } from './api.js';
import { BASE, go, machineAt } from './routes.js';
import * as format from './format.js';

const PAUSE = 150;
const EVENT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const KINDS = { machine: 'Machines', group: 'Groups', host: 'Hosts', event: 'Events', rollout: 'Rollouts' };

/** @typedef {{kind: keyof typeof KINDS, tenant?: string, name: string, detail?: string}} Result */

/** Where a result is shown. @param {Result} r */
function address(r) {
  switch (r.kind) {
    case 'machine':
      return machineAt(r.tenant, r.name);
    case 'group':
      return `${BASE}/fleet${query({ q: `tenant:${r.tenant} group:${r.name}` })}`;
    case 'host':
      return `${BASE}/fleet${query({ by: 'host', q: `host:${r.name}` })}`;
    case 'event':
      return `${BASE}/events/${part(r.name)}`;
    case 'rollout':
      return `${BASE}/rollouts/${part(r.name)}`;
  }
}

/** The search field of the frame: finds machines, groups, hosts, events and rollouts by any part of their names. */
class Search extends LitElement {
  static properties = { results: { state: true }, chosen: { state: true }, error: { state: true }, text: { state: true } };

  constructor() {
    super();
    /** @type {Result[] | null} */
    this.results = null;
    this.chosen = 0;
    this.error = '';
    this.text = '';
    this.timer = 0;
    /** @type {AbortController | null} */
    this.asking = null;
  }

  createRenderRoot() {
    return this;
  }

  get field() {
    return /** @type {HTMLInputElement} */ (this.querySelector('input'));
  }

  focusField() {
    this.field.focus();
    this.field.select();
  }

  /** @param {string} text */
  typed(text) {
    this.text = text.trim();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.find(), PAUSE);
  }

  async find() {
    this.asking?.abort();
    if (!this.text) {
      this.results = null;
      return;
    }
    const asking = new AbortController();
    this.asking = asking;
    try {
      const found = /** @type {Result[]} */ ((await get('/v1/search' + query({ text: this.text }), { signal: asking.signal })).results);
      // An event that has ended is found by its whole id.
      if (EVENT_ID.test(this.text) && !found.some((r) => r.kind === 'event')) found.push({ kind: 'event', name: this.text.toUpperCase() });
      this.results = found;
      this.chosen = 0;
      this.error = '';
    } catch (failure) {
      if (asking.signal.aborted) return;
      this.results = [];
      this.error = /** @type {Error} */ (failure).message;
    }
  }

  close() {
    clearTimeout(this.timer);
    this.asking?.abort();
    this.results = null;
  }

  /** @param {Result} result */
  open(result) {
    this.close();
    this.text = '';
    this.field.value = '';
    this.field.blur();
    go(address(result).slice(BASE.length));
    window.scrollTo(0, 0);
  }

  /** @param {KeyboardEvent} e */
  async pressed(e) {
    const last = (this.results?.length ?? 0) - 1;
    if (e.key === 'Escape') {
      this.close();
      this.field.blur();
    } else if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      e.preventDefault();
      const step = e.key === 'ArrowDown' ? 1 : -1;
      this.chosen = last < 0 ? 0 : (this.chosen + step + last + 1) % (last + 1);
      await this.updateComplete;
      this.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
    } else if (e.key === 'Enter') {
      e.preventDefault();
      // Enter may come before the results of the last letters.
      clearTimeout(this.timer);
      if (this.field.value.trim() !== this.text || !this.results) {
        this.text = this.field.value.trim();
        await this.find();
      }
      const result = this.results?.[this.chosen];
      if (result) this.open(result);
    }
  }

  render() {
    const open = this.results !== null;
    return html`<div class="search" @focusout=${(/** @type {FocusEvent} */ e) => !this.contains(/** @type {Node | null} */ (e.relatedTarget)) && this.close()}>
      <input type="search" role="combobox" aria-label="Search machines, groups, hosts, events and rollouts" placeholder="Search  /" autocomplete="off" spellcheck="false"
        aria-expanded=${open} aria-controls="found" aria-autocomplete="list" aria-activedescendant=${this.results?.length ? `found-${this.chosen}` : nothing}
        @input=${(/** @type {any} */ e) => this.typed(e.target.value)} @keydown=${this.pressed} @focus=${() => this.text && this.find()}>
      <div id="found" class="found" role="listbox" aria-label="Results" ?hidden=${!this.results?.length}>${this.results?.length ? this.groups() : nothing}</div>
      ${open && !this.results?.length ? html`<div class="found none" role="status">${this.error || html`Nothing has <b>${this.text}</b> in its name.`}</div>` : nothing}
    </div>`;
  }

  groups() {
    const all = this.results ?? [];
    return Object.entries(KINDS).map(([kind, title]) => {
      const some = all.map((result, index) => ({ result, index })).filter(({ result }) => result.kind === kind);
      return some.length
        ? html`<div role="group" aria-labelledby="found-${kind}"><h2 id="found-${kind}" role="presentation">${title}</h2>
            ${some.map(({ result, index }) => this.option(result, index))}</div>`
        : nothing;
    });
  }

  /** @param {Result} r @param {number} index */
  option(r, index) {
    // The field keeps the focus: a press must not take it away before the click.
    return html`<div id="found-${index}" role="option" aria-selected=${index === this.chosen} @pointerdown=${(/** @type {Event} */ e) => e.preventDefault()} @click=${() => this.open(r)}>
      <span class="name">${this.marked(r.kind === 'event' ? r.name.slice(0, 8) : format.named(r.tenant, r.name))}</span> <span class="quiet">${r.detail ? this.marked(r.detail) : nothing}</span></div>`;
  }

  /** The searched part of a name in bold. @param {string} name */
  marked(name) {
    const at = name.toLowerCase().indexOf(this.text.toLowerCase());
    return at < 0 ? name : html`${name.slice(0, at)}<b>${name.slice(at, at + this.text.length)}</b>${name.slice(at + this.text.length)}`;
  }
}
customElements.define('fw-search', Search);
