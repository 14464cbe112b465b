// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get, query } from '../api.js';
import { ask } from '../action.js';
import * as format from '../format.js';

/**
 * Values that people set. Lists are written with ; between their parts.
 *
 * @type {{name: string, label: string, flag: string, hint: string, list?: boolean}[]}
 */
const VALUES = [
  { name: 'blackouts', label: 'Blackouts: no platform work starts', flag: '--blackout', hint: 'such as 2026-12-24 18:00..2026-12-27 06:00 Europe/Berlin; several with ; between', list: true },
  { name: 'windows', label: 'Windows: platform work starts only then', flag: '--window', hint: 'such as sat,sun 01:00 4h Europe/Berlin; several with ; between', list: true },
  { name: 'notice', label: 'Minimum notice', flag: '--notice', hint: 'such as 30m' },
  { name: 'shownAhead', label: 'Events of rollouts are shown at most so long ahead', flag: '--shown-ahead', hint: 'such as 1h' },
  { name: 'ownerPostponements', label: 'Owners may postpone', flag: '--postpone-owner', hint: 'such as 3x2h: three times, by two hours in total' },
  { name: 'guestPostponements', label: 'Machines may postpone', flag: '--postpone-guest', hint: 'such as 1x1h' },
  { name: 'approval', label: 'Machines that must approve', flag: '--approval', hint: 'any, all or a number' },
];
const SCOPE = /** @type {[string, string][]} */ ([['tenant', '--tenant'], ['group', '--group'], ['type', '--type']]);

/** What tenants and groups have set: windows, blackouts, notice, postponements. */
class PoliciesPage extends Page {
  static properties = { ...Page.properties, who: { attribute: false } };

  constructor() {
    super();
    /** @type {any} */
    this.who = null;
  }

  async load() {
    return (await get('/v1/policies')).policies;
  }

  /** @param {any} entry */
  concerns(entry) {
    return !entry || /^policy/.test(entry.kind);
  }

  /** @param {any} [policy] one that is changed */
  edit(policy) {
    const scope = policy ? [] : [{ name: 'tenant', label: 'Tenant', value: this.who.tenant === '*' ? '' : this.who.tenant }, { name: 'group', label: 'Group', hint: 'blank: all groups of the tenant' }, { name: 'type', label: 'Work', hint: 'freeze, reboot or redeploy; blank: all' }];
    const text = (/** @type {any} */ value) => (Array.isArray(value) ? value.join('; ') : (value ?? ''));
    const parts = (/** @type {string} */ value) => value.split(';').map((part) => part.trim()).filter(Boolean);
    const changed = (/** @type {Record<string, string>} */ f) => VALUES.filter((v) => (f[v.name] ?? '').trim() !== text(policy?.[v.name]));
    const whose = (/** @type {Record<string, string>} */ f) => Object.fromEntries(SCOPE.map(([name]) => [name, (policy ?? f)[name]]).filter(([, value]) => value));
    ask({
      title: 'Set the policy',
      says: html`Applies at once to work that has not started${policy ? ` on ${this.scope(policy)}` : ''}; units of rollouts whose turn it forbids get another.`,
      fields: [...scope, ...VALUES.map((v) => ({ name: v.name, label: v.label, hint: v.hint, value: text(policy?.[v.name]) }))],
      method: 'POST',
      path: '/v1/policies',
      body: (f) => ({ ...whose(f), ...Object.fromEntries(changed(f).map((v) => [v.name, v.list ? parts(f[v.name]) : f[v.name].trim()])) }),
      command: (f) => {
        const who = whose(f);
        const flags = SCOPE.filter(([name]) => who[name]).map(([name, flag]) => `${flag} ${format.shell(who[name])}`);
        const values = changed(f).flatMap((v) => (v.list ? (parts(f[v.name]).length ? parts(f[v.name]) : ['none']) : [f[v.name].trim()]).map((value) => `${v.flag} ${format.shell(value)}`));
        return ['forewarn policy set', ...flags, ...values].join(' ');
      },
      done: () => this.reload(),
    });
  }

  /** @param {any} policy */
  drop(policy) {
    const whose = Object.fromEntries(SCOPE.map(([name]) => [name, policy[name]]).filter(([, value]) => value));
    ask({
      title: 'Remove…',
      says: html`Everything that the policy of ${this.scope(policy)} sets is removed; what its tenant or the service says applies instead.`,
      method: 'DELETE',
      path: '/v1/policies' + query(whose),
      command: () => ['forewarn policy remove', ...(policy.group || policy.type ? [] : ['--all']), ...SCOPE.filter(([name]) => whose[name]).map(([name, flag]) => `${flag} ${format.shell(whose[name])}`)].join(' '),
      danger: true,
      done: () => this.reload(),
    });
  }

  /** @param {any} p */
  scope(p) {
    return `${p.group ? `group ${format.named(p.tenant, p.group)}` : `tenant ${p.tenant}`}${p.type ? `, ${p.type}` : ''}`;
  }

  /** @param {any} p */
  values(p) {
    const known = new Set([...VALUES.map((v) => v.name), ...SCOPE.map(([name]) => name)]);
    const others = Object.entries(p).filter(([name]) => !known.has(name));
    return [...VALUES.filter((v) => p[v.name] !== undefined).map((v) => html`<div><span class="quiet">${v.label.replace(/:.*/, '')}</span> ${Array.isArray(p[v.name]) ? p[v.name].join('; ') || 'none' : p[v.name]}</div>`), ...others.map(([name, value]) => html`<div><span class="quiet">${name}</span> ${String(value)}</div>`)];
  }

  render() {
    if (!this.data) return this.problem();
    const may = this.who?.role !== 'viewer';
    const add = may ? html`<button class="primary" @click=${() => this.edit()}>Set a policy…</button>` : nothing;
    if (!this.data.length) return html`${this.problem()}${this.empty('No policy is set: work starts at any time, with the notice of the service.', add)}`;
    return html`${this.problem()}<div class="bar">${add}</div>
      <div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>For</th><th>Sets</th><th><span class="hidden">Actions</span></th></tr></thead><tbody>
      ${this.data.map((/** @type {any} */ p) => html`<tr><td class="name">${this.scope(p)}</td><td class="waits">${this.values(p)}</td><td class="actions">${may ? html`<button @click=${() => this.edit(p)}>Change…</button> <button @click=${() => this.drop(p)}>Remove…</button>` : nothing}</td></tr>`)}</tbody></table></div>`;
  }
}
customElements.define('fw-policies', PoliciesPage);
