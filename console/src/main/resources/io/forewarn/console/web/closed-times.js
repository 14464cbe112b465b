// @ts-check
import { get, query } from './api.js';
import * as format from './format.js';

/** When policies let no platform work start, and for which lanes of a picture. */

const LONGEST = 390 * 86_400_000;

/** @param {number} from @param {number} to @returns {Promise<any[]>} */
export async function closedTimes(from, to) {
  if (!(to > from)) return [];
  const until = Math.min(to, from + LONGEST);
  const { closedTimes: all } = await get('/v1/policies/closed-times' + query({ from: new Date(from).toISOString(), until: new Date(until).toISOString() }));
  return all;
}

/**
 * What holds for a group: of the policies that say something of it, the most specific.
 *
 * @param {any[]} all @param {string} group tenant/name @param {string} type
 * @returns {{from: number, to: number, label: string}[]}
 */
export function closedFor(all, group, type) {
  const [tenant, name] = group.split('/');
  const rank = (/** @type {any} */ p) => (p.group ? 2 : 0) + (p.type ? 1 : 0);
  const speaking = all.filter((p) => p.tenant === tenant && (!p.group || p.group === name) && (!p.type || p.type === type)).sort((a, b) => rank(b) - rank(a));
  const spans = (/** @type {string} */ field, /** @type {string} */ words) => {
    const policy = speaking.find((p) => p[field]);
    const whose = policy?.group ? `group ${format.named(tenant, policy.group)}` : `tenant ${tenant}`;
    return (policy?.[field] ?? []).map((/** @type {any} */ s) => ({ from: Date.parse(s.from), to: Date.parse(s.until), label: `${words}, by the policy of ${whose}` }));
  };
  return [...spans('blackouts', 'Blackout'), ...spans('outsideWindows', 'Outside the maintenance windows')];
}

/**
 * Shades behind lanes.
 *
 * @param {any[]} all @param {(string[] | undefined)[]} groups of each lane @param {string} type @param {number} now
 * @returns {import('./gantt.js').Bar[]}
 */
export function shades(all, groups, type, now) {
  if (!all.length) return [];
  /** @type {Map<string, ReturnType<typeof closedFor>>} */
  const known = new Map();
  return groups.flatMap((names, lane) => {
    /** @type {Set<string>} */
    const drawn = new Set();
    return (names ?? []).flatMap((group) => {
      if (!known.has(group)) known.set(group, closedFor(all, group, type));
      return (known.get(group) ?? [])
        .filter((s) => !drawn.has(`${s.from} ${s.to}`) && drawn.add(`${s.from} ${s.to}`))
        .map((s) => ({ lane, from: s.from, to: s.to, kind: /** @type {const} */ ('shade'), tone: 'violet', label: `${s.label}\n${format.when(s.from, now)} to ${format.when(s.to, now)}` }));
    });
  });
}
