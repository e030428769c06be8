// A search of many positions shows the boards that it has, and goes on while one looks at them: the rest is asked
// for page by page, until the wall is full, all games are searched, or the reader stops it. A form that was sent
// says so at once, and can be stopped, too.
const full = 48;

// busy shows that something goes on after an element, with a button that ends it, and returns how to take it away.
function busy(after, text, stop) {
  const note = Object.assign(document.createElement('p'), { className: 'note', role: 'status', textContent: text + ' ' });
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Stop' });
  const end = () => note.remove();
  button.addEventListener('click', () => { stop(); end(); });
  note.append(button);
  after.after(note);
  return end;
}

export async function search() {
  let sent = () => {};
  document.addEventListener('submit', e => setTimeout(() => {
    if (e.defaultPrevented) return; // the page answers by itself
    sent();
    sent = busy(e.target, 'Working…', () => window.stop());
  }));
  addEventListener('pageshow', () => sent());

  const lead = document.querySelector('[data-search]');
  const wall = document.querySelector('.wall');
  if (!lead || !wall || !lead.dataset.search) return;
  const stopped = new AbortController();
  const end = busy(lead, 'Searching…', () => stopped.abort());
  try {
    while (lead.dataset.search && wall.children.length < full) {
      const answer = await fetch(lead.dataset.search, { signal: stopped.signal });
      if (!answer.ok) break;
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const more = page.querySelector('[data-search]');
      if (!more) break;
      wall.append(...page.querySelectorAll('.wall > li'));
      lead.querySelector('.found').textContent = wall.children.length;
      lead.querySelector('.share').textContent = more.querySelector('.share').textContent;
      lead.dataset.search = more.dataset.search;
      const link = lead.querySelector('a');
      if (more.dataset.search) link.href = more.dataset.search;
      else link.replaceWith(page.querySelector('.pages a[rel=next]') ?? '');
    }
  } catch {} // stopped: the link leads on
  end();
}
