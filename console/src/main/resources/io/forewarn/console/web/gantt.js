// @ts-check
import { LitElement, html, nothing } from 'lit';
import { Chart, axis, colour, tooltip } from './chart.js';
import * as format from './format.js';

/**
 * What a bar stands for: a shade lies behind the lane, an envelope around everything of a rollout; planned is an outline
 * under the bars of what really happened.
 *
 * @typedef {'shade' | 'envelope' | 'planned' | 'notice' | 'coming' | 'recovery' | 'work'} Kind
 * @typedef {{lane: number, from: number, to: number, kind: Kind, tone: string, label: string | (() => string), link?: string, count?: number}} Bar
 * @typedef {{at: number, text: string, tone: string}} Mark
 * @typedef {{lanes: string[], bars: Bar[], from: number, to: number, marks?: Mark[]}} Picture the bars in the order of their starts
 */

const LANES = 32;
const LANE_HEIGHT = 20;
/** Above and below the lanes: the axis. */
const MARGIN = 40;
const KINDS = /** @type {Record<Kind, {height: number, z: number}>} */ ({
  shade: { height: LANE_HEIGHT, z: 1 },
  envelope: { height: 18, z: 2 },
  planned: { height: 18, z: 3 },
  notice: { height: 6, z: 4 },
  recovery: { height: 14, z: 5 },
  coming: { height: 14, z: 6 },
  work: { height: 14, z: 7 },
});
const SHORTEST_VIEW = 60_000;
const LONGEST_VIEW = 400 * 86_400_000;
const AXIS = { year: '{yyyy}', month: '{MMM} {yyyy}', day: '{d} {MMM}', hour: '{HH}:{mm}', minute: '{HH}:{mm}', second: '{HH}:{mm}:{ss}', millisecond: '{HH}:{mm}:{ss}', none: '{HH}:{mm}:{ss}' };

/**
 * The bars of some lanes that can be seen, those that would be drawn over each other as one: ten thousand events are drawn as
 * fast as a few hundred.
 *
 * @param {Bar[]} bars @param {{from: number, to: number, pixels: number, top: number}} view @returns {Bar[]}
 */
export function visible(bars, { from, to, pixels, top }) {
  const pixel = (to - from) / Math.max(1, pixels);
  /** @type {Map<string, Bar & {small: boolean}>} */
  const last = new Map();
  /** @type {Bar[]} */
  const seen = [];
  for (const b of bars) {
    if (b.to < from || b.from > to || b.lane < top || b.lane >= top + LANES) continue;
    const key = `${b.lane} ${b.kind} ${b.tone}`;
    const before = last.get(key);
    const small = b.to - b.from < 2 * pixel;
    const flat = b.kind === 'notice' && before && b.from <= before.to;
    const close = before && (flat || (small && before.small ? b.from - before.to < pixel : b.from - before.from < pixel && Math.abs(b.to - before.to) < pixel));
    if (before && close) {
      before.to = Math.max(before.to, b.to);
      before.count = (before.count ?? 1) + 1;
    } else {
      const copy = { ...b, small };
      last.set(key, copy);
      seen.push(copy);
    }
  }
  return seen;
}

/** Bars over time, a lane for each name, which can be zoomed and moved by wheel, pointer, keys and buttons. */
class Gantt extends LitElement {
  static properties = { picture: { attribute: false }, now: { attribute: false }, from: { attribute: false }, to: { attribute: false }, wheel: { type: Boolean }, label: {}, home: {}, top: { state: true } };

  constructor() {
    super();
    /** @type {Picture | null} */
    this.picture = null;
    this.now = 0;
    /** What is shown, if not everything. @type {number | null} */
    this.from = null;
    /** @type {number | null} */
    this.to = null;
    /** Whether the wheel zooms without a key. */
    this.wheel = false;
    this.label = '';
    /** What the button says that shows everything again. */
    this.home = 'Whole time';
    this.top = 0;
    /** @type {Chart | null} */
    this.chart = null;
    /** @type {Bar[]} */
    this.shown = [];
    this.frame = 0;
    this.drawnNow = 0;
    this.left = 0;
    this.dragged = false;
  }

  createRenderRoot() {
    return this;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    cancelAnimationFrame(this.frame);
    this.chart?.stop();
    this.chart = null;
  }

  /** @returns {[number, number]} */
  range() {
    const p = this.picture;
    const from = this.from ?? p?.from ?? 0;
    const to = this.to ?? p?.to ?? 1;
    return [from, Math.max(to, from + SHORTEST_VIEW)];
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    const place = /** @type {HTMLElement | null} */ (this.querySelector('.chart'));
    if (!place || !this.picture) return;
    this.top = Math.max(0, Math.min(this.top, this.picture.lanes.length - LANES));
    if (!this.chart) {
      this.chart = new Chart(place, () => this.option());
      this.chart.on('click', (item) => {
        const link = this.shown[item.dataIndex]?.link;
        if (link && !this.dragged) this.dispatchEvent(new CustomEvent('opened', { detail: link }));
      });
      return;
    }
    const [from, to] = this.range();
    const nowMoved = Math.abs(this.now - this.drawnNow) > (to - from) / 1000;
    if (nowMoved || ['picture', 'from', 'to', 'top'].some((name) => changed.has(name))) this.draw();
  }

  /** At most once for each frame of the screen. */
  draw() {
    if (!this.frame) {
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.chart?.update();
      });
    }
  }

  option() {
    const picture = /** @type {Picture} */ (this.picture);
    const place = /** @type {HTMLElement} */ (this.querySelector('.chart'));
    const [from, to] = this.range();
    const narrow = place.clientWidth < 500;
    const longest = picture.lanes.reduce((most, name) => Math.max(most, name.length), 0);
    const left = Math.min(narrow ? 90 : 190, 20 + longest * 7);
    this.left = left;
    this.shown = visible(picture.bars, { from, to, pixels: place.clientWidth - left - 16, top: this.top });
    this.drawnNow = this.now;
    const lanes = picture.lanes.slice(this.top, this.top + LANES);
    const paint = brush();
    const lines = [{ at: this.now, text: 'now', tone: 'red' }, ...(picture.marks ?? [])].filter((m) => m.at >= from && m.at <= to);
    const room = ((to - from) / Math.max(1, place.clientWidth)) * 90;
    const named = (/** @type {Mark} */ m, /** @type {number} */ i) => lines.slice(0, i).every((other) => Math.abs(other.at - m.at) > room);
    return {
      height: lanes.length * LANE_HEIGHT + MARGIN,
      grid: { left, right: 16, top: 18, bottom: 22 },
      tooltip: { ...tooltip(), formatter: (/** @type {any} */ item) => this.tip(this.shown[item.dataIndex]) },
      xAxis: { type: 'time', min: from, max: to, ...axis(), axisLabel: { color: colour('quiet'), hideOverlap: true, formatter: AXIS } },
      yAxis: { type: 'category', data: lanes, inverse: true, ...axis(), splitLine: { show: false }, axisLabel: { color: colour('quiet'), width: left - 16, overflow: 'truncate', interval: 0 } },
      series: [
        {
          type: 'custom',
          clip: true,
          data: this.shown.map((b) => [b.lane - this.top, b.from, b.to]),
          encode: { x: [1, 2], y: 0 },
          renderItem: (/** @type {any} */ params, /** @type {any} */ api) => rectangle(this.shown[params.dataIndex], this.top, params, api, paint),
          markLine: {
            silent: true,
            symbol: 'none',
            data: lines.map((m, i) => ({ xAxis: m.at, label: { show: named(m, i), position: 'start', distance: 3, formatter: m.text, color: colour(m.tone), fontSize: 11 }, lineStyle: { color: colour(m.tone), type: m.text === 'now' ? 'solid' : 'dashed', width: 1 } })),
          },
        },
      ],
    };
  }

  /** @param {Bar | undefined} bar */
  tip(bar) {
    if (!bar) return '';
    const label = typeof bar.label === 'function' ? bar.label() : bar.label;
    return bar.count && bar.count > 1 ? `${label}\nand ${format.number(bar.count - 1)} more` : label;
  }

  /** @param {number | null} from @param {number | null} to */
  show(from, to) {
    this.from = from;
    this.to = to;
    this.dispatchEvent(new CustomEvent('viewed', { detail: { from, to } }));
  }

  /** @param {number} by 0.5 shows half as much @param {number} [at] stays where it is */
  zoom(by, at) {
    const [from, to] = this.range();
    const length = Math.max(SHORTEST_VIEW, Math.min(LONGEST_VIEW, (to - from) * by));
    const fixed = at ?? (from <= this.now && this.now <= to ? this.now : (from + to) / 2);
    const start = fixed - ((fixed - from) / (to - from)) * length;
    this.show(Math.round(start), Math.round(start + length));
  }

  /** @param {number} part of what is shown */
  move(part) {
    const [from, to] = this.range();
    const by = Math.round((to - from) * part);
    this.show(from + by, to + by);
  }

  /** @param {WheelEvent} e */
  wheeled(e) {
    if (!this.wheel && !e.ctrlKey) return;
    e.preventDefault();
    const place = /** @type {HTMLElement} */ (e.currentTarget);
    const at = this.chart?.chart?.convertFromPixel({ xAxisIndex: 0 }, e.clientX - place.getBoundingClientRect().left);
    if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) this.move(e.deltaX / 1000);
    else this.zoom(e.deltaY > 0 ? 1.25 : 0.8, at);
  }

  /** @param {PointerEvent} e */
  pressed(e) {
    if (e.button || e.pointerType === 'touch') return;
    const place = /** @type {HTMLElement} */ (e.currentTarget);
    const [from, to] = this.range();
    const top = this.top;
    const perPixel = (to - from) / Math.max(1, place.clientWidth - this.left - 16);
    this.dragged = false;
    const moved = (/** @type {PointerEvent} */ m) => {
      if (Math.abs(m.clientX - e.clientX) + Math.abs(m.clientY - e.clientY) > 4) this.dragged = true;
      if (!this.dragged) return;
      const by = Math.round((e.clientX - m.clientX) * perPixel);
      this.top = Math.max(0, top + Math.round((e.clientY - m.clientY) / LANE_HEIGHT));
      this.show(from + by, to + by);
    };
    const released = () => {
      window.removeEventListener('pointermove', moved);
      window.removeEventListener('pointerup', released);
    };
    window.addEventListener('pointermove', moved);
    window.addEventListener('pointerup', released);
  }

  /** @param {KeyboardEvent} e */
  typed(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      '+': () => this.zoom(0.5),
      '=': () => this.zoom(0.5),
      '-': () => this.zoom(2),
      0: () => this.show(null, null),
      ArrowLeft: () => this.move(-0.1),
      ArrowRight: () => this.move(0.1),
      PageUp: () => (this.top = Math.max(0, this.top - LANES)),
      PageDown: () => (this.top += LANES),
    };
    if (!keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
  }

  render() {
    const p = this.picture;
    if (!p) return nothing;
    const more = p.lanes.length > LANES;
    const button = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ then) => html`<button aria-label=${name} title=${name} @click=${then}>${sign}</button>`;
    return html`<div class="chart" role="img" tabindex="0" aria-label=${this.label} @wheel=${this.wheeled} @pointerdown=${this.pressed} @keydown=${this.typed}></div>
      <div class="chart-tools">${button('−', 'Zoom out', () => this.zoom(2))} ${button('+', 'Zoom in', () => this.zoom(0.5))} ${button('◀', 'Earlier', () => this.move(-0.25))} ${button('▶', 'Later', () => this.move(0.25))} <button @click=${() => this.show(null, null)}>${this.home}</button>
        ${more ? html`${button('▲', 'Lanes above', () => (this.top = Math.max(0, this.top - LANES)))} ${button('▼', 'Lanes below', () => (this.top += LANES))} <span class="quiet">${this.top + 1} to ${Math.min(p.lanes.length, this.top + LANES)} of ${format.number(p.lanes.length)}</span>` : nothing}</div>`;
  }
}
customElements.define('fw-gantt', Gantt);

/** The colours of the theme, and hatching in each. */
function brush() {
  /** @type {Map<string, any>} */
  const known = new Map();
  const once = (/** @type {string} */ key, /** @type {() => any} */ make) => known.get(key) ?? (known.set(key, make()), known.get(key));
  return {
    plain: (/** @type {string} */ tone) => once(tone, () => colour(tone)),
    hatched: (/** @type {string} */ tone) => once(`${tone} hatched`, () => ({ image: hatching(colour(tone)), repeat: 'repeat' })),
  };
}

/** @param {string} tone */
function hatching(tone) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const pen = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
  pen.strokeStyle = tone;
  pen.lineWidth = 1.2;
  pen.beginPath();
  for (const x of [-6, 0, 6]) {
    pen.moveTo(x, 6);
    pen.lineTo(x + 6, 0);
  }
  pen.stroke();
  return tile;
}

/** @param {Bar} b @param {number} top @param {any} params @param {any} api @param {ReturnType<typeof brush>} paint */
function rectangle(b, top, params, api, paint) {
  const { height, z } = KINDS[b.kind];
  const area = params.coordSys;
  const start = api.coord([b.from, b.lane - top]);
  const end = api.coord([b.to, b.lane - top]);
  const left = Math.max(start[0], area.x);
  const right = Math.min(Math.max(end[0], start[0] + (b.kind === 'work' || b.kind === 'coming' ? 3 : 1)), area.x + area.width);
  if (right <= left) return null;
  const shape = { x: left, y: start[1] - height / 2, width: right - left, height, r: b.kind === 'work' ? 1 : 0 };
  const tone = paint.plain(b.tone);
  /** @type {Record<Kind, any>} */
  const styles = {
    shade: { fill: tone, opacity: 0.16 },
    envelope: { fill: tone, opacity: 0.2 },
    planned: { fill: 'transparent', stroke: tone, lineWidth: 1 },
    notice: { fill: tone, opacity: 0.35 },
    recovery: { fill: paint.hatched(b.tone), opacity: 0.8 },
    coming: { fill: 'transparent', stroke: tone, lineWidth: 1.5 },
    work: { fill: tone },
  };
  return { type: 'rect', z2: z, shape, style: styles[b.kind] };
}
