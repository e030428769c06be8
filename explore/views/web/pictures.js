// Boards and charts as PNG, to save (data-png) or to copy (data-copy-png): of an image of the
// page, which is drawn at twice its size or more, or of an address that gives one.
const least = 920; // width of a board in pixels

async function drawn(image) {
  const svg = await (await fetch(image.src)).text();
  const [, width, height] = /viewBox="\S+ \S+ (\S+) (\S+)"/.exec(svg).map(Number);
  const copy = new Image(least, Math.round(least * height / width));
  // A picture without a size of its own would be drawn at some other one.
  copy.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(svg.replace('<svg', `<svg width="${copy.width}" height="${copy.height}"`));
  await copy.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: copy.width, height: copy.height });
  const on = canvas.getContext('2d');
  on.fillStyle = getComputedStyle(document.body).backgroundColor; // names of rows stand beside the board
  on.fillRect(0, 0, canvas.width, canvas.height);
  on.drawImage(copy, 0, 0, canvas.width, canvas.height);
  return new Promise(take => canvas.toBlob(take, 'image/png'));
}

async function pngOf(what) {
  if (what.startsWith('#')) return drawn(document.querySelector(what));
  const answer = await fetch(what);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.blob();
}

export function pictures() {
  document.addEventListener('click', async e => {
    const button = e.target.closest('[data-png], [data-copy-png]');
    if (!button) return;
    const copy = button.dataset.copyPng;
    try {
      if (copy) {
        // The promise is given at once: some browsers allow copying only within the click.
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(copy) })]);
        button.textContent = 'Copied';
        return;
      }
      const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(await pngOf(button.dataset.png)), download: 'board.png' });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    } catch {
      button.textContent = 'Copying is blocked';
    }
  });
}
