package explore

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"kifu/explore/parts"
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
	d := named(s.ofKind("games", "tree"), values.Get("on"))
	if d == nil {
		return "", nil, nil
	}
	if d.Kind() == "tree" {
		return d.Dir.Path, nil, nil
	}
	if g, ok := s.games[d.Game()]; ok && patternIn(g.Boards, values.Get("at")) != nil {
		return "", nil, nil
	}
	asked := filterOf(parts.HereOf("openings", values))
	f, err := asked.inTree()
	if err != nil { // the games are replayed
		return "", nil, nil
	}
	for _, t := range s.ofKind("tree") {
		if in := t.Dir.Manifest.Inputs; len(in) == 1 && in[0].Key == d.Dir.Manifest.Key && !slices.ContainsFunc(f.Columns(), func(c string) bool { return !t.has(c) }) {
			return t.Dir.Path, nil, nil
		}
	}
	if s.grow == nil || d.Rows() <= s.few || len(f.Columns()) > 0 {
		return "", nil, nil
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
func growIn(ctx context.Context, o Options) func(*lastLine, *Set) (string, error) {
	if o.Tree == nil {
		return nil
	}
	return func(line *lastLine, d *Set) (string, error) {
		return o.Tree(progress.With(ctx, progress.Plain, line), d.Dir)
	}
}

// wait shows the progress of a tree, and has the browser reload.
func (s *Site) wait(w http.ResponseWriter, h parts.Here, g *growing) {
	if h.Get("as") != "" {
		http.Error(w, "the opening tree is being made: reload the page in a while", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Refresh", "1")
	s.render(w, http.StatusOK, "wait", h, &page{Title: "Openings", Data: g.line.String()})
}

// gamesOf returns the set whose games a tree names, or the set itself; nil if it is not among the
// datasets.
func (s *Set) gamesOf() *Set {
	if s.Kind() == "games" {
		return s
	}
	return s.games
}
