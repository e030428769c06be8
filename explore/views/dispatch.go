package views

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"kifu/explore/parts"
	"kifu/explore/site"
)

// view is a kind of page.
type view struct {
	make func(*call) (*page, error) // the error is a complaint if the reader can mend it
	of   string                     // what call.set holds, in words
	sets func(s *Pages) []*site.Set // of which call.set is one; nil: the page needs none
}

// views are the pages with a template of their name.
var views = map[string]view{
	"home": {make: homeView}, "sql": {make: sqlView}, "players": {make: playersView}, "weights": {make: weightsView},
	"curves":    {curvesView, "labels", kinds("labels")},
	"positions": {positionsView, "positions or labels", kinds("labels", "positions")},
	"position":  {positionView, "positions or labels", kinds("labels", "positions")},
	"games":     {gamesView, "games", kinds("games")},
	"game":      {gameView, "games", kinds("games")},
	"openings":  {openingsView, "games", kinds("games", "tree")},
	"endings":   {endingsView, "positions with endings", (*Pages).endingSets},
	"mistakes":  {mistakesView, "games, labels or choices", (*Pages).mistakeSets},
	"results":   {make: resultsView},
}

func kinds(kinds ...string) func(*Pages) []*site.Set {
	return func(s *Pages) []*site.Set { return s.ofKind(kinds...) }
}

// Names returns the names of the views.
func Names() []string { return slices.Sorted(maps.Keys(views)) }

// Make makes the page of a view within the limit of time and writes it in the requested form. A page of openings may have
// the directory of its tree.
func (s *Pages) Make(ctx context.Context, w http.ResponseWriter, view string, values url.Values, tree string) error {
	c := &call{ctx: ctx, site: s, db: s.db, here: parts.HereOf(view, values), tree: tree}
	if err := c.choose(views[view]); err != nil {
		return err
	}
	p, err := views[view].make(c)
	if err != nil {
		return err
	}
	if p.To != "" {
		// Not http.Redirect, which would lose the token.
		w.Header().Set("Location", p.To)
		w.WriteHeader(http.StatusSeeOther)
		return nil
	}
	return c.write(w, view, p)
}

// choose sets the dataset that the address names, of those that the page may show.
func (c *call) choose(of view) error {
	if of.sets == nil {
		return nil
	}
	c.sets = of.sets(c.site)
	if c.set = site.Named(c.sets, c.here.Get("on")); c.set == nil {
		return c.noSet(of.of, c.sets)
	}
	return nil
}

// Wait shows the progress of a tree, and has the browser reload.
func (s *Pages) Wait(w http.ResponseWriter, values url.Values, progress string) {
	if values.Get("as") != "" {
		http.Error(w, "kifu is building the opening tree: reload the page in a minute", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Refresh", "1")
	s.render(w, http.StatusOK, "wait", parts.HereOf("openings", values), &page{Title: "Openings", Data: progress})
}

// TreeOf returns the directory of the tree among the datasets that a page of openings needs, or else the games that a
// tree would be made of; neither where the games are replayed.
func (s *Pages) TreeOf(values url.Values) (path string, d *site.Set) {
	d = site.Named(s.ofKind("games", "tree"), values.Get("on"))
	if d == nil {
		return "", nil
	}
	if d.Kind() == "tree" {
		return d.Dir.Path, nil
	}
	if g, ok := s.games[d.Game()]; ok && patternIn(g.Boards, values.Get("at")) != nil {
		return "", nil
	}
	asked := filterOf(parts.HereOf("openings", values))
	f, err := asked.inTree()
	if err != nil { // the games are replayed
		return "", nil
	}
	for _, t := range s.ofKind("tree") {
		if in := t.Dir.Manifest.Inputs; len(in) == 1 && in[0].Key == d.Dir.Manifest.Key && !slices.ContainsFunc(f.Columns(), func(c string) bool { return !t.Has(c) }) {
			return t.Dir.Path, nil
		}
	}
	if len(f.Columns()) > 0 {
		return "", nil
	}
	return "", d
}
