// @ts-check
import { LitElement, html, nothing } from 'lit';
import { call, get, session } from './api.js';
import { live } from './live.js';
import { BASE, PLACES, find, go } from './routes.js';
import * as format from './format.js';
import './action.js';
import './clock-bar.js';
import './search.js';

const SIGN_IN = '#sign-in=';
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock']);
/** How many pages of the menu are in the bar of a narrow screen. */
const IN_BAR = 3;

/** The frame around all pages: who is signed in, where one can go, and whether what is shown is current. */
class App extends LitElement {
  static properties = { who: { state: true }, place: { state: true }, error: { state: true }, help: { state: true }, more: { state: true }, ready: { state: true } };

  constructor() {
    super();
    /** @type {{name: string, role: string, tenant: string} | null} */
    this.who = null;
    /** @type {ReturnType<typeof find>} */
    this.place = null;
    /** @type {HTMLElement | null} */
    this.page = null;
    this.error = '';
    this.help = false;
    this.more = false;
    this.ready = false;
    /** Whether g was pressed, and the next key says where to go. */
    this.going = false;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    window.addEventListener('popstate', () => this.moved());
    window.addEventListener('moved', () => this.moved());
    session.addEventListener('ended', () => this.signedOut());
    live.addEventListener('status', () => this.requestUpdate());
    window.setInterval(() => this.requestUpdate(), 1000);
    this.addEventListener('click', this.followed);
    document.addEventListener('keydown', (e) => this.typed(e));
    document.addEventListener('pointerdown', () => (this.going = false));
    this.begin();
  }

  async begin() {
    const code = location.hash.startsWith(SIGN_IN) ? location.hash.slice(SIGN_IN.length) : '';
    if (code) {
      history.replaceState(null, '', location.pathname + location.search);
      await this.signIn(code);
    } else {
      await get('/v1/session').then((who) => this.signedIn(who), () => {});
    }
    this.ready = true;
  }

  /** @param {string} secret a token, or the code of a link */
  async signIn(secret) {
    try {
      this.signedIn(await call('POST', '/v1/session', undefined, { token: secret }));
      this.error = '';
    } catch (failure) {
      this.error = /** @type {Error} */ (failure).message;
    }
  }

  /** @param {any} who */
  signedIn(who) {
    this.who = who;
    document.body.dataset.role = who.role;
    live.start();
    this.moved();
  }

  signedOut() {
    if (this.who) this.error = 'The session has ended. Sign in again to go on.';
    this.who = null;
    live.stop();
    this.page = null;
  }

  async signOut() {
    await call('DELETE', '/v1/session').catch(() => {});
    this.signedOut();
    this.error = '';
  }

  places() {
    return PLACES.filter((p) => (!p.all || this.who?.tenant === '*') && (!p.own || this.who?.role !== 'viewer'));
  }

  async moved() {
    if (!this.who) return;
    const found = find(location.pathname.slice(BASE.length) || '/');
    const same = found && this.place?.place === found.place && JSON.stringify(this.place.params) === JSON.stringify(found.params);
    this.place = found;
    document.title = found ? `${found.params.name ?? found.place.title} · Forewarn` : 'Forewarn';
    if (!found) {
      this.page = null;
    } else if (!same || !this.page) {
      try {
        await found.place.module();
      } catch {
        // The server is gone, or the reader has gone on to another address.
        this.page = null;
      }
      if (this.place !== found || !customElements.get(found.place.tag)) return;
      const page = /** @type {any} */ (document.createElement(found.place.tag));
      page.params = found.params;
      page.who = this.who;
      this.page = page;
    }
    this.requestUpdate();
  }

  /** Links within the console do not load the page anew. @param {MouseEvent} e */
  followed(e) {
    const link = /** @type {HTMLElement} */ (e.target).closest('a');
    if (!link || e.defaultPrevented || e.button || e.ctrlKey || e.metaKey || e.shiftKey || link.target || link.hasAttribute('download')) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || !url.pathname.startsWith(BASE + '/')) return;
    e.preventDefault();
    go(url.pathname.slice(BASE.length) + url.search);
    window.scrollTo(0, 0);
  }

  /** @param {KeyboardEvent} e */
  typed(e) {
    const target = /** @type {HTMLElement} */ (e.composedPath()[0]);
    if (!this.who || e.ctrlKey || e.metaKey || e.altKey || target.closest?.('input, textarea, select, dialog')) return;
    if (MODIFIERS.has(e.key)) return;
    const going = this.going;
    this.going = e.key === 'g' && !going;
    if (going) {
      // However long ago g was: while a page loads, the browser may be slow to pass keys on.
      const place = this.places().find((p) => p.key === e.key);
      if (place) {
        e.preventDefault();
        go(place.path);
      }
    } else if (e.key === '?') this.help = !this.help;
    else if (e.key === 'Escape') this.help = this.more = false;
    else if (e.key === '/') {
      e.preventDefault();
      /** @type {any} */ (this.querySelector('fw-search')).focusField();
    }
  }

  connection() {
    if (live.connected) return html`<span class="live"><span class="dot" aria-hidden="true">●</span> live</span>`;
    if (!live.lost) return html`<span class="quiet">connecting</span>`;
    const ago = Math.max(0, Math.floor((Date.now() - live.heardAt) / 1000));
    return html`<span class="lost" role="status">last update ${format.clock(live.heardAt)} (${ago} s ago), reconnecting</span>`;
  }

  signInForm() {
    return html`<main class="sign-in">
      <form @submit=${(/** @type {SubmitEvent} */ e) => {
        e.preventDefault();
        const field = /** @type {HTMLInputElement} */ (this.querySelector('#token'));
        this.signIn(field.value.trim());
        field.value = '';
      }}>
        <h1>Forewarn</h1>
        ${this.error ? html`<p class="problem" role="alert">${this.error}</p>` : nothing}
        <label class="field"><span>Token</span><input id="token" type="password" autocomplete="off" required autofocus></label>
        <button class="primary">Sign in</button>
        <p class="quiet">On the server's machine <code>forewarn console</code> prints a link that signs you in. <code>forewarn token add NAME --role viewer</code> makes a token.</p>
      </form>
    </main>`;
  }

  /** On narrow screens a bar with the first pages; the others are behind a button. */
  menu() {
    const here = this.place?.place;
    const item = (/** @type {any} */ p) => html`<a href=${BASE + p.path} aria-current=${here === p ? 'page' : nothing}>${p.menu}</a>`;
    const shown = this.places().filter((p) => p.menu);
    const first = shown.filter((p) => !p.second);
    return html`<nav aria-label="Pages" class=${this.more ? 'open' : ''}>
      <a class="brand" href=${BASE + '/'}><img src=${new URL('icon.svg', import.meta.url).href} alt="" width="18" height="18"> Forewarn</a>
      ${first.slice(0, IN_BAR).map(item)}
      <button class="more-pages" aria-expanded=${this.more} @click=${() => (this.more = !this.more)}>More</button>
      <div class="others" @click=${() => (this.more = false)}>${first.slice(IN_BAR).map(item)}
        ${shown.some((p) => p.second) ? html`<hr>` : nothing}
        ${shown.filter((p) => p.second).map(item)}</div>
    </nav>`;
  }

  render() {
    if (!this.ready) return nothing;
    if (!this.who) return this.signInForm();
    const now = live.now();
    return html`
      <a class="skip" href="#main">Skip to the page</a>
      ${this.menu()}
      <header>
        <h1>${this.place ? (this.place.params.name ?? this.place.place.title) : 'Not found'}</h1>
        <fw-search></fw-search>
        ${this.who.tenant === '*' ? nothing : html`<span class="tenant">tenant ${this.who.tenant}</span>`}
        <time class="clock" title=${format.exact(new Date(now).toISOString())}>${format.clock(now)} ${format.zone(now)}</time>
        ${this.connection()}
        <details class="user"><summary>${this.who.name}</summary><div class="menu"><p>${format.capital(this.who.role)} of ${this.who.tenant === '*' ? 'all tenants' : this.who.tenant}</p><button @click=${this.signOut}>Sign out</button></div></details>
      </header>
      ${live.manual ? html`<fw-clock-bar .who=${this.who}></fw-clock-bar>` : nothing}
      <main id="main" class=${live.lost ? 'stale' : ''} tabindex="-1">
        ${this.place ? (this.page ?? nothing) : html`<div class="empty"><p>There is no page at this address.</p><a href=${BASE + '/'}>Go to Now</a></div>`}
      </main>
      <fw-action></fw-action>
      ${this.help ? this.keys() : nothing}`;
  }

  keys() {
    const rows = [...this.places().filter((p) => p.key).map((p) => [`g ${p.key}`, p.menu]), ['/', 'Search'], ['t', 'Fleet as a table'], ['?', 'This list'], ['Esc', 'Close']];
    return html`<aside class="keys" aria-label="Keys"><h2>Keys</h2><table><tbody>${rows.map(([key, what]) => html`<tr><th scope="row"><kbd>${key}</kbd></th><td>${what}</td></tr>`)}</tbody></table></aside>`;
  }
}
customElements.define('fw-app', App);
