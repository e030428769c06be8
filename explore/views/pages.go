// Package views makes the pages of the explorer.
//
// In: datasets attached to a database, the name of a view and the values of its address. Out: a page with its rows as CSV, its query
// and its picture. It does not listen, and does not know who asks; limits of time and memory are the caller's to keep.
package views

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"kifu/explore/models"
	"kifu/explore/parts"
	"kifu/explore/played"
	"kifu/explore/site"
	"kifu/internal/lists"
	"kifu/internal/person"
	"kifu/query"
	"kifu/report/curve"
)

// Limits are of one page.
type Limits struct {
	Memory  string // "2GB"
	Threads int    // of a query; 0: one a processor
	Time    time.Duration
	Rows    int // of a CSV
}

// Pages are the views of some datasets.
type Pages struct {
	limits Limits
	sets   []*site.Set
	games  map[string]site.Game
	db     *query.DB

	mu     sync.Mutex
	lives  map[string]*curve.Live
	trees  map[string]*played.Tree    // by directory
	starts map[string][]start         // from which the games of a dataset begin
	filled map[string]map[string]bool // columns of a dataset of games in which some game has a value
	judges map[string]models.Judge
	people map[string]models.People  // models of human moves, by dataset
	names  map[string][]person.Named // of the players of a dataset of games
	lines  *lines                    // near the last pattern; nil: none
}

// New returns the pages of datasets, which are attached to db; without db they only show errors, menus and boards.
func New(sets []*site.Set, games map[string]site.Game, db *query.DB, of Limits) *Pages {
	site.Relate(sets)
	return &Pages{limits: of, sets: sets, games: games, db: db, lives: map[string]*curve.Live{}, trees: map[string]*played.Tree{}, starts: map[string][]start{}, filled: map[string]map[string]bool{}, judges: map[string]models.Judge{}, people: map[string]models.People{}, names: map[string][]person.Named{}}
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

// kept returns what of has for a key, a map of s; it is made at the first time.
func kept[T any](s *Pages, of map[string]T, key string, make func() (T, error)) (T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, is := of[key]; is {
		return known, nil
	}
	made, err := make()
	if err == nil {
		of[key] = made
	}
	return made, err
}

// ofKind are the sets of some kinds, in their order.
func (s *Pages) ofKind(kinds ...string) []*site.Set {
	return lists.Where(s.sets, func(d *site.Set) bool { return slices.Contains(kinds, d.Kind()) && d.Tabular() })
}

// motifsOf returns the motifs of the moves of games d; nil without them.
func (s *Pages) motifsOf(d *site.Set) *site.Set {
	all := s.ofKind("motifs")
	if i := slices.IndexFunc(all, func(m *site.Set) bool { return m.Games == d }); i >= 0 {
		return all[i]
	}
	return nil
}
