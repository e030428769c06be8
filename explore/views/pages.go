// Package views makes the pages of the explorer.
//
// In: datasets attached to a database, the name of a view and the values of its address. Out: a page with its rows as CSV, its query
// and its picture. It does not listen, and does not know who asks; limits of time and memory are the caller's to keep.
package views

import (
	"sync"
	"time"

	"kifu/explore/models"
	"kifu/explore/played"
	"kifu/explore/site"
	"kifu/internal/person"
	"kifu/query"
	"kifu/query/find"
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

// start is a position from which games of a dataset begin.
type start struct {
	Variant, Text string // columns variant and start_position; "" is the usual start
	Games         int64
}

// lines are the moves played near a pattern in the games that have it.
type lines struct {
	of   string // the pattern and filters that they answer
	hits []find.Hit
}
