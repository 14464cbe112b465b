// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get, post } from '../api.js';
import { ask, copyText } from '../action.js';
import { BASE, filter, go, search } from '../routes.js';
import * as format from '../format.js';
import { Chart, gantt } from '../chart.js';
import { withLinks } from '../events.js';

const PAUSE_MILLIS = 300;
const LANES = 200;

/** @type {{name: string, label: string, flag: string, hint?: string, list?: boolean}[]} */
const FIELDS = [
  { name: 'at', label: 'Not before', flag: '--at', hint: 'such as fri 22:00 Europe/Berlin; blank: as soon as notice allows' },
  { name: 'until', label: 'No start after', flag: '--until', hint: 'such as sat 06:00; blank: no limit' },
  { name: 'late', label: 'What cannot start by then', flag: '--late', hint: 'refuse, next-window or any' },
  { name: 'notice', label: 'Notice', flag: '--notice', hint: 'such as 30m; blank: the minimum for the type' },
  { name: 'recovery', label: 'Recovery between two update domains of a group', flag: '--recovery', hint: 'blank: 30m' },
  { name: 'atOnce', label: 'At once', flag: '--at-once', hint: '10, 5% or fault-domain; blank: as many as the groups allow' },
  { name: 'exclude', label: 'Leave out', flag: '--exclude', hint: 'names, separated by commas; * and ? stand for any characters', list: true },
  { name: 'windows', label: 'Window', flag: '--window', hint: "such as 'sat,sun 01:00 4h Europe/Berlin'", list: true },
  { name: 'duration', label: 'A machine is away for about', flag: '--duration', hint: 'such as 2m; blank: as the driver says' },
  { name: 'description', label: 'Reason', flag: '--description', hint: 'machines and people read it with the events' },
];

/** A form for a rollout with the plan beside it, which is computed anew with every change. */
class RolloutNewPage extends Page {
  static properties = { ...Page.properties, who: { attribute: false }, plan: { state: true }, planError: { state: true }, old: { state: true }, copied: { state: true } };

  constructor() {
    super();
    /** @type {any} */
    this.who = null;
    /** @type {any} */
    this.plan = null;
    this.planError = '';
    this.old = false;
    this.copied = false;
    this.wait = 0;
    this.round = 0;
    /** @type {Chart | null} */
    this.chart = null;
  }

  connectedCallback() {
    super.connectedCallback();
    this.replan();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.wait);
    this.chart?.stop();
    this.chart = null;
  }

  refiltered() {
    this.edited();
  }

  async load() {
    const { groups } = await get('/v1/groups?limit=500');
    return { groups };
  }

  /** @param {any} entry */
  concerns(entry) {
    return !entry || entry.kind === 'fleet-changed';
  }

  edited() {
    this.requestUpdate();
    this.old = true;
    clearTimeout(this.wait);
    this.wait = window.setTimeout(() => this.replan(), PAUSE_MILLIS);
  }

  /** What is in the form, which is what is in the address. */
  request() {
    const v = search();
    const kind = v.get('target') ?? 'groups';
    const names = (v.get('names') ?? '').split(',').map((n) => n.trim()).filter(Boolean);
    /** @type {Record<string, any>} */
    const request = { name: v.get('name') || undefined, type: v.get('type') ?? 'reboot' };
    if (names.length) request[kind] = kind === 'tag' ? names.join(',') : names;
    for (const f of FIELDS) {
      const value = v.get(f.name);
      if (value) request[f.name] = f.list ? value.split(f.name === 'exclude' ? ',' : ';').map((w) => w.trim()).filter(Boolean) : value;
    }
    for (const flag of ['evacuate', 'rehearsal']) if (v.get(flag)) request[flag] = true;
    return request;
  }

  command() {
    const r = this.request();
    const target = r.hosts ? `--hosts ${format.shell(r.hosts.join(','))}` : r.tag ? `--tag ${format.shell(r.tag)}` : r.groups ? `--groups ${format.shell(r.groups.join(','))}` : '--groups …';
    const more = FIELDS.filter((f) => r[f.name]).map((f) => [].concat(r[f.name]).map((value) => `${f.flag} ${format.shell(value)}`).join(' '));
    return ['forewarn rollout start', format.shell(r.name ?? 'NAME'), `--type ${r.type}`, target, ...more, r.evacuate ? '--evacuate' : '', r.rehearsal ? '--rehearsal' : ''].filter(Boolean).join(' ');
  }

  async replan() {
    const request = this.request();
    const round = ++this.round;
    if (!request.hosts && !request.groups && !request.tag) {
      this.plan = null;
      this.planError = '';
      this.old = false;
      return;
    }
    try {
      const plan = await post('/v1/rollouts/plan?limit=1000', request);
      if (round !== this.round) return;
      this.plan = plan;
      this.planError = '';
    } catch (failure) {
      if (round !== this.round) return;
      this.planError = /** @type {Error} */ (failure).message;
    }
    this.old = false;
  }

  start() {
    const request = this.request();
    const plan = this.plan;
    ask({
      title: 'Start the rollout',
      says: html`${format.capital(request.type)} of ${format.count(plan.machines, 'machine')} in ${format.count(plan.units, 'unit')}, ${request.rehearsal ? 'as a rehearsal, ' : ''}the first at ${format.when(Date.parse(plan.steps[0]?.startsAt ?? plan.endsAt), this.now)}, the last done by ${format.when(Date.parse(plan.endsAt), this.now)}.${plan.blocked?.length ? ` ${format.count(plan.blocked.length, 'problem')} would keep units from being done.` : ''}`,
      method: 'POST',
      path: '/v1/rollouts',
      body: () => request,
      command: () => this.command(),
      done: (rollout) => go(`/rollouts/${encodeURIComponent(rollout.name)}`),
    });
  }

  updated() {
    const place = /** @type {HTMLElement | null} */ (this.querySelector('.chart'));
    if (place && this.chart?.place !== place) {
      this.chart?.stop();
      this.chart = new Chart(place, () => this.picture());
    } else if (place && this.plan !== this.drawn) {
      this.chart?.update(true);
    }
    this.drawn = this.plan;
  }

  picture() {
    const steps = this.plan.steps.slice(0, LANES);
    const recovery = format.millisOf(this.request().recovery ?? '30m');
    const bars = steps.flatMap((/** @type {any} */ s, /** @type {number} */ lane) => {
      const at = [Date.parse(s.scheduledAt), Date.parse(s.startsAt), Date.parse(s.endsAt)];
      const text = `${s.unit}\n${format.count(s.machines, 'machine')}\nnotice from ${format.when(at[0], this.now)}\nstarts at the latest ${format.when(at[1], this.now)}\ndone ${format.when(at[2], this.now)}`;
      return [
        { lane, from: at[0], to: at[1], tone: 'blue', faint: true, label: text },
        { lane, from: at[1], to: at[2], tone: s.evacuation ? 'violet' : 'amber', label: text },
        { lane, from: at[2], to: at[2] + recovery, tone: 'quiet', faint: true, label: `${text}\nthen recovery` },
      ];
    });
    return gantt({ lanes: steps.map((/** @type {any} */ s) => s.unit), bars, now: this.now, from: Math.min(...bars.map((/** @type {any} */ b) => b.from)), to: Date.parse(this.plan.endsAt) });
  }

  /** @param {string} name @param {string} label @param {string} [hint] */
  field(name, label, hint) {
    return html`<label class="field"><span>${label}</span><input name=${name} autocomplete="off" .value=${search().get(name) ?? ''} @input=${(/** @type {any} */ e) => filter({ [name]: e.target.value })}>${hint ? html`<small>${hint}</small>` : nothing}</label>`;
  }

  /** @param {string} name @param {string} label */
  box(name, label) {
    return html`<label class="check"><input type="checkbox" name=${name} .checked=${!!search().get(name)} @change=${(/** @type {any} */ e) => filter({ [name]: e.target.checked ? '1' : null })}>${label}</label>`;
  }

  form() {
    const kind = search().get('target') ?? 'groups';
    const hints = /** @type {Record<string, string>} */ ({ groups: 'names, separated by commas; * for any characters', hosts: 'names, separated by commas; * for any characters', tag: 'such as env=prod' });
    const option = (/** @type {string} */ value, /** @type {string} */ label, /** @type {string} */ chosen) => html`<option value=${value} ?selected=${value === chosen}>${label}</option>`;
    return html`<form @submit=${(/** @type {Event} */ e) => e.preventDefault()}>
      ${this.field('name', 'Name')}
      <label class="field"><span>Work</span><select name="type" @change=${(/** @type {any} */ e) => filter({ type: e.target.value })}>${['reboot', 'redeploy', 'freeze'].map((t) => option(t, format.capital(t), search().get('type') ?? 'reboot'))}</select></label>
      <label class="field"><span>Target</span><select name="target" @change=${(/** @type {any} */ e) => filter({ target: e.target.value, names: null })}>${option('groups', 'Groups, an update domain at a time', kind)}${option('hosts', 'Whole hosts', kind)}${option('tag', 'Machines with a tag', kind)}</select></label>
      <label class="field"><span>${format.capital(kind)}</span><input name="names" list="known" autocomplete="off" .value=${search().get('names') ?? ''} @input=${(/** @type {any} */ e) => filter({ names: e.target.value })}><small>${hints[kind]}</small></label>
      <datalist id="known">${kind === 'groups' ? (this.data?.groups ?? []).map((/** @type {any} */ g) => html`<option value=${format.named(g.tenant, g.name)}></option>`) : nothing}</datalist>
      ${FIELDS.map((f) => this.field(f.name, f.label, f.hint))}
      ${this.box('evacuate', 'Evacuate hosts that carry two update domains of a group')} ${this.box('rehearsal', 'Rehearsal: nothing is done to the machines')}
    </form>`;
  }

  render() {
    return html`${this.problem()}<div class="split">${this.form()}<section aria-label="Plan">${this.result()}</section></div>`;
  }

  result() {
    const p = this.plan;
    const line = html`<div class="command"><code>${this.command()}</code><button @click=${async () => (this.copied = await copyText(this.command()))}>${this.copied ? 'Copied' : 'Copy'}</button></div>`;
    const wrong = this.planError ? html`<p class="problem" role="alert">${this.planError}</p>` : nothing;
    if (!p) return html`${wrong}${this.planError ? nothing : this.empty('Name groups, hosts or a tag; the plan appears here and changes as you type.')}${line}`;
    const longest = p.steps.reduce((/** @type {number} */ most, /** @type {any} */ s) => Math.max(most, Date.parse(s.startsAt) - this.now), 0);
    const numbers = [['machines', format.number(p.machines)], ['units', format.number(p.units)], ['groups', format.number(p.groups)], ['first start', p.steps[0] ? format.when(Date.parse(p.steps[0].startsAt), this.now) : '–'], ['end', format.when(Date.parse(p.endsAt), this.now)], ['longest wait', format.countdown(longest)]];
    return html`${wrong}<div class=${this.old || this.planError ? 'stale' : ''}>
      <ul class="numbers">${numbers.map(([label, value]) => html`<li><b>${value}</b><span>${label}</span></li>`)}</ul>
      ${p.blocked?.length ? html`<ul class="attention">${p.blocked.slice(0, 6).map((/** @type {string} */ b) => html`<li>${this.state('blocked')} <span>${withLinks(b, this.now)}</span></li>`)}${p.blocked.length > 6 ? html`<li class="quiet">and ${p.blocked.length - 6} more</li>` : nothing}</ul>` : nothing}
      ${[...(p.warnings ?? []), ...(p.late ?? []).map((/** @type {any} */ l) => `${l.unit} cannot start by then`)].slice(0, 6).map((/** @type {string} */ w) => html`<p class="warn">${w}</p>`)}
      ${p.excludedCount ? html`<p class="quiet">${format.count(p.excludedCount, 'target')} left out: ${(p.excluded ?? []).slice(0, 5).map((/** @type {any} */ x) => `${x.name} (${x.reason})`).join(', ')}</p>` : nothing}
      <div class="chart" role="img" aria-label="The plan over time; the table below has the same"></div>
      <p class="quiet">Light: notice. Solid: work. Grey: recovery.</p></div>
      ${line}
      ${this.who?.role === 'operator' ? html`<p><button class="primary" ?disabled=${!!this.planError || !search().get('name')} title=${search().get('name') ? '' : 'Give it a name first'} @click=${this.start}>Start the rollout…</button></p>` : nothing}
      <div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Unit</th><th class="num">Machines</th><th>Scheduled</th><th>Starts at the latest</th><th>Done</th><th>Determined by</th></tr></thead><tbody>
        ${p.steps.slice(0, 50).map((/** @type {any} */ s) => html`<tr><td class="name">${s.unit}${s.evacuation ? html` <span class="tag">evacuation</span>` : nothing}</td><td class="num" data-label="Machines" title=${s.machineNames?.join(', ')}>${s.machines}</td><td>${this.time(s.scheduledAt)}</td><td>${this.time(s.startsAt)}</td><td>${this.time(s.endsAt)}</td><td class="quiet">${s.reason ?? ''}</td></tr>`)}
      </tbody></table></div>${p.stepCount > 50 ? html`<p class="quiet">The first 50 of ${format.number(p.stepCount)} steps.</p>` : nothing}`;
  }
}
customElements.define('fw-rollout-new', RolloutNewPage);
