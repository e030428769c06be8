package browser

import (
	"context"
	"os"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
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
	what := "dragging over " + selector
	left, width, y := p.middle(what, selector)
	act(p, what, chromedp.DragAndDropXY(left+from*width, y, left+to*width, y))
}

// Swipe puts a finger on the first element of a CSS selector, moves it and lifts it; from and to
// are shares of its width, at half of its height.
func (p *Page) Swipe(selector string, from, to float64) {
	p.t.Helper()
	what := "swiping over " + selector
	left, width, y := p.middle(what, selector)
	touch := func(kind input.DispatchTouchEventType, at ...*input.TouchPoint) {
		act(p, what, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: at})
			return err
		}))
	}
	touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: left + from*width, Y: y})
	for i := range 5 {
		touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: left + (from+(to-from)*float64(i+1)/5)*width, Y: y})
	}
	touch(input.DispatchTouchEventTypeTouchEnd)
}

// middle brings the first element of a CSS selector into view and returns the line at half of its
// height: its left end, length and y.
func (p *Page) middle(what, selector string) (left, width, y float64) {
	p.t.Helper()
	element := chromedp.CSS(selector)
	act(p, what, chromedp.ScrollIntoView(element, chromedp.NodeVisible))
	corners := act(p, what, chromedp.Dimensions(element)).Border
	return corners[0], corners[4] - corners[0], (corners[1] + corners[5]) / 2
}

// Picture writes the visible window to a PNG file.
func (p *Page) Picture(file string) {
	p.t.Helper()
	png := act(p, "picture", chromedp.CaptureScreenshot())
	if err := os.WriteFile(file, png, 0o666); err != nil {
		p.t.Fatal(err)
	}
}
