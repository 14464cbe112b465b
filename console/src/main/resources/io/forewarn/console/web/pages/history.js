// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get, query } from '../api.js';
import { BASE, filter, machineAt, search } from '../routes.js';
import * as format from '../format.js';
import * as events from '../events.js';
import * as field from '../search-field.js';

const PAGE = 100;
const KEYS = ['group', 'machine', 'event', 'rollout', 'tenant', 'kinds', 'since', 'until'];

/** What happened, when and why: one search field, page after page. */
class HistoryPage extends Page {
  static properties = { ...Page.properties, more: { state: true } };

  constructor() {
    super();
    this.more = false;
  }

  get selection() {
    return field.selected(search(), KEYS);
  }

  refiltered() {
    this.reload();
  }

  async load() {
    const page = await get('/v1/history' + query({ ...this.selection, limit: PAGE }));
    return { rows: page.history, next: page.next, searchedTo: page.searchedTo };
  }

  /** @param {any} data */
  rowsOf(data) {
    return data.rows.map((/** @type {any} */ h) => `${h.at}${h.kind}${h.event ?? ''}${h.detail ?? ''}`);
  }

  async continue() {
    this.more = true;
    try {
      const page = await get('/v1/history' + query({ ...this.selection, limit: PAGE, after: this.data.next }));
      this.data = { rows: [...this.data.rows, ...page.history], next: page.next, searchedTo: page.searchedTo };
    } catch (failure) {
      this.error = /** @type {Error} */ (failure).message;
    } finally {
      this.more = false;
    }
  }

  render() {
    const text = field.print(search(), KEYS);
    const shown = { ...this.selection, limit: this.data?.next ? this.data.rows.length : null };
    return html`${this.problem()}
      <div class="bar"><input type="search" aria-label="Search the history" placeholder="any name or word, group:web kinds:failed since:2h" .value=${text} @change=${(/** @type {any} */ e) => filter(field.parse(e.target.value, KEYS))}>
        <a class="button" download="history.csv" href=${'/v1/history' + query({ ...shown, format: 'csv' })}>Export CSV</a><a class="button" download="history.jsonl" href=${'/v1/history' + query({ ...shown, format: 'jsonl' })}>JSON Lines</a> ${this.data ? this.laterChip() : nothing}</div>
      ${!this.data ? nothing : this.data.rows.length ? this.table() : this.empty(text ? this.nothingFound() : 'Nothing has happened yet.')} ${this.data?.next ? html`<p><button ?disabled=${this.more} @click=${this.continue}>Older</button></p>` : nothing}`;
  }

  table() {
    return html`<div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Time</th><th>What</th><th>Group</th><th>Machines</th><th>Rollout</th><th>By</th><th>Promised</th><th>Given</th><th>Detail</th></tr></thead><tbody>
      ${this.data.rows.map((/** @type {any} */ h) => html`<tr><td>${this.time(h.at)}</td><td class="kind">${h.event ? html`<a href="${BASE}/events/${h.event}">${h.kind}</a>` : h.kind}${h.type ? html` <span class="quiet">${h.type}</span>` : nothing}</td><td>${h.group ? format.named(h.tenant, h.group) : ''}</td>
        <td>${(h.machines ?? []).slice(0, 2).map((/** @type {string} */ m, /** @type {number} */ i) => html`${i ? ', ' : ''}<a href=${machineAt(h.tenant, m)}>${m}</a>`)}${(h.machines?.length ?? 0) > 2 ? html` <span title=${h.machines.join(', ')}>+${h.machines.length - 2}</span>` : nothing}</td>
        <td>${h.rollout ? html`<a href="${BASE}/rollouts/${encodeURIComponent(h.rollout)}">${h.rollout}</a>` : nothing}</td><td class="by">${h.by ? `${h.by.kind} ${h.by.name ?? ''}` : ''}</td><td>${h.promised ?? ''}</td><td>${h.given ?? ''}</td><td class="quiet">${events.detail(h, this.now)}</td></tr>`)}
    </tbody></table></div>`;
  }

  nothingFound() {
    return this.data.next ? html`Nothing since ${this.time(this.data.searchedTo)} fits this search.` : 'Nothing in the history fits this search.';
  }
}
customElements.define('fw-history', HistoryPage);
