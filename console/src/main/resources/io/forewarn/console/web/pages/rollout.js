// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get, part } from '../api.js';
import { BASE, go } from '../routes.js';
import * as format from '../format.js';
import * as events from '../events.js';
import { buttons } from '../rollouts.js';
import { Chart, gantt } from '../chart.js';

const LANES = 300;
/** How wide a moment is drawn whose length is not known. */
const MARK = 60_000;

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
    const name = part(this.params.name);
    const [rollout, units, past] = await Promise.all([get(`/v1/rollouts/${name}`), get(`/v1/rollouts/${name}/units?limit=${LANES}`), get(`/v1/history?rollout=${name}&limit=2000&order=oldest`)]);
    return { rollout, units: units.units, history: past.history };
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
      this.chart.on('click', (item) => {
        const bar = this.bars?.[item.dataIndex];
        if (bar?.link) go(bar.link);
      });
    } else if (place && this.drawn !== this.data) {
      this.chart?.update();
    }
    this.drawn = this.data;
  }

  /** What became of the events of this rollout, from the history. */
  past() {
    /** @type {Map<string, any>} */
    const all = new Map();
    for (const h of this.data.history) {
      if (!h.event) continue;
      const e = all.get(h.event) ?? { id: h.event, tenant: h.tenant, group: h.group, machines: h.machines ?? [] };
      if (/^(scheduled|planned)/.test(h.kind)) e.scheduled ??= Date.parse(h.at);
      if (/^started/.test(h.kind)) e.started = Date.parse(h.at);
      if (/^(completed|failed|cancelled|superseded|rehearsal-ended)/.test(h.kind)) {
        e.ended = Date.parse(h.at);
        e.failed = h.kind.startsWith('failed');
      }
      if (h.notBefore) e.notBefore = Date.parse(h.notBefore);
      all.set(h.event, e);
    }
    return [...all.values()];
  }

  /** A lane for each unit: its first plan, its notice and its work. */
  picture() {
    const now = this.now;
    const { units } = this.data;
    const laneOf = new Map(units.flatMap((/** @type {any} */ u, /** @type {number} */ lane) => (u.machines ?? []).map((/** @type {string} */ m) => [m, lane])));
    /** @type {import('../chart.js').Bar[]} */
    const bars = units.flatMap((/** @type {any} */ u, /** @type {number} */ lane) => {
      const starts = Date.parse(u.startsAt);
      const label = `${u.name}: ${format.stateOf(u.state).word}\nstarts ${format.when(starts, now)}${u.firstPlannedAt ? `\nfirst planned ${format.when(Date.parse(u.firstPlannedAt), now)}` : ''}${u.reason ? `\n${u.reason}` : ''}`;
      const parts = [];
      if (u.firstPlannedAt) parts.push({ lane, from: Date.parse(u.firstPlannedAt), to: starts, tone: 'quiet', outline: true, label });
      if (u.state === 'pending') parts.push({ lane, from: starts, to: starts + MARK, tone: 'blue', outline: true, label });
      return parts;
    });
    for (const e of this.past()) {
      // What is done names no machines any more: its start tells which it was.
      const lane = laneOf.get(`${e.tenant}/${e.machines[0]}`) ?? units.findIndex((/** @type {any} */ u) => e.started && Math.abs(Date.parse(u.startsAt) - e.started) < 1000 && (!u.name.includes('#') || u.name.startsWith(`${e.tenant}/${e.group}#`)));
      if (lane < 0) continue;
      const starts = e.started ?? Math.max(e.notBefore ?? now, now);
      const label = `${units[lane].name}: ${e.machines.slice(0, 5).join(', ')}${e.machines.length > 5 ? ` +${e.machines.length - 5}` : ''}${e.started ? `\nstarted ${format.when(e.started, now)}` : `\nstarts ${format.when(starts, now)}`}${e.ended ? `\n${e.failed ? 'failed' : 'done'} ${format.when(e.ended, now)}` : ''}`;
      const link = `/events/${e.id}`;
      bars.push({ lane, from: e.scheduled ?? starts, to: e.ended && !e.started ? e.ended : starts, tone: 'blue', faint: true, label, link });
      if (e.started) bars.push({ lane, from: e.started, to: e.ended ?? Math.max(now, e.started + MARK), tone: e.failed ? 'red' : e.ended ? 'green' : 'amber', label, link });
    }
    this.bars = bars;
    const times = bars.flatMap((b) => [b.from, b.to]);
    return gantt({ lanes: units.map((/** @type {any} */ u) => u.name), bars, now, from: Math.min(now, ...times), to: Math.max(now, ...times) + MARK });
  }

  /** How much later than planned it is expected to end. @param {any} r */
  slip(r) {
    const by = Date.parse(r.expectedEnd) - Date.parse(r.plannedEnd);
    if (!(Math.abs(by) >= 60_000)) return 'as planned';
    return by > 0 ? html`<span class="warn">${format.countdown(by)} later than planned</span>` : `${format.countdown(-by)} earlier than planned`;
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
        <li><b>${format.when(Date.parse(r.at ?? r.createdAt), this.now)}</b><span>${r.at ? 'nothing starts before' : 'started'}</span></li>
        ${r.endedAt ? html`<li><b>${format.when(Date.parse(r.endedAt), this.now)}</b><span>ended</span></li>` : r.expectedEnd ? html`<li><b>${format.when(Date.parse(r.expectedEnd), this.now)}</b><span>expected end, ${this.slip(r)}</span></li>` : nothing}
        ${r.movedUnits ? html`<li><b>${format.number(r.movedUnits)}</b><span>units later than first planned</span></li>` : nothing}</ul>
      ${this.data.units.length ? html`<div class="chart" role="img" aria-label="Units of this rollout over time; the tables below have the same"></div><p class="quiet">Light: notice. Solid: work. Outlined: planned, and how far it slipped.${r.units > LANES ? ` The first ${LANES} of ${format.number(r.units)} units.` : ''}</p>` : nothing}
      ${this.incomplete(r)} ${this.active(r, done)} ${this.next(r)} ${this.blocked(r)} ${this.history()}`;
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
    return html`<section><h2>Active</h2><div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>When</th><th>Unit</th><th>State</th><th>Whom</th><th class="num">Seen</th><th>Approved</th><th>Waits for</th><th><span class="hidden">Actions</span></th></tr></thead><tbody>
      ${rows.map((/** @type {any} */ { u, e }) => html`<tr><td class="when">${events.startsIn(e, this.now)}</td><td class="name">${u.name}${u.evacuation ? html` <span class="tag">evacuation</span>` : nothing}</td><td><a href=${events.eventAt(e)}>${this.state(events.stateName(e))}</a></td><td class="whom">${events.whom(e)}</td><td class="num" data-label="Seen">${events.seenBy(e)}/${e.machines.length}</td><td data-label="Approved">${events.approval(e)}</td><td class="waits" data-label="Waits for">${events.waitsFor(e, this.now)}</td>
        <td class="actions">${events.mayChange(e, this.who) && !e.approvedBy ? html`<button @click=${() => events.approve(e, this.now, done)}>Approve</button>` : nothing}</td></tr>`)}</tbody></table></div></section>`;
  }

  /** @param {any} r */
  blocked(r) {
    if (!r.blockedUnits?.length) return nothing;
    return html`<section><h2>Next units wait for</h2><table class="rows"><thead><tr><th class="num">Units</th><th>Reason</th></tr></thead><tbody>
      ${r.blockedUnits.map((/** @type {any} */ b) => html`<tr><td class="num" data-label="Units">${b.count}</td><td>${events.withLinks(b.reason, this.now)}</td></tr>`)}</tbody></table></section>`;
  }

  /** @param {any} r */
  next(r) {
    if (!r.nextUnits?.length) return nothing;
    return html`<section><h2>Next units</h2><div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Starts</th><th>Unit</th><th>First planned</th><th class="num">Machines</th><th>Determined by</th></tr></thead><tbody>
      ${r.nextUnits.map((/** @type {any} */ u) => html`<tr><td class="when">${this.time(u.startsAt)}</td><td class="name">${u.name}</td><td>${u.firstPlannedAt ? html`<span class="warn">${this.time(u.firstPlannedAt)}</span>` : html`<span class="quiet">the same</span>`}</td><td class="num" data-label="Machines" title=${(u.machines ?? []).join(', ')}>${u.machines?.length ?? 0}</td><td>${u.reason ? events.withLinks(u.reason, this.now) : html`<span class="quiet">the start of the rollout</span>`}</td></tr>`)}</tbody></table></div></section>`;
  }

  history() {
    const last = this.data.history.slice(-30).reverse();
    if (!last.length) return nothing;
    return html`<section><h2>History</h2><div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Time</th><th>What</th><th>Machines</th><th>By</th><th>Detail</th></tr></thead><tbody>
      ${last.map((/** @type {any} */ h) => html`<tr><td>${this.time(h.at)}</td><td>${h.event ? html`<a href="${BASE}/events/${h.event}">${h.kind}</a>` : h.kind}</td><td>${(h.machines ?? []).slice(0, 3).join(', ')}${(h.machines?.length ?? 0) > 3 ? ` +${h.machines.length - 3}` : ''}</td><td>${h.by ? `${h.by.kind} ${h.by.name ?? ''}` : ''}</td><td class="quiet">${h.detail ?? ''}</td></tr>`)}</tbody></table></div></section>`;
  }
}
customElements.define('fw-rollout', RolloutPage);
