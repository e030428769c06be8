package explore

import (
	"errors"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"kifu/explore/site"
	"kifu/explore/views"
	"kifu/kit/sample"
)

// TestTreeFor: a tree is made once, while pages say how far it is; a filter, and few games, need none.
func TestTreeFor(t *testing.T) {
	games := &site.Set{Name: "games", Dir: sample.Games(t.TempDir())}
	s := newSite(views.New([]*site.Set{games}, nil, nil, views.Limits{}), Options{})
	made, begun := make(chan error), 0
	s.grow = func(line *lastLine, d *site.Set) (string, error) {
		begun++
		line.Write([]byte("read games: 41 %\n"))
		return "there", <-made
	}
	all := url.Values{}
	if path, g, err := s.treeFor(all); path != "" || g != nil || err != nil || begun > 0 {
		t.Errorf("a tree of %d games: %q, %v", games.Rows(), path, err)
	}
	s.few = 10
	if path, g, err := s.treeFor(url.Values{"player": {"Anderssen"}}); path != "" || g != nil || err != nil {
		t.Errorf("a filter needs a tree: %q, %v", path, err)
	}
	for range 2 {
		path, g, err := s.treeFor(all)
		if path != "" || g == nil || err != nil {
			t.Fatalf("%q, %v, %v: no tree is being made", path, g, err)
		}
		w := httptest.NewRecorder()
		s.pages.Wait(w, all, g.line.String())
		if text := w.Body.String(); !strings.Contains(text, "read games: 41 %") || w.Header().Get("Refresh") == "" {
			t.Errorf("the page does not say how far the tree is, or is not asked for again: %s", text)
		}
	}
	made <- nil
	for range 100 {
		if path, g, err := s.treeFor(all); g == nil {
			if path != "there" || err != nil || begun != 1 {
				t.Errorf("%q, %v, made %d times", path, err, begun)
			}
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("the tree is never there")
}

// TestTreeFails: why a tree cannot be made is said by the page.
func TestTreeFails(t *testing.T) {
	s := newSite(views.New([]*site.Set{{Name: "games", Dir: sample.Games(t.TempDir())}}, nil, nil, views.Limits{}), Options{})
	s.few = 10
	s.grow = func(*lastLine, *site.Set) (string, error) { return "", errors.New("no space left") }
	if _, g, err := s.treeFor(url.Values{}); g != nil || err == nil {
		t.Errorf("%v, %v", g, err)
	}
}
