// @ts-check
import { ask } from './action.js';
import { part, query } from './api.js';
import { html } from 'lit';
import * as format from './format.js';

/** The actions on rollouts, the same on every page. */

/** @param {any} rollout @param {(answer: any) => void} done */
export function pause(rollout, done) {
  ask({
    title: 'Pause',
    says: html`Nothing new is scheduled, and the ${format.count(rollout.active ?? 0, 'unit')} that ${rollout.active === 1 ? 'is' : 'are'} scheduled do not start until the rollout is resumed. Work that has started is finished.`,
    method: 'POST',
    path: `/v1/rollouts/${part(rollout.name)}/pause`,
    command: () => `forewarn rollout pause ${format.shell(rollout.name)}`,
    reason: true,
    done,
  });
}

/** @param {any} rollout @param {boolean} retry @param {(answer: any) => void} done */
export function resume(rollout, retry, done) {
  ask({
    title: retry ? 'Retry' : 'Resume',
    fields: [
      ...(retry ? [{ name: 'notice', label: 'Notice', hint: 'such as 1h; blank: the minimum' }] : []),
      ...(rollout.until ? [{ name: 'until', label: 'No start after', hint: `such as sun 06:00; blank: as before, ${format.exact(rollout.until)}` }] : []),
    ],
    says: retry ? html`Continues, and tries the ${format.count(rollout.failed, 'failed unit')} again, each with notice.` : html`Continues with the ${format.count(rollout.pending, 'unit')} still to come.${rollout.failed ? ` ${format.count(rollout.failed, 'failed unit')} stay${rollout.failed === 1 ? 's' : ''} failed.` : ''}`,
    method: 'POST',
    path: (f) => `/v1/rollouts/${part(rollout.name)}/resume${query({ retry: retry || null, notice: f.notice, until: f.until })}`,
    command: (f) => `forewarn rollout resume ${format.shell(rollout.name)}${retry ? ' --retry' : ''}${f.notice ? ` --notice ${format.shell(f.notice)}` : ''}${f.until ? ` --until ${format.shell(f.until)}` : ''}`,
    done,
  });
}

/** @param {any} rollout @param {(answer: any) => void} done */
export function abort(rollout, done) {
  ask({
    title: 'Abort…',
    says: html`Ends the rollout for good: scheduled events are cancelled, ${format.count(rollout.pending, 'unit')} ${rollout.pending === 1 ? 'is' : 'are'} not touched, and work that has started is finished.`,
    method: 'POST',
    path: `/v1/rollouts/${part(rollout.name)}/abort`,
    command: () => `forewarn rollout abort ${format.shell(rollout.name)}`,
    reason: true,
    danger: true,
    done,
  });
}

/** @param {any} rollout @param {any} who @param {(answer: any) => void} done */
export function buttons(rollout, who, done) {
  if (who?.role !== 'operator') return html``;
  const over = rollout.status === 'done' || rollout.status === 'aborted';
  return html`<span class="buttons-inline">
    <button ?disabled=${rollout.status !== 'running'} @click=${() => pause(rollout, done)}>Pause</button>
    <button ?disabled=${rollout.status !== 'paused' && rollout.status !== 'halted'} @click=${() => resume(rollout, false, done)}>Resume</button>
    <button ?disabled=${over || !rollout.failed} @click=${() => resume(rollout, true, done)}>Retry</button>
    <button ?disabled=${over} @click=${() => abort(rollout, done)}>Abort…</button>
  </span>`;
}
