package explore

import (
	"bytes"
	"context"
	"net/url"
	"sync"
	"time"

	"kifu/explore/site"
	"kifu/internal/progress"
)

// fewGames is the number of games up to which openings are replayed for each page, which takes a tenth of a second.
const fewGames = 20_000

// growing is a tree that is being made.
type growing struct {
	done chan struct{}
	path string
	err  error
	line lastLine
}

// lastLine keeps the last line that is written.
type lastLine struct {
	mu   sync.Mutex
	text string
}

func (l *lastLine) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = string(bytes.TrimSpace(p))
	return len(p), nil
}

// String returns the line.
func (l *lastLine) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text
}

// soon is how long a page waits for a tree before it shows the progress.
const soon = 250 * time.Millisecond

// treeFor returns the directory of the tree that a page of openings needs, "" for none. The tree is one of the datasets,
// or is made when it is needed first: g is one that is not there yet.
func (s *Site) treeFor(values url.Values) (path string, g *growing, err error) {
	path, d := s.pages.TreeOf(values)
	if d == nil || s.grow == nil || d.Rows() <= s.few {
		return path, nil, nil
	}
	s.mu.Lock()
	g = s.growing[d.Name]
	if g == nil {
		g = &growing{done: make(chan struct{})}
		s.growing[d.Name] = g
		go func() {
			defer close(g.done)
			g.path, g.err = s.grow(&g.line, d)
		}()
	}
	s.mu.Unlock()
	select {
	case <-g.done:
		return g.path, nil, g.err
	case <-time.After(soon):
		return "", g, nil
	}
}

// growIn returns the function that makes trees until ctx ends.
func growIn(ctx context.Context, o Options) func(*lastLine, *site.Set) (string, error) {
	if o.Tree == nil {
		return nil
	}
	return func(line *lastLine, d *site.Set) (string, error) {
		return o.Tree(progress.With(ctx, progress.Plain, line), d.Dir)
	}
}
