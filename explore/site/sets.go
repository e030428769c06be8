// Package site has the datasets of an explorer's site.
//
// In: datasets with their names, and the parts of their games. Out: what a dataset is, and whose games and positions its rows are of.
// It makes no page and runs no query.
package site

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/explore/models"
	"kifu/games/board"
	"kifu/players/choose"
	"kifu/query"
	"kifu/query/find"
)

// Set is a dataset of a site. Name is its name in queries.
type Set struct {
	Name string
	Path string // as given, for command lines
	Dir  *datasets.Dir

	Games  *Set // whose game_id the rows have; nil: not among the datasets, or of several
	Boards *Set // labels or positions that have these rows' positions; nil: none
}

// Kind is the name of the table: games, positions, labels, weights, …
func (s *Set) Kind() string { return s.Dir.Table.Name }

// Holds returns its content in a word: a model, though it has no rows of its own, or its kind.
func (s *Set) Holds() string {
	if s.Dir.HasFile("learn.json") {
		return "model"
	}
	return s.Kind()
}

// Game is the dataset's game, "" if it belongs to no single one.
func (s *Set) Game() string { return s.Dir.Manifest.Meta["game"] }

// Rows is the number of rows.
func (s *Set) Rows() int64 { return s.Dir.Rows() }

// Stage is the command that made it.
func (s *Set) Stage() string { return s.Dir.Manifest.Stage }

// Has reports whether it has a column.
func (s *Set) Has(column string) bool { return s.Dir.Table.Index(column) >= 0 }

// Value is the column of the evaluation, "" without one.
func (s *Set) Value() string { return s.Dir.Manifest.Meta["leaf"] }

// List returns the names, separated by commas, that a manifest has under a key.
func (s *Set) List(key string) []string {
	if text := s.Dir.Manifest.Meta[key]; text != "" {
		return strings.Split(text, ",")
	}
	return nil
}

// Tables are the names of the views of the dataset's CSV and JSON files.
func (s *Set) Tables() []string {
	var all []string
	for _, f := range s.Dir.Manifest.Files {
		end := path.Ext(f.Name)
		name := s.Name + "_" + strings.TrimSuffix(f.Name, end)
		if (end == ".csv" || end == ".json") && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// Page is the file of a report's page, "" for what has none.
func (s *Set) Page() string {
	if s.Dir.HasFile("index.html") {
		return "index.html"
	}
	return ""
}

// Tabular reports whether it has rows.
func (s *Set) Tabular() bool { return s.Dir.NumParts() > 0 }

// View is the set as a table of SQL.
func (s *Set) View() string { return query.View(s.Name) }

// Relate finds for each dataset the games that its rows are of, and where their positions are:
// among those it was made of, by their keys.
func Relate(sets []*Set) {
	for _, s := range sets {
		if all := ancestors(s, sets, func(o *Set) bool { return o.Kind() == "games" }); len(all) == 1 {
			s.Games = all[0]
		}
	}
	hasBoards := func(o *Set) bool {
		return (o.Kind() == "labels" || o.Kind() == "positions") && o.Tabular() && !o.Has("occurrences")
	}
	for _, s := range sets {
		all := ancestors(s, sets, hasBoards)
		if len(all) == 0 { // a model and a match are of games alone
			all = slices.DeleteFunc(slices.Clone(sets), func(o *Set) bool { return !hasBoards(o) || o.Games == nil || o.Games != s.Games })
		}
		if len(all) > 0 && (s.Games == nil || all[0].Games == s.Games) {
			s.Boards = all[0]
		}
	}
}

// ancestors are the nearest sets that s was made of and that are wanted: itself, if it is one. Datasets
// between them may be missing among the sets if they are on disk next to those made from them: labels have
// the games of their positions.
func ancestors(s *Set, sets []*Set, wanted func(*Set) bool) (all []*Set) {
	if wanted(s) {
		if slices.Contains(sets, s) {
			all = append(all, s)
		}
		return all // not what it was made of: cleaned games have other numbers
	}
	near := sync.OnceValue(s.Dir.Near)
	for _, in := range s.Dir.Manifest.Inputs {
		var from *Set
		if i := slices.IndexFunc(sets, func(o *Set) bool { return o.Dir.Manifest.Key == in.Key }); i >= 0 {
			from = sets[i]
		} else if s.Has("game_id") {
			if d := near()(in.Key); d != nil {
				from = &Set{Dir: d}
			}
		}
		if from == nil || from == s {
			continue
		}
		for _, found := range ancestors(from, sets, wanted) {
			if !slices.Contains(all, found) {
				all = append(all, found)
			}
		}
	}
	return all
}

// Named is the set of that name among some, or the first one for "".
func Named(sets []*Set, name string) *Set {
	for _, d := range sets {
		if d.Name == name || name == "" {
			return d
		}
	}
	return nil
}

// Game holds the parts of a game that the site needs: its boards and its evaluator.
type Game struct {
	Boards board.Game
	Judge  func(labels *datasets.Dir) (models.Judge, error) // with the weights of labels; nil: as the game is played
	// People binds a model of human moves; nil: the game has none.
	People func(*choose.Model) (models.People, error)
	// Find is find.Run for the game.
	Find func(ctx context.Context, q find.Query, workers int, in *datasets.Dir, take func(find.Hit) error) (manifest.Counts, error)
}

// GamesOf returns the set whose games a tree names, or the set itself; nil if it is not among the
// datasets.
func (s *Set) GamesOf() *Set {
	if s.Kind() == "games" {
		return s
	}
	return s.Games
}
