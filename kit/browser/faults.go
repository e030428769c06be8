package browser

// Checks are functions of JavaScript that look for what a page may not have; each returns a list of
// what it found.
const Checks = `
const seen = e => e.getClientRects().length > 0;
const channel = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const rgb = text => text.match(/[\d.]+/g).map(Number);
// The filled shapes of a board, in the order in which they are drawn.
let shapes;
const shapesOf = svg => shapes.get(svg) || shapes.set(svg, [...svg.querySelectorAll('rect, circle, ellipse, path, polygon')].flatMap(shape => {
	const style = getComputedStyle(shape);
	return style.fill === 'none' || style.fillOpacity < 0.9 ? [] : [{ shape, box: shape.getBoundingClientRect(), fill: style.fill }];
})).get(svg);
// The colour behind e: on a board the last shape's before it that is under its middle.
const behind = e => {
	if (e.ownerSVGElement && !e.closest('.chart')) {
		const own = e.getBoundingClientRect(), x = own.left + own.width / 2, y = own.top + own.height / 2;
		const under = shapesOf(e.ownerSVGElement).findLast(({ shape, box }) => box.left < x && x < box.right && box.top < y && y < box.bottom &&
			shape.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING);
		if (under) return rgb(under.fill);
	}
	for (; e; e = e.parentElement) {
		const c = rgb(getComputedStyle(e).backgroundColor);
		if (c.length < 4 || c[3] > 0) return c;
	}
};
const hasText = e => e.tagName !== 'title' && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
// Text with too little contrast to its background (WCAG 2.1, 1.4.3).
const faintText = () => {
	shapes = new WeakMap();
	return [...document.body.querySelectorAll('*')].filter(e => hasText(e) && seen(e) && !e.closest('script, style')).flatMap(e => {
		const style = getComputedStyle(e);
		const [a, b] = [luminance(rgb(e.namespaceURI.endsWith('svg') ? style.fill : style.color)), luminance(behind(e))].sort((x, y) => y - x);
		const contrast = (a + 0.05) / (b + 0.05);
		return contrast < 4.5 ? [contrast.toFixed(2) + ' ' + e.textContent.slice(0, 40)] : [];
	});
};
// Text of a picture that is outside of it, or on other text.
const cutText = () => [...document.querySelectorAll('svg.chart')].filter(seen).flatMap(svg => {
	const frame = svg.getBoundingClientRect();
	const boxes = [...svg.querySelectorAll('text')].filter(t => t.textContent.trim() && seen(t)).map(t => [t, t.getBoundingClientRect()]);
	return boxes.filter(([t, b]) => b.left < frame.left - 1 || b.right > frame.right + 1 || b.top < frame.top - 1 || b.bottom > frame.bottom + 1)
		.map(([t]) => 'outside: ' + t.textContent)
		.concat(boxes.flatMap(([t, a], i) => boxes.slice(i + 1).filter(([, b]) =>
			a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 4 && b.top < a.bottom - 4).map(([u]) => t.textContent + ' on ' + u.textContent)));
});
// Buttons without a line of theirs in every picture, and the other way round.
const strayLines = () => [...document.querySelectorAll('figure')].filter(f => f.querySelector('.legend')).flatMap(f => {
	const numbers = all => [...all].map(e => e.dataset.series).sort().join();
	const want = numbers(f.querySelectorAll('.legend button'));
	return [...f.querySelectorAll('svg.chart')].filter(svg => numbers(svg.querySelectorAll('g.series')) !== want ||
		[...svg.querySelectorAll('g.series')].some(g => !g.querySelector('.line, .dot'))).map(svg => svg.getAttribute('aria-label') + ' lacks lines of ' + want);
});
// What is wider than the window, but for tables and code, which scroll by themselves.
const wide = () => document.documentElement.scrollWidth <= screen.width ? [] : ['the page, ' + document.documentElement.scrollWidth].concat([...document.body.querySelectorAll('*')]
	.filter(e => seen(e) && !e.closest('.scroll, pre') && e.getBoundingClientRect().right > screen.width + 1).map(e => e.tagName + ' ' + e.className + ' ' + e.textContent.slice(0, 40)));
// Short texts on more than two lines though the table could scroll.
const squeezed = () => [...document.querySelectorAll('td')].filter(seen).filter(e => {
	const text = document.createRange();
	text.selectNodeContents(e);
	return e.textContent.length < 50 && text.getBoundingClientRect().height > 2.5 * parseFloat(getComputedStyle(e).lineHeight);
}).map(e => e.textContent);
`

// Faults returns what a page of any kind may not have: text that is too faint, or something
// wider than the window that does not scroll by itself.
func (p *Page) Faults() string {
	p.t.Helper()
	p.Eval("(() => {" + Checks + "; window.faultsFound = () => [...new Set([...faintText(), ...wide()])].slice(0, 5).join(' | '); })()")
	return p.Eval("faultsFound()")
}
