// @ts-check
import { get } from './api.js';

const CONNECTS_WITHIN = 5000;

/**
 * Follows what happens at the service, through reconnects: the stream continues after the last entry that was read, at
 * whichever node answers.
 *
 * Dispatches "entry" (detail: a history entry) for each change, "status" when the connection or the clock changes.
 */
class Live extends EventTarget {
  /** @type {EventSource | null} */
  #source = null;
  #last = '';
  #retry = 0;
  /** @type {number | undefined} */
  #poll;
  connected = false;
  #wasConnected = false;
  #startedAt = Date.now();
  /** When the page last heard from the server, by the browser's clock. */
  heardAt = Date.now();
  /** @type {any} */
  status = null;
  #statusAt = 0;

  start() {
    this.stop();
    this.#wasConnected = false;
    this.#startedAt = Date.now();
    this.#connect();
    this.refreshStatus();
    this.#poll = window.setInterval(() => this.refreshStatus(), 10_000);
  }

  stop() {
    this.#source?.close();
    this.#source = null;
    clearTimeout(this.#retry);
    clearInterval(this.#poll);
    this.connected = false;
  }

  #connect() {
    const source = new EventSource('/v1/stream?kinds=all' + (this.#last ? `&since=${this.#last}` : ''));
    this.#source = source;
    source.onopen = () => this.#is(true);
    source.onmessage = (message) => {
      if (message.lastEventId) this.#last = message.lastEventId;
      this.heardAt = Date.now();
      try {
        const entry = JSON.parse(message.data).data;
        if (entry.kind === 'clock-moved') this.refreshStatus();
        this.dispatchEvent(new CustomEvent('entry', { detail: entry }));
      } catch {
        // Part of a line that was cut off: the stream sends it again after a reconnect.
      }
    };
    source.onerror = () => {
      this.#is(false);
      // The browser gives up after an answer that is not a stream, such as 503 while a server starts.
      if (source.readyState === EventSource.CLOSED) {
        this.#retry = window.setTimeout(() => {
          get('/v1/session').catch(() => {});
          if (this.#source === source) this.#connect();
        }, 2000);
      }
    };
  }

  /** @param {boolean} connected */
  #is(connected) {
    const again = connected && !this.connected;
    this.connected = connected;
    this.#wasConnected ||= connected;
    if (connected) this.heardAt = Date.now();
    this.dispatchEvent(new Event('status'));
    if (again) {
      // What happened meanwhile comes with the stream; what is not in it, such as polls, is read again.
      this.dispatchEvent(new CustomEvent('entry', { detail: null }));
      this.refreshStatus();
    }
  }

  async refreshStatus() {
    try {
      this.status = await get('/v1/status');
      this.#statusAt = performance.now();
      this.heardAt = Date.now();
    } catch {
      // Said by the stream, which is lost, too.
    }
    this.dispatchEvent(new Event('status'));
  }

  /** @param {string} now the service time that an answer told */
  clockMoved(now) {
    if (this.status) {
      this.status.now = now;
      this.#statusAt = performance.now();
    }
    this.dispatchEvent(new Event('status'));
    this.dispatchEvent(new CustomEvent('entry', { detail: null }));
  }

  /** Whether what is shown may be old. A page that has just been opened is current, although it is not connected yet. */
  get lost() {
    return !this.connected && (this.#wasConnected || Date.now() - this.#startedAt > CONNECTS_WITHIN);
  }

  get manual() {
    return this.status?.clock === 'manual';
  }

  /** Service time: it stands still under the manual clock. */
  now() {
    if (!this.status) return Date.now();
    const passed = this.manual ? 0 : performance.now() - this.#statusAt;
    return Date.parse(this.status.now) + passed;
  }
}

export const live = new Live();
