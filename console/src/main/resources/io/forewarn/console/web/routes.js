// @ts-check
/**
 * @typedef {object} Place
 * @property {string} path the pattern of its address below /console
 * @property {string} tag its element
 * @property {() => Promise<any>} module
 * @property {string} title
 * @property {string} [menu] its name in the menu, if it has one
 * @property {string} [key] the key that goes there after g
 * @property {boolean} [all] only for those who see all tenants
 * @property {boolean} [second] in the second part of the menu
 * @property {boolean} [own] not for viewers
 */

/** Every page of the console. A page that is not here does not exist. @type {Place[]} */
export const PLACES = [
  { path: '/', tag: 'fw-now', module: () => import('./pages/now.js'), title: 'Now', menu: 'Now', key: 'n' },
  { path: '/events/:id', tag: 'fw-event', module: () => import('./pages/event.js'), title: 'Event' },
  { path: '/rollouts', tag: 'fw-rollouts', module: () => import('./pages/rollouts.js'), title: 'Rollouts', menu: 'Rollouts', key: 'r' },
  { path: '/rollouts/new', tag: 'fw-rollout-new', module: () => import('./pages/rollout-new.js'), title: 'Plan a rollout' },
  { path: '/rollouts/:name', tag: 'fw-rollout', module: () => import('./pages/rollout.js'), title: 'Rollout' },
  { path: '/fleet', tag: 'fw-fleet', module: () => import('./pages/fleet.js'), title: 'Fleet', menu: 'Fleet', key: 'f' },
  { path: '/machines/:tenant/:name', tag: 'fw-machine', module: () => import('./pages/machine.js'), title: 'Machine' },
  { path: '/silent', tag: 'fw-silent', module: () => import('./pages/silent.js'), title: 'Silent machines', menu: 'Silent', key: 's' },
  { path: '/timeline', tag: 'fw-timeline', module: () => import('./pages/timeline.js'), title: 'Timeline', menu: 'Timeline', key: 't' },
  { path: '/reports', tag: 'fw-reports', module: () => import('./pages/reports.js'), title: 'Notice report', menu: 'Reports', key: 'p' },
  { path: '/history', tag: 'fw-history', module: () => import('./pages/history.js'), title: 'History', menu: 'History', key: 'h' },
  { path: '/audit', tag: 'fw-audit', module: () => import('./pages/audit.js'), title: 'Audit', menu: 'Audit', key: 'a', all: true },
  { path: '/policies', tag: 'fw-policies', module: () => import('./pages/policies.js'), title: 'Policies', menu: 'Policies', key: 'y', second: true },
  { path: '/notifications', tag: 'fw-notifications', module: () => import('./pages/notifications.js'), title: 'Notifications', menu: 'Notifications', key: 'o', second: true, own: true },
  { path: '/cluster', tag: 'fw-cluster', module: () => import('./pages/cluster.js'), title: 'Cluster', menu: 'Cluster', key: 'c', second: true, all: true },
  { path: '/settings', tag: 'fw-settings', module: () => import('./pages/settings.js'), title: 'Settings', menu: 'Settings', key: 'e', second: true, all: true },
];

export const BASE = '/console';

/** @param {string} path below /console @returns {{place: Place, params: Record<string, string>} | null} */
export function find(path) {
  const given = path.replace(/\/+$/, '').split('/');
  for (const place of PLACES) {
    const wanted = place.path.replace(/\/+$/, '').split('/');
    if (wanted.length !== given.length) continue;
    /** @type {Record<string, string>} */
    const params = {};
    const fits = wanted.every((segment, i) => {
      if (!segment.startsWith(':')) return segment === given[i];
      params[segment.slice(1)] = decodeURIComponent(given[i]);
      return given[i] !== '';
    });
    if (fits) return { place, params };
  }
  return null;
}

/** Goes to a page without loading it anew. @param {string} path below /console @param {{replace?: boolean}} [options] */
export function go(path, options = {}) {
  const address = BASE + path;
  if (options.replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  window.dispatchEvent(new Event('moved'));
}

/** The filters of a view, which are part of its address. */
export const search = () => new URLSearchParams(location.search);

/** Changes filters in the address. @param {Record<string, string | null | undefined>} values */
export function filter(values) {
  const all = search();
  for (const [name, value] of Object.entries(values)) {
    if (value) all.set(name, value);
    else all.delete(name);
  }
  const text = all.toString();
  history.replaceState(null, '', location.pathname + (text ? `?${text}` : ''));
  window.dispatchEvent(new Event('filtered'));
}

/** @param {string | undefined} tenant @param {string} name */
export const machineAt = (tenant, name) => `${BASE}/machines/${encodeURIComponent(tenant ?? 'default')}/${encodeURIComponent(name)}`;
