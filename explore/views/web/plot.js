// Charts of uPlot from the data that a page has with each (plot.go).
import uPlot from './vendor/uPlot.esm.js';

const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const dark = matchMedia('(prefers-color-scheme: dark)');

// colour is one of the palette, and of guides below 0.
const colour = (i, alpha) => {
  const c = i < 0 ? style('--guide') : style('--k' + i % 8);
  return alpha ? c + alpha : c;
};

const round = v => v === null || v === undefined ? '–' : String(+v.toFixed(Math.abs(v) < 10 ? 3 : 1)).replace('-', '−');

// The lines of a chart as series: each with its interval, if it has one, as two further ones.
function series(p) {
  const all = [{ label: p.xlabel.split(/[,[]/)[0].trim(), value: (u, v) => v === null ? '–' : round(v) }], data = [p.x], bands = [], groups = [];
  for (const l of p.lines) {
    const at = all.length, of = [at];
    const says = (u, v, s, i) => v === null || i === null ? '–' : round(v) + (l.low && l.low[i] !== null ? ` (${round(l.low[i])} to ${round(l.high[i])})` : '');
    all.push({ label: l.label, stroke: colour(l.colour), width: l.smooth ? 1.5 : 2, dash: l.dash ? [6, 4] : undefined,
      points: { show: !l.smooth, size: 6, fill: colour(l.colour) }, spanGaps: true, value: says });
    data.push(l.y);
    if (l.low) {
      for (const edge of [l.high, l.low]) {
        all.push({ label: '', stroke: 'transparent', width: 0, points: { show: false }, spanGaps: true, class: 'edge' });
        data.push(edge);
        of.push(all.length - 1);
      }
      bands.push({ series: [at + 1, at + 2], fill: colour(l.colour, '30') });
    }
    groups.push(of);
  }
  return { all, data, bands, groups };
}

// fitted is the font of a label, smaller where it has not the room.
const fitted = (text, room) => {
  const c = document.createElement('canvas').getContext('2d');
  c.font = 'bold 12px system-ui';
  return `bold ${Math.max(8, Math.min(12, Math.floor(12 * room / c.measureText(text).width)))}px system-ui`;
};

function draw(box, p) {
  box.querySelector('.uplot')?.remove();
  const { all, data, bands, groups } = series(p);
  const axis = { stroke: style('--ink'), grid: { stroke: style('--rule'), width: 1 }, ticks: { stroke: style('--rule'), width: 1 }, font: '13px system-ui' };
  const width = Math.floor(box.getBoundingClientRect().width), height = Math.min(460, Math.max(280, width * 0.52));
  let ready = false;
  const u = new uPlot({
    width, height, series: all, bands,
    scales: { x: { time: false, range: [p.xmin, p.xmax] }, y: { range: [p.ymin, p.ymax] } },
    axes: [{ ...axis, label: p.xlabel, labelFont: fitted(p.xlabel, width - 100), labelSize: 24, values: (u, ticks) => ticks.map(round) }, { ...axis, label: p.ylabel, labelFont: fitted(p.ylabel, height - 100), labelSize: 24, size: 52, values: (u, ticks) => ticks.map(round) }],
    cursor: { drag: { x: !!p.brush, y: false, setScale: false }, focus: { prox: 24 } }, focus: { alpha: 0.5 },
    hooks: {
      // The interval of a line goes with it.
      setSeries: [(u, i, o) => {
        const of = groups.find(g => g[0] === i);
        if (of && o.show !== undefined) of.slice(1).forEach(k => u.setSeries(k, { show: o.show }));
      }],
      setSelect: [u => { if (ready && p.brush && u.select.width > 2) brush(box, p, u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')); }],
    },
  }, data, box);
  ready = true;
  box.chart = u;
  return u;
}

// brush puts the range into the fields of the form, whole bins, and sends it.
function brush(box, p, a, b) {
  const form = box.closest('form');
  const edge = (v, to) => p.step ? (to(v / p.step - 0.5) + 0.5) * p.step : v;
  form.elements[p.brush[0]].value = edge(a, Math.floor);
  form.elements[p.brush[1]].value = edge(b, Math.ceil);
  form.requestSubmit();
}

// Arrow keys read the values one by one.
function keys(box) {
  let at = -1;
  box.addEventListener('keydown', e => {
    const p = box.plot;
    const to = { ArrowRight: at + 1, ArrowLeft: at < 0 ? p.x.length - 1 : at - 1, Home: 0, End: p.x.length - 1 }[e.key];
    if (to === undefined || p.follows) return;
    at = Math.min(p.x.length - 1, Math.max(0, to));
    box.chart.setCursor({ left: box.chart.valToPos(p.x[at], 'x'), top: box.chart.bbox.height / devicePixelRatio / 2 });
    e.preventDefault();
  });
}

// plot draws p in a box; drawn again, it takes the place of what was there.
export function plot(box, p) {
  const first = !box.plot;
  box.plot = p;
  const again = () => { draw(box, box.plot); box.dispatchEvent(new CustomEvent('drawn', { bubbles: true })); };
  again();
  if (!first) return;
  keys(box);
  let width = box.clientWidth;
  new ResizeObserver(() => { if (box.clientWidth !== width) { width = box.clientWidth; again(); } }).observe(box);
  dark.addEventListener('change', again);
  box.addEventListener('click', e => {
    const i = box.chart.cursor.idx;
    if (box.plot.follows && i !== null && e.target.closest('.u-over')) box.dispatchEvent(new CustomEvent('step', { detail: i, bubbles: true }));
  });
}

export function plots(root, dataOf) {
  for (const box of root.querySelectorAll('.plot')) if (box.querySelector('script')) plot(box, dataOf(box));
}
