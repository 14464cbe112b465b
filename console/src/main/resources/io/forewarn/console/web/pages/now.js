// @ts-check
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { Page } from '../page.js';
import { get } from '../api.js';
import { live } from '../live.js';
import { BASE, machineAt } from '../routes.js';
import * as format from '../format.js';
import * as events from '../events.js';

const SHOWN = 200;
const DAY = 86_400_000;

/** What is happening and what happens next, soonest first. */
class NowPage extends Page {
  static properties = { ...Page.properties, all: { state: true }, who: { attribute: false } };

  constructor() {
    super();
    this.all = false;
    /** @type {any} */
    this.who = null;
  }

  async load() {
    const [open, silent, rollouts] = await Promise.all([
      get('/v1/events?blockers=true&sort=not-before'),
      get('/v1/machines?polling=silent&limit=1000'),
      get('/v1/rollouts'),
    ]);
    const rank = (/** @type {any} */ e) => (e.status === 'started' ? 0 : Date.parse(e.notBefore ?? e.acceptedAt) || Infinity);
    open.events.sort((/** @type {any} */ a, /** @type {any} */ b) => rank(a) - rank(b));
    return { events: open.events, silent: silent.machines, halted: rollouts.rollouts.filter((/** @type {any} */ r) => r.status === 'halted') };
  }

  /** @param {any} data */
  rowsOf(data) {
    return data.events.map((/** @type {any} */ e) => e.id);
  }

  /** Silent machines that something is coming for. */
  silentAndHit() {
    const silent = new Map(this.data.silent.map((/** @type {any} */ m) => [`${m.tenant}/${m.name}`, m]));
    return this.data.events
      .filter((/** @type {any} */ e) => e.status !== 'started')
      .flatMap((/** @type {any} */ e) => e.machines.map((/** @type {string} */ name) => ({ event: e, machine: silent.get(`${e.tenant}/${name}`) })))
      .filter((/** @type {any} */ hit) => hit.machine);
  }

  attention() {
    const silent = this.silentAndHit();
    const error = live.status?.storeError;
    if (!silent.length && !this.data.halted.length && !error) return nothing;
    return html`<section aria-labelledby="attention"><h2 id="attention">Needs attention</h2><ul class="attention">
      ${error ? html`<li>${this.state('failed')} <b>The store</b> <span>${error}</span></li>` : nothing}
      ${this.data.halted.map((/** @type {any} */ r) => html`<li>${this.state('halted')} <a href="${BASE}/rollouts/${r.name}">${r.name}</a> <span>${r.reason}</span></li>`)}
      ${silent.slice(0, 10).map((/** @type {any} */ { event, machine }) => html`<li>${this.state('silent')} <a href=${machineAt(machine.tenant, machine.name)}>${machine.name}</a>
        <span>has not polled since ${this.time(machine.lastPoll)}, and is hit ${events.startsIn(event, this.now)}</span> <span class="quiet">last api-version ${machine.apiVersion ?? '–'}</span></li>`)}
      ${silent.length > 10 ? html`<li class="quiet">and ${silent.length - 10} more silent machines</li>` : nothing}
    </ul></section>`;
  }

  /** At most one menu is open. @param {Event} e */
  opened(e) {
    const menu = /** @type {HTMLDetailsElement} */ (e.target);
    if (menu.open) this.querySelectorAll('details.more[open]').forEach((other) => other !== menu && other.removeAttribute('open'));
  }

  /** @param {Event} e */
  chosen(e) {
    if (/** @type {Element} */ (e.target).tagName === 'BUTTON') /** @type {Element} */ (e.currentTarget).removeAttribute('open');
  }

  /** @param {any} event */
  row(event) {
    const now = this.now;
    const done = () => this.reload();
    const seen = events.seenBy(event);
    return html`<tr>
      <td class="when" data-label="When">${events.startsIn(event, now)}</td>
      <td class="what" data-label="What"><a href=${events.eventAt(event)}>${this.state(events.stateName(event), html` <b>${format.capital(event.type)}</b>`)}</a>
        ${event.rollout ? html` <a href="${BASE}/rollouts/${event.rollout}">${event.rollout}</a>` : nothing}${event.rehearsal ? html` <span class="tag">rehearsal</span>` : nothing}</td>
      <td class="whom" data-label="Whom">${events.whom(event)}</td>
      <td class="num" data-label="Seen"><span class=${seen < event.machines.length && event.status === 'scheduled' ? 'warn' : ''}>${seen}/${event.machines.length}</span></td>
      <td data-label="Approved">${events.approval(event)}</td>
      <td class="waits" data-label="Waits for">${events.waitsFor(event, now)}</td>
      <td class="actions">${events.mayChange(event, this.who)
        ? html`${event.approvedBy ? nothing : html`<button @click=${() => events.approve(event, now, done)}>Approve</button>`}
          <details class="more" @toggle=${this.opened} @click=${this.chosen}><summary aria-label="More actions">⋯</summary><div class="menu">
            <button @click=${() => events.postpone(event, now, done)}>Postpone…</button>
            ${event.rollout && this.who.role !== 'operator' ? nothing : html`<button @click=${() => events.cancel(event, done)}>Cancel…</button>`}</div></details>`
        : nothing}</td>
    </tr>`;
  }

  render() {
    if (!this.data) return this.problem();
    const { events: open } = this.data;
    const running = open.filter((/** @type {any} */ e) => e.status === 'started').length;
    const soon = open.filter((/** @type {any} */ e) => e.status !== 'started' && Date.parse(e.notBefore ?? '') - this.now < DAY).length;
    const shown = this.all ? open : open.slice(0, SHOWN);
    return html`${this.problem()}
      <p class="headline"><span><b>${format.number(running)}</b> running · <b>${format.number(soon)}</b> in the next 24 h · <b>${format.number(open.length - running - soon)}</b> later</span> ${this.laterChip()}</p>
      ${this.attention()}
      ${open.length
        ? html`<div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>When</th><th>What</th><th>Whom</th><th class="num">Seen</th><th>Approved</th><th>Waits for</th><th><span class="hidden">Actions</span></th></tr></thead>
            <tbody>${repeat(shown, (/** @type {any} */ e) => e.id, (/** @type {any} */ e) => this.row(e))}</tbody></table></div>
            ${shown.length < open.length ? html`<p><button @click=${() => (this.all = true)}>Show all ${format.number(open.length)}</button></p>` : nothing}`
        : this.empty(html`Nothing is planned. <code>forewarn vm restart NAME</code> schedules a restart.`)}`;
  }
}
customElements.define('fw-now', NowPage);
