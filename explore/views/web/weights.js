// Sliders of weights: each change asks for the value of the position and for the curve and
// the log-loss of a sample with the weights changed; a newer change ends the older question.
import { plot } from './plot.js';

export function weights() {
  const section = document.querySelector('.sliders');
  if (!section) return;
  const sliders = [...section.querySelectorAll('input[type="range"]')];
  let running = null, waiting = null;
  const ask = async () => {
    running?.abort();
    running = new AbortController();
    const address = new URL(section.dataset.weights, document.baseURI);
    for (const s of sliders) if (+s.value !== 1) address.searchParams.set('f.' + s.name, s.value);
    section.setAttribute('aria-busy', 'true');
    try {
      const answer = await fetch(address, { signal: running.signal });
      if (!answer.ok) throw new Error(await answer.text());
      const now = await answer.json();
      section.querySelectorAll('[data-changed]').forEach(e => { e.textContent = now[e.dataset.changed]; });
      plot(section.querySelector('.plot'), now.plot);
    } catch (error) {
      if (error.name === 'AbortError') return;
      section.querySelector('[data-changed="losses"]').textContent = error.message;
    }
    section.removeAttribute('aria-busy');
  };
  const say = s => { s.parentElement.querySelector('output').textContent = '× ' + s.value; };
  section.addEventListener('input', e => {
    if (!sliders.includes(e.target)) return;
    say(e.target);
    clearTimeout(waiting);
    waiting = setTimeout(ask, 60);
  });
  section.querySelector('.reset').addEventListener('click', () => {
    sliders.forEach(s => { s.value = 1; say(s); });
    ask();
  });
  ask();
}
