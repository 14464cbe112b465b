// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get } from '../api.js';
import * as format from '../format.js';

/** The nodes, who writes, how far the others are behind, and what is wrong with a fix for it. */
class ClusterPage extends Page {
  connectedCallback() {
    super.connectedCallback();
    this.ticks = window.setInterval(() => this.reload(), 3000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.ticks);
  }

  async load() {
    const [status, doctor] = await Promise.all([get('/v1/status'), get('/v1/doctor')]);
    return { status, findings: doctor.findings ?? [] };
  }

  render() {
    if (!this.data) return this.problem();
    const { status: s, findings } = this.data;
    const facts = [['Version', s.version], ['Up', s.uptime], ['Clock', `${s.clock}, ${s.now}`], ['Clock error', s.clockError], ['Store', s.store], ['Store error', s.storeError], ['Writer', s.nodes?.length ? (s.writer ?? 'none at present') : 'this node'], ['Epoch', s.epoch], ['Waiting commands', s.queueDepth], ['Heard from the writer', s.lag ? `${s.lag} ago` : undefined], ['Cannot forward', s.forwardingError], ['Listens', s.listeners?.join(', ')], ['Fleet', `${format.count(s.machines, 'machine')} in ${format.count(s.groups, 'group')}`]];
    return html`${this.problem()}
      <p class="headline">${this.state(s.ready ? 'ready' : 'not-ready')}</p>
      ${findings.length ? html`<section><h2>Problems</h2><ul class="attention">${findings.map((/** @type {any} */ f) => html`<li>${this.state('blocked')} <b>${f.subject}</b> <span>${f.problem}</span> <span class="quiet">${f.fix}</span></li>`)}</ul></section>` : html`<p class="quiet">No problems found.</p>`}
      <dl class="facts">${facts.filter(([, value]) => value !== undefined && value !== null && value !== '').map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
      ${s.nodes?.length ? html`<section><h2>Nodes</h2><div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Control</th><th>Metadata</th><th>Version</th><th>Role</th><th>Remarks</th></tr></thead><tbody>
        ${s.nodes.map((/** @type {any} */ n) => html`<tr><td>${n.control}${n.self ? html` <span class="tag">this node</span>` : nothing}</td><td>${n.metadata ?? ''}</td><td>${n.version ?? ''}</td><td>${n.writer ? 'writer' : 'follower'}</td><td>${[n.problem, n.differingSettings && `other settings: ${n.differingSettings}`, n.clockOffset && `clock off by ${n.clockOffset}`].filter(Boolean).join('; ')}</td></tr>`)}
      </tbody></table></div></section>` : nothing}
      ${s.etcd?.length ? html`<section><h2>etcd</h2><div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Member</th><th>Address</th><th>State</th><th class="num">Size</th><th class="num">Behind</th></tr></thead><tbody>
        ${s.etcd.map((/** @type {any} */ m) => html`<tr><td>${m.name ?? ''}</td><td>${m.url}</td><td>${this.state(m.responding ? 'responding' : 'not-responding', m.leader ? html`, leader` : nothing)} ${m.problem ?? ''}</td><td class="num" data-label="Size">${m.databaseBytes ? `${(m.databaseBytes / 1048576).toFixed(1)} MiB` : '–'}</td><td class="num" data-label="Behind">${format.number(m.revisionsBehind)}</td></tr>`)}
      </tbody></table></div></section>` : nothing}`;
  }
}
customElements.define('fw-cluster', ClusterPage);
