// @ts-check
/** Tells the life of an event from its history: each step once, with its real time. */

/** Steps by how the kinds of their entries begin. @type {[string, string, string][]} */
const STEPS = [
  ['accepted', 'Requested', 'quiet'],
  ['planned', 'Planned', 'blue'],
  ['scheduled', 'Scheduled', 'blue'],
  ['moved', 'Moved', 'blue'],
  ['postponed', 'Postponed', 'violet'],
  ['approved', 'Approved', 'teal'],
  ['started', 'Started', 'amber'],
  ['tried-again', 'Started again', 'amber'],
  ['completed', 'Done', 'green'],
  ['failed', 'Failed', 'red'],
  ['cancelled', 'Cancelled', 'quiet'],
  ['superseded', 'Superseded', 'quiet'],
  ['rehearsal-ended', 'Rehearsal ended', 'quiet'],
];

/** @typedef {{label: string, tone: string, at: string, entry?: any, note?: string, ahead?: boolean}} Step */

/** When each machine first received the event. @param {any} event @returns {Record<string, string>} */
export function sightings(event) {
  const seen = { ...event.seenAt };
  for (const entry of event.history ?? []) {
    if (entry.kind === 'seen') for (const machine of entry.machines ?? []) seen[machine] ??= entry.at;
  }
  return seen;
}

/** @param {any} event as the API shows it, with its history @param {number} now @returns {Step[]} in order of time */
export function steps(event, now) {
  /** @type {Step[]} */
  const all = [];
  for (const entry of event.history ?? []) {
    const step = STEPS.find(([begin]) => entry.kind.startsWith(begin));
    if (step) all.push({ label: step[1], tone: step[2], at: entry.at, entry, note: note(entry) });
  }
  if (event.acceptedAt && (!all.length || Date.parse(event.acceptedAt) < Date.parse(all[0].at))) all.unshift({ label: 'Requested', tone: 'quiet', at: event.acceptedAt });
  const seen = Object.values(sightings(event)).sort();
  const machines = event.machines?.length ?? 0;
  if (seen.length) {
    const by = seen.length < machines ? `${seen.length} of ${machines} machines` : machines === 1 ? '' : `by all ${machines} machines`;
    all.push({ label: seen.length < machines ? 'Seen by some' : 'Seen', tone: 'blue', at: seen[seen.length - 1], note: by });
  }
  if (event.status !== 'ended' && event.status !== 'started' && event.notBefore && Date.parse(event.notBefore) > now) {
    all.push({ label: 'Not before', tone: 'quiet', at: event.notBefore, ahead: true });
  }
  return all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** @param {any} entry */
function note(entry) {
  if (entry.given) return entry.promised ? `${entry.given} of ${entry.promised} notice given` : `${entry.given} notice given`;
  return entry.kind.startsWith('scheduled') && entry.promised ? `${entry.promised} notice promised` : undefined;
}
