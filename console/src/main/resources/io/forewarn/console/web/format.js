// @ts-check
/** Writes times, durations and numbers as people read them. */

const DAY = 86_400_000;
const pad = (/** @type {number} */ n) => String(n).padStart(2, '0');

const clockFormat = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const dayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const zoneFormat = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' });

/** Hours, minutes and seconds in the reader's zone. @param {number} millis */
export const clock = (millis) => clockFormat.format(millis);

/** The short name of the reader's zone. @param {number} millis */
export const zone = (millis) => zoneFormat.formatToParts(millis).find((p) => p.type === 'timeZoneName')?.value ?? '';

/** The time of day, with the day if it is another one. @param {number} millis @param {number} now */
export function when(millis, now) {
  const sameDay = new Date(millis).toDateString() === new Date(now).toDateString();
  const time = clock(millis).replace(/:00$/, '');
  return sameDay ? time : `${dayFormat.format(millis)} ${time}`;
}

/** What a time shows on hover: the reader's zone and UTC. @param {string | undefined} iso */
export function exact(iso) {
  if (!iso) return '';
  const millis = Date.parse(iso);
  const utc = new Date(millis).toISOString().replace('T', ' ').replace(/\.\d+Z$/, '');
  return `${dayFormat.format(millis)} ${new Date(millis).getFullYear()}, ${clock(millis)} ${zone(millis)} · ${utc} UTC`;
}

/** A countdown that keeps its width: 12:41, 3:05:00, or days. @param {number} millis */
export function countdown(millis) {
  const seconds = Math.max(0, Math.ceil(millis / 1000));
  if (seconds >= 86400) return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
  const hours = Math.floor(seconds / 3600);
  const rest = `${pad(Math.floor((seconds % 3600) / 60))}:${pad(seconds % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}

/** About how long ago, or the time if that is more than a day. @param {string | undefined} iso @param {number} now */
export function ago(iso, now) {
  if (!iso) return 'never';
  const passed = now - Date.parse(iso);
  if (passed >= DAY || passed < -1000) return when(Date.parse(iso), now);
  const seconds = Math.max(0, Math.floor(passed / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min ago`;
}

/** Milliseconds of a duration of the API, such as 1d2h or 9m59s. @param {string | undefined} text */
export function millisOf(text) {
  const units = /** @type {Record<string, number>} */ ({ ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY });
  return [...(text ?? '').matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)].reduce((sum, [, n, unit]) => sum + Number(n) * units[unit], 0);
}

/** A number with separators. @param {number | undefined} n */
export const number = (n) => (n ?? 0).toLocaleString('en-US').replaceAll(',', '\u202f');

/** 1 machine, 2 machines. @param {number} n @param {string} noun */
export const count = (n, noun) => `${number(n)} ${noun}${n === 1 ? '' : 's'}`;

/** A name with its tenant, if that is not the default. @param {string | undefined} tenant @param {string} name */
export const named = (tenant, name) => (tenant && tenant !== 'default' ? `${tenant}/${name}` : name);

/** As the first word of a sentence. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** As one word of a shell. @param {string} text */
export const shell = (text) => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** @type {Record<string, {icon: string, word: string, tone: string}>} */
const STATES = {
  waiting: { icon: '…', word: 'Waiting', tone: 'quiet' },
  pending: { icon: '…', word: 'To come', tone: 'quiet' },
  late: { icon: '⚠', word: 'Too late', tone: 'amber' },
  scheduled: { icon: '◷', word: 'Scheduled', tone: 'blue' },
  approved: { icon: '✓', word: 'Approved, waits', tone: 'teal' },
  started: { icon: '▶', word: 'Running', tone: 'amber' },
  running: { icon: '▶', word: 'Running', tone: 'amber' },
  done: { icon: '●', word: 'Done', tone: 'green' },
  ended: { icon: '●', word: 'Over', tone: 'quiet' },
  failed: { icon: '✕', word: 'Failed', tone: 'red' },
  paused: { icon: '‖', word: 'Paused', tone: 'violet' },
  halted: { icon: '⚠', word: 'Halted', tone: 'red' },
  ready: { icon: '●', word: 'Ready', tone: 'green' },
  'not-ready': { icon: '✕', word: 'Not ready', tone: 'red' },
  responding: { icon: '●', word: 'Responding', tone: 'green' },
  'not-responding': { icon: '✕', word: 'Not responding', tone: 'red' },
  blocked: { icon: '⚠', word: 'Blocked', tone: 'amber' },
  aborted: { icon: '■', word: 'Aborted', tone: 'quiet' },
  skipped: { icon: '–', word: 'Skipped', tone: 'quiet' },
  silent: { icon: '○', word: 'Silent', tone: 'quiet' },
  never: { icon: '○', word: 'Never polled', tone: 'quiet' },
  polling: { icon: '●', word: 'Polling', tone: 'green' },
};

/** Icon, word and colour of a state. @param {string} name */
export const stateOf = (name) => STATES[name] ?? { icon: '·', word: capital(name ?? ''), tone: 'quiet' };
