// @ts-check
/** Draws charts in the colours of the page. The library is loaded when the first chart is shown. */

/** @type {Promise<any> | null} */
let library = null;

const load = () => (library ??= import('echarts'));

/** Keeps a chart as large as its place and in the theme of the reader. */
export class Chart {
  /** @param {HTMLElement} place @param {() => any} option computed anew for each theme */
  constructor(place, option) {
    this.place = place;
    this.option = option;
    /** @type {any} */
    this.chart = null;
    this.gone = false;
    this.themes = matchMedia('(prefers-color-scheme: dark)');
    this.themed = () => this.update(true);
    this.themes.addEventListener('change', this.themed);
    this.observer = new ResizeObserver(() => this.chart?.resize());
    this.ready = load().then((echarts) => {
      if (this.gone) return;
      this.chart = echarts.init(place, null, { renderer: 'canvas' });
      this.observer.observe(place);
      this.update();
    });
  }

  /** @param {boolean} [anew] */
  update(anew = false) {
    if (!this.chart) return;
    const { height, ...option } = this.option();
    if (height && this.place.clientHeight !== height) {
      this.place.style.height = `${height}px`;
      this.chart.resize();
    }
    this.chart.setOption({ animation: false, textStyle: { fontFamily: 'system-ui, sans-serif' }, ...option }, { notMerge: anew, replaceMerge: ['series'] });
  }

  /** @param {string} event @param {(data: any) => void} then */
  on(event, then) {
    this.ready.then(() => this.chart?.on(event, then));
  }

  stop() {
    this.gone = true;
    this.themes.removeEventListener('change', this.themed);
    this.observer.disconnect();
    this.chart?.dispose();
  }
}

/** A colour of the page. @param {string} name */
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Tooltips as drawn text: the page allows no markup with styles of its own. */
export const tooltip = () => ({ renderMode: 'richText', backgroundColor: colour('bg'), borderColor: colour('line'), textStyle: { color: colour('text'), fontSize: 12 }, confine: true });

/** Axes that do not shout. */
export const axis = () => ({ axisLine: { lineStyle: { color: colour('line') } }, axisTick: { show: false }, axisLabel: { color: colour('quiet'), hideOverlap: true }, splitLine: { lineStyle: { color: colour('line') } } });

/**
 * Bars over time, a lane for each name.
 *
 * @typedef {{lane: number, from: number, to: number, tone: string, faint?: boolean, outline?: boolean, label: string, link?: string}} Bar
 * @param {{lanes: string[], bars: Bar[], now: number, from: number, to: number, shades?: {from: number, to: number}[], zoom?: boolean}} picture
 */
export function gantt({ lanes, bars, now, from, to, shades = [], zoom = false }) {
  const tall = lanes.length * 24;
  return {
    height: Math.max(110, Math.min(tall, 480) + (zoom ? 76 : 44)),
    grid: { left: 8, right: 16, top: 8, bottom: zoom ? 60 : 28, containLabel: true },
    tooltip: { ...tooltip(), formatter: (/** @type {any} */ item) => bars[item.dataIndex]?.label ?? '' },
    xAxis: { type: 'time', min: from, max: to, ...axis() },
    yAxis: { type: 'category', data: lanes, inverse: true, ...axis(), splitLine: { show: false }, axisLabel: { color: colour('quiet'), width: 150, overflow: 'truncate', interval: 0 } },
    dataZoom: [
      ...(zoom ? [{ type: 'inside', xAxisIndex: 0, filterMode: 'weakFilter' }, { type: 'slider', xAxisIndex: 0, height: 18, bottom: 12, borderColor: colour('line'), filterMode: 'weakFilter', labelFormatter: '', showDataShadow: false }] : []),
      ...(tall > 480 ? [{ type: 'slider', yAxisIndex: 0, width: 12, right: 0, startValue: 0, endValue: 19, zoomLock: true, showDetail: false, borderColor: colour('line'), filterMode: 'weakFilter' }, { type: 'inside', yAxisIndex: 0, zoomOnMouseWheel: false, moveOnMouseWheel: true }] : []),
    ],
    series: [
      {
        type: 'custom',
        data: bars.map((b) => [b.lane, b.from, b.to]),
        encode: { x: [1, 2], y: 0 },
        clip: true,
        progressive: 2000,
        renderItem: (/** @type {any} */ params, /** @type {any} */ api) => bar(bars[params.dataIndex], params, api),
        markLine: { silent: true, symbol: 'none', lineStyle: { color: colour('red'), type: 'solid' }, label: { show: false }, data: [{ xAxis: now }] },
        markArea: { silent: true, itemStyle: { color: colour('quiet'), opacity: 0.12 }, data: shades.map((s) => [{ xAxis: s.from }, { xAxis: s.to }]) },
      },
    ],
  };
}

/** @param {Bar} b @param {any} params @param {any} api */
function bar(b, params, api) {
  const start = api.coord([b.from, b.lane]);
  const end = api.coord([b.to, b.lane]);
  const height = Math.min(16, api.size([0, 1])[1] * 0.7);
  const area = params.coordSys;
  const left = Math.max(start[0], area.x);
  const right = Math.min(Math.max(end[0], start[0] + 2), area.x + area.width);
  if (right <= left) return null;
  return {
    type: 'rect',
    shape: { x: left, y: start[1] - height / 2, width: right - left, height },
    style: b.outline ? { fill: 'transparent', stroke: colour(b.tone), lineWidth: 1 } : { fill: colour(b.tone), opacity: b.faint ? 0.28 : 1 },
  };
}
