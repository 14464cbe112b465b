// @ts-check
import { html, nothing } from 'lit';
import * as format from './format.js';
import { ask } from './action.js';
import { BASE, machineAt } from './routes.js';
import { part } from './api.js';

/** What pages say about events, and the actions on them. */

/** @param {any} event */
export const stateName = (event) => (event.status === 'scheduled' && event.approvedBy ? 'approved' : event.status);

/** @param {any} event */
export function whom(event) {
  const first = event.machines?.[0];
  const more = (event.machines?.length ?? 0) - 1;
  const domain = event.updateDomain === undefined ? '' : ` UD${event.updateDomain}`;
  return html`<span class="quiet">${format.named(event.tenant, event.group)}${domain} ·</span> ${first ? html`<a href=${machineAt(event.tenant, first)}>${first}</a>` : nothing}${more > 0 ? html` <span title=${event.machines.join(', ')}>+${more}</span>` : nothing}`;
}

/** How many of its machines have received it. @param {any} event */
export const seenBy = (event) => Object.keys(event.seenAt ?? {}).length;

/** @param {any} event */
export function approval(event) {
  const ready = Object.keys(event.readyAt ?? {}).length;
  if (event.approvedBy) return html`<span title=${format.exact(event.approvedAt)}>${event.approvedBy.name || event.approvedBy.kind}</span>`;
  return ready ? `${ready} of ${event.machines.length}` : html`<span class="quiet">–</span>`;
}

/** Why it has not started, and how long that lasts. @param {any} event @param {number} now */
export function waitsFor(event, now) {
  if (event.status === 'started') {
    const end = event.duration ? Date.parse(event.startedAt) + format.millisOf(event.duration) : 0;
    return end > now ? html`done in about <span class="fixed">${format.countdown(end - now)}</span>` : event.duration ? 'should be done by now' : 'the driver to finish';
  }
  const blockers = event.blockers ?? [];
  if (!blockers.length) return event.approvedBy ? 'starts now' : 'starts as soon as it is due';
  return blockers.map((/** @type {any} */ h, /** @type {number} */ i) => html`${i ? ', ' : ''}${withLinks(h.reason, now)}${h.until ? html` <span class="quiet fixed" title=${format.exact(h.until)}>(${format.countdown(Date.parse(h.until) - now)})</span>` : nothing}`);
}

const ID_OR_TIME = /([0-9A-F]{8})(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Ids of events, shortened, as links, and times in the reader's zone. @param {string} text @param {number} now */
export function withLinks(text, now) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(ID_OR_TIME)) {
    const [whole, id] = found;
    parts.push(text.slice(end, found.index), id ? html`<a href="${BASE}/events/${whole}" title=${whole}>${id}…</a>` : html`<time datetime=${whole} title=${format.exact(whole)}>${format.when(Date.parse(whole), now)}</time>`);
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}

/** When it starts, as the first column of a list. @param {any} event @param {number} now */
export function startsIn(event, now) {
  if (event.status === 'started') return 'running';
  if (!event.notBefore) return 'not yet';
  const left = Date.parse(event.notBefore) - now;
  return left > 0 ? html`in <span class="fixed">${format.countdown(left)}</span>` : 'due';
}

/** @param {any} event */
const machinesOf = (event) => `${format.count(event.machines.length, 'machine')} of ${format.named(event.tenant, event.group)}${event.updateDomain === undefined ? '' : `, update domain ${event.updateDomain},`}`;

/** @param {any} event */
const effect = (event) => {
  const one = event.machines.length === 1;
  const away = event.duration ? ` for about ${event.duration}` : '';
  if (event.rehearsal) return `This is a rehearsal: nothing is done to ${one ? 'it' : 'them'}.`;
  return event.type === 'freeze' ? `${one ? 'It pauses' : 'They pause'}${away}.` : event.type === 'reboot' ? `${one ? 'It goes' : 'They go'} down${away}.` : `${format.capital(event.type)} takes ${one ? 'it' : 'them'} down${away}.`;
};

/** Whether this person may change the event. @param {any} event @param {any} who */
export const mayChange = (event, who) => who?.role !== 'viewer' && event.status !== 'started' && event.status !== 'ended';

/** @param {any} event @param {number} now @param {() => void} done */
export function approve(event, now, done) {
  const others = (event.blockers ?? []).filter((/** @type {any} */ h) => !/approv|notice/i.test(h.reason));
  const instead = event.notBefore ? ` instead of ${format.when(Date.parse(event.notBefore), now)}` : '';
  ask({
    title: 'Approve',
    says: html`${others.length ? html`Starts without waiting for the rest of its notice, but not before this is over: ${others.map((/** @type {any} */ h) => h.reason).join(', ')}.` : html`Starts now${instead}.`}
      ${machinesOf(event)} ${event.machines.length === 1 ? 'is' : 'are'} affected. ${effect(event)} ${seenBy(event)} of ${event.machines.length} ${seenBy(event) === 1 && event.machines.length === 1 ? 'has' : 'have'} seen it.`,
    method: 'POST',
    path: `/v1/events/${part(event.id)}/approve`,
    command: () => `forewarn event approve ${event.id}`,
    reason: true,
    done,
  });
}

/** @param {any} event @param {number} now @param {() => void} done */
export function postpone(event, now, done) {
  ask({
    title: 'Postpone…',
    says: html`Starts later than ${format.when(Date.parse(event.notBefore), now)}, as far as the policy of its group allows. Machines see the new time at their next poll.`,
    fields: [{ name: 'by', label: 'By', value: '1h', hint: 'a duration, such as 30m or 2h' }],
    method: 'POST',
    path: `/v1/events/${part(event.id)}/postpone`,
    body: (f) => ({ by: f.by }),
    command: (f) => `forewarn event postpone ${event.id} --by ${format.shell(f.by)}`,
    reason: true,
    done,
  });
}

/** @param {any} event @param {() => void} done */
export function cancel(event, done) {
  ask({
    title: 'Cancel…',
    says: html`The ${event.type} of ${event.machines.join(', ')} does not happen, and the event disappears from what machines read.${event.rollout ? ` The rollout ${event.rollout} counts this unit as skipped.` : ''}`,
    method: 'POST',
    path: `/v1/events/${part(event.id)}/cancel`,
    command: () => `forewarn event cancel ${event.id}`,
    reason: true,
    danger: true,
    done,
  });
}

/** What a history entry says about itself, and the reason that somebody gave. @param {any} entry @param {number} now */
export function detail(entry, now) {
  return html`${entry.detail ? withLinks(entry.detail, now) : nothing}${entry.reason ? html`${entry.detail ? ' ' : ''}<q>${entry.reason}</q>` : nothing}`;
}

/** Who did what an entry tells, and from where. @param {any} by */
export const actor = (by) => (by?.name ? html`${by.kind} ${by.name}${by.address ? html` <span class="quiet">from ${by.address}</span>` : nothing}` : by ? by.kind : nothing);

/** @param {any} event */
export const eventAt = (event) => `${BASE}/events/${part(event.id)}`;
