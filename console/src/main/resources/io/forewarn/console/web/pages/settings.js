// @ts-check
import { html } from 'lit';
import { Page } from '../page.js';
import { get } from '../api.js';
import { filter, search } from '../routes.js';
import * as format from '../format.js';

/** The settings of the node that answers: those that were given first, with their origin. */
class SettingsPage extends Page {
  async load() {
    return (await get('/v1/settings')).settings;
  }

  /** Settings change only with a restart. @param {any} entry */
  concerns(entry) {
    return !entry;
  }

  render() {
    if (!this.data) return this.problem();
    const text = (search().get('q') ?? '').toLowerCase();
    const rows = this.data.filter((/** @type {any} */ s) => `${s.key} ${s.value}`.toLowerCase().includes(text));
    rows.sort((/** @type {any} */ a, /** @type {any} */ b) => Number(!a.origin) - Number(!b.origin));
    const given = this.data.filter((/** @type {any} */ s) => s.origin).length;
    return html`${this.problem()}
      <p class="headline"><span><b>${format.number(given)}</b> of ${format.count(this.data.length, 'setting')} differ from their defaults</span> <span class="quiet">A change takes effect when the node is restarted.</span></p>
      <div class="bar"><input type="search" aria-label="Search the settings" placeholder="key or value" .value=${search().get('q') ?? ''} @input=${(/** @type {any} */ e) => filter({ q: e.target.value })}></div>
      ${rows.length
        ? html`<table class="rows"><thead><tr><th>Setting</th><th>Value</th><th>From</th></tr></thead><tbody>
            ${rows.map((/** @type {any} */ s) => html`<tr><td class="name">${s.key}</td><td class="fixed">${s.value}</td><td>${s.origin ?? html`<span class="quiet">default</span>`}</td></tr>`)}
          </tbody></table>`
        : this.empty('No setting has this in its key or value.')}`;
  }
}
customElements.define('fw-settings', SettingsPage);
