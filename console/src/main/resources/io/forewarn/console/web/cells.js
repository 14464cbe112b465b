// @ts-check
/** Keeps a cell for each machine of the fleet, in columns: 100,000 of them must not cost 100,000 objects. */

/** @type {Record<string, {word: string}>} */
export const STATES = {
  r: { word: 'Running' },
  f: { word: 'Failed' },
  a: { word: 'Approved, waits' },
  s: { word: 'Scheduled' },
  w: { word: 'Waiting' },
  p: { word: 'Polling' },
  q: { word: 'Silent' },
  n: { word: 'Never polled' },
};

/** What an entry of the history makes of its machines, by how its name begins. @type {[string, string][]} */
const CHANGES = [
  ['started', 'r'],
  ['tried-again', 'r'],
  ['approved', 'a'],
  ['scheduled', 's'],
  ['moved', 's'],
  ['postponed', 's'],
  ['planned', 's'],
  ['accepted', 'w'],
  ['failed', 'f'],
  ['completed', 'p'],
  ['cancelled', 'p'],
  ['superseded', 'p'],
  ['rehearsal-ended', 'p'],
  ['recovered', 'p'],
];

export class Cells {
  size = 0;
  /** How many machines are in each state. @type {Record<string, number>} */
  counts = Object.fromEntries(Object.keys(STATES).map((letter) => [letter, 0]));
  /** @type {string[]} */
  names = [];
  /** @type {string[]} */
  hosts = [];
  /** @type {string[]} */
  states = [];
  /** @type {number[]} */
  updates = [];
  /** @type {number[]} */
  faults = [];
  /** @type {number[]} */
  groupOf = [];
  /** @type {{tenant: string, name: string, updateDomains: number, faultDomains: number, first: number, members: number[]}[]} */
  groups = [];
  /** @type {Map<string, number>} */
  #index = new Map();
  /** @type {Map<string, number>} */
  #groups = new Map();

  /** @param {any[]} page groups as the API lists them */
  add(page) {
    for (const g of page) {
      const id = `${g.tenant}/${g.name}`;
      let number = this.#groups.get(id);
      if (number === undefined) {
        number = this.groups.length;
        this.#groups.set(id, number);
        this.groups.push({ tenant: g.tenant, name: g.name, updateDomains: g.updateDomains, faultDomains: g.faultDomains, first: this.size, members: [] });
      }
      for (let i = 0; i < g.names.length; i++) {
        this.#index.set(`${g.tenant}/${g.names[i]}`, this.size);
        this.names.push(g.names[i]);
        this.hosts.push(g.hosts[i]);
        this.states.push(g.states[i]);
        this.counts[g.states[i]]++;
        this.updates.push(g.updateDomainNumbers[i]);
        this.faults.push(g.faultDomainNumbers[i]);
        this.groupOf.push(number);
        this.groups[number].members.push(this.size++);
      }
    }
  }

  /** @param {number} index */
  machine(index) {
    const group = this.groups[this.groupOf[index]];
    return { tenant: group.tenant, group: group.name, name: this.names[index], host: this.hosts[index], state: this.states[index], update: this.updates[index], fault: this.faults[index] };
  }

  /** @param {any} entry of the stream @returns {number[]} the cells that it changes */
  apply(entry) {
    const change = CHANGES.find(([begin]) => entry.kind?.startsWith(begin));
    if (!change) return [];
    /** @type {number[]} */
    const changed = [];
    for (const name of entry.machines ?? []) {
      const index = this.#index.get(`${entry.tenant}/${name}`);
      if (index !== undefined && this.states[index] !== change[1]) {
        this.counts[this.states[index]]--;
        this.counts[change[1]]++;
        this.states[index] = change[1];
        changed.push(index);
      }
    }
    return changed;
  }

  /** @param {((cells: Cells, index: number) => boolean) | null} wanted null for all */
  select(wanted) {
    if (!wanted) return Array.from({ length: this.size }, (_, i) => i);
    const found = [];
    for (let i = 0; i < this.size; i++) if (wanted(this, i)) found.push(i);
    return found;
  }
}

const TAG = /^tag:(.+=.*)$/i;

/** The tags that a search names. @param {string} text @returns {string[]} */
export const tagsIn = (text) => text.split(/\s+/).flatMap((word) => TAG.exec(word)?.[1] ?? []);

/**
 * Understands tenant:shop group:web host:host-1* state:silent tag:env=prod, and parts of names.
 *
 * @param {string} text
 * @param {Map<string, Set<string>>} tagged by tag, the machines that have it as tenant/name, as far as they are known
 */
export function matcher(text, tagged) {
  const words = text.split(/\s+/).filter((word) => word && !/^tag:[^=]*$/i.test(word));
  const terms = words.map((word) => (TAG.test(word) ? tagTerm(tagged.get(tagsIn(word)[0])) : term(word.toLowerCase())));
  return terms.length ? (/** @type {Cells} */ cells, /** @type {number} */ i) => terms.every((t) => t(cells, i)) : null;
}

/** @param {Set<string> | undefined} machines @returns {(cells: Cells, index: number) => boolean} */
function tagTerm(machines) {
  return (c, i) => !!machines?.has(`${c.groups[c.groupOf[i]].tenant}/${c.names[i]}`);
}

/** @param {string} word @returns {(cells: Cells, index: number) => boolean} */
function term(word) {
  const [, key, value] = /^(tenant|group|host|state):(.*)$/.exec(word) ?? [];
  if (!key) return (c, i) => c.names[i].toLowerCase().includes(word);
  const pattern = new RegExp('^' + value.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.') + (value.includes('*') ? '$' : ''));
  switch (key) {
    case 'tenant':
      return (c, i) => pattern.test(c.groups[c.groupOf[i]].tenant.toLowerCase());
    case 'group':
      return (c, i) => pattern.test(c.groups[c.groupOf[i]].name.toLowerCase());
    case 'host':
      return (c, i) => pattern.test(c.hosts[i].toLowerCase());
    default: {
      const letters = Object.entries(STATES).filter(([, s]) => pattern.test(s.word.toLowerCase())).map(([letter]) => letter);
      return (c, i) => letters.includes(c.states[i]);
    }
  }
}
