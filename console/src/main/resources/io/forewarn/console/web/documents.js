// @ts-check
import { LitElement, html } from 'lit';
import { copyText } from './action.js';
import { filter, search } from './routes.js';

const USUAL = '2020-07-01';

/** Shows the documents that machines read, one tab for each api-version. */
class Documents extends LitElement {
  static properties = { documents: { attribute: false }, copied: { state: true } };

  constructor() {
    super();
    /** @type {Record<string, string>} */
    this.documents = {};
    this.copied = '';
  }

  createRenderRoot() {
    return this;
  }

  /** @param {KeyboardEvent} e @param {string[]} versions @param {string} shown */
  async pressed(e, versions, shown) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    this.choose(versions[(versions.indexOf(shown) + step + versions.length) % versions.length]);
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector('[aria-selected=true]'))?.focus();
  }

  /** @param {string} version */
  choose(version) {
    filter({ version: version === USUAL ? null : version });
    this.requestUpdate();
  }

  render() {
    const versions = Object.keys(this.documents).sort().reverse();
    const asked = search().get('version') ?? USUAL;
    const shown = versions.includes(asked) ? asked : versions[0];
    const text = this.documents[shown] ?? '';
    let pretty = text;
    try {
      pretty = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      // Shown as it is.
    }
    return html`<div class="versions"><div class="tabs" role="tablist" aria-label="api-version" @keydown=${(/** @type {KeyboardEvent} */ e) => this.pressed(e, versions, shown)}>
        ${versions.map((v) => html`<button role="tab" id="version-${v}" aria-controls="document" aria-selected=${v === shown} tabindex=${v === shown ? 0 : -1} @click=${() => this.choose(v)}>${v}</button>`)}</div>
        <button @click=${async () => (this.copied = (await copyText(text)) ? text : '')}>${this.copied === text ? 'Copied' : 'Copy as sent'}</button></div>
      <pre id="document" role="tabpanel" tabindex="0" aria-labelledby="version-${shown}">${pretty}</pre>`;
  }
}
customElements.define('fw-documents', Documents);
