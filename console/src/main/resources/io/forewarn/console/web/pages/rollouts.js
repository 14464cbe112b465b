// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get } from '../api.js';
import { BASE } from '../routes.js';
import * as format from '../format.js';

/** All rollouts: those that need somebody first, then the newest. */
class RolloutsPage extends Page {
  static properties = { ...Page.properties, who: { attribute: false } };

  constructor() {
    super();
    /** @type {any} */
    this.who = null;
  }

  async load() {
    const { rollouts } = await get('/v1/rollouts');
    const order = ['halted', 'running', 'paused', 'done', 'aborted'];
    rollouts.sort((/** @type {any} */ a, /** @type {any} */ b) => order.indexOf(a.status) - order.indexOf(b.status) || b.createdAt.localeCompare(a.createdAt));
    return rollouts;
  }

  /** @param {any} entry */
  concerns(entry) {
    return !entry || !!entry.rollout;
  }

  /** @param {any} r */
  row(r) {
    return html`<tr>
      <td><a href="${BASE}/rollouts/${encodeURIComponent(r.name)}">${r.name}</a>${r.rehearsal ? html` <span class="tag">rehearsal</span>` : nothing}</td>
      <td>${this.state(r.status)}</td><td>${format.capital(r.type)}</td><td class="quiet">${(r.target ?? []).slice(0, 4).join(', ')}${(r.target?.length ?? 0) > 4 ? ` +${r.target.length - 4}` : ''}</td>
      <td data-label="Done"><meter min="0" max=${r.units} value=${r.done} aria-label="${r.done} of ${r.units} units are done"></meter> <span class="fixed">${r.done}/${r.units}</span>${r.failed ? html` <span class="red">${r.failed} failed</span>` : nothing}</td>
      <td>${this.time(r.createdAt)}</td><td class="quiet">${r.reason ?? ''}</td></tr>`;
  }

  render() {
    if (!this.data) return this.problem();
    const plan = this.who?.tenant !== '*' ? nothing : this.who?.role === 'viewer' ? html`<a class="button" href="${BASE}/rollouts/new">Plan a rollout</a>` : html`<a class="button primary" href="${BASE}/rollouts/new">Plan a rollout</a>`;
    if (!this.data.length) return html`${this.problem()}${this.empty('There are no rollouts. One works through many hosts or groups, an update domain of a group at a time.', plan)}`;
    return html`${this.problem()}<div class="bar">${plan}</div>
      <div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Rollout</th><th>State</th><th>Work</th><th>Target</th><th>Done</th><th>Started</th><th>Reason</th></tr></thead><tbody>${this.data.map((/** @type {any} */ r) => this.row(r))}</tbody></table></div>`;
  }
}
customElements.define('fw-rollouts', RolloutsPage);
