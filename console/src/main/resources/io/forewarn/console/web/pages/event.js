// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get, part } from '../api.js';
import { BASE, machineAt } from '../routes.js';
import * as format from '../format.js';
import * as events from '../events.js';
import * as life from '../life.js';
import '../documents.js';

const MACHINES = 500;

/** One event, from the request to its end: who saw it, who approved it, and why each date is what it is. */
class EventPage extends Page {
  static properties = { ...Page.properties, who: { attribute: false } };

  constructor() {
    super();
    /** @type {any} */
    this.who = null;
  }

  async load() {
    const event = await get(`/v1/events/${part(this.params.id)}`);
    // All machines of a group read the same document.
    const reader = event.visible && event.machines?.[0];
    const read = reader ? await get(`/v1/machines/${part(`${event.tenant}/${reader}`)}/documents`).catch(() => null) : null;
    return { ...event, documents: read?.documents };
  }

  /** @param {any} entry */
  concerns(entry) {
    return !entry || entry.event === this.params.id || entry.group === this.data?.group;
  }

  render() {
    const e = this.data;
    if (!e) return this.problem();
    const done = () => this.reload();
    return html`${this.problem()}
      <p class="headline">${this.state(events.stateName(e), html` <b>${format.capital(e.type ?? '')}</b>`)} ${e.group ? events.whom(e) : nothing}
        ${e.rollout ? html`of rollout <a href="${BASE}/rollouts/${e.rollout}">${e.rollout}</a>` : nothing}
        ${events.mayChange(e, this.who)
          ? html`<span class="buttons-inline">${e.approvedBy ? nothing : html`<button class="primary" @click=${() => events.approve(e, this.now, done)}>Approve</button>`}
              <button @click=${() => events.postpone(e, this.now, done)}>Postpone…</button> <button @click=${() => events.cancel(e, done)}>Cancel…</button></span>`
          : nothing}</p>
      <dl class="facts">
        <dt>Id</dt><dd class="fixed">${e.id}</dd>
        ${e.description ? html`<dt>Description</dt><dd>${e.description}</dd>` : nothing}
        <dt>Requested</dt><dd>${this.time(e.acceptedAt)} ${e.cause ? html`<span class="quiet">${e.cause}, by ${e.source === 'user' ? 'a user' : 'the platform'}</span>` : nothing}</dd>
        <dt>Not before</dt><dd>${this.time(e.notBefore)} <span class="quiet">notice promised: ${e.notice ?? 'none'}</span></dd>
        ${e.approvedBy ? html`<dt>Approved</dt><dd>${this.time(e.approvedAt)} by ${events.actor(e.approvedBy)}</dd>` : nothing}
        ${e.outcome ? html`<dt>Outcome</dt><dd>${e.outcome}</dd>` : nothing}
        ${e.status === 'ended' ? nothing : html`<dt>${e.status === 'started' ? 'Progress' : 'Waits for'}</dt><dd>${events.waitsFor(e, this.now)}</dd>`}
      </dl>
      ${this.life(e)} ${this.machines(e)} ${e.policy ? this.why(e) : nothing}
      ${e.documents ? html`<section><h2>What its machines read</h2><fw-documents .documents=${e.documents}></fw-documents></section>` : nothing}
      ${this.history(e)}`;
  }

  /** @param {any} e */
  life(e) {
    const steps = life.steps(e, this.now);
    if (!steps.length) return nothing;
    return html`<section><h2>Life</h2><ol class="life">${steps.map(
      (s) => html`<li class=${s.ahead ? 'ahead' : ''}><span class="state ${s.tone}">${s.label}</span> ${this.time(s.at)}
        ${s.note ? html`<span class="quiet">${s.note}</span>` : nothing} ${s.entry?.by?.name ? html`<span class="quiet">${events.actor(s.entry.by)}</span>` : nothing} ${s.entry?.reason ? html`<q>${s.entry.reason}</q>` : nothing}</li>`,
    )}</ol></section>`;
  }

  /** @param {any} e */
  machines(e) {
    const all = e.machines ?? [];
    if (!all.length) return nothing;
    const seen = life.sightings(e);
    const missing = e.status === 'ended' ? html`<span class="quiet">never</span>` : html`<span class="warn">not yet</span>`;
    return html`<section><h2>Machines</h2><table class="rows"><thead><tr><th>Machine</th><th>First saw it</th><th>Ready</th></tr></thead><tbody>
      ${all.slice(0, MACHINES).map((/** @type {string} */ name) => html`<tr><td><a href=${machineAt(e.tenant, name)}>${name}</a></td><td>${seen[name] ? html`${this.time(seen[name])} <span class="quiet">${this.after(e, seen[name])}</span>` : missing}</td><td>${this.time(e.readyAt?.[name])}</td></tr>`)}
    </tbody></table>${all.length > MACHINES ? html`<p class="quiet">The first ${MACHINES} of ${format.number(all.length)} machines.</p>` : nothing}</section>`;
  }

  /** How long after it could be seen. @param {any} e @param {string} at */
  after(e, at) {
    const shown = (e.history ?? []).find((/** @type {any} */ h) => h.kind.startsWith('scheduled') || h.kind.startsWith('started'));
    const passed = shown ? Date.parse(at) - Date.parse(shown.at) : -1;
    return passed > 0 ? `after ${format.countdown(passed)}` : '';
  }

  /** @param {any} e */
  why(e) {
    return html`<section><h2>Why these dates</h2><table class="rows"><thead><tr><th>Rule</th><th>Value</th><th>Set by</th></tr></thead><tbody>
      ${e.policy.map((/** @type {any} */ v) => html`<tr><td>${v.name}</td><td>${v.value}</td><td class="quiet">${v.source}</td></tr>`)}
    </tbody></table></section>`;
  }

  /** @param {any} e */
  history(e) {
    if (!e.history?.length) return nothing;
    return html`<section><h2>History</h2><table class="rows"><thead><tr><th>Time</th><th>What</th><th>By</th><th>Detail</th></tr></thead><tbody>
      ${e.history.map((/** @type {any} */ h) => html`<tr><td>${this.time(h.at)}</td><td class="kind">${h.kind}</td><td class="by">${events.actor(h.by)}</td><td class="quiet">${h.given ? `notice given: ${h.given}. ` : ''}${events.detail(h, this.now)}</td></tr>`)}
    </tbody></table></section>`;
  }
}
customElements.define('fw-event', EventPage);
