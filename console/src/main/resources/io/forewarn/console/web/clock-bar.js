// @ts-check
import { LitElement, html, nothing } from 'lit';
import { get, part, post } from './api.js';
import { live } from './live.js';
import * as format from './format.js';

/** Moves the manual clock, and says what falls due next. */
class ClockBar extends LitElement {
  static properties = { who: { attribute: false }, next: { state: true }, busy: { state: true }, error: { state: true } };

  constructor() {
    super();
    /** @type {any} */
    this.who = null;
    /** @type {{at: string, what: string} | null} */
    this.next = null;
    this.busy = false;
    this.error = '';
    this.timer = 0;
    this.wanted = '';
    this.moved = () => this.requestUpdate();
    this.changed = () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.look(), 200);
    };
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    live.addEventListener('entry', this.changed);
    live.addEventListener('status', this.moved);
    this.look();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    live.removeEventListener('entry', this.changed);
    live.removeEventListener('status', this.moved);
  }

  /** What starts next, or is over next. */
  async look() {
    try {
      const [{ events }, turns] = await Promise.all([get('/v1/events?blockers=true'), this.turns()]);
      const due = [...events.flatMap((/** @type {any} */ e) => this.deadlines(e)), ...turns].filter((/** @type {any} */ d) => Date.parse(d.at) > live.now());
      due.sort((/** @type {any} */ a, /** @type {any} */ b) => Date.parse(a.at) - Date.parse(b.at));
      this.next = due[0] ?? null;
    } catch {
      this.next = null;
    }
  }

  /** When machines are shown the next units of rollouts. */
  async turns() {
    const { rollouts } = await get('/v1/rollouts');
    const running = rollouts.filter((/** @type {any} */ r) => r.status === 'running' && r.pending).slice(0, 5);
    const lists = await Promise.all(running.map((/** @type {any} */ r) => get(`/v1/rollouts/${part(r.name)}/units?state=pending&limit=10`)));
    return lists.flatMap((list, i) => list.units.map((/** @type {any} */ u) => ({ at: u.shownAt ?? u.startsAt, what: `${u.name} of ${running[i].name} is shown to its machines` })));
  }

  /** @param {any} event */
  deadlines(event) {
    const whom = event.machines[0] + (event.machines.length > 1 ? ` +${event.machines.length - 1}` : '');
    if (event.status === 'started') {
      const end = event.duration && event.startedAt ? Date.parse(event.startedAt) + format.millisOf(event.duration) : 0;
      return end ? [{ at: new Date(end).toISOString(), what: `${whom} is done` }] : [];
    }
    const until = (event.blockers ?? []).map((/** @type {any} */ h) => h.until).filter(Boolean);
    const at = [event.notBefore, ...until].filter(Boolean).sort().at(-1);
    return at ? [{ at, what: `${whom} starts` }] : [];
  }

  /** @param {string} path @param {any} body */
  async move(path, body) {
    this.busy = true;
    this.error = '';
    try {
      live.clockMoved((await post(path, body)).now);
      this.look();
    } catch (failure) {
      this.error = /** @type {Error} */ (failure).message;
    } finally {
      this.busy = false;
    }
  }

  render() {
    const may = this.who?.role === 'operator';
    const step = (/** @type {string} */ by) => html`<button ?disabled=${this.busy} @click=${() => this.move('/v1/clock/advance', { by })}>+${by}</button>`;
    return html`<section class="clock-bar" aria-label="Manual clock">
      <b>Manual clock</b>
      <span class="fixed">${new Date(live.now()).toISOString().replace('T', ' ').slice(0, 19)} UTC</span>
      ${may ? ['10s', '1m', '15m', '1h', '1d'].map(step) : nothing}
      ${may
        ? html`<form class="clock-set" @submit=${(/** @type {Event} */ e) => {
            e.preventDefault();
            if (this.wanted) this.move('/v1/clock/set', { to: this.wanted });
          }}><input aria-label="Set the clock to" placeholder="fri 22:00" .value=${this.wanted} @input=${(/** @type {any} */ e) => (this.wanted = e.target.value)}><button ?disabled=${this.busy}>Set</button></form>`
        : nothing}
      ${may && this.next
        ? html`<button class="next" ?disabled=${this.busy} title=${format.exact(this.next.at)} @click=${() => this.move('/v1/clock/set', { to: this.next?.at })}>to next: ${format.when(Date.parse(this.next.at), live.now())} ${this.next.what}</button>`
        : html`<span class="quiet">${may ? 'nothing is due' : 'an operator moves this clock'}</span>`}
      ${this.error ? html`<span class="problem" role="alert">${this.error}</span>` : nothing}
    </section>`;
  }
}
customElements.define('fw-clock-bar', ClockBar);
