// Heads of tables sort their rows: by number where a cell begins with one, else by text; a second time the other way. A table that
// shows a part of its rows is sorted by the server, by the column that its head names.
const amount = text => {
  const n = parseFloat(text.replace(/[,\s]/g, '').replace(/^−/, '-'));
  return /^[-−+]?[\d.]/.test(text) ? n : NaN;
};

function sort(head) {
  const body = head.closest('table').tBodies[0];
  const down = head.getAttribute('aria-sort') ? head.getAttribute('aria-sort') === 'ascending' : head.matches('.n, .wdl');
  const keyed = [...body.rows].map(row => [row.cells[head.cellIndex]?.textContent.trim() ?? '', row]);
  const order = ([a], [b]) => {
    const [x, y] = [amount(a), amount(b)];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y) || (down ? -1 : 1) * a.localeCompare(b);
    return (down ? -1 : 1) * (x - y);
  };
  body.append(...keyed.sort(order).map(([, row]) => row));
  for (const other of head.parentElement.cells) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
}

export function sorts() {
  for (const table of document.querySelectorAll('table')) {
    if (!table.tHead || (table.tBodies[0]?.rows.length ?? 0) < 2) continue;
    for (const head of table.tHead.rows[0].cells) {
      if (!head.textContent.trim()) continue;
      const button = Object.assign(document.createElement('button'), { type: 'button', className: 'sort' });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        const form = head.dataset.order && document.querySelector('form [name=order]')?.form;
        if (!form) return sort(head);
        const { order, down } = form.elements;
        down.checked = order.value === head.dataset.order ? !down.checked : head.matches('.n');
        order.value = head.dataset.order;
        form.requestSubmit();
      });
    }
  }
}
