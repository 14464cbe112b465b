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
