// Sets up a pattern or a position (setup.go): a piece is chosen and put on cells; the pattern is
// written into a field of the form, row by row, and read from it or from the page at the start.
export function setup() {
  const box = document.querySelector('.set');
  if (!box) return;
  const { field: name, rest, cells: first } = box.dataset;
  const board = box.querySelector('svg.setup');
  const field = box.closest('form').elements[name];
  const pieces = [...box.querySelectorAll('[data-piece]')];
  const cells = [...board.querySelectorAll('.cell')];
  const columns = +board.dataset.columns;
  let chosen = pieces[0];
  const put = (cell, text) => {
    const i = pieces.findIndex(p => p.dataset.piece === text);
    const bare = text === rest || i < 0;
    cell.dataset.text = text;
    const use = cell.querySelector('use');
    if (bare) use.removeAttribute('href');
    else use.setAttribute('href', '#piece' + i);
    cell.setAttribute('aria-label', cell.dataset.name + ': ' + (i < 0 ? text : pieces[i].title));
  };
  const write = () => {
    const rows = [];
    for (let i = 0; i < cells.length; i += columns) {
      rows.push(cells.slice(i, i + columns).map(c => c.dataset.text).join('').replace(/\?+$/, '*'));
    }
    field.value = rows.every(r => r === '*') ? '' : rows.join('/');
  };
  // Numbers are empty cells, * is the rest of a row.
  const read = text => {
    const rows = text.split('/').map(r => [...r.matchAll(/\*|\d+|\[[^\]]*\]|\+?[^]/g)].flatMap(([t]) =>
      t === '*' ? Array(columns).fill(rest) : /^\d/.test(t) ? Array(+t).fill('.') : [t === '-' ? '.' : t]).slice(0, columns));
    const fits = rows.length * columns === cells.length;
    cells.forEach((c, i) => put(c, fits && c.getAttribute('role') ? rows[Math.floor(i / columns)][i % columns] || rest : rest));
  };
  const choose = p => {
    chosen = p;
    pieces.forEach(q => q.setAttribute('aria-pressed', q === p));
  };
  pieces.forEach(p => p.addEventListener('click', () => choose(p)));
  const set = e => {
    const cell = e.target.closest('.cell[role]');
    if (!cell || e.type === 'keydown' && e.key !== 'Enter' && e.key !== ' ') return;
    put(cell, cell.dataset.text === chosen.dataset.piece ? rest : chosen.dataset.piece);
    write();
    e.preventDefault();
  };
  board.addEventListener('click', set);
  board.addEventListener('keydown', set);
  box.addEventListener('change', write);
  box.querySelector('[data-empty]')?.addEventListener('click', () => {
    cells.forEach(c => put(c, rest));
    box.querySelectorAll('[name^="hand."]').forEach(h => { h.value = 0; });
    write();
  });
  cells.filter(c => c.getAttribute('role')).forEach(c => c.setAttribute('tabindex', 0));
  choose(pieces.find(p => !'?.Aa'.includes(p.dataset.piece)) || pieces[0]);
  read(first || field.value);
}
