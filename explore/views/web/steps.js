// Steps through a game or a variation: links that show a position each (.steps a), one of
// them the current one; keys, buttons, a swipe and a click in a chart lead from one to another.
export function steps() {
  const list = document.querySelector('.steps');
  if (!list) return;
  const links = [...list.querySelectorAll('a[data-board]')];
  const board = document.querySelector('#board');
  if (!links.length) return;
  let at = Math.max(0, links.findIndex(a => a.matches('.on')));
  const mark = () => {
    for (const box of document.querySelectorAll('.plot')) {
      if (box.plot?.follows) box.chart.setCursor({ left: box.chart.valToPos(box.plot.x[at], 'x'), top: 20 });
    }
  };
  const show = to => {
    to = Math.min(links.length - 1, Math.max(0, to));
    links[at].classList.remove('on');
    at = to;
    const a = links[at];
    a.classList.add('on');
    list.scrollTop += a.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
    board.src = a.dataset.board;
    board.alt = a.dataset.text;
    document.querySelector('#boardfile')?.setAttribute('href', a.dataset.board);
    document.querySelectorAll('[data-shown]').forEach(e => { e.textContent = a.dataset[e.dataset.shown] || ''; });
    history.replaceState(null, '', a.href);
    mark();
    for (const p of [links[at - 1], links[at + 1]]) if (p) new Image().src = p.dataset.board;
  };
  requestAnimationFrame(mark);
  document.addEventListener('drawn', () => requestAnimationFrame(mark)); // a chart that is drawn again has lost it, and has its scales a frame later
  const go = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => links.length - 1 };
  document.addEventListener('keydown', e => {
    if (!go[e.key] || e.target.matches('input, textarea, select') || e.ctrlKey || e.altKey || e.metaKey) return;
    show(go[e.key]());
    e.preventDefault();
  });
  list.addEventListener('click', e => {
    const a = e.target.closest('a[data-board]');
    if (!a || e.ctrlKey || e.metaKey || e.shiftKey) return;
    show(links.indexOf(a));
    e.preventDefault();
  });
  document.querySelectorAll('[data-go]').forEach(b => b.addEventListener('click', () => show(go[b.dataset.go]())));
  document.addEventListener('step', e => show(e.detail));
  let from = null;
  board.addEventListener('touchstart', e => { from = e.changedTouches[0].clientX; }, { passive: true });
  board.addEventListener('touchend', e => {
    const moved = e.changedTouches[0].clientX - from;
    if (Math.abs(moved) > 30) show(at + (moved < 0 ? 1 : -1));
  }, { passive: true });
}
