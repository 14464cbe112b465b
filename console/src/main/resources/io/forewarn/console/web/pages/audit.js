// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get, query } from '../api.js';
import { copyText } from '../action.js';
import { filter, search } from '../routes.js';
import * as format from '../format.js';
import * as events from '../events.js';
import * as field from '../search-field.js';

const PAGE = 200;
const KEYS = ['actor', 'outcome', 'since', 'until'];

/** Who requested what, from where, and the outcome; and whether the log is unchanged. */
class AuditPage extends Page {
  static properties = { ...Page.properties, who: { attribute: false }, proof: { state: true }, verifying: { state: true }, copied: { state: true } };

  constructor() {
    super();
    /** @type {any} */
    this.who = null;
    /** @type {any} */
    this.proof = null;
    this.verifying = false;
    this.copied = false;
  }

  refiltered() {
    this.reload();
  }

  get limit() {
    return Number(search().get('limit')) || PAGE;
  }

  get selection() {
    return { ...field.selected(search(), KEYS), limit: this.limit };
  }

  async load() {
    return (await get('/v1/audit' + query(this.selection))).audit;
  }

  /** @param {any} data */
  rowsOf(data) {
    return data.map((/** @type {any} */ a) => `${a.page}${a.request}`);
  }

  async verify() {
    this.verifying = true;
    this.copied = false;
    try {
      this.proof = await get('/v1/audit/verify');
      this.error = '';
    } catch (failure) {
      this.error = /** @type {Error} */ (failure).message;
    } finally {
      this.verifying = false;
    }
  }

  render() {
    const refused = search().get('outcome') === 'refused';
    return html`${this.problem()}
      <div class="bar"><input type="search" aria-label="Search the audit log" placeholder="any word, actor:ops outcome:refused since:2h" .value=${field.print(search(), KEYS)} @change=${(/** @type {any} */ e) => filter({ ...field.parse(e.target.value, KEYS), limit: null })}>
        <button aria-pressed=${refused} @click=${() => filter({ outcome: refused ? null : 'refused' })}>Refused only</button>
        <a class="button" download="audit.csv" href=${'/v1/audit' + query({ ...this.selection, format: 'csv' })}>Export CSV</a><a class="button" download="audit.json" href=${'/v1/audit' + query({ ...this.selection, format: 'json' })}>JSON</a>
        ${this.who?.role === 'operator' ? html`<button ?disabled=${this.verifying} @click=${this.verify}>${this.verifying ? 'Verifying' : 'Verify'}</button>` : nothing} ${this.data ? this.laterChip() : nothing}</div>
      ${this.proof ? this.verified(this.proof) : nothing}
      ${!this.data ? nothing : this.data.length ? this.table() : this.empty('No request fits this search.')}`;
  }

  /** @param {any} p */
  verified(p) {
    const entries = `${format.number(p.entries)} ${p.entries === 1 ? 'entry' : 'entries'} on ${format.count(p.pages, 'page')}`;
    return html`<div role="status">
      ${p.intact ? html`<p class="green">Unchanged: ${entries}, the chain is anchored at page ${format.number(p.firstPage)} of ${this.time(p.firstAt)}.</p>` : html`<p class="problem">Changed at ${p.changedRecord}: ${p.fault}</p>`}
      <p class="quiet">${p.droppedPages ? html`${format.count(p.droppedPages, 'older page')} before that ${p.droppedPages === 1 ? 'was' : 'were'} dropped because of ${p.droppedPages === 1 ? 'its' : 'their'} age${p.droppedAt ? html`, last at ${this.time(p.droppedAt)}` : nothing}.` : 'No page was ever dropped: this is the whole log.'}
        ${(p.losses ?? []).map((/** @type {any} */ loss) => html`<br>Acknowledged records were lost: page ${loss.page}, ${this.time(loss.at)}, ${loss.detail}`)}</p>
      ${p.head ? html`<div class="command"><span class="quiet">Newest page</span> <code>${p.head}</code><button @click=${async () => (this.copied = await copyText(p.head))}>${this.copied ? 'Copied' : 'Copy'}</button></div>` : nothing}</div>`;
  }

  table() {
    return html`<div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Time</th><th>By</th><th>From</th><th>Request</th><th>Outcome</th></tr></thead><tbody>
      ${this.data.map((/** @type {any} */ a) => html`<tr><td>${this.time(a.at)}</td><td>${a.by?.kind} ${a.by?.name ?? ''}</td><td class="quiet when">${a.by?.address ?? ''}</td><td>${events.withLinks(a.request, this.now)}</td><td>${a.outcome === 'refused' ? html`<span class="red">refused</span> <span class="quiet">${a.reason ?? a.problem}</span>` : a.outcome}</td></tr>`)}
    </tbody></table></div>${this.data.length >= this.limit ? html`<p><button @click=${() => filter({ limit: String(this.limit * 2) })}>Older</button></p>` : nothing}`;
  }
}
customElements.define('fw-audit', AuditPage);
