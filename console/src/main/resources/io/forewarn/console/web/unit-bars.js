// @ts-check
import * as format from './format.js';

/** Draws a unit of a rollout, planned or under way, the same on every page. */

/** How wide a moment is drawn whose length is not known. */
const MARK = 60_000;
const TONES = /** @type {Record<string, string>} */ ({ done: 'green', started: 'amber', failed: 'red', skipped: 'quiet' });

/** @param {string | undefined} iso */
const millis = (iso) => (iso ? Date.parse(iso) : NaN);

/**
 * A step of a plan that was not started: notice, work and recovery.
 *
 * @param {any} step @param {number} lane @param {number} now @returns {import('./gantt.js').Bar[]}
 */
export function stepBars(step, lane, now) {
  const [shown, starts, ends, recovered] = [step.scheduledAt, step.startsAt, step.endsAt, step.recoveredAt].map(millis);
  const label = () => `${step.unit}${step.evacuation ? ', evacuation' : ''}: ${format.count(step.machines, 'machine')}\nshown from ${format.when(shown, now)}\nstarts ${format.when(starts, now)} at the latest\ndone ${format.when(ends, now)}, recovered ${format.when(recovered, now)}${step.reason ? `\n${step.reason}` : ''}`;
  return [
    { lane, from: shown, to: starts, kind: 'notice', tone: 'blue', label },
    { lane, from: starts, to: ends, kind: 'work', tone: step.evacuation ? 'teal' : 'blue', label },
    { lane, from: ends, to: recovered, kind: 'recovery', tone: 'quiet', label },
  ];
}

/**
 * A unit of a rollout: its first plan as an outline, and over it what happened or is expected now.
 *
 * @param {any} unit @param {number} lane @param {number} now @returns {import('./gantt.js').Bar[]}
 */
export function unitBars(unit, lane, now) {
  const starts = millis(unit.startsAt);
  if (Number.isNaN(starts)) return [];
  const begun = unit.state === 'started' || unit.state === 'done' || unit.state === 'failed';
  // What is overdue starts now at the earliest.
  const from = begun ? starts : Math.max(starts, unit.state === 'skipped' ? starts : now);
  const ends = millis(unit.endsAt) || from + MARK;
  const planned = millis(unit.firstPlannedAt) || starts;
  const label = () => [
    `${unit.name}: ${format.stateOf(unit.state).word}`,
    unit.shownAt ? `shown ${format.when(millis(unit.shownAt), now)}` : '',
    `${begun ? 'started' : 'starts'} ${format.when(starts, now)}${unit.firstPlannedAt ? `, first planned for ${format.when(planned, now)}` : ''}`,
    unit.endsAt ? `${unit.state === 'done' || unit.state === 'failed' ? 'ended' : 'expected to end'} ${format.when(ends, now)}` : '',
    unit.reason ?? '',
  ].filter(Boolean).join('\n');
  /** @type {import('./gantt.js').Bar[]} */
  const bars = [{ lane, from: planned, to: planned + (ends - from), kind: 'planned', tone: 'quiet', label }];
  if (unit.shownAt) bars.push({ lane, from: millis(unit.shownAt), to: from, kind: 'notice', tone: 'blue', label });
  if (unit.state !== 'skipped') bars.push({ lane, from, to: ends, kind: begun ? 'work' : 'coming', tone: TONES[unit.state] ?? 'blue', label });
  if (unit.recoveredAt && unit.state !== 'failed' && unit.state !== 'skipped') bars.push({ lane, from: ends, to: millis(unit.recoveredAt), kind: 'recovery', tone: 'quiet', label });
  for (const at of unit.evacuatesAt ?? []) bars.push({ lane, from: millis(at), to: millis(at) + MARK, kind: 'coming', tone: 'teal', label: `${unit.name}: machines are moved away ${format.when(millis(at), now)}` });
  return bars;
}

/** From shortly before the first work to shortly after the last, since notice may be much longer. @param {import('./gantt.js').Bar[]} bars @param {number[]} also */
export function span(bars, also) {
  const work = bars.filter((b) => b.kind === 'work' || b.kind === 'coming' || b.kind === 'planned' || b.kind === 'recovery');
  const from = work.reduce((least, b) => Math.min(least, b.from), Infinity);
  const to = work.reduce((most, b) => Math.max(most, b.to), -Infinity);
  const [first, last] = [Math.min(from, ...also), Math.max(to, ...also)];
  const room = Math.max(MARK, (last - first) * 0.03);
  return { from: first - room, to: last + room };
}
