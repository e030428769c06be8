package browser

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// OpenAddress opens a page of a server as OpenPage opens a file.
func OpenAddress(t *testing.T, address string) *Page {
	t.Helper()
	p := Start(t)
	p.Go(address)
	return p
}

// Go opens another address and waits until it is loaded.
func (p *Page) Go(address string) {
	p.t.Helper()
	act(p, "opening "+address, chromedp.Navigate(address))
}

// Drag presses the mouse over the first element of a CSS selector, moves it and lets it go;
// from and to are shares of its width, at half of its height.
func (p *Page) Drag(selector string, from, to float64) {
	p.t.Helper()
	element, what := chromedp.CSS(selector), "dragging over "+selector
	act(p, what, chromedp.ScrollIntoView(element, chromedp.NodeVisible))
	corners := act(p, what, chromedp.Dimensions(element)).Border
	left, width, y := corners[0], corners[4]-corners[0], (corners[1]+corners[5])/2
	act(p, what, chromedp.DragAndDropXY(left+from*width, y, left+to*width, y))
}

// Picture writes the window as it is seen to a PNG file.
func (p *Page) Picture(file string) {
	p.t.Helper()
	png := act(p, "picture", chromedp.CaptureScreenshot())
	if err := os.WriteFile(file, png, 0o666); err != nil {
		p.t.Fatal(err)
	}
}
