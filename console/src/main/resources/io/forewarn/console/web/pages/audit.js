// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get, query } from '../api.js';
import { filter, search } from '../routes.js';
import * as format from '../format.js';

/** Who requested what, from where, and the outcome; and whether the log is unchanged. */
class AuditPage extends Page {
  static properties = { ...Page.properties, who: { attribute: false }, proof: { state: true }, verifying: { state: true } };

  constructor() {
    super();
    /** @type {any} */
    this.who = null;
    /** @type {any} */
    this.proof = null;
    this.verifying = false;
  }

  refiltered() {
    this.reload();
  }

  async load() {
    const selection = { actor: search().get('actor'), since: search().get('since'), limit: search().get('limit') ?? 200 };
    return (await get('/v1/audit' + query(selection))).audit;
  }

  async verify() {
    this.verifying = true;
    try {
      this.proof = await get('/v1/audit/verify');
    } catch (failure) {
      this.error = /** @type {Error} */ (failure).message;
    } finally {
      this.verifying = false;
    }
  }

  render() {
    const p = this.proof;
    return html`${this.problem()}
      <div class="bar"><input type="search" aria-label="Actor" placeholder="token or machine" .value=${search().get('actor') ?? ''} @change=${(/** @type {any} */ e) => filter({ actor: e.target.value })}>
        <input aria-label="Since" placeholder="since, such as 2h" .value=${search().get('since') ?? ''} @change=${(/** @type {any} */ e) => filter({ since: e.target.value })}>
        ${this.who?.role === 'operator' ? html`<button ?disabled=${this.verifying} @click=${this.verify}>${this.verifying ? 'Verifying' : 'Verify'}</button>` : nothing}</div>
      ${p ? html`<p class=${p.intact ? 'green' : 'problem'} role="status">${p.intact ? html`Unchanged: ${format.count(p.entries, 'entry').replace('entrys', 'entries')} on ${format.count(p.pages, 'page')}, since ${this.time(p.firstAt)}. Hash of the newest page: <code>${p.head}</code>` : html`Changed at ${p.changedRecord}: ${p.fault}`}</p>` : nothing}
      ${!this.data ? nothing : this.data.length
        ? html`<div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Time</th><th>By</th><th>From</th><th>Request</th><th>Outcome</th></tr></thead><tbody>
            ${this.data.map((/** @type {any} */ a) => html`<tr><td>${this.time(a.at)}</td><td>${a.by?.kind} ${a.by?.name ?? ''}</td><td class="quiet when">${a.by?.address ?? ''}</td><td>${a.request}</td><td>${a.outcome === 'refused' ? html`<span class="red">refused</span> <span class="quiet">${a.reason ?? a.problem}</span>` : a.outcome}</td></tr>`)}
          </tbody></table></div>${this.data.length >= Number(search().get('limit') ?? 200) ? html`<p><button @click=${() => filter({ limit: String(Number(search().get('limit') ?? 200) * 2) })}>More</button></p>` : nothing}`
        : this.empty('No request fits this search.')}`;
  }
}
customElements.define('fw-audit', AuditPage);
