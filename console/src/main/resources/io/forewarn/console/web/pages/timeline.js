// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get, part, query } from '../api.js';
import { live } from '../live.js';
import { filter, go, search } from '../routes.js';
import * as format from '../format.js';
import { closedTimes, shades } from '../closed-times.js';
import { unitBars } from '../unit-bars.js';
import '../gantt.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RANGES = /** @type {[string, number][]} */ ([['2 hours', 2 * HOUR], ['Day', DAY], ['Week', 7 * DAY], ['Month', 30 * DAY], ['Year', 365 * DAY]]);
const LANE_KINDS = [['group', 'Groups'], ['host', 'Hosts'], ['rollout', 'Rollouts']];
const MOST = 10_000;
/** The notice report is found by when an event was scheduled, which may be days before its work. */
const BEFORE = 3 * DAY;
const UNITS = 1000;
const ROLLOUTS = 10;
const BETWEEN_LOADS = 3000;
/** After the last turn of the wheel. */
const REST = 300;
const byName = new Intl.Collator('en', { numeric: true });

/** Past and coming events and rollouts as bars, a lane for each group, host or rollout. */
class TimelinePage extends Page {
  constructor() {
    super();
    /** @type {import('../gantt.js').Picture | null} */
    this.drawn = null;
    this.drawnOf = '';
    /** @type {Map<string, string> | null} machine to host */
    this.hosts = null;
    this.resting = 0;
    /** What is shown while it is being moved; the address follows when it rests. @type {{from: number, to: number} | null} */
    this.moving = null;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.resting);
  }

  get by() {
    return search().get('by') ?? 'group';
  }

  /** What is shown: a day with now in its last part unless the address says otherwise. */
  view() {
    const v = search();
    const [from, to] = ['from', 'to'].map((name) => Date.parse(v.get(name) ?? ''));
    return this.moving ?? (from < to ? { from, to } : { from: this.now - 0.75 * DAY, to: this.now + 0.25 * DAY });
  }

  refiltered() {
    this.requestUpdate();
    if (this.needs()) this.reload();
  }

  soon() {
    if (!this.timer) this.timer = window.setTimeout(() => ((this.timer = 0), this.reload()), BETWEEN_LOADS);
  }

  /** Whether something is shown that was not read. */
  needs() {
    const { from, to } = this.view();
    const d = this.data;
    return !d || from < d.from || to > d.to || d.group !== (search().get('group') ?? '') || (this.by === 'host' && !this.hosts);
  }

  /** Also when time alone has moved what is shown. */
  updated() {
    if (this.data && !this.moving && !this.loading && !this.error && this.needs()) this.reload();
  }

  async load() {
    if (!live.status) await live.refreshStatus();
    const view = this.view();
    const length = view.to - view.from;
    const from = view.from - length / 2;
    const to = view.to + length / 2;
    const group = search().get('group') ?? '';
    const since = new Date(Math.min(from, this.now) - BEFORE).toISOString();
    const [report, open, { rollouts }, closed] = await Promise.all([
      get('/v1/reports/notice' + query({ since, until: new Date(Math.min(to, this.now)).toISOString(), group })),
      get('/v1/events' + query({ group, limit: MOST })),
      get('/v1/rollouts'),
      closedTimes(from, to),
      this.by === 'host' && !this.hosts ? this.readHosts() : null,
    ]);
    const past = report.events.filter((/** @type {any} */ e) => e.outcome);
    const near = rollouts.filter((/** @type {any} */ r) => Date.parse(r.createdAt) < to && Date.parse(r.endedAt ?? r.plannedEnd ?? new Date(to).toISOString()) > from);
    const ahead = await Promise.all(near.filter((/** @type {any} */ r) => !r.endedAt && r.pending).slice(0, ROLLOUTS).map(async (/** @type {any} */ r) => ({ rollout: r, units: (await get(`/v1/rollouts/${part(r.name)}/units?state=pending&limit=${UNITS}`)).units })));
    return { from, to, group, past: past.slice(-MOST), left: Math.max(0, past.length - MOST), open: open.events, rollouts: near, ahead, closed };
  }

  /** Which machine is on which host. */
  async readHosts() {
    /** @type {Map<string, string>} */
    const hosts = new Map();
    for (let after = ''; ; ) {
      const { groups, next } = await get('/v1/fleet/cells' + query({ after }));
      for (const g of groups) g.names.forEach((/** @type {string} */ name, /** @type {number} */ i) => hosts.set(`${g.tenant}/${name}`, g.hosts[i] || 'no host'));
      if (!next) break;
      after = next;
    }
    this.hosts = hosts;
  }

  /** @param {any} entry */
  concerns(entry) {
    return !entry || !!entry.event || /^(rollout|policy)/.test(entry.kind);
  }

  /** The lanes of an event. @param {any} e @returns {string[]} */
  lanes(e) {
    if (this.by === 'rollout') return [e.rollout ?? 'no rollout'];
    if (this.by === 'host') return [...new Set((e.machines ?? []).map((/** @type {string} */ m) => this.hosts?.get(`${e.tenant}/${m}`) ?? 'no host'))];
    return [format.named(e.tenant, e.group)];
  }

  /** Notice and work of an event. @param {any} e @returns {Omit<import('../gantt.js').Bar, 'lane'>[]} */
  eventBars(e) {
    const now = this.now;
    const past = !!e.outcome;
    const shown = Date.parse(past ? e.at : e.acceptedAt);
    const starts = e.startedAt ? Date.parse(e.startedAt) : past ? Date.parse(e.endedAt) : Math.max(Date.parse(e.notBefore ?? e.acceptedAt), now);
    const ends = past ? Date.parse(e.endedAt) : e.startedAt ? Math.max(now, starts + 1000) : starts + (format.millisOf(e.duration) || 90_000);
    // Written when somebody points at it: there may be thousands.
    const label = () => this.says(e, starts, ends);
    const link = `/events/${e.event ?? e.id}`;
    const work = { from: starts, to: ends, kind: /** @type {'work' | 'coming'} */ (e.startedAt ? 'work' : 'coming'), tone: /^failed/.test(e.outcome ?? '') ? 'red' : past ? 'green' : e.startedAt ? 'amber' : 'blue', label, link };
    return [{ from: shown, to: starts, kind: 'notice', tone: past && !e.startedAt ? 'quiet' : 'blue', label, link }, ...(past && !e.startedAt ? [] : [work])];
  }

  /** @param {any} e @param {number} starts @param {number} ends */
  says(e, starts, ends) {
    const now = this.now;
    const whom = `${format.capital(e.type)} of ${(e.machines ?? []).slice(0, 4).join(', ')}${(e.machines?.length ?? 0) > 4 ? ` +${e.machines.length - 4}` : ''}`;
    const how = e.outcome ? `${e.startedAt ? `started ${format.when(starts, now)}, ` : ''}${e.outcome} ${format.when(ends, now)}` : e.startedAt ? `running since ${format.when(starts, now)}` : `starts ${format.when(starts, now)}`;
    return `${whom}${e.rollout ? `, ${e.rollout}` : ''}\n${how}`;
  }

  /** Drawn anew only for new data or other lanes. */
  picture() {
    const key = `${this.by} ${this.data.from} ${this.data.to}`;
    if (this.drawn && this.drawnOf === key && this.drawnData === this.data) return this.drawn;
    this.drawnOf = key;
    this.drawnData = this.data;
    const { past, open, rollouts, ahead, closed, from, to } = this.data;
    /** @type {{name: string, bar: Omit<import('../gantt.js').Bar, 'lane'>}[]} */
    const placed = [];
    for (const e of [...past, ...open]) {
      const bars = this.eventBars(e);
      for (const name of this.lanes(e)) for (const bar of bars) placed.push({ name, bar });
    }
    for (const { rollout, units } of ahead) {
      for (const u of units) {
        const host = u.name.includes('#') ? undefined : u.name;
        const names = this.by === 'rollout' ? [rollout.name] : this.by === 'group' ? (u.groups ?? []).map((/** @type {string} */ g) => format.named(...split(g))) : [host ?? this.hosts?.get(u.machines?.[0]) ?? 'no host'];
        const bars = unitBars(u, 0, this.now).filter((b) => b.kind === 'coming' || b.kind === 'notice');
        for (const name of names) for (const { lane, ...bar } of bars) placed.push({ name, bar: { ...bar, label: () => `${rollout.name}, ${typeof bar.label === 'function' ? bar.label() : bar.label}`, link: `/rollouts/${part(rollout.name)}` } });
      }
    }
    const wrapped = rollouts.map((/** @type {any} */ r) => ({
      name: this.by === 'rollout' ? r.name : `rollout ${r.name}`,
      bar: { from: Date.parse(r.createdAt), to: Date.parse(r.endedAt ?? r.expectedEnd ?? r.plannedEnd ?? new Date(to).toISOString()), kind: /** @type {const} */ ('envelope'), tone: 'teal', label: `${r.name}: ${format.stateOf(r.status).word}, ${r.done} of ${r.units} units done\nfrom ${format.when(Date.parse(r.createdAt), this.now)}${r.endedAt ? ` to ${format.when(Date.parse(r.endedAt), this.now)}` : ''}`, link: `/rollouts/${part(r.name)}` },
    }));
    const first = [...new Set(wrapped.map((/** @type {any} */ w) => w.name))].sort();
    const rest = [...new Set(placed.map((p) => p.name))].filter((name) => !first.includes(name)).sort(byName.compare);
    const names = /** @type {string[]} */ ([...first, ...rest]);
    const number = new Map(names.map((name, i) => [name, i]));
    const bars = [...wrapped, ...placed].map(({ name, bar }) => ({ ...bar, lane: number.get(name) ?? 0 }));
    const groups = this.by === 'group' ? names.map((name, i) => (i < first.length ? undefined : [name.includes('/') ? name : `default/${name}`])) : [];
    this.drawn = { lanes: names, bars: [...shades(closed, groups, 'reboot', this.now), ...bars].sort((a, b) => a.from - b.from), from, to };
    return this.drawn;
  }

  /** @param {{from: number | null, to: number | null}} view */
  viewed({ from, to }) {
    this.moving = from === null || to === null ? null : { from, to };
    if (!this.moving) filter({ from: null, to: null });
    this.requestUpdate();
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => this.rest(), REST);
  }

  rest() {
    const view = this.moving;
    this.moving = null;
    if (view) filter({ from: new Date(view.from).toISOString(), to: new Date(view.to).toISOString() });
  }

  /** Now stays where it is in the picture. @param {number} length */
  choose(length) {
    filter({ from: new Date(this.now - 0.75 * length).toISOString(), to: new Date(this.now + 0.25 * length).toISOString() });
  }

  render() {
    if (!this.data) return this.problem();
    const { from, to } = this.view();
    const total = this.data.past.length + this.data.open.length;
    const near = (/** @type {number} */ length) => Math.abs(to - from - length) < length / 10;
    return html`${this.problem()}
      <div class="bar">${RANGES.map(([word, length]) => html`<button aria-pressed=${near(length)} @click=${() => this.choose(length)}>${word}</button>`)}
        <label>Lanes <select name="by" @change=${(/** @type {any} */ e) => filter({ by: e.target.value === 'group' ? null : e.target.value })}>${LANE_KINDS.map(([value, word]) => html`<option value=${value} ?selected=${value === this.by}>${word}</option>`)}</select></label>
        <input type="search" aria-label="Group" placeholder="group" .value=${search().get('group') ?? ''} @change=${(/** @type {any} */ e) => filter({ group: e.target.value })}></div>
      ${this.picture().lanes.length
        ? html`<fw-gantt wheel home="Around now" .picture=${this.picture()} .now=${this.now} .from=${from} .to=${to} label="${format.count(total, 'event')} over time; History has them as a table. Plus and minus zoom, arrows move, page up and down show other lanes." @viewed=${(/** @type {any} */ e) => this.viewed(e.detail)} @opened=${(/** @type {any} */ e) => go(e.detail)}></fw-gantt>
            <ul class="legend"><li><i class="bar-key notice"></i>notice</li><li><i class="bar-key work"></i>work</li><li><i class="bar-key coming"></i>to come</li><li><i class="bar-key envelope"></i>rollout</li>${this.picture().bars.some((b) => b.kind === 'shade') ? html`<li><i class="bar-key shade"></i>blackout, or no window open</li>` : nothing}<li>scroll to zoom, drag to move, click to open</li></ul>
            ${this.data.left ? html`<p class="quiet">The newest ${format.number(MOST)} events of this time; choose a shorter time or a group to see others.</p>` : nothing}`
        : this.empty('Nothing happened in this time, and nothing is planned.')}`;
  }
}
customElements.define('fw-timeline', TimelinePage);

/** @param {string} group tenant/name @returns {[string, string]} */
function split(group) {
  const slash = group.indexOf('/');
  return [group.slice(0, slash), group.slice(slash + 1)];
}
