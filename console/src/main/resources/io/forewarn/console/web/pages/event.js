// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get, part } from '../api.js';
import { BASE, machineAt } from '../routes.js';
import * as format from '../format.js';
import * as events from '../events.js';

/** One event, from the request to its end: who saw it, who approved it, and why each date is what it is. */
class EventPage extends Page {
  static properties = { ...Page.properties, who: { attribute: false } };

  constructor() {
    super();
    /** @type {any} */
    this.who = null;
  }

  load() {
    return get(`/v1/events/${part(this.params.id)}`);
  }

  /** @param {any} entry */
  concerns(entry) {
    return !entry || entry.event === this.params.id;
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
        ${e.approvedBy ? html`<dt>Approved</dt><dd>${this.time(e.approvedAt)} by ${e.approvedBy.kind} ${e.approvedBy.name} <span class="quiet">from ${e.approvedBy.address ?? 'the service itself'}</span></dd>` : nothing}
        ${e.startedAt ? html`<dt>Started</dt><dd>${this.time(e.startedAt)}</dd>` : nothing}
        ${e.outcome ? html`<dt>Outcome</dt><dd>${e.outcome}</dd>` : nothing}
        ${e.status === 'ended' ? nothing : html`<dt>${e.status === 'started' ? 'Progress' : 'Waits for'}</dt><dd>${events.waitsFor(e, this.now)}</dd>`}
      </dl>
      ${e.status === 'ended' ? nothing : this.machines(e)} ${e.policy ? this.why(e) : nothing} ${this.history(e)}`;
  }

  /** @param {any} e */
  machines(e) {
    return html`<section><h2>Machines</h2><table class="rows"><thead><tr><th>Machine</th><th>First saw it</th><th>Ready</th></tr></thead><tbody>
      ${(e.machines ?? []).slice(0, 500).map((/** @type {string} */ name) => html`<tr><td><a href=${machineAt(e.tenant, name)}>${name}</a></td><td>${e.seenAt?.[name] ? this.time(e.seenAt[name]) : html`<span class="warn">not yet</span>`}</td><td>${this.time(e.readyAt?.[name])}</td></tr>`)}
    </tbody></table></section>`;
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
      ${e.history.map((/** @type {any} */ h) => html`<tr><td>${this.time(h.at)}</td><td>${h.kind}</td><td>${h.by ? `${h.by.kind} ${h.by.name ?? ''}` : ''}</td><td class="quiet">${h.given ? `notice given: ${h.given}. ` : ''}${h.detail ?? ''}</td></tr>`)}
    </tbody></table></section>`;
  }
}
customElements.define('fw-event', EventPage);
