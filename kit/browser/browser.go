// Package browser looks at pages in a headless Chromium, for tests: it opens a file or an address,
// presses keys, moves the mouse, asks in JavaScript, and reports faults of a page.
package browser

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// How long the browser may take: for all that a test does with it, for one action, and to
// close. An action on an element waits until the element is visible, so that a selector
// without a match ends after actionTime. They are long, for machines under load.
const (
	browserTime = 8 * time.Minute
	actionTime  = time.Minute
	closeTime   = time.Minute
)

// Page is the page of a headless Chromium, run by chromedp. Its methods fail the test where the
// browser does not do what they ask.
type Page struct {
	t   *testing.T
	ctx context.Context

	mu     sync.Mutex
	errors []string
}

// OpenPage opens a file (its absolute path) in a browser of its own, which is closed at the
// end of the test. The test is skipped where there is no Chromium.
func OpenPage(t *testing.T, file string) *Page {
	t.Helper()
	p := Start(t)
	p.Open(file)
	return p
}

// Start opens an empty page, whose window can be given its size before anything is in it.
func Start(t *testing.T) *Page {
	t.Helper()
	program := findBrowser()
	if program == "" {
		t.Skip("no chromium here")
	}
	limited, cancel := context.WithTimeout(context.Background(), browserTime)
	t.Cleanup(cancel)
	// The sandbox needs rights that root in a container lacks; the pages are our own. Readers
	// have scroll bars, which take width.
	ctx, stop := chromedp.NewContext(limited, chromedp.WithAllocatorOptions(chromedp.ExecPath(program),
		chromedp.NoSandbox, chromedp.Flag("disable-gpu", true), chromedp.Flag("hide-scrollbars", false)))
	t.Cleanup(stop)
	p := &Page{t: t, ctx: ctx}
	// This starts the browser, which lives as long as the context given here.
	if err := chromedp.Listen(ctx, p.keepErrors); err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	t.Cleanup(p.close)
	return p
}

// Open opens a file (its absolute path).
func (p *Page) Open(file string) {
	p.t.Helper()
	act(p, "opening "+file, chromedp.Navigate((&url.URL{Scheme: "file", Path: file}).String()))
}

// findBrowser returns the path of a Chromium, or "".
func findBrowser() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	return ""
}

// close closes the browser and removes its profile.
func (p *Page) close() {
	ctx, cancel := context.WithTimeout(p.ctx, closeTime)
	defer cancel()
	if err := chromedp.Cancel(ctx); err != nil {
		p.t.Errorf("closing the browser: %v", err)
	}
}

// act runs one action and returns its result; what names it where it fails.
func act[T any](p *Page, what string, a chromedp.Action[T]) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, actionTime)
	defer cancel()
	result, err := chromedp.Run(ctx, a)
	if err != nil {
		p.t.Fatalf("%s: %v", what, err)
	}
	return result
}

// keepErrors keeps the events that are errors: exceptions that nothing caught, console.error,
// and errors that the browser itself logs, as of a file that it cannot load.
func (p *Page) keepErrors(event any) {
	text := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text = e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			text += " " + thrown.Description
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type != runtime.ConsoleAPICalledTypeError {
			return
		}
		text = "console.error:"
		for _, arg := range e.Args {
			text += " " + cmp.Or(arg.Description, string(arg.Value))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level != log.EntryLevelError {
			return
		}
		text = e.Entry.Text + " " + e.Entry.URL
	default:
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.errors = append(p.errors, text)
}

// Errors returns the errors on the page's console so far, including the last action's.
func (p *Page) Errors() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.errors)
}

// Eval returns the value of an expression of JavaScript in the page, as fmt prints it.
func (p *Page) Eval(expression string) string {
	p.t.Helper()
	return fmt.Sprint(act(p, expression, chromedp.Evaluate[any](expression)))
}

// Size sets the window's width and height in pixels and the reader's colour scheme ("light" or
// "dark"). Below 600 pixels it is the screen of a phone.
func (p *Page) Size(width, height int64, scheme string) {
	p.t.Helper()
	act(p, "size", chromedp.EmulateViewport(width, height, func(m *emulation.SetDeviceMetricsOverrideParams, _ *emulation.SetTouchEmulationEnabledParams) {
		m.ScreenWidth, m.ScreenHeight, m.Mobile = width, height, width < 600
	}))
	act(p, "colour scheme", chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	}))
}

// keys are the keys of the keyboard that type no character, by their names in JavaScript.
var keys = map[string]string{"ArrowRight": kb.ArrowRight, "ArrowLeft": kb.ArrowLeft, "ArrowDown": kb.ArrowDown, "Home": kb.Home, "End": kb.End, "Tab": kb.Tab, "Enter": kb.Enter}

// Press presses and releases a key: one of keys or a character.
func (p *Page) Press(key string) {
	p.t.Helper()
	code, ok := keys[key]
	if !ok {
		code = key
	}
	act(p, "pressing "+key, chromedp.KeyEvent(code))
}

// Click moves the mouse to the centre of the first element of a CSS selector, scrolled into
// view, and clicks there.
func (p *Page) Click(selector string) {
	p.t.Helper()
	element, what := chromedp.CSS(selector), "clicking "+selector
	act(p, what, chromedp.ScrollIntoView(element, chromedp.NodeVisible))
	corners := act(p, what, chromedp.Dimensions(element)).Border // x and y in turn
	x, y := (corners[0]+corners[4])/2, (corners[1]+corners[5])/2
	act(p, what, chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	act(p, what, chromedp.MouseClickXY(x, y))
}
