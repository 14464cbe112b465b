// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get, inOrder, part } from '../api.js';
import { BASE, go } from '../routes.js';
import * as format from '../format.js';
import * as events from '../events.js';
import { buttons } from '../rollouts.js';
import { closedTimes, shades } from '../closed-times.js';
import { span, unitBars } from '../unit-bars.js';
import '../gantt.js';

const LANES = 300;
const HISTORY = 30;
const RUNNING = 50;

/** One rollout while it runs: what is done, what is next, and why each unit waits. */
class RolloutPage extends Page {
  static properties = { ...Page.properties, who: { attribute: false }, everything: { state: true } };

  constructor() {
    super();
    /** @type {any} */
    this.who = null;
    this.everything = false;
    /** @type {import('../gantt.js').Picture | null} */
    this.drawn = null;
    /** @type {any} */
    this.drawnOf = null;
  }

  async load() {
    const name = part(this.params.name);
    const [rollout, units, past] = await inOrder([get(`/v1/rollouts/${name}`), get(`/v1/rollouts/${name}/units?limit=${LANES}`), get(`/v1/history?rollout=${name}&limit=${HISTORY}`)]);
    const times = units.units.flatMap((/** @type {any} */ u) => [u.startsAt, u.recoveredAt]).filter(Boolean).map(Date.parse);
    const closed = times.length ? await closedTimes(Math.min(...times) - 86_400_000, Math.max(...times) + 86_400_000).catch(() => []) : [];
    return { rollout, units: units.units, history: past.history, closed };
  }

  /** @param {any} entry */
  concerns(entry) {
    return !entry || entry.rollout === this.params.name || /^policy/.test(entry.kind);
  }

  /** A lane for each unit, drawn anew only for new data. */
  picture() {
    if (this.drawnOf === this.data && this.drawn) return this.drawn;
    const now = this.now;
    const { units, rollout: r, closed } = this.data;
    const bars = units.flatMap((/** @type {any} */ u, /** @type {number} */ lane) => unitBars(u, lane, now));
    const groups = units.map((/** @type {any} */ u) => u.groups);
    const marks = [['at', 'not before'], ['until', 'no start after']].filter(([field]) => r[field]).map(([field, text]) => ({ at: Date.parse(r[field]), text, tone: 'quiet' }));
    this.drawnOf = this.data;
    this.drawn = {
      lanes: units.map((/** @type {any} */ u) => u.name),
      bars: [...shades(closed, groups, r.type, now), ...bars].sort((a, b) => a.from - b.from),
      marks,
      ...span(bars, r.endedAt ? [] : [now]),
    };
    return this.drawn;
  }

  /** How much later than planned it is expected to end. @param {any} r */
  slip(r) {
    const by = Date.parse(r.endedAt ?? r.expectedEnd) - Date.parse(r.plannedEnd);
    if (!(Math.abs(by) >= 60_000)) return Number.isNaN(by) ? '–' : 'none';
    return by > 0 ? html`<span class="warn">+${format.countdown(by)}</span>` : `−${format.countdown(-by)}`;
  }

  /** @param {any} r */
  running(r) {
    return (r.activeUnits ?? []).filter((/** @type {any} */ u) => u.events.some((/** @type {any} */ e) => e.status === 'started'));
  }

  /** @param {any} r */
  numbers(r) {
    const running = this.running(r).length;
    const over = !!r.endedAt;
    const end = r.endedAt ?? r.expectedEnd;
    /** @type {[string, unknown, string?][]} */
    const all = [
      ['done', format.number(r.done)],
      ['running', format.number(running)],
      ['waiting', format.number(r.pending + r.active - running)],
      ['failed', format.number(r.failed), r.failed ? 'red' : ''],
      ...(r.skipped ? [/** @type {[string, unknown]} */ (['skipped', format.number(r.skipped)])] : []),
      [over ? 'ended' : 'forecast end', end ? format.when(Date.parse(end), this.now) : html`<span class="quiet">when it is resumed</span>`],
      ['slip', this.slip(r)],
      ...(r.movedUnits ? [/** @type {[string, unknown]} */ (['units moved', format.number(r.movedUnits)])] : []),
    ];
    return html`<ul class="numbers">${all.map(([label, value, tone]) => html`<li><b class=${tone ?? ''}>${value}</b><span>${label}</span></li>`)}</ul>`;
  }

  /** @param {any} r */
  headline(r) {
    const target = [...(r.target ?? []).slice(0, 6), ...((r.target?.length ?? 0) > 6 ? [`+${r.target.length - 6}`] : [])].join(', ');
    const facts = [
      r.exclude ? `without ${r.exclude.join(', ')}` : '',
      r.tenants ? `of ${r.tenants.join(', ')}` : '',
      r.exceptTenants ? `sparing ${r.exceptTenants.join(', ')}` : '',
      r.windows ? `in ${r.windows.join(', ')}` : '',
      r.late && r.late !== 'refuse' ? `late units: ${r.late === 'any' ? 'as soon as they can' : 'in the same hours of a later day'}` : '',
    ].filter(Boolean);
    return html`<p class="headline">${this.state(r.status)} <b>${format.capital(r.type)}</b> of ${target} ${facts.map((f) => html`<span class="quiet">${f}</span>`)} ${r.rehearsal ? html`<span class="tag">rehearsal</span>` : nothing} ${buttons(r, this.who, () => this.reload())}</p>`;
  }

  render() {
    if (!this.data) return this.problem();
    const r = this.data.rollout;
    return html`${this.problem()} ${this.headline(r)}
      ${r.reason ? html`<p class=${r.status === 'halted' ? 'problem' : 'quiet'}>${r.reason}</p>` : nothing}
      ${this.numbers(r)}
      ${this.data.units.length
        ? html`<fw-gantt .picture=${this.picture()} .now=${this.now} label="Units of this rollout over time; the tables below have the same. Plus and minus zoom, arrows move." @opened=${(/** @type {any} */ e) => go(e.detail)}></fw-gantt>
            <ul class="legend"><li><i class="bar-key notice"></i>notice</li><li><i class="bar-key work"></i>work</li><li><i class="bar-key recovery"></i>recovery</li><li><i class="bar-key planned"></i>first planned</li>${this.picture().bars.some((b) => b.kind === 'shade') ? html`<li><i class="bar-key shade"></i>blackout, or no window open</li>` : nothing}${r.units > LANES ? html`<li>the first ${LANES} of ${format.number(r.units)} units</li>` : nothing}</ul>`
        : nothing}
      ${this.incomplete(r)} ${this.atWork(r)} ${this.next(r)} ${this.blocked(r)} ${this.scheduled(r)} ${this.history()}`;
  }

  /** @param {any} r */
  incomplete(r) {
    if (!r.incompleteUnits?.length) return nothing;
    return html`<section><h2>Not done</h2><table class="rows"><thead><tr><th>Unit</th><th>State</th><th>Reason</th></tr></thead><tbody>
      ${r.incompleteUnits.map((/** @type {any} */ u) => html`<tr><td>${u.name}</td><td>${this.state(u.state)}</td><td>${u.reason ?? ''}</td></tr>`)}</tbody></table></section>`;
  }

  /** @param {any} r */
  atWork(r) {
    const rows = this.running(r);
    if (!rows.length) return nothing;
    const known = new Map(this.data.units.map((/** @type {any} */ u) => [u.name, u]));
    return html`<section><h2>Running</h2><div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Since</th><th>Unit</th><th>State</th><th>Whom</th><th>Progress</th></tr></thead><tbody>
      ${rows.slice(0, RUNNING).map((/** @type {any} */ u) => html`<tr><td class="when">${this.time(u.events[0].startedAt)}</td><td class="name">${u.name}${u.evacuation ? html` <span class="tag">evacuation</span>` : nothing}</td><td><a href=${events.eventAt(u.events[0])}>${this.state('started')}</a></td>
        <td class="whom">${u.events.slice(0, 4).map((/** @type {any} */ e, /** @type {number} */ i) => html`${i ? ', ' : ''}${events.whom(e)}`)}</td><td class="waits">${this.progress(known.get(u.name))}</td></tr>`)}</tbody></table></div>${rows.length > RUNNING ? html`<p class="quiet">and ${format.number(rows.length - RUNNING)} more</p>` : nothing}</section>`;
  }

  /** @param {any} unit */
  progress(unit) {
    const left = Date.parse(unit?.endsAt) - this.now;
    return left > 0 ? html`done in about <span class="fixed">${format.countdown(left)}</span>` : left <= 0 ? 'should be done by now' : 'the driver to finish';
  }

  /** Every event of the units that are scheduled, if somebody wants to see them. @param {any} r */
  scheduled(r) {
    const rows = (r.activeUnits ?? []).flatMap((/** @type {any} */ u) => u.events.filter((/** @type {any} */ e) => e.status !== 'started').map((/** @type {any} */ e) => ({ u, e })));
    if (!rows.length) return nothing;
    return html`<details class="section" @toggle=${(/** @type {any} */ e) => (this.everything = e.target.open)}><summary>Scheduled events (${format.number(rows.length)})</summary>${this.everything ? this.events(rows) : nothing}</details>`;
  }

  /** @param {{u: any, e: any}[]} rows */
  events(rows) {
    const done = () => this.reload();
    return html`<div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>When</th><th>Unit</th><th>State</th><th>Whom</th><th class="num">Seen</th><th>Approved</th><th>Waits for</th><th><span class="hidden">Actions</span></th></tr></thead><tbody>
      ${rows.map(({ u, e }) => html`<tr><td class="when">${events.startsIn(e, this.now)}</td><td class="name">${u.name}${u.evacuation ? html` <span class="tag">evacuation</span>` : nothing}</td><td><a href=${events.eventAt(e)}>${this.state(events.stateName(e))}</a></td><td class="whom">${events.whom(e)}</td><td class="num" data-label="Seen">${events.seenBy(e)}/${e.machines.length}</td><td data-label="Approved">${events.approval(e)}</td><td class="waits" data-label="Waits for">${events.waitsFor(e, this.now)}</td>
        <td class="actions">${events.mayChange(e, this.who) ? html`${e.approvedBy ? nothing : html`<button @click=${() => events.approve(e, this.now, done)}>Approve</button>`} <button @click=${() => events.postpone(e, this.now, done)}>Postpone…</button>` : nothing}</td></tr>`)}</tbody></table></div>`;
  }

  /** @param {any} r */
  blocked(r) {
    if (!r.blockedUnits?.length) return nothing;
    return html`<section><h2>Due, but held</h2><table class="rows"><thead><tr><th class="num">Units</th><th>Reason</th></tr></thead><tbody>
      ${r.blockedUnits.map((/** @type {any} */ b) => html`<tr><td class="num" data-label="Units">${b.count}</td><td>${events.withLinks(b.reason, this.now)}</td></tr>`)}</tbody></table></section>`;
  }

  /** Why a unit that is to come has not started, and how long still. @param {any} r @param {any} u */
  waits(r, u) {
    const left = Date.parse(u.startsAt) - this.now;
    const turn = u.startsAt ? (left > 0 ? html`its turn, in <span class="fixed">${format.countdown(left)}</span>` : 'its turn has come') : 'a turn';
    const stopped = r.status === 'paused' ? 'somebody to resume the rollout; then ' : r.status === 'halted' ? 'somebody to deal with the failure; then ' : '';
    return html`${stopped}${turn}${u.reason ? html`: <span class="quiet">${events.withLinks(u.reason, this.now)}</span>` : nothing}`;
  }

  /** How many machines of a unit have seen it. @param {any} r @param {any} u */
  seen(r, u) {
    const shown = (r.activeUnits ?? []).find((/** @type {any} */ a) => a.name === u.name && !a.evacuation);
    if (!shown) return u.shownAt && Date.parse(u.shownAt) > this.now ? html`<span class="quiet">shown ${this.time(u.shownAt)}</span>` : html`<span class="quiet">–</span>`;
    const count = shown.events.reduce((/** @type {number} */ sum, /** @type {any} */ e) => sum + events.seenBy(e), 0);
    const all = shown.events.reduce((/** @type {number} */ sum, /** @type {any} */ e) => sum + e.machines.length, 0);
    return html`<span class=${count < all ? 'warn' : ''}>${count}/${all}</span>`;
  }

  /** @param {any} r */
  next(r) {
    if (!r.nextUnits?.length) return nothing;
    return html`<section><h2>Next units</h2><div class="scroll" tabindex="0"><table class="rows next"><thead><tr><th>Starts</th><th>Unit</th><th>State</th><th>First planned</th><th class="num">Machines</th><th>Seen</th><th>Waits for</th></tr></thead><tbody>
      ${r.nextUnits.map((/** @type {any} */ u) => html`<tr><td class="when">${this.time(u.startsAt)}</td><td class="name">${u.name}</td><td>${this.state(u.state)}</td><td data-label="First planned">${u.firstPlannedAt ? html`<span class="warn">${this.time(u.firstPlannedAt)}</span>` : html`<span class="quiet">the same</span>`}</td><td class="num" data-label="Machines" title=${(u.machines ?? []).join(', ')}>${u.machines?.length ?? 0}</td><td data-label="Seen">${this.seen(r, u)}</td><td class="waits" data-label="Waits for">${this.waits(r, u)}</td></tr>`)}</tbody></table></div></section>`;
  }

  history() {
    const last = this.data.history;
    if (!last.length) return nothing;
    return html`<section><h2>History</h2><div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Time</th><th>What</th><th>Machines</th><th>By</th><th>Detail</th></tr></thead><tbody>
      ${last.map((/** @type {any} */ h) => html`<tr><td>${this.time(h.at)}</td><td>${h.event ? html`<a href="${BASE}/events/${h.event}">${h.kind}</a>` : h.kind}</td><td>${(h.machines ?? []).slice(0, 3).join(', ')}${(h.machines?.length ?? 0) > 3 ? ` +${h.machines.length - 3}` : ''}</td><td>${h.by ? `${h.by.kind} ${h.by.name ?? ''}` : ''}</td><td class="quiet">${h.detail ?? ''}</td></tr>`)}</tbody></table></div>
      <p><a href="${BASE}/history?rollout=${encodeURIComponent(this.params.name)}">All of its history</a></p></section>`;
  }
}
customElements.define('fw-rollout', RolloutPage);
