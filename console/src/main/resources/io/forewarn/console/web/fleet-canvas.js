// @ts-check
/**
 * Draws the fleet on one canvas, as high as the window: what is out of sight costs nothing, and of what is in sight only
 * the cells that changed are drawn again.
 */

const GAP = 2;
const HEAD = 20;
const BETWEEN = 18;
const LARGEST = 26;
const NAMED = 120;
const NAME_WIDTH = 108;
const SMALLEST = 5;
const SLICE_MILLIS = 12;
const STRIPE = 64;

export class FleetCanvas {
  /** @param {HTMLCanvasElement} element */
  constructor(element) {
    this.element = element;
    this.context = /** @type {CanvasRenderingContext2D} */ (element.getContext('2d'));
    /** @type {import('./cells.js').Cells | null} */
    this.cells = null;
    /** @type {number[]} */
    this.shown = [];
    this.byHost = false;
    /** Counts the layouts, so that a newer one ends an older one. */
    this.run = 0;
    /** @type {{title: string, x: number, y: number, width: number}[]} */
    this.titles = [];
    /** @type {Map<number, number[]>} */
    this.stripes = new Map();
    /** Left edges and tops of the cells, by index. */
    this.x = new Float32Array(0);
    this.y = new Float32Array(0);
    this.size = LARGEST;
    /** Of the whole picture, of the part in sight, and how much is above it. */
    this.total = 0;
    this.height = 0;
    this.offset = 0;
    /** Of cells with names; 0 for squares. */
    this.width = 0;
    /** @type {Set<number>} */
    this.dirty = new Set();
    this.frame = 0;
    this.left = [];
    let width = 0;
    this.observer = new ResizeObserver(([place]) => {
      // Its height is our own doing.
      if (place.contentRect.width !== width) this.layout();
      width = place.contentRect.width;
    });
    this.observer.observe(/** @type {Element} */ (element.parentElement));
    this.themes = matchMedia('(prefers-color-scheme: dark)');
    this.themed = () => this.layout();
    this.themes.addEventListener('change', this.themed);
    this.scrolled = () => this.cells && this.sight();
    window.addEventListener('scroll', this.scrolled, { passive: true });
    window.addEventListener('resize', this.themed);
  }

  stop() {
    this.run++;
    this.observer.disconnect();
    window.removeEventListener('scroll', this.scrolled);
    window.removeEventListener('resize', this.themed);
    this.themes.removeEventListener('change', this.themed);
    cancelAnimationFrame(this.frame);
  }

  /** @param {import('./cells.js').Cells} cells @param {number[]} shown @param {boolean} byHost */
  show(cells, shown, byHost) {
    this.cells = cells;
    this.shown = shown;
    this.byHost = byHost;
    this.layout();
  }

  /** @param {number[]} indexes */
  changed(indexes) {
    for (const index of indexes) this.dirty.add(index);
    this.schedule();
  }

  /** Blocks of cells: for a group a column for each update domain, for a host its machines in a row. */
  *blocks() {
    const cells = /** @type {import('./cells.js').Cells} */ (this.cells);
    /** @type {Map<string | number, number[]>} */
    const members = new Map();
    for (const index of this.shown) {
      const key = this.byHost ? cells.hosts[index] || 'no host' : cells.groupOf[index];
      const list = members.get(key);
      if (list) list.push(index);
      else members.set(key, [index]);
    }
    for (const [key, list] of members) {
      if (this.byHost) {
        yield { title: String(key), columns: [list], width: Math.min(this.shown.length <= NAMED ? 2 : 8, list.length), wrap: this.shown.length <= NAMED ? 2 : 8, rows: 0, rowOf: new Map() };
        continue;
      }
      const group = cells.groups[/** @type {number} */ (key)];
      /** @type {number[][]} */
      const columns = Array.from({ length: group.updateDomains }, () => []);
      for (const index of list) (columns[cells.updates[index]] ??= []).push(index);
      while (columns.length > 1 && !columns.at(-1)?.length) columns.pop();
      const { rows, rowOf } = this.bands(columns, group.faultDomains);
      const title = group.tenant === 'default' ? group.name : `${group.tenant}/${group.name}`;
      yield { title, columns, width: columns.length, wrap: 0, rows, rowOf };
    }
  }

  /** Rows by fault domain: a band is as high as the column that has most of it. @param {number[][]} columns @param {number} faultDomains */
  bands(columns, faultDomains) {
    const cells = /** @type {import('./cells.js').Cells} */ (this.cells);
    /** @type {Map<number, number>} */
    const rowOf = new Map();
    let rows = 0;
    for (let fault = 0; fault < faultDomains; fault++) {
      let highest = 0;
      for (const column of columns) {
        let row = 0;
        for (const index of column) if (cells.faults[index] === fault) rowOf.set(index, rows + row++);
        highest = Math.max(highest, row);
      }
      rows += highest;
    }
    return { rows, rowOf };
  }

  /** Places all cells, for a few milliseconds at a time, and then draws them. */
  async layout() {
    if (!this.cells) return;
    const run = ++this.run;
    const width = this.element.parentElement?.clientWidth ?? 800;
    const n = this.shown.length;
    this.width = n <= NAMED ? NAME_WIDTH : 0;
    this.size = n <= 300 ? LARGEST : n <= 3000 ? 14 : n <= 20_000 ? 8 : SMALLEST;
    const step = this.size + GAP;
    const across = (this.width || this.size) + GAP;
    const x = new Float32Array(this.cells.size).fill(-1);
    const y = new Float32Array(this.cells.size);
    /** @type {{title: string, x: number, y: number, width: number}[]} */
    const titles = [];
    /** Which cells are in which stripe of the picture, to find the one under the pointer. @type {Map<number, number[]>} */
    const stripes = new Map();
    let until = performance.now() + SLICE_MILLIS;
    let left = 0;
    let top = 0;
    let tallest = 0;
    const letters = 8;
    for (const block of this.blocks()) {
      const height = HEAD + step * Math.max(1, block.wrap ? Math.ceil(block.columns[0].length / block.wrap) : block.rows);
      const wide = Math.max(block.width * across, Math.min(block.title.length * letters, 180));
      if (left > 0 && left + wide > width) {
        left = 0;
        top += tallest + BETWEEN;
        tallest = 0;
      }
      titles.push({ title: block.title, x: left, y: top, width: wide });
      block.columns.forEach((column, c) =>
        column.forEach((index, nth) => {
          const row = block.wrap ? nth : block.rowOf.get(index) ?? 0;
          x[index] = left + (block.wrap ? (row % block.wrap) * across : c * across);
          y[index] = top + HEAD + (block.wrap ? Math.floor(row / block.wrap) * step : row * step);
          const stripe = Math.floor(y[index] / STRIPE);
          const list = stripes.get(stripe);
          if (list) list.push(index);
          else stripes.set(stripe, [index]);
        }),
      );
      left += wide + BETWEEN;
      tallest = Math.max(tallest, height);
      if (performance.now() > until) {
        await new Promise((next) => setTimeout(next, 0));
        if (run !== this.run) return;
        until = performance.now() + SLICE_MILLIS;
      }
    }
    Object.assign(this, { x, y, titles, stripes });
    this.total = top + tallest + BETWEEN;
    this.colours();
    this.resize(width);
  }

  /** Draws what is in sight, after a layout or when the reader has scrolled. */
  sight() {
    const above = -(/** @type {Element} */ (this.element.parentElement).getBoundingClientRect().top);
    this.offset = Math.max(0, Math.min(above, this.total - this.height));
    this.context.clearRect(0, 0, this.element.width, this.element.height);
    this.heads();
    this.dirty = new Set();
    for (let stripe = Math.floor(this.offset / STRIPE) - 1; stripe <= (this.offset + this.height) / STRIPE; stripe++) {
      for (const index of this.stripes.get(stripe) ?? []) this.dirty.add(index);
    }
    this.schedule();
  }

  /** @param {number} width */
  resize(width) {
    const ratio = window.devicePixelRatio || 1;
    this.height = Math.min(this.total, window.innerHeight);
    const place = /** @type {HTMLElement} */ (this.element.parentElement);
    place.style.height = `${this.total}px`;
    this.element.width = Math.round(width * ratio);
    this.element.height = Math.round(this.height * ratio);
    this.element.style.height = `${this.height}px`;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.sight();
  }

  /** @param {number} x @param {number} down */
  at(x, down) {
    const y = down + this.offset;
    const stripe = Math.floor(y / STRIPE);
    for (const index of [...(this.stripes.get(stripe) ?? []), ...(this.stripes.get(stripe - 1) ?? [])]) {
      if (x >= this.x[index] && x < this.x[index] + (this.width || this.size) && y >= this.y[index] && y < this.y[index] + this.size) return index;
    }
    return -1;
  }

  colours() {
    const style = getComputedStyle(document.documentElement);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    this.text = colour('text');
    this.quiet = colour('quiet');
    this.paper = colour('bg');
    this.edge = colour('line');
    /** @type {Record<string, {fill: string, line?: string, mark?: string}>} */
    this.fills = {
      r: { fill: colour('amber') },
      f: { fill: colour('red'), mark: 'x' },
      a: { fill: colour('teal') },
      s: { fill: colour('blue') },
      w: { fill: colour('bg'), line: colour('blue') },
      p: { fill: colour('cell') },
      q: { fill: colour('bg'), line: colour('quiet'), mark: 'x' },
      n: { fill: colour('bg'), line: colour('line') },
    };
  }

  heads() {
    this.context.font = `${this.size < 10 ? 11 : 12}px system-ui, sans-serif`;
    this.context.fillStyle = /** @type {string} */ (this.quiet);
    this.context.textBaseline = 'top';
    for (const { title, x, y, width } of this.titles) {
      if (y + HEAD < this.offset || y > this.offset + this.height) continue;
      this.context.fillText(this.fit(title, width), x, y - this.offset + 2);
    }
  }

  /** As much of a text as fits; its end tells more than its beginning. @param {string} text @param {number} width */
  fit(text, width) {
    if (this.context.measureText(text).width <= width) return text;
    let from = 1;
    while (from < text.length && this.context.measureText('…' + text.slice(from)).width > width) from++;
    return '…' + text.slice(from);
  }

  schedule() {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.draw());
  }

  /** For a few milliseconds at a time: the page must answer the reader meanwhile. */
  draw() {
    this.frame = 0;
    const until = performance.now() + SLICE_MILLIS;
    let n = 0;
    for (const index of this.dirty) {
      this.dirty.delete(index);
      if (this.x[index] >= 0 && this.y[index] + this.size > this.offset && this.y[index] < this.offset + this.height) this.cell(index);
      if (++n % 100 === 0 && performance.now() > until) break;
    }
    if (this.dirty.size) this.schedule();
  }

  /** @param {number} index @param {number} x @param {number} y */
  name(index, x, y) {
    const c = this.context;
    const text = /** @type {import('./cells.js').Cells} */ (this.cells).names[index];
    c.strokeStyle = /** @type {string} */ (this.edge);
    c.strokeRect(x + 0.5, y + 0.5, this.width - 1, this.size - 1);
    c.fillStyle = /** @type {string} */ (this.text);
    c.font = '12px system-ui, sans-serif';
    c.textBaseline = 'middle';
    c.fillText(this.fit(text, this.width - 18), x + 13, y + this.size / 2 + 1);
  }

  /** @param {number} index */
  cell(index) {
    const { fill, line, mark } = /** @type {any} */ (this.fills)[/** @type {any} */ (this.cells).states[index]];
    const c = this.context;
    const x = this.x[index];
    const y = this.y[index] - this.offset;
    const s = this.size;
    const w = this.width || s;
    c.fillStyle = /** @type {string} */ (this.paper);
    c.fillRect(x - 0.5, y - 0.5, w + 1, s + 1);
    c.fillStyle = fill;
    c.fillRect(x, y, this.width ? 8 : s, s);
    if (line) {
      c.strokeStyle = line;
      c.strokeRect(x + 0.5, y + 0.5, (this.width ? 8 : s) - 1, s - 1);
    }
    if (this.width) {
      this.name(index, x, y);
    } else if (mark && s >= 8) {
      c.strokeStyle = line ?? /** @type {string} */ (this.paper);
      c.beginPath();
      c.moveTo(x + 3, y + 3);
      c.lineTo(x + s - 3, y + s - 3);
      c.stroke();
    }
  }
}
