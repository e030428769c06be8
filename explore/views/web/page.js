// What pages of the explorer cannot do without a script, each by what an element says of
// itself: charts (plot.js), completion of columns, forms that are sent at a choice, copying.
import { plots } from './plot.js';
import { setup } from './setup.js';
import { pictures } from './pictures.js';
import { steps } from './steps.js';
import { search } from './search.js';
import { weights } from './weights.js';
import { sorts } from './sort.js';

const dataOf = e => JSON.parse(e.querySelector('script[type="application/json"]').textContent);

// A word of SQL is completed where the caret is, among the columns that the form names.
const word = /[\p{L}_][\p{L}\p{N}_]*$/u;
for (const form of document.querySelectorAll('form')) {
  const words = form.querySelector('.words');
  if (!words) continue;
  for (const field of form.querySelectorAll('.code')) {
    const before = () => field.value.slice(0, field.selectionStart);
    const list = new Awesomplete(field, {
      list: dataOf(words), minChars: 1, maxItems: 12, sort: false, tabSelect: true,
      filter: text => {
        const typed = (word.exec(before()) || [''])[0].toLowerCase();
        return typed !== '' && text.toLowerCase() !== typed && text.toLowerCase().includes(typed);
      },
      item: text => Object.assign(document.createElement('li'), { textContent: text }),
      replace: text => {
        const head = before().replace(word, '') + text;
        field.value = head + field.value.slice(field.selectionStart);
        field.setSelectionRange(head.length, head.length);
      },
    });
    // Tab takes the first word; Enter sends the form unless a word was chosen by an arrow.
    field.addEventListener('keydown', e => {
      if (e.key !== 'Tab' || !list.opened || list.selected) return;
      list.goto(0);
      list.select();
      e.preventDefault();
    });
  }
}

// A name is completed among the players of the games.
for (const field of document.querySelectorAll('[data-names]')) {
  const list = new Awesomplete(field, { minChars: 2, maxItems: 12, sort: false, filter: () => true, item: text => Object.assign(document.createElement('li'), { textContent: text }) });
  let asked = new AbortController();
  field.addEventListener('input', async () => {
    asked.abort();
    asked = new AbortController();
    if (field.value.trim().length < 2) return;
    const on = field.form.elements.on?.value ?? '';
    try {
      const answer = await fetch('players?' + new URLSearchParams({ on, complete: field.value.trim() }), { signal: asked.signal });
      if (answer.ok) list.list = await answer.json();
    } catch {} // typed on
  });
}

document.addEventListener('change', e => {
  if (e.target.matches('[data-submit]')) e.target.form.requestSubmit();
});

// Empty fields make no part of an address.
document.addEventListener('submit', e => {
  if (e.target.elements.set?.value === '') e.target.querySelectorAll('.set [name]').forEach(f => { f.disabled = true; }); // nothing was set up
  for (const f of e.target.elements) {
    if (f.name && f.value === '' && f.name !== 'order' && f.name !== 'name') f.disabled = true;
  }
});
addEventListener('pageshow', () => document.querySelectorAll('form :disabled').forEach(f => { f.disabled = false; }));

document.addEventListener('keydown', e => {
  if (e.key === 'Enter' && (e.ctrlKey || e.metaKey) && e.target.form) e.target.form.requestSubmit();
});

document.addEventListener('click', async e => {
  const button = e.target.closest('[data-copy], [data-copy-address]');
  if (!button) return;
  const text = button.matches('[data-copy-address]') ? location.href : button.previousElementSibling.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Copying is blocked';
  }
});

// On a phone the view that is open may be beside the window.
document.querySelector('nav .on')?.scrollIntoView({ block: 'nearest', inline: 'center' });

pictures();
plots(document, dataOf);
steps();
setup();
search();
weights();
sorts();
