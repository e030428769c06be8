// The page's behaviour: lines on and off, the values under the pointer or at the arrow
// keys, and other widths of bins and counts of draws.
for (const figure of document.querySelectorAll('figure')) {
  const groups = () => figure.querySelectorAll('g.series');
  for (const button of figure.querySelectorAll('.legend button')) {
    button.addEventListener('click', () => {
      const on = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', String(on));
      for (const g of groups()) if (g.dataset.series === button.dataset.series) g.classList.toggle('off', !on);
    });
  }

  const readout = figure.querySelector('.readout');
  const clear = () => {
    readout.textContent = '';
    for (const hair of figure.querySelectorAll('.hair')) hair.remove();
  };
  for (const chart of figure.querySelectorAll('svg[data-frame]')) {
    const [left, right, top, bottom] = chart.dataset.frame.split(' ').map(Number);
    const dots = () => [...chart.querySelectorAll('g.series:not(.off) .dot')];
    const at = dot => Number(dot.getAttribute('cx'));
    let here = (left + right) / 2;
    const show = x => {
      const all = dots();
      if (all.length === 0) return clear();
      here = at(all.reduce((a, b) => Math.abs(at(b) - x) < Math.abs(at(a) - x) ? b : a));
      clear();
      const hair = document.createElementNS(chart.namespaceURI, 'path');
      hair.setAttribute('class', 'hair');
      hair.setAttribute('d', `M${here} ${top}V${bottom}`);
      chart.append(hair);
      readout.textContent = all.filter(d => Math.abs(at(d) - here) < 0.2).map(d => d.querySelector('title').textContent).join('\n');
    };
    const point = event => {
      const box = chart.getBoundingClientRect();
      show((event.clientX - box.left) / box.width * chart.viewBox.baseVal.width);
    };
    chart.addEventListener('pointermove', point);
    chart.addEventListener('pointerdown', point);
    chart.addEventListener('pointerleave', clear);
    chart.addEventListener('focus', () => show(here));
    chart.addEventListener('blur', clear);
    chart.addEventListener('keydown', event => {
      const xs = [...new Set(dots().map(at))].sort((a, b) => a - b);
      const next = {
        ArrowRight: xs.find(x => x > here + 0.2), ArrowLeft: xs.findLast(x => x < here - 0.2),
        Home: xs[0], End: xs.at(-1),
      }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      show(next);
    });
  }

  const source = figure.querySelector('.views');
  if (!source) continue;
  const views = JSON.parse(source.textContent);
  const [draws, bin] = figure.querySelectorAll('.controls select');
  const redraw = (chart, series) => {
    const [left, right, top, bottom, x0, x1, y0, y1] = chart.dataset.frame.split(' ').map(Number);
    const px = v => String(Math.round(v * 10) / 10);
    const x = v => px(left + (v - x0) / (x1 - x0) * (right - left));
    const y = v => px(bottom - (v - y0) / (y1 - y0) * (bottom - top));
    const path = points => points.map((p, i) => (i ? 'L' : 'M') + p).join('');
    for (const g of chart.querySelectorAll('g.series')) {
      const points = series[g.dataset.series];
      g.querySelector('.line').setAttribute('d', path(points.map(p => x(p[0]) + ' ' + y(p[1]))));
      const band = g.querySelector('.band'), bars = g.querySelector('.bars');
      if (band) {
        band.setAttribute('d', path([...points.map(p => x(p[0]) + ' ' + y(p[3])), ...points.toReversed().map(p => x(p[0]) + ' ' + y(p[2]))]) + 'Z');
      } else if (bars) { // as many as the report draws, see interval.go
        const every = Math.ceil(points.length / 30);
        bars.setAttribute('d', points.filter((_, i) => i % every === 0).map(p => 'M' + x(p[0]) + ' ' + y(p[3]) + 'V' + y(p[2])).join(''));
      } else continue;
      const model = g.querySelector('.dot');
      const dots = points.map(p => {
        const dot = model.cloneNode(true);
        dot.setAttribute('cx', x(p[0]));
        dot.setAttribute('cy', y(p[1]));
        dot.querySelector('title').textContent = p[4];
        return dot;
      });
      for (const old of g.querySelectorAll('.dot')) old.remove();
      g.append(...dots);
    }
  };
  for (const select of [draws, bin]) {
    select.addEventListener('change', () => {
      const view = views.find(v => v.draws === draws.value && v.bin === bin.value);
      if (!view) return;
      clear();
      for (const chart of figure.querySelectorAll('svg[data-frame]')) redraw(chart, view.series);
      for (const button of figure.querySelectorAll('.legend button')) button.textContent = view.labels[button.dataset.series];
    });
  }
}
// Links to kifu explore, whose address only the reader knows.
const toExplorer = document.querySelectorAll('a.explore');
if (toExplorer.length > 0) {
  const line = document.createElement('p'), label = document.createElement('label'), input = document.createElement('input');
  label.append('Links to the explorer: the address that kifu explore prints ', input);
  input.type = 'url';
  input.size = 40;
  input.placeholder = '127.0.0.1:…';
  line.append(label);
  (document.querySelector('.tree, .examples') ?? toExplorer[0].parentNode).before(line);
  const link = () => {
    const base = /^https?:\/\//.test(input.value) ? input.value.replace(/\/*$/, '/') : '';
    for (const a of toExplorer) {
      a.hidden = base === '';
      a.href = base + a.dataset.to;
    }
  };
  try { input.value = sessionStorage.getItem('explorer') ?? ''; } catch { /* a page of a file may have no storage */ }
  input.addEventListener('input', () => {
    try { sessionStorage.setItem('explorer', input.value); } catch { /* as above */ }
    link();
  });
  link();
}
