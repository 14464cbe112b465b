// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get, query } from '../api.js';
import { BASE, filter, search } from '../routes.js';
import * as format from '../format.js';
import { Chart, axis, colour, tooltip } from '../chart.js';

const RANGES = { '24h': 'day', '7d': 'week', '30d': 'month', '90d': '90 days' };
const VERDICTS = /** @type {Record<string, {word: string, tone: string}>} */ ({
  kept: { word: 'Kept', tone: 'green' },
  waived: { word: 'Approved earlier', tone: 'teal' },
  shortfall: { word: 'Too short', tone: 'red' },
  'not-promised': { word: 'None promised', tone: 'quiet' },
  cancelled: { word: 'Cancelled', tone: 'quiet' },
  open: { word: 'Not started', tone: 'blue' },
});

/** Notice promised against notice given: a dot for each event, a line for each group. */
class ReportsPage extends Page {
  constructor() {
    super();
    /** @type {Chart | null} */
    this.chart = null;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.chart?.stop();
    this.chart = null;
  }

  get range() {
    return search().get('since') ?? '7d';
  }

  get selection() {
    return { since: this.range, group: search().get('group') };
  }

  refiltered() {
    this.reload();
  }

  load() {
    return get('/v1/reports/notice' + query(this.selection));
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
    } else if (place && this.drawn !== this.data) {
      this.chart?.update();
    }
    this.drawn = this.data;
  }

  started() {
    return this.data.events.filter((/** @type {any} */ e) => e.startedAt && e.promised);
  }

  picture() {
    const events = this.started();
    const minutes = (/** @type {string} */ text) => format.millisOf(text) / 60_000;
    const points = events.map((/** @type {any} */ e) => [minutes(e.promised), minutes(e.given ?? '0s')]);
    const most = Math.max(1, ...points.flat());
    return {
      grid: { left: 8, right: 24, top: 24, bottom: 36, containLabel: true },
      tooltip: { ...tooltip(), formatter: (/** @type {any} */ item) => { const e = events[item.dataIndex]; return e ? `${format.named(e.tenant, e.group)}: ${e.type}\n${VERDICTS[e.verdict]?.word}\npromised ${e.promised}, given ${e.given ?? '0s'}\nstarted ${format.when(Date.parse(e.startedAt), this.now)}` : ''; } },
      xAxis: { type: 'value', name: 'promised, minutes', nameLocation: 'middle', nameGap: 26, min: 0, ...axis(), nameTextStyle: { color: colour('quiet') } },
      yAxis: { type: 'value', name: 'given, minutes', min: 0, ...axis(), nameTextStyle: { color: colour('quiet'), align: 'left' } },
      series: [
        { type: 'scatter', symbolSize: 8, data: points, itemStyle: { opacity: 0.75, color: (/** @type {any} */ item) => colour(VERDICTS[events[item.dataIndex]?.verdict]?.tone ?? 'quiet') },
          markLine: { silent: true, symbol: 'none', label: { show: false }, lineStyle: { color: colour('quiet'), type: 'dashed' }, data: [[{ coord: [0, 0] }, { coord: [most, most] }]] } },
      ],
    };
  }

  /** The worst case of each group. */
  groups() {
    /** @type {Map<string, any>} */
    const groups = new Map();
    for (const e of this.data.events) {
      const name = format.named(e.tenant, e.group);
      const g = groups.get(name) ?? { name, id: `${e.tenant}/${e.group}`, events: 0, short: 0, neverSaw: 0, least: null };
      g.events++;
      if (e.verdict === 'shortfall') g.short++;
      if (e.startedAt) g.neverSaw += e.neverSaw?.length ?? 0;
      if (e.verdict === 'kept' || e.verdict === 'shortfall') {
        const share = format.millisOf(e.given) / Math.max(1, format.millisOf(e.promised));
        if (!g.least || share < g.least.share) g.least = { share, event: e };
      }
      groups.set(name, g);
    }
    return [...groups.values()].sort((a, b) => b.short - a.short || b.neverSaw - a.neverSaw || a.name.localeCompare(b.name));
  }

  render() {
    if (!this.data) return this.problem();
    const s = this.data.summary;
    const warned = s.machines ? 100 - (s.neverSawPercent ?? 0) : 100;
    const numbers = [['events', s.events], ['kept', s.kept], ['approved earlier', s.waived], ['too short', s.shortfall], ['cancelled', s.cancelled], ['not started', s.open]];
    return html`${this.problem()}
      <div class="bar">
        ${Object.entries(RANGES).map(([value, word]) => html`<button aria-pressed=${this.range === value} @click=${() => filter({ since: value })}>Last ${word}</button>`)}
        <input type="search" aria-label="Group" placeholder="group" .value=${search().get('group') ?? ''} @change=${(/** @type {any} */ e) => filter({ group: e.target.value })}>
        <a class="button" download="notice.csv" href=${'/v1/reports/notice' + query({ ...this.selection, format: 'csv' })}>Export CSV</a>
      </div>
      <ul class="numbers"><li><b class=${warned === 100 ? 'green' : 'red'}>${warned === 100 ? 'Everyone was warned' : `${warned.toFixed(1)} % were warned`}</b><span>of ${format.count(s.machines ?? 0, 'machine')} in events that started</span></li>
        ${numbers.map(([label, n]) => html`<li><b class=${label === 'too short' && n ? 'red' : ''}>${format.number(Number(n))}</b><span>${label}</span></li>`)}</ul>
      ${this.started().length ? html`<div class="chart" role="img" aria-label="Notice promised against notice given; the table below has the worst case of each group"></div><p class="quiet">A dot for each event that started. Below the dashed line it got less notice than promised: because somebody approved it earlier (teal), or because the promise was not kept (red).</p>` : this.empty('No event with notice has started in this time.')}
      ${this.data.events.length ? this.table() : nothing}`;
  }

  table() {
    return html`<section><h2>By group</h2><div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Group</th><th class="num">Events</th><th class="num">Too short</th><th class="num">Never saw it</th><th>Least notice given</th></tr></thead><tbody>
      ${this.groups().slice(0, 200).map((g) => html`<tr><td><a href="${BASE}/history?group=${encodeURIComponent(g.id)}">${g.name}</a></td><td class="num" data-label="Events">${format.number(g.events)}</td><td class="num ${g.short ? 'red' : ''}" data-label="Too short">${g.short}</td><td class="num ${g.neverSaw ? 'warn' : ''}" data-label="Never saw it">${g.neverSaw}</td>
        <td>${g.least ? html`<a href="${BASE}/events/${g.least.event.event}">${g.least.event.given} of ${g.least.event.promised}</a>` : html`<span class="quiet">–</span>`}</td></tr>`)}
    </tbody></table></div></section>`;
  }
}
customElements.define('fw-reports', ReportsPage);
