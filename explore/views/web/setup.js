// Sets up a pattern or a position (setup.go): a piece is chosen and put on cells; the pattern is
// written into a field of the form, row by row, and read from it or from the page at the start. A mark
// adds its condition on a cell to the field where, and takes it away.
export function setup() {
  const box = document.querySelector('.set');
  if (!box) return;
  const { field: name, rest, cells: first } = box.dataset;
  const board = box.querySelector('svg.setup');
  const field = box.closest('form').elements[name];
  const pieces = [...box.querySelectorAll('[data-piece]')];
  const marks = [...box.querySelectorAll('[data-mark]')];
  const where = box.closest('form').elements.where;
  const cells = [...board.querySelectorAll('.cell')];
  const columns = +board.dataset.columns;
  let chosen = pieces[0];
  const condition = (mark, cell) => mark.dataset.mark.replace('_', cell.dataset.name);
  const marked = cell => marks.filter((m, i) => {
    const on = where.value.includes(condition(m, cell));
    cell.querySelectorAll('.mark')[i].classList.toggle('on', on);
    return on;
  });
  const label = cell => cell.setAttribute('aria-label', [cell.dataset.name + ': ' + (pieces.find(p => p.dataset.piece === cell.dataset.text)?.title ?? cell.dataset.text), ...marked(cell).map(m => m.title)].join(', '));
  const mark = cell => {
    const added = condition(chosen, cell), terms = where.value.split(' and ');
    if (where.value.includes(added)) where.value = terms.filter(t => t !== added).join(' and ');
    else where.value = [...where.value.trim() ? [/\bor\b/i.test(where.value) ? `(${where.value})` : where.value] : [], added].join(' and ');
  };
  const put = (cell, text) => {
    const i = pieces.findIndex(p => p.dataset.piece === text);
    const bare = text === rest || i < 0;
    cell.dataset.text = text;
    const use = cell.querySelector('use');
    if (bare) use.removeAttribute('href');
    else use.setAttribute('href', '#piece' + i);
    label(cell);
  };
  const write = () => {
    const rows = [];
    for (let i = 0; i < cells.length; i += columns) rows.push(cells.slice(i, i + columns).map(c => c.dataset.text).join(''));
    const short = rows.map(r => r.replace(/\?+$/, '*'));
    const none = short.every(r => r === '*');
    // On a board of unusual width a whole row tells it.
    if ('odd' in box.dataset && short.every(r => r.endsWith('*'))) short[0] = rows[0];
    field.value = none ? '' : short.join('/');
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
    [...pieces, ...marks].forEach(q => q.setAttribute('aria-pressed', q === p));
  };
  [...pieces, ...marks].forEach(p => p.addEventListener('click', () => choose(p)));
  const set = e => {
    const cell = e.target.closest('.cell[role]');
    if (!cell || e.type === 'keydown' && e.key !== 'Enter' && e.key !== ' ') return;
    if (marks.includes(chosen)) {
      mark(cell);
      label(cell);
    } else {
      put(cell, cell.dataset.text === chosen.dataset.piece ? rest : chosen.dataset.piece);
      write();
    }
    e.preventDefault();
  };
  board.addEventListener('click', set);
  board.addEventListener('keydown', set);
  box.addEventListener('change', write);
  if (marks.length) where.addEventListener('input', () => cells.forEach(label));
  box.querySelector('[data-empty]')?.addEventListener('click', () => {
    cells.forEach(c => put(c, rest));
    box.querySelectorAll('[name^="hand."]').forEach(h => { h.value = 0; });
    write();
  });
  cells.filter(c => c.getAttribute('role')).forEach(c => c.setAttribute('tabindex', 0));
  choose(pieces.find(p => !'?.Aa'.includes(p.dataset.piece)) || pieces[0]);
  read(first || field.value);
}
