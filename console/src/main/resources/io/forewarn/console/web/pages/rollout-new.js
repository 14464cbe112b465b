// @ts-check
import { html, nothing } from 'lit';
import { Page } from '../page.js';
import { get, post } from '../api.js';
import { ask, copyText } from '../action.js';
import { BASE, filter, go, search } from '../routes.js';
import * as format from '../format.js';
import { withLinks } from '../events.js';
import { closedTimes, shades } from '../closed-times.js';
import { span, stepBars } from '../unit-bars.js';
import '../gantt.js';

const PAUSE_MILLIS = 300;
const LANES = 300;
const ROWS = 50;
const LISTED = 6;
const COMMA = /,/;
const NAMES = 'names, separated by commas; * and ? stand for any characters';

/**
 * @typedef {{name: string, label: string, flag: string, hint?: string, split?: RegExp, options?: string[][]}} Field
 * @type {{title: string, fields: Field[]}[]}
 */
const SECTIONS = [
  {
    title: 'When',
    fields: [
      { name: 'at', label: 'Not before', flag: '--at', hint: 'such as fri 22:00 Europe/Berlin; blank: as soon as notice allows' },
      { name: 'until', label: 'No start after', flag: '--until', hint: 'such as sat 06:00; blank: no limit' },
      { name: 'late', label: 'Units that cannot start by then', flag: '--late', options: [['', 'Refuse the rollout'], ['any', 'Start as soon as they can'], ['next-window', 'Start in the same hours of a later day']] },
      { name: 'notice', label: 'Notice', flag: '--notice', hint: 'such as 48h; blank: the minimum for the work' },
      { name: 'windows', label: 'Windows', flag: '--window', hint: 'such as sat,sun 01:00 4h Europe/Berlin; several with ; between', split: /;/ },
    ],
  },
  {
    title: 'How much at once',
    fields: [
      { name: 'atOnce', label: 'Units at once', flag: '--at-once', hint: '10, 5% or fault-domain; blank: as many as the groups allow' },
      { name: 'recovery', label: 'Recovery between two update domains of a group', flag: '--recovery', hint: 'blank: 30m' },
    ],
  },
  {
    title: 'Leave out',
    fields: [
      { name: 'exclude', label: 'Hosts or groups to leave out', flag: '--exclude', hint: NAMES, split: COMMA },
      { name: 'tenants', label: 'Only these tenants', flag: '--tenant', hint: 'blank: all', split: COMMA },
      { name: 'exceptTenants', label: 'Not these tenants', flag: '--except-tenant', hint: 'leaves out every host that carries one of their machines', split: COMMA },
    ],
  },
  {
    title: 'More',
    fields: [
      { name: 'duration', label: 'A machine is away for about', flag: '--duration', hint: 'such as 2m; blank: as the driver says' },
      { name: 'selfServiceUntil', label: 'Owners may redeploy their own machines until', flag: '--self-service-until', hint: 'such as fri 18:00' },
      { name: 'description', label: 'Description', flag: '--description', hint: 'machines and people read it with the events' },
    ],
  },
];
const FIELDS = SECTIONS.flatMap((s) => s.fields);

/** What would help against something that blocks units. @param {string} blocked */
function cure(blocked) {
  const other = /^rollout (\S+) is not over/.exec(blocked)?.[1];
  if (other) return html`<a href="${BASE}/rollouts/${encodeURIComponent(other)}">Open ${other}</a> <span class="quiet">Wait until it is over, abort it, or leave out what it works on.</span>`;
  const words = / is down, /.test(blocked) ? 'Repair the machine, or leave out its group.' : /must end first/.test(blocked) ? 'The rollout waits until it has ended.' : '';
  return html`<span class="quiet">${words}</span>`;
}

/** A form for a rollout with the plan beside it, which is computed anew with every change. */
class RolloutNewPage extends Page {
  static properties = { ...Page.properties, who: { attribute: false }, plan: { state: true }, planError: { state: true }, old: { state: true }, copied: { state: true } };

  constructor() {
    super();
    /** @type {any} */
    this.who = null;
    /** @type {any} */
    this.plan = null;
    /** @type {any[]} */
    this.closed = [];
    /** Titles of the sections of the form that something was typed into. @type {Set<string>} */
    this.used = new Set();
    this.planError = '';
    this.old = false;
    this.copied = false;
    this.wait = 0;
    this.round = 0;
    /** @type {import('../gantt.js').Picture | null} */
    this.drawn = null;
    /** @type {any} */
    this.drawnOf = null;
  }

  connectedCallback() {
    super.connectedCallback();
    this.replan();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.wait);
  }

  refiltered() {
    this.edited();
  }

  async load() {
    const { groups } = await get('/v1/groups?limit=500');
    return { groups };
  }

  /** A plan depends on the fleet, on policies and on other rollouts. @param {any} entry */
  happened(entry) {
    super.happened(entry);
    if (!entry || /^(fleet|policy|rollout|clock)/.test(entry.kind)) this.edited();
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
      if (value) request[f.name] = f.split ? value.split(f.split).map((w) => w.trim()).filter(Boolean) : value;
    }
    for (const flag of ['evacuate', 'rehearsal']) if (v.get(flag)) request[flag] = true;
    return request;
  }

  command() {
    const r = this.request();
    const target = r.hosts ? `--hosts ${format.shell(r.hosts.join(','))}` : r.tag ? `--tag ${format.shell(r.tag)}` : r.groups ? `--groups ${format.shell(r.groups.join(','))}` : '--groups …';
    const values = (/** @type {Field} */ f) => (f.split === COMMA ? [r[f.name].join(',')] : [].concat(r[f.name]));
    const more = FIELDS.filter((f) => r[f.name]).map((f) => values(f).map((/** @type {string} */ value) => `${f.flag} ${format.shell(value)}`).join(' '));
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
      const closed = plan.steps.length ? await closedTimes(Date.parse(plan.steps[0].scheduledAt) - 86_400_000, Date.parse(plan.endsAt) + 86_400_000) : [];
      if (round !== this.round) return;
      this.closed = closed;
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
      says: html`${format.capital(request.type)} of ${format.count(plan.machines, 'machine')} in ${format.count(plan.units, 'unit')}, ${request.rehearsal ? 'as a rehearsal, ' : ''}the first at ${format.when(Date.parse(plan.steps[0]?.startsAt ?? plan.endsAt), this.now)}, the last done by ${format.when(Date.parse(plan.endsAt), this.now)}. Owners are told at once, machines from ${format.when(Date.parse(plan.steps[0]?.scheduledAt ?? plan.endsAt), this.now)} on.${plan.blocked?.length ? ` ${format.count(plan.blocked.length, 'problem')} would keep units from being done.` : ''}`,
      method: 'POST',
      path: '/v1/rollouts',
      body: () => request,
      command: () => this.command(),
      done: (rollout) => go(`/rollouts/${encodeURIComponent(rollout.name)}`),
    });
  }

  /** A lane for each unit, drawn anew only for a new plan. */
  picture() {
    if (this.drawnOf === this.plan && this.drawn) return this.drawn;
    const lanes = [...new Set(this.plan.steps.map((/** @type {any} */ s) => s.unit))].slice(0, LANES);
    const number = new Map(lanes.map((name, i) => [name, i]));
    const steps = this.plan.steps.filter((/** @type {any} */ s) => number.has(s.unit));
    const bars = steps.flatMap((/** @type {any} */ s) => stepBars(s, number.get(s.unit) ?? 0, this.now));
    /** @type {string[][]} */
    const groups = lanes.map(() => []);
    for (const s of steps) groups[number.get(s.unit) ?? 0].push(...s.groups);
    this.drawnOf = this.plan;
    this.drawn = { lanes, bars: [...shades(this.closed, groups, this.request().type, this.now), ...bars].sort((a, b) => a.from - b.from), ...span(bars, []) };
    return this.drawn;
  }

  /** @param {Field} f */
  field(f) {
    const value = search().get(f.name) ?? '';
    const changed = (/** @type {any} */ e) => filter({ [f.name]: e.target.value });
    return html`<label class="field"><span>${f.label}</span>${f.options
      ? html`<select name=${f.name} @change=${changed}>${f.options.map(([word, label]) => html`<option value=${word} ?selected=${word === value}>${label}</option>`)}</select>`
      : html`<input name=${f.name} autocomplete="off" .value=${value} @input=${changed}>`}${f.hint ? html`<small>${f.hint}</small>` : nothing}</label>`;
  }

  /** @param {string} name @param {string} label */
  box(name, label) {
    return html`<label class="check"><input type="checkbox" name=${name} .checked=${!!search().get(name)} @change=${(/** @type {any} */ e) => filter({ [name]: e.target.checked ? '1' : null })}>${label}</label>`;
  }

  form() {
    const kind = search().get('target') ?? 'groups';
    const option = (/** @type {string} */ value, /** @type {string} */ label, /** @type {string} */ chosen) => html`<option value=${value} ?selected=${value === chosen}>${label}</option>`;
    for (const s of SECTIONS) if (s.fields.some((f) => search().get(f.name))) this.used.add(s.title);
    return html`<form @submit=${(/** @type {Event} */ e) => e.preventDefault()}>
      ${this.field({ name: 'name', label: 'Name', flag: '' })}
      <label class="field"><span>Work</span><select name="type" @change=${(/** @type {any} */ e) => filter({ type: e.target.value })}>${['reboot', 'redeploy', 'freeze'].map((t) => option(t, format.capital(t), search().get('type') ?? 'reboot'))}</select></label>
      <label class="field"><span>Target</span><select name="target" @change=${(/** @type {any} */ e) => filter({ target: e.target.value, names: null })}>${option('groups', 'Groups, an update domain at a time', kind)}${option('hosts', 'Whole hosts', kind)}${option('tag', 'Machines with a tag', kind)}</select></label>
      <label class="field"><span>${format.capital(kind)}</span><input name="names" list="known" autocomplete="off" .value=${search().get('names') ?? ''} @input=${(/** @type {any} */ e) => filter({ names: e.target.value })}><small>${kind === 'tag' ? 'such as env=prod' : NAMES}</small></label>
      <datalist id="known">${kind === 'groups' ? (this.data?.groups ?? []).map((/** @type {any} */ g) => html`<option value=${format.named(g.tenant, g.name)}></option>`) : nothing}</datalist>
      ${SECTIONS.map((s, i) => html`<details class="section" ?open=${i === 0 || this.used.has(s.title)}><summary>${s.title}</summary>${s.fields.map((f) => this.field(f))}
        ${s.title === 'More' ? html`${this.box('evacuate', 'Evacuate hosts that carry two update domains of a group')} ${this.box('rehearsal', 'Rehearsal: nothing is done to the machines')}` : nothing}</details>`)}
    </form>`;
  }

  render() {
    return html`${this.problem()}<div class="split">${this.form()}<section aria-label="Plan">${this.result()}</section></div>`;
  }

  /** What is in the way, and what would help. @param {any} p */
  conflicts(p) {
    const rest = (/** @type {number} */ n) => (n > LISTED ? html`<li class="quiet">and ${n - LISTED} more</li>` : nothing);
    const blocked = p.blocked ?? [];
    const late = p.late ?? [];
    /** @type {Map<string, any[]>} */
    const reasons = new Map();
    for (const step of late) reasons.set(step.reason ?? '', [...(reasons.get(step.reason ?? '') ?? []), step]);
    const lastLate = late.map((/** @type {any} */ s) => s.startsAt).sort().at(-1);
    if (!blocked.length && !late.length) return nothing;
    return html`<ul class="attention">${blocked.slice(0, LISTED).map((/** @type {string} */ b) => html`<li>${this.state('blocked')} <span>${withLinks(b, this.now)}</span> ${cure(b)}</li>`)}${rest(blocked.length)}
      ${[...reasons].slice(0, LISTED).map(([reason, steps]) => html`<li>${this.state('late')} <b>${steps.slice(0, LISTED).map((s) => s.unit).join(', ')}${steps.length > LISTED ? ` +${steps.length - LISTED}` : ''}</b> <span>cannot start before ${this.time(steps[0].startsAt)}${reason ? html`: ${withLinks(reason, this.now)}` : nothing}</span></li>`)}${rest(reasons.size)}
      ${late.length ? html`<li><span>A start would be refused. What would help:</span> <button @click=${() => filter({ until: lastLate })}>No start after ${format.when(Date.parse(lastLate), this.now)}</button> <button @click=${() => filter({ late: 'any' })}>Late units as soon as they can</button> <button @click=${() => filter({ late: 'next-window' })}>Late units in the same hours of a later day</button></li>` : nothing}</ul>`;
  }

  /** @param {any} p */
  numbers(p) {
    const longest = p.steps.reduce((/** @type {number} */ most, /** @type {any} */ s) => Math.max(most, Date.parse(s.startsAt) - this.now), 0);
    /** @type {Map<string, number>} */
    const hits = new Map();
    for (const s of p.steps) for (const name of s.machineNames ?? []) hits.set(name, (hits.get(name) ?? 0) + 1);
    const twice = [...hits.values()].filter((n) => n > 1).length;
    const all = [['machines', format.number(p.machines)], ['units', format.number(p.units)], ['groups', format.number(p.groups)], ['first start', p.steps[0] ? format.when(Date.parse(p.steps[0].startsAt), this.now) : '–'], ['end', format.when(Date.parse(p.endsAt), this.now)], ['longest wait', format.countdown(longest)], ...(twice ? [['hit twice', format.number(twice)]] : [])];
    return html`<ul class="numbers">${all.map(([label, value]) => html`<li><b>${value}</b><span>${label}</span></li>`)}</ul>`;
  }

  /** Why it cannot be started, if it cannot. */
  missing() {
    if (this.planError) return 'The plan has an error';
    if (this.plan.late?.length) return 'Some units cannot start in time';
    return search().get('name') ? '' : 'Give it a name first';
  }

  result() {
    const p = this.plan;
    const line = html`<div class="command"><code>${this.command()}</code><button @click=${async () => (this.copied = await copyText(this.command()))}>${this.copied ? 'Copied' : 'Copy'}</button></div>`;
    const wrong = this.planError ? html`<p class="problem" role="alert">${this.planError}</p>` : nothing;
    if (!p) return html`${wrong}${this.planError ? nothing : this.empty('Name groups, hosts or a tag; the plan appears here and changes as you type.')}${line}`;
    const missing = this.missing();
    return html`${wrong}<div class=${this.old || this.planError ? 'stale' : ''}>
      ${this.numbers(p)} ${this.conflicts(p)}
      ${(p.warnings ?? []).map((/** @type {string} */ w) => html`<p class="warn">⚠ ${w}</p>`)}
      ${p.excludedCount ? html`<p class="quiet">${format.count(p.excludedCount, 'target')} left out: ${(p.excluded ?? []).slice(0, 5).map((/** @type {any} */ x) => `${x.name} (${x.reason})`).join(', ')}${p.excludedCount > 5 ? ' and more' : ''}</p>` : nothing}
      ${p.steps.length ? html`<fw-gantt .picture=${this.picture()} .now=${this.now} label="The plan over time; the table below has the same. Plus and minus zoom, arrows move."></fw-gantt>
      <ul class="legend"><li><i class="bar-key notice"></i>notice</li><li><i class="bar-key planned-work"></i>work</li><li><i class="bar-key recovery"></i>recovery</li>${this.picture().bars.some((b) => b.kind === 'shade') ? html`<li><i class="bar-key shade"></i>blackout, or no window open</li>` : nothing}</ul>` : nothing}</div>
      ${line}
      ${this.who?.role === 'operator' ? html`<p><button class="primary" ?disabled=${!!missing} @click=${this.start}>Start the rollout…</button> <span class="quiet">${missing}</span></p>` : nothing}
      <div class="scroll" tabindex="0"><table class="rows"><thead><tr><th>Unit</th><th class="num">Machines</th><th>Shown from</th><th>Starts at the latest</th><th>Done</th><th>Determined by</th></tr></thead><tbody>
        ${p.steps.slice(0, ROWS).map((/** @type {any} */ s) => html`<tr><td class="name">${s.unit}${s.evacuation ? html` <span class="tag">evacuation</span>` : nothing}</td><td class="num" data-label="Machines" title=${s.machineNames?.join(', ')}>${s.machines}</td><td data-label="Shown from">${this.time(s.scheduledAt)}</td><td data-label="Starts">${this.time(s.startsAt)}</td><td data-label="Done">${this.time(s.endsAt)}</td><td class="waits quiet">${s.reason ? withLinks(s.reason, this.now) : 'the start of the rollout'}</td></tr>`)}
      </tbody></table></div>${p.stepCount > ROWS ? html`<p class="quiet">The first ${ROWS} of ${format.number(p.stepCount)} steps.</p>` : nothing}`;
  }
}
customElements.define('fw-rollout-new', RolloutNewPage);
