// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get } from '../api.js';
import { filter, machineAt, search } from '../routes.js';
import * as format from '../format.js';
import * as events from '../events.js';

const ROWS = 300;

/** Machines that stopped polling, and what is coming for them, those that are hit soonest first. */
class SilentPage extends Page {
  connectedCallback() {
    super.connectedCallback();
    this.ticks = window.setInterval(() => this.reload(), 15_000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.ticks);
  }

  async load() {
    const [silent, never, open] = await Promise.all([get('/v1/machines?polling=silent&limit=20000'), get('/v1/machines?polling=never&limit=20000'), get('/v1/events')]);
    /** @type {Map<string, any>} */
    const hits = new Map();
    for (const e of open.events) {
      for (const name of e.machines) {
        const key = `${e.tenant}/${name}`;
        const before = hits.get(key);
        if (!before || Date.parse(e.notBefore) < Date.parse(before.notBefore)) hits.set(key, e);
      }
    }
    const rows = [...silent.machines, ...never.machines].map((m) => ({ machine: m, event: hits.get(`${m.tenant}/${m.name}`) }));
    const soonest = (/** @type {any} */ r) => (r.event ? Date.parse(r.event.notBefore ?? r.event.acceptedAt) : Infinity);
    rows.sort((a, b) => soonest(a) - soonest(b) || (a.machine.lastPoll ?? '').localeCompare(b.machine.lastPoll ?? ''));
    return { rows, silent: silent.machines.length, never: never.machines.length };
  }

  /** @param {any} data */
  rowsOf(data) {
    return data.rows.map((/** @type {any} */ r) => `${r.machine.tenant}/${r.machine.name}`);
  }

  render() {
    if (!this.data) return this.problem();
    const text = (search().get('q') ?? '').toLowerCase();
    const never = search().get('never');
    const fits = this.data.rows.filter((/** @type {any} */ r) => (never || r.machine.polling === 'silent') && `${r.machine.tenant}/${r.machine.name} ${r.machine.host ?? ''} ${r.machine.group}`.toLowerCase().includes(text));
    return html`${this.problem()}
      <p class="headline"><span><b>${format.number(this.data.silent)}</b> silent for more than five minutes</span> <span class="quiet">· <b>${format.number(this.data.never)}</b> never polled</span> ${this.laterChip()}</p>
      <div class="bar"><input type="search" aria-label="Search silent machines" placeholder="name, group or host" .value=${search().get('q') ?? ''} @input=${(/** @type {any} */ e) => filter({ q: e.target.value })}>
        <button aria-pressed=${!!never} @click=${() => filter({ never: never ? null : '1' })}>With those that never polled</button></div>
      ${fits.length
        ? html`<div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Machine</th><th>State</th><th>Last poll</th><th>api-version</th><th>Host</th><th>Coming for it</th></tr></thead><tbody>
            ${fits.slice(0, ROWS).map((/** @type {any} */ { machine: m, event: e }) => html`<tr><td><a href=${machineAt(m.tenant, m.name)}>${format.named(m.tenant, m.name)}</a></td><td>${this.state(m.polling)}</td><td>${this.ago(m.lastPoll)}</td><td>${m.apiVersion ?? html`<span class="quiet">–</span>`}</td><td>${m.host ?? html`<span class="quiet">–</span>`}</td>
              <td>${e ? html`<a href=${events.eventAt(e)}>${format.capital(e.type)}</a> ${events.startsIn(e, this.now)}` : html`<span class="quiet">nothing</span>`}</td></tr>`)}
          </tbody></table></div>${fits.length > ROWS ? html`<p class="quiet">The first ${ROWS} of ${format.number(fits.length)}; search for others.</p>` : nothing}`
        : this.empty(text ? 'No silent machine has this in its name.' : 'Every machine that ever polled is still polling.')}`;
  }
}
customElements.define('fw-silent', SilentPage);
