// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get, inOrder, part, query } from '../api.js';
import { ask } from '../action.js';
import { BASE, filter, search } from '../routes.js';
import * as format from '../format.js';
import * as events from '../events.js';
import '../documents.js';

const TABS = { events: 'Events', polls: 'Polls', document: 'Document', history: 'History' };

/** One machine: its state, what is coming for it, what it reads, and what happened to it. */
class MachinePage extends Page {
  static properties = { ...Page.properties, who: { attribute: false } };

  constructor() {
    super();
    /** @type {any} */
    this.who = null;
  }

  get id() {
    return part(`${this.params.tenant}/${this.params.name}`);
  }

  async load() {
    const named = `${this.params.tenant}/${this.params.name}`;
    const [machine, open, documents, past] = await inOrder([
      get(`/v1/machines/${this.id}`),
      get('/v1/events' + query({ machine: named, blockers: true })),
      get(`/v1/machines/${this.id}/documents`),
      get('/v1/history' + query({ machine: named, limit: 100 })),
    ]);
    return { machine, events: open.events, documents: documents.documents, incarnation: documents.incarnation, history: past.history };
  }

  /** @param {any} entry */
  concerns(entry) {
    return !entry || entry.group === this.data?.machine.group || !!entry.machines?.includes(this.params.name);
  }

  /** @param {string} verb @param {string} does @param {{rehearsal?: boolean}} [options] */
  act(verb, does, { rehearsal = false } = {}) {
    const m = this.data.machine;
    const name = format.named(m.tenant, m.name);
    ask({
      title: rehearsal ? 'Rehearse a restart…' : `${format.capital(verb)}…`,
      says: rehearsal
        ? html`Schedules a restart of ${name} and starts it as usual, so that its handler reacts, but does nothing to the machine.`
        : html`Schedules a ${does} of ${name}. It gets the notice of its group, at least the minimum for the type, and may approve it earlier. ${m.polling === 'polling' ? '' : `The machine is ${m.polling === 'never' ? 'not polling yet' : 'silent'}: it may not see this.`}`,
      fields: [
        { name: 'notice', label: 'Notice', hint: 'such as 30m; left blank: the minimum' },
        { name: 'description', label: 'Reason', hint: 'machines and people read it with the event' },
      ],
      method: 'POST',
      path: `/v1/machines/${this.id}/${verb}`,
      body: (f) => ({ notice: f.notice || undefined, description: f.description || undefined, rehearsal: rehearsal || undefined }),
      command: (f) => `forewarn vm ${verb} ${format.shell(name)}${rehearsal ? ' --rehearsal' : ''}${f.notice ? ` --notice ${format.shell(f.notice)}` : ''}${f.description ? ` --description ${format.shell(f.description)}` : ''}`,
      done: () => this.reload(),
    });
  }

  actions() {
    if (this.who?.role === 'viewer') return nothing;
    return html`<span class="buttons-inline"><button @click=${() => this.act('restart', 'restart')}>Restart…</button> <button @click=${() => this.act('redeploy', 'redeploy')}>Redeploy…</button>
      ${this.who?.role === 'operator' ? html`<button @click=${() => this.act('freeze', 'short freeze')}>Freeze…</button>` : nothing} <button @click=${() => this.act('restart', 'restart', { rehearsal: true })}>Rehearse…</button></span>`;
  }

  render() {
    if (!this.data) return this.problem();
    const m = this.data.machine;
    const next = this.data.events[0];
    const tab = search().get('tab') ?? 'events';
    return html`${this.problem()}
      <p class="headline">${this.state(m.polling)} <span class="quiet">${format.capital(m.state.replaceAll('-', ' '))}${m.since ? html` since ${this.time(m.since)}` : nothing}</span>
        ${next ? html`<span>· ${format.capital(next.type)} ${events.startsIn(next, this.now)}</span>` : html`<span class="quiet">· nothing is coming for it</span>`} ${this.actions()}</p>
      <dl class="facts">
        <dt>Group</dt><dd><a href="${BASE}/fleet?q=${encodeURIComponent(`group:${m.group}`)}">${format.named(m.tenant, m.group)}</a> <span class="quiet">update domain ${m.updateDomain}, fault domain ${m.faultDomain}</span></dd>
        <dt>Host</dt><dd>${m.host ? html`<a href="${BASE}/fleet?by=host&q=${encodeURIComponent(`host:${m.host}`)}">${m.host}</a>` : html`<span class="quiet">not known</span>`}</dd>
        <dt>Last poll</dt><dd>${this.ago(m.lastPoll)} ${m.apiVersion ? html`<span class="quiet">api-version ${m.apiVersion}</span>` : nothing}</dd>
        <dt>Addresses</dt><dd>${(m.addresses ?? []).join(', ') || html`<span class="quiet">none</span>`}</dd>
        ${m.tags ? html`<dt>Tags</dt><dd>${Object.entries(m.tags).map(([k, v]) => html`<span class="tag">${k}=${v}</span> `)}</dd>` : nothing}
        <dt>Boots</dt><dd>${m.boots}</dd>
        ${m.detail ? html`<dt>Detail</dt><dd>${m.detail}</dd>` : nothing}
      </dl>
      <div class="tabs" role="tablist">${Object.entries(TABS).map(([key, title]) => html`<button role="tab" id="tab-${key}" aria-controls="panel" aria-selected=${tab === key} @click=${() => filter({ tab: key === 'events' ? null : key })}>${title}</button>`)}</div>
      <div id="panel" role="tabpanel" aria-labelledby="tab-${tab}">${tab === 'polls' ? this.polls() : tab === 'document' ? this.document() : tab === 'history' ? this.history() : this.open()}</div>`;
  }

  open() {
    if (!this.data.events.length) return this.empty('Nothing is planned for this machine.');
    const done = () => this.reload();
    return html`<div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>When</th><th>What</th><th>Seen</th><th>Waits for</th><th><span class="hidden">Actions</span></th></tr></thead><tbody>
      ${this.data.events.map((/** @type {any} */ e) => html`<tr><td class="when">${events.startsIn(e, this.now)}</td><td><a href=${events.eventAt(e)}>${this.state(events.stateName(e), html` <b>${format.capital(e.type)}</b>`)}</a></td>
        <td>${e.seenAt?.[this.params.name] ? this.time(e.seenAt[this.params.name]) : html`<span class="warn">not yet</span>`}</td><td class="waits">${events.waitsFor(e, this.now)}</td>
        <td class="actions">${events.mayChange(e, this.who) && !e.approvedBy ? html`<button @click=${() => events.approve(e, this.now, done)}>Approve</button>` : nothing}</td></tr>`)}
    </tbody></table></div>`;
  }

  polls() {
    const m = this.data.machine;
    const unseen = this.data.events.filter((/** @type {any} */ e) => e.visible && !e.seenAt?.[this.params.name]);
    return html`<dl class="facts">
        <dt>State</dt><dd>${this.state(m.polling)} <span class="quiet">· a machine counts as silent after five minutes without a poll</span></dd>
        <dt>Last poll</dt><dd>${m.lastPoll ? html`${this.ago(m.lastPoll)} <span class="quiet">${format.exact(m.lastPoll)}</span>` : 'never'}</dd>
        <dt>api-version</dt><dd>${m.apiVersion ?? html`<span class="quiet">–</span>`}</dd>
        <dt>Document</dt><dd>incarnation ${format.number(this.data.incarnation)}${unseen.length ? html` <span class="warn">${format.count(unseen.length, 'event')} not seen yet</span>` : nothing}</dd>
      </dl><p class="quiet">Only the last poll of a machine is kept, without the program that sent it.</p>`;
  }

  document() {
    return html`<fw-documents .documents=${this.data.documents}></fw-documents>`;
  }

  history() {
    if (!this.data.history.length) return this.empty('Nothing has happened to this machine.');
    return html`<div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Time</th><th>What</th><th>Type</th><th>By</th><th>Notice promised</th><th>Notice given</th><th>Detail</th></tr></thead><tbody>
      ${this.data.history.map((/** @type {any} */ h) => html`<tr><td>${this.time(h.at)}</td><td class="kind">${h.event ? html`<a href="${BASE}/events/${h.event}">${h.kind}</a>` : h.kind}</td><td>${h.type ?? ''}</td><td class="by">${events.actor(h.by)}</td><td>${h.promised ?? ''}</td><td>${h.given ?? ''}</td><td class="quiet">${events.detail(h, this.now)}</td></tr>`)}
    </tbody></table></div>`;
  }
}
customElements.define('fw-machine', MachinePage);
