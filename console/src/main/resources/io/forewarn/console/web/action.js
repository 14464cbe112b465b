// @ts-check
import { LitElement, html, nothing } from 'lit';
import { call } from './api.js';
import * as format from './format.js';

/** @typedef {{name: string, label: string, value?: string, hint?: string}} Field */

/**
 * @typedef {object} Action
 * @property {string} title what the button says
 * @property {unknown} says what exactly will happen
 * @property {string} method
 * @property {string | ((fields: Record<string, string>) => string)} path
 * @property {(fields: Record<string, string>) => any} [body]
 * @property {Field[]} [fields]
 * @property {(fields: Record<string, string>) => string} command the same as a line for a shell
 * @property {boolean} [danger]
 * @property {boolean} [reason] whether a reason can be given, as the member reason of the body and the option --reason
 * @property {(answer: any) => void} [done]
 */

/** @type {Field} */
const REASON = { name: 'reason', label: 'Reason', hint: 'optional; history, notifications and the audit log show it' };

/** Says what an action will do, and does it when it is confirmed. */
class ActionDialog extends LitElement {
  static properties = { action: { state: true }, values: { state: true }, error: { state: true }, busy: { state: true }, copied: { state: true } };

  constructor() {
    super();
    /** @type {Action | null} */
    this.action = null;
    /** @type {Record<string, string>} */
    this.values = {};
    this.error = '';
    this.busy = false;
    this.copied = false;
  }

  createRenderRoot() {
    return this;
  }

  /** @param {Action} action */
  async open(action) {
    this.action = action;
    this.values = Object.fromEntries(this.fields.map((f) => [f.name, f.value ?? '']));
    this.error = '';
    this.busy = false;
    this.copied = false;
    await this.updateComplete;
    this.dialog?.showModal();
  }

  /** @returns {Field[]} */
  get fields() {
    return [...(this.action?.fields ?? []), ...(this.action?.reason ? [REASON] : [])];
  }

  get body() {
    const body = this.action?.body?.(this.values);
    return this.values.reason && this.action?.reason ? { ...body, reason: this.values.reason } : body;
  }

  get command() {
    const line = this.action?.command(this.values) ?? '';
    return this.values.reason && this.action?.reason ? `${line} --reason ${format.shell(this.values.reason)}` : line;
  }

  get dialog() {
    return this.querySelector('dialog');
  }

  /** @param {SubmitEvent} e */
  async confirm(e) {
    e.preventDefault();
    const action = /** @type {Action} */ (this.action);
    this.busy = true;
    this.error = '';
    try {
      const path = typeof action.path === 'function' ? action.path(this.values) : action.path;
      const answer = await call(action.method, path, this.body);
      this.dialog?.close();
      action.done?.(answer);
    } catch (failure) {
      this.error = /** @type {Error} */ (failure).message;
    } finally {
      this.busy = false;
    }
  }

  async copy() {
    this.copied = await copyText(this.command);
  }

  render() {
    const action = this.action;
    return html`<dialog aria-labelledby="action-title" @close=${() => (this.action = null)}>
      ${action
        ? html`<form method="dialog" @submit=${this.confirm}>
            <h2 id="action-title">${action.title}</h2>
            <p class="says">${action.says}</p>
            ${this.fields.map(
              (/** @type {Field} */ f) => html`<label class="field"><span>${f.label}</span>
                <input name=${f.name} .value=${this.values[f.name]} autocomplete="off" @input=${(/** @type {any} */ e) => (this.values = { ...this.values, [f.name]: e.target.value })}>
                ${f.hint ? html`<small>${f.hint}</small>` : nothing}</label>`,
            )}
            ${this.error ? html`<p class="problem" role="alert">${this.error}</p>` : nothing}
            <div class="command"><code>${this.command}</code><button type="button" @click=${this.copy}>${this.copied ? 'Copied' : 'Copy'}</button></div>
            <div class="buttons">
              <button type="button" @click=${() => this.dialog?.close()}>Back</button>
              <button class=${action.danger ? 'danger' : 'primary'} ?disabled=${this.busy}>${action.title.replace('…', '')}</button>
            </div>
          </form>`
        : nothing}
    </dialog>`;
  }
}
customElements.define('fw-action', ActionDialog);

/** Opens the dialog of the page. @param {Action} action */
export function ask(action) {
  const dialog = /** @type {ActionDialog | null} */ (document.querySelector('fw-action'));
  dialog?.open(action);
}

/** Also where the page is not served by TLS, and browsers offer no clipboard. @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
