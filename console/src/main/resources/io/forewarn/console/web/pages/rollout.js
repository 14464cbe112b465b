// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get, part } from '../api.js';
import { BASE } from '../routes.js';
import * as format from '../format.js';
import * as events from '../events.js';
import { buttons } from '../rollouts.js';
import { Chart, gantt } from '../chart.js';

const LANES = 300;

/** One rollout while it runs: what is done, what is next, and why each unit waits. */
class RolloutPage extends Page {
  static properties = { ...Page.properties, who: { attribute: false } };

  constructor() {
    super();
    /** @type {any} */
    this.who = null;
    /** @type {Chart | null} */
    this.chart = null;
  }

  async load() {
    const [rollout, past] = await Promise.all([get(`/v1/rollouts/${part(this.params.name)}`), get(`/v1/history?rollout=${part(this.params.name)}&limit=2000&order=oldest`)]);
    return { rollout, history: past.history };
  }

  /** @param {any} entry */
  concerns(entry) {
    return !entry || entry.rollout === this.params.name;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.chart?.stop();
    this.chart = null;
  }

  updated() {
    const place = /** @type {HTMLElement | null} */ (this.querySelector('.chart'));
    if (place && this.chart?.place !== place) {
      this.chart?.stop();
      this.chart = new Chart(place, () => this.picture());
    } else if (place && this.drawn !== this.data) {
      this.chart?.update();
    }
    this.drawn = this.data;
  }

  /** What each group went through, from the history. */
  lanes() {
    /** @type {Map<string, any>} */
    const open = new Map();
    for (const h of this.data.history) {
      if (!h.event) continue;
      const e = open.get(h.event) ?? { id: h.event, lane: format.named(h.tenant, h.group), machines: h.machines ?? [] };
      if (/^(scheduled|planned)/.test(h.kind)) e.scheduled ??= Date.parse(h.at);
      if (/^started/.test(h.kind)) e.started = Date.parse(h.at);
      if (/^(completed|failed|cancelled|superseded|rehearsal-ended)/.test(h.kind)) {
        e.ended = Date.parse(h.at);
        e.failed = h.kind.startsWith('failed');
      }
      if (h.notBefore) {
        e.planned ??= Date.parse(h.notBefore);
        e.notBefore = Date.parse(h.notBefore);
      }
      open.set(h.event, e);
    }
    return [...open.values()];
  }

  picture() {
    const all = this.lanes();
    const now = this.now;
    const lanes = [...new Set(all.map((e) => e.lane))].slice(0, LANES);
    const bars = all.filter((e) => lanes.includes(e.lane)).flatMap((e) => {
      const lane = lanes.indexOf(e.lane);
      const begin = e.scheduled ?? e.started ?? now;
      const label = `${e.lane}: ${e.machines.slice(0, 5).join(', ')}${e.machines.length > 5 ? ` +${e.machines.length - 5}` : ''}\nplanned ${e.planned ? format.when(e.planned, now) : '–'}${e.started ? `\nstarted ${format.when(e.started, now)}` : ''}${e.ended ? `\n${e.failed ? 'failed' : 'done'} ${format.when(e.ended, now)}` : ''}`;
      const starts = e.started ?? Math.max(e.notBefore ?? now, now);
      /** @type {import('../chart.js').Bar[]} */
      const parts = [{ lane, from: begin, to: e.ended && !e.started ? e.ended : starts, tone: 'blue', faint: true, label }];
      if (e.planned && e.planned < starts) parts.push({ lane, from: e.planned, to: starts, tone: 'quiet', outline: true, label: `${label}\nlater than planned` });
      if (e.started) parts.push({ lane, from: e.started, to: e.ended ?? now, tone: e.failed ? 'red' : e.ended ? 'green' : 'amber', label });
      return parts;
    });
    const from = Date.parse(this.data.rollout.createdAt);
    const to = Math.max(now, ...bars.map((b) => b.to)) + 60_000;
    return gantt({ lanes, bars, now, from, to });
  }

  render() {
    if (!this.data) return this.problem();
    const r = this.data.rollout;
    const numbers = [['done', r.done], ['active', r.active], ['to come', r.pending], ['failed', r.failed], ['skipped', r.skipped]];
    const done = () => this.reload();
    return html`${this.problem()}
      <p class="headline">${this.state(r.status)} <b>${format.capital(r.type)}</b> of ${(r.target ?? []).slice(0, 6).join(', ')}${(r.target?.length ?? 0) > 6 ? ` +${r.target.length - 6}` : ''} ${r.rehearsal ? html`<span class="tag">rehearsal</span>` : nothing} ${buttons(r, this.who, done)}</p>
      ${r.reason ? html`<p class=${r.status === 'halted' ? 'problem' : 'quiet'}>${r.reason}</p>` : nothing}
      <ul class="numbers">${numbers.map(([label, n]) => html`<li><b class=${label === 'failed' && n ? 'red' : ''}>${format.number(Number(n))}</b><span>${label}</span></li>`)}
        <li><b>${r.endedAt ? format.when(Date.parse(r.endedAt), this.now) : format.when(Date.parse(r.createdAt), this.now)}</b><span>${r.endedAt ? 'ended' : 'started'}</span></li></ul>
      ${this.data.history.some((/** @type {any} */ h) => h.event) ? html`<div class="chart" role="img" aria-label="Events of this rollout over time; the tables below have the same"></div><p class="quiet">Light: notice. Solid: work. Outlined: later than planned.</p>` : nothing}
      ${this.incomplete(r)} ${this.active(r, done)} ${this.blocked(r)} ${this.past()}`;
  }

  /** @param {any} r */
  incomplete(r) {
    if (!r.incompleteUnits?.length) return nothing;
    return html`<section><h2>Not done</h2><table class="rows"><thead><tr><th>Unit</th><th>State</th><th>Reason</th></tr></thead><tbody>
      ${r.incompleteUnits.map((/** @type {any} */ u) => html`<tr><td>${u.name}</td><td>${this.state(u.state)}</td><td>${u.reason ?? ''}</td></tr>`)}</tbody></table></section>`;
  }

  /** @param {any} r @param {() => void} done */
  active(r, done) {
    const rows = (r.activeUnits ?? []).flatMap((/** @type {any} */ u) => u.events.map((/** @type {any} */ e) => ({ u, e })));
    if (!rows.length) return nothing;
    return html`<section><h2>Active</h2><div class="scroll"><table class="rows"><thead><tr><th>When</th><th>Unit</th><th>State</th><th>Whom</th><th class="num">Seen</th><th>Approved</th><th>Waits for</th><th><span class="hidden">Actions</span></th></tr></thead><tbody>
      ${rows.map((/** @type {any} */ { u, e }) => html`<tr><td class="when">${events.startsIn(e, this.now)}</td><td class="name">${u.name}${u.evacuation ? html` <span class="tag">evacuation</span>` : nothing}</td><td><a href=${events.eventAt(e)}>${this.state(events.stateName(e))}</a></td><td class="whom">${events.whom(e)}</td><td class="num" data-label="Seen">${events.seenBy(e)}/${e.machines.length}</td><td data-label="Approved">${events.approval(e)}</td><td class="waits" data-label="Waits for">${events.waitsFor(e, this.now)}</td>
        <td class="actions">${events.mayChange(e, this.who) && !e.approvedBy ? html`<button @click=${() => events.approve(e, this.now, done)}>Approve</button>` : nothing}</td></tr>`)}</tbody></table></div></section>`;
  }

  /** @param {any} r */
  blocked(r) {
    if (!r.blockedUnits?.length) return nothing;
    return html`<section><h2>Next units wait for</h2><table class="rows"><thead><tr><th class="num">Units</th><th>Reason</th></tr></thead><tbody>
      ${r.blockedUnits.map((/** @type {any} */ b) => html`<tr><td class="num" data-label="Units">${b.count}</td><td>${b.reason}</td></tr>`)}</tbody></table></section>`;
  }

  past() {
    const last = this.data.history.slice(-30).reverse();
    if (!last.length) return nothing;
    return html`<section><h2>History</h2><div class="scroll"><table class="rows"><thead><tr><th>Time</th><th>What</th><th>Machines</th><th>By</th><th>Detail</th></tr></thead><tbody>
      ${last.map((/** @type {any} */ h) => html`<tr><td>${this.time(h.at)}</td><td>${h.event ? html`<a href="${BASE}/events/${h.event}">${h.kind}</a>` : h.kind}</td><td>${(h.machines ?? []).slice(0, 3).join(', ')}${(h.machines?.length ?? 0) > 3 ? ` +${h.machines.length - 3}` : ''}</td><td>${h.by ? `${h.by.kind} ${h.by.name ?? ''}` : ''}</td><td class="quiet">${h.detail ?? ''}</td></tr>`)}</tbody></table></div></section>`;
  }
}
customElements.define('fw-rollout', RolloutPage);
