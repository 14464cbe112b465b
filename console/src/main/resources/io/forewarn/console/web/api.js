// @ts-check
/** Calls the control API of the server that this page came from, as the session of this browser. */

/** An answer that is not a success, with the sentence of the API. */
export class ApiError extends Error {
  /** @param {number} status @param {{error?: string, problem?: string, details?: string[]}} body */
  constructor(status, body) {
    super(body.details?.length ? body.details.join('\n') : body.error || `the server answered ${status}`);
    this.status = status;
    this.problem = body.problem;
  }
}

/** Thrown when there was no answer at all. */
export class Unreachable extends Error {}

/** Tells the page that the session has ended. */
export const session = new EventTarget();

/**
 * Waits for several answers. If some are refused, the first of them in this order is the reason, whichever came first.
 * @param {Promise<any>[]} requests
 * @returns {Promise<any[]>}
 */
export async function inOrder(requests) {
  const results = await Promise.allSettled(requests);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/**
 * @param {string} method
 * @param {string} path
 * @param {any} [body]
 * @param {{token?: string, signal?: AbortSignal}} [options]
 * @returns {Promise<any>}
 */
export async function call(method, path, body, options = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: 'application/json' };
  if (method !== 'GET') {
    headers['Forewarn-Console'] = '1';
    headers['Idempotency-Key'] = randomId();
  }
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (options.token) headers.Authorization = `Bearer ${options.token}`;
  let response;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: options.signal,
      credentials: 'same-origin',
      cache: 'no-store',
    });
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === 'AbortError') throw failure;
    throw new Unreachable('the server cannot be reached');
  }
  const text = await response.text();
  let answer = {};
  try {
    answer = text ? JSON.parse(text) : {};
  } catch {
    answer = { error: response.ok ? 'the answer was cut off' : text.slice(0, 200) };
    if (response.ok) throw new ApiError(502, answer);
  }
  if (response.ok) return answer;
  if (response.status === 401 && !options.token) session.dispatchEvent(new Event('ended'));
  throw new ApiError(response.status, answer);
}

// Not randomUUID, which browsers offer only under TLS and on loopback.
function randomId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('');
}

/** @param {string} path @param {{signal?: AbortSignal}} [options] */
export const get = (path, options) => call('GET', path, undefined, options);
/** @param {string} path @param {any} [body] */
export const post = (path, body) => call('POST', path, body);
/** @param {string} path */
export const remove = (path) => call('DELETE', path);

/** @param {Record<string, any>} values those that are null, undefined or empty are left out */
export function query(values) {
  const pairs = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return pairs.length ? '?' + new URLSearchParams(pairs.map(([k, v]) => [k, String(v)])) : '';
}

/** One segment of a path. @param {string} name */
export const part = (name) => encodeURIComponent(name);
