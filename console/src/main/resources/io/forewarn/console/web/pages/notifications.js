// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get, part, post } from '../api.js';
import { ask } from '../action.js';
import { filter, search } from '../routes.js';
import * as format from '../format.js';

const CHANNELS = /** @type {Record<string, {path: string, command: string}>} */ ({ webhooks: { path: '/v1/webhooks', command: 'webhook' }, mail: { path: '/v1/mail-subscriptions', command: 'mail' } });

/** Webhooks and mail subscriptions: what was delivered, what waits, and what could not be. */
class NotificationsPage extends Page {
  static properties = { ...Page.properties, tests: { state: true } };

  constructor() {
    super();
    /** @type {Record<string, string>} */
    this.tests = {};
  }

  connectedCallback() {
    super.connectedCallback();
    this.ticks = window.setInterval(() => this.reload(), 5000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.ticks);
  }

  refiltered() {
    this.reload();
  }

  async load() {
    const lists = await Promise.all(Object.entries(CHANNELS).map(async ([channel, { path }]) => Object.values(await get(path)).flat().map((/** @type {any} */ s) => ({ ...s, channel }))));
    const rows = lists.flat();
    const open = rows.find((r) => this.key(r) === search().get('letters'));
    return { rows, letters: open ? Object.values(await get(`${this.path(open)}/dead-letters`)).flat() : [], open };
  }

  /** @param {any} s */
  key(s) {
    return `${s.channel}/${s.tenant}/${s.name}`;
  }

  /** @param {any} s */
  path(s) {
    return `${CHANNELS[s.channel].path}/${part(s.tenant === '*' ? s.name : `${s.tenant}/${s.name}`)}`;
  }

  /** @param {any} s */
  async test(s) {
    this.tests = { ...this.tests, [this.key(s)]: 'sending' };
    let result;
    try {
      const answer = await post(`${this.path(s)}/test`);
      result = answer.delivered ? 'delivered' : `not delivered: ${answer.error}`;
    } catch (failure) {
      result = /** @type {Error} */ (failure).message;
    }
    this.tests = { ...this.tests, [this.key(s)]: result };
  }

  /** @param {any} s */
  resend(s) {
    ask({
      title: 'Resend',
      says: html`Sends ${format.count(s.deadLetters, 'dead letter')} to ${s.url ?? s.to?.join(', ')} again, oldest first.`,
      method: 'POST',
      path: `${this.path(s)}/resend`,
      body: () => ({}),
      command: () => `forewarn ${CHANNELS[s.channel].command} resend ${format.shell(s.name)}`,
      done: () => this.reload(),
    });
  }

  /** @param {any} s */
  row(s) {
    const tested = this.tests[this.key(s)];
    return html`<tr><td>${s.name}${s.tenant === '*' ? nothing : html` <span class="quiet">${s.tenant}</span>`}</td><td>${s.channel === 'mail' ? 'Mail' : 'Webhook'}</td><td>${s.url ?? s.to?.join(', ')}</td>
      <td class="num" data-label="Delivered">${format.number(s.delivered)}</td><td class="num" data-label="Waiting">${s.pending === undefined ? '–' : format.number(s.pending)}</td>
      <td class="num" data-label="Dead">${s.deadLetters ? html`<a href="?letters=${encodeURIComponent(this.key(s))}" class="red" @click=${(/** @type {Event} */ e) => { e.preventDefault(); filter({ letters: this.key(s) }); }}>${format.number(s.deadLetters)}</a>` : '0'}</td>
      <td>${s.lastError ? html`<span class="red">${s.lastError}</span>` : nothing} ${tested ? html`<span class="quiet" role="status">test: ${tested}</span>` : nothing}</td>
      <td class="actions"><button @click=${() => this.test(s)}>Test</button> <button ?disabled=${!s.deadLetters} @click=${() => this.resend(s)}>Resend</button></td></tr>`;
  }

  render() {
    if (!this.data) return this.problem();
    const { rows, letters, open } = this.data;
    return html`${this.problem()}
      ${rows.length
        ? html`<div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Name</th><th>Channel</th><th>To</th><th class="num">Delivered</th><th class="num">Waiting</th><th class="num">Dead letters</th><th>Last error</th><th><span class="hidden">Actions</span></th></tr></thead><tbody>${rows.map((/** @type {any} */ s) => this.row(s))}</tbody></table></div>`
        : this.empty(html`Nobody is notified. <code>forewarn webhook add NAME --url URL</code> or <code>forewarn mail add NAME --to ADDRESS</code> adds somebody.`)}
      ${open ? html`<section><h2>Dead letters of ${open.name}</h2><table class="rows"><thead><tr><th>Given up</th><th>Kind</th><th>Event</th><th class="num">Attempts</th><th>Error</th></tr></thead><tbody>
        ${letters.slice(0, 200).map((/** @type {any} */ l) => html`<tr><td>${this.time(l.at)}</td><td>${l.kind}${l.resending ? html` <span class="tag">resending</span>` : nothing}</td><td class="fixed">${l.event ?? ''}</td><td class="num" data-label="Attempts">${l.attempts}</td><td>${l.error}</td></tr>`)}
      </tbody></table></section>` : nothing}`;
  }
}
customElements.define('fw-notifications', NotificationsPage);
