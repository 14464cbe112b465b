// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get, query } from '../api.js';
import { filter, go, search, machineAt, BASE } from '../routes.js';
import { live } from '../live.js';
import * as format from '../format.js';
import { FleetCanvas } from '../fleet-canvas.js';
import { Cells, STATES, matcher, tagsIn } from '../cells.js';

const ROWS = 200;

/** The whole fleet: groups as grids of update and fault domains, or hosts, a cell for each machine. */
class FleetPage extends Page {
  static properties = { ...Page.properties, who: { attribute: false }, tip: { state: true }, progress: { state: true } };

  constructor() {
    super();
    /** @type {any} */
    this.who = null;
    this.cells = new Cells();
    /** @type {Map<string, Set<string>>} */
    this.tagged = new Map();
    /** @type {FleetCanvas | null} */
    this.canvas = null;
    /** @type {{x: number, y: number, index: number} | null} */
    this.tip = null;
    this.progress = '';
    this.keys = (/** @type {KeyboardEvent} */ e) => {
      if (e.key === 't' && !e.defaultPrevented && !(/** @type {HTMLElement} */ (e.target).closest('input, select, textarea, dialog'))) this.toggle('table', !search().get('table'));
    };
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener('keydown', this.keys);
    this.ticks = window.setInterval(() => this.reload(), 30_000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.keys);
    clearInterval(this.ticks);
    this.canvas?.stop();
  }

  async refiltered() {
    try {
      await this.readTags();
      this.error = '';
    } catch (failure) {
      this.error = /** @type {Error} */ (failure).message;
    }
    this.refilter();
  }

  /** Page by page, so that no answer takes long to read. */
  async load() {
    const fresh = this.cells.size ? new Cells() : this.cells;
    let after;
    do {
      const page = await get('/v1/fleet/cells' + query({ after, limit: 5000 }));
      fresh.add(page.groups);
      after = page.next;
      if (fresh === this.cells) this.progress = after ? `${format.number(fresh.size)} machines read` : '';
      await new Promise((next) => setTimeout(next, 0));
    } while (after);
    this.cells = fresh;
    this.tagged.clear();
    await this.readTags();
    this.refilter();
    return {};
  }

  /** The cells do not say which tags a machine has: those of the search are read when they are needed. */
  async readTags() {
    for (const tag of tagsIn(search().get('q') ?? '')) {
      if (this.tagged.has(tag)) continue;
      /** @type {Set<string>} */
      const machines = new Set();
      let after;
      do {
        const page = await get('/v1/fleet/cells' + query({ tag, after, limit: 5000 }));
        for (const g of page.groups) for (const name of g.names) machines.add(`${g.tenant}/${name}`);
        after = page.next;
      } while (after);
      this.tagged.set(tag, machines);
    }
  }

  /** An entry of the stream changes cells at once; what it does not tell is read again now and then. @param {any} entry */
  happened(entry) {
    if (!entry || entry.kind === 'fleet-changed') {
      this.soon();
      return;
    }
    const changed = this.cells.apply(entry);
    if (changed.length) this.canvas?.changed(changed);
  }

  refilter() {
    const shown = this.cells.select(matcher(search().get('q') ?? '', this.tagged));
    this.canvas?.show(this.cells, shown, search().get('by') === 'host');
    this.shown = shown;
    this.requestUpdate();
  }

  /** @param {string} name @param {boolean} on */
  toggle(name, on) {
    filter({ [name]: on ? (name === 'by' ? 'host' : '1') : null });
  }

  updated() {
    const element = this.querySelector('canvas');
    if (element && this.canvas?.element !== element) {
      this.canvas?.stop();
      this.canvas = new FleetCanvas(element);
      this.refilter();
    }
  }

  /** @param {PointerEvent} e */
  pointed(e) {
    const index = this.canvas?.at(e.offsetX, e.offsetY) ?? -1;
    this.tip = index < 0 ? null : { x: e.clientX, y: e.clientY, index };
  }

  /** @param {MouseEvent} e */
  opened(e) {
    const index = this.canvas?.at(e.offsetX, e.offsetY) ?? -1;
    if (index >= 0) {
      const { tenant, name } = this.cells.machine(index);
      go(machineAt(tenant, name).slice(BASE.length));
    }
  }

  render() {
    const { counts } = this.cells;
    const total = this.cells.size;
    const table = search().get('table');
    const text = search().get('q') ?? '';
    const numbers = [['machines', total], ['polling', counts.p], ['silent', counts.q], ['never polled', counts.n], ['running', counts.r], ['scheduled', counts.s + counts.a + counts.w], ['failed', counts.f]];
    return html`${this.problem()}
      <ul class="numbers">${numbers.map(([label, n]) => html`<li><b>${format.number(Number(n))}</b><span>${label}</span></li>`)}</ul>
      <div class="bar">
        <input type="search" aria-label="Search the fleet" placeholder="name, tenant:shop host:host-1* state:silent tag:env=prod" .value=${text} @input=${(/** @type {any} */ e) => filter({ q: e.target.value })}>
        <button aria-pressed=${search().get('by') === 'host'} @click=${() => this.toggle('by', search().get('by') !== 'host')}>By host</button>
        <button aria-pressed=${!!table} @click=${() => this.toggle('table', !table)}>As a table</button>
        <span class="quiet">${this.progress || (text ? `${format.number(this.shown?.length ?? 0)} of ${format.number(total)} shown` : '')}</span>
      </div>
      ${total === 0 && this.data ? this.empty(html`There are no machines. <code>forewarn fleet apply FILE</code> adds some.`) : nothing}
      <ul class="legend" aria-hidden="true">${Object.entries(STATES).map(([letter, s]) => html`<li><i class="cell ${letter}"></i>${s.word}</li>`)}</ul>
      <div class="fleet" ?hidden=${!!table}><canvas role="img" aria-label="The fleet as a picture; the table shows the same" @pointermove=${this.pointed} @pointerleave=${() => (this.tip = null)} @click=${this.opened}></canvas></div>
      ${table ? this.table() : nothing} ${this.tip ? this.hover() : nothing}`;
  }

  hover() {
    const { x, y, index } = /** @type {any} */ (this.tip);
    const m = this.cells.machine(index);
    const place = (/** @type {any} */ e) => {
      if (!e) return;
      e.style.left = `${Math.min(x + 14, window.innerWidth - 260)}px`;
      e.style.top = `${Math.min(y + 14, window.innerHeight - 90)}px`;
    };
    setTimeout(() => place(this.querySelector('.tip')));
    return html`<div class="tip"><b>${format.named(m.tenant, m.name)}</b><br>${STATES[m.state].word}<br><span class="quiet">${m.group} UD${m.update} FD${m.fault}${m.host ? ` · ${m.host}` : ''}</span></div>`;
  }

  table() {
    const rows = (this.shown ?? []).slice(0, ROWS);
    return html`<div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Machine</th><th>State</th><th>Group</th><th class="num">Update domain</th><th class="num">Fault domain</th><th>Host</th></tr></thead><tbody>
      ${rows.map((index) => {
        const m = this.cells.machine(index);
        return html`<tr><td><a href=${machineAt(m.tenant, m.name)}>${format.named(m.tenant, m.name)}</a></td><td><i class="cell ${m.state}" aria-hidden="true"></i> ${STATES[m.state].word}</td><td>${m.group}</td><td class="num" data-label="UD">${m.update}</td><td class="num" data-label="FD">${m.fault}</td><td>${m.host || html`<span class="quiet">–</span>`}</td></tr>`;
      })}
    </tbody></table></div>
    ${(this.shown?.length ?? 0) > ROWS ? html`<p class="quiet">The first ${ROWS} of ${format.number(this.shown?.length)} machines; search for others.</p>` : nothing}`;
  }
}
customElements.define('fw-fleet', FleetPage);
