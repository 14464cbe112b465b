// @ts-check
import { html } from 'lit';
import { Page } from '../page.js';
import { get, query } from '../api.js';
import { filter, go, search } from '../routes.js';
import * as format from '../format.js';
import { Chart, gantt } from '../chart.js';

const RANGES = /** @type {Record<string, string>} */ ({ '2h': '2 hours', '24h': 'day', '7d': 'week', '30d': 'month' });
const MOST = 10_000;

/** Past and coming events as bars, a lane for each group or rollout. */
class TimelinePage extends Page {
  constructor() {
    super();
    /** @type {Chart | null} */
    this.chart = null;
    /** @type {import('../chart.js').Bar[]} */
    this.bars = [];
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.chart?.stop();
    this.chart = null;
  }

  get range() {
    return search().get('since') ?? '24h';
  }

  get by() {
    return search().get('by') ?? 'group';
  }

  refiltered() {
    this.reload();
  }

  async load() {
    const group = search().get('group');
    const [report, open] = await Promise.all([get('/v1/reports/notice' + query({ since: this.range, group })), get('/v1/events' + query({ group, limit: MOST }))]);
    const past = report.events.filter((/** @type {any} */ e) => e.outcome).slice(-MOST);
    return { past, open: open.events };
  }

  /** @param {any} entry */
  concerns(entry) {
    return !entry || !!entry.event;
  }

  updated() {
    const place = /** @type {HTMLElement | null} */ (this.querySelector('.chart'));
    if (place && this.chart?.place !== place) {
      this.chart?.stop();
      this.chart = new Chart(place, () => this.picture());
      this.chart.on('click', (item) => {
        const bar = this.bars[item.dataIndex];
        if (bar?.link) go(bar.link);
      });
    } else if (place && this.drawn !== this.data) {
      this.chart?.update(true);
    }
    this.drawn = this.data;
  }

  /** @param {any} e */
  lane(e) {
    return this.by === 'rollout' ? (e.rollout ?? 'no rollout') : format.named(e.tenant, e.group);
  }

  picture() {
    const now = this.now;
    const rows = [
      ...this.data.past.map((/** @type {any} */ e) => {
        const notice = Date.parse(e.at);
        const start = e.startedAt ? Date.parse(e.startedAt) : notice + format.millisOf(e.promised);
        const end = Date.parse(e.endedAt);
        const tone = /failed/.test(e.outcome) ? 'red' : e.startedAt ? 'green' : 'quiet';
        return { lane: this.lane(e), from: notice, start, end, tone, id: e.event, text: `${e.type} of ${e.machines?.slice(0, 4).join(', ')}\n${e.outcome}, started ${e.startedAt ? format.when(start, now) : 'never'}` };
      }),
      ...this.data.open.map((/** @type {any} */ e) => {
        const start = e.startedAt ? Date.parse(e.startedAt) : Math.max(Date.parse(e.notBefore ?? e.acceptedAt), now);
        const end = e.startedAt ? Math.max(now, start + 1000) : start + (format.millisOf(e.duration) || 90_000);
        return { lane: this.lane(e), from: Date.parse(e.acceptedAt), start, end, tone: e.status === 'started' ? 'amber' : 'blue', id: e.id, text: `${e.type} of ${e.machines.slice(0, 4).join(', ')}\n${e.status === 'started' ? 'running' : `starts ${format.when(start, now)}`}` };
      }),
    ];
    const lanes = [...new Set(rows.map((r) => r.lane))].sort();
    const number = new Map(lanes.map((lane, i) => [lane, i]));
    this.bars = rows.flatMap((r) => {
      const lane = number.get(r.lane) ?? 0;
      const label = `${r.lane}\n${r.text}`;
      const link = `/events/${r.id}`;
      return [{ lane, from: r.from, to: r.start, tone: r.tone === 'quiet' ? 'quiet' : 'blue', faint: true, label, link }, { lane, from: r.start, to: r.end, tone: r.tone, label, link }];
    });
    const from = now - format.millisOf(this.range);
    return gantt({ lanes, bars: this.bars, now, from, to: Math.max(now + format.millisOf(this.range) / 8, ...rows.slice(-2000).map((r) => r.end)), zoom: true });
  }

  render() {
    if (!this.data) return this.problem();
    const total = this.data.past.length + this.data.open.length;
    return html`${this.problem()}
      <div class="bar">${Object.entries(RANGES).map(([value, word]) => html`<button aria-pressed=${this.range === value} @click=${() => filter({ since: value })}>Last ${word}</button>`)}
        <button aria-pressed=${this.by === 'rollout'} @click=${() => filter({ by: this.by === 'rollout' ? null : 'rollout' })}>By rollout</button>
        <input type="search" aria-label="Group" placeholder="group" .value=${search().get('group') ?? ''} @change=${(/** @type {any} */ e) => filter({ group: e.target.value })}></div>
      ${total ? html`<div class="chart" role="img" aria-label="${format.count(total, 'event')} over time; History has them as a table"></div><p class="quiet">Light: notice. Solid: work. Scroll to zoom, drag to move, click an event to open it.</p>` : this.empty('Nothing happened in this time, and nothing is planned.')}`;
  }
}
customElements.define('fw-timeline', TimelinePage);
