// Package transform turns games into positions. It replays each game by its rules and writes a row for each
// position that passes the filters, including start and end.
//
// Whether a position is kept depends only on its game and ply, not on the number of workers or the
// rest of the dataset. With Dedup a second pass writes the first occurrence of each distinct
// position, in the order of the games, with its occurrences by result. Memory is bounded by
// spilling sixteen bytes per position, and the work is linear in the positions.
//
// Moves are assumed to be legal: ingest has checked them. A game whose moves do not decode
// is rejected by reason.
package transform

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/internal/lists"
	"kifu/internal/splitmix"
	"kifu/schemas"
)

// Params are the parameters that determine the output.
type Params struct {
	MinPly int     // first ply kept; 0 is the start position
	MaxPly int     // last ply kept; 0: no limit
	Every  int     // keep plies divisible by it; 0 and 1: all
	Sample float64 // share of positions kept, sampled by Seed; 0 and 1: all
	Seed   uint64
	Dedup  bool // one row per distinct position
	// LegalMoves adds the number of legal moves (schemas.LegalMoves).
	LegalMoves bool `json:",omitempty"`
	MinElo     int  // keep games in which both ratings are known and at least this; 0: all
	// ExcludeTermination leaves out the games whose termination contains one of the texts,
	// in upper or lower case.
	ExcludeTermination []string `json:",omitempty"`
}

// Options are the resources of a run, and what it reads next to the games.
type Options struct {
	Workers int           // 0: one per processor
	Without *datasets.Dir // duplicates of the games, which are left out; may be nil
	// Listed returns whether other games are left out as well, by their ids; may be nil.
	Listed func(ctx context.Context) (func(id int64) bool, error)
}

// Reasons for which whole games are left out.
const (
	duplicate = "a duplicate (--without)"
	lowElo    = "a rating below --min-elo or unknown"
	ended     = "termination excluded: " // with the text
)

// Run writes the positions of the games in to out, part by part, on several workers.
func Run[P games.Position[P]](ctx context.Context, r games.Rules[P], p Params, opts Options, in *datasets.Dir, out *datasets.Builder) error {
	if err := in.Want("games"); err != nil {
		return err
	}
	if of := in.Manifest.Meta["game"]; of != r.Name() {
		return fmt.Errorf("%s holds games of %s, not of %s", in.Path, of, r.Name())
	}
	if p.Sample < 0 || p.Sample > 1 || math.IsNaN(p.Sample) {
		return fmt.Errorf("sample of %v: want a share from 0 to 1", p.Sample)
	}
	without, err := readWithout(ctx, opts.Without, in)
	if err != nil {
		return err
	}
	left := leftOut{duplicates: without}
	if opts.Listed != nil {
		if left.listed, err = opts.Listed(ctx); err != nil {
			return err
		}
	}
	table := Table(r, p.Dedup)
	if p.LegalMoves {
		table.Columns = append(table.Columns, schemas.LegalMoves)
	}
	out.SetTable(table)
	out.SetMeta("game", r.Name())
	o := datasets.MapOptions{Workers: opts.Workers, Title: "transform", Unit: "games", Columns: p.columns()}
	if p.Dedup {
		return runDedup(ctx, r, p, left, bucketsFor(in.Rows()), o, in, out)
	}
	return datasets.Map(ctx, in, out, o, func() datasets.MapFunc {
		w := newWorker(r, p, left)
		return func(in, out *columns.Batch) (manifest.Counts, error) {
			w.rows.bind(out)
			return w.run(in, func(g *game[P]) error {
				w.rows.append(g, w.keep)
				return w.rows.close()
			})
		}
	})
}

// Table returns the table of the positions of a game.
func Table[P any](r games.Rules[P], dedup bool) schemas.Table {
	columns := lists.Of(r.Columns(), func(c games.Column) schemas.GameColumn { return schemas.GameColumn{Name: c.Name, Doc: c.Doc} })
	table := schemas.Positions(r.BoardSize(), columns, dedup)
	if _, named := r.(games.OpeningNames[P]); named {
		table.Columns = append(table.Columns, schemas.OpeningName)
	}
	return table
}

// filter decides which positions are kept.
type filter struct {
	Params
	below        uint64 // limit of the hash of a sampled position
	terminations terminations
}

func newFilter(p Params) filter {
	f := filter{Params: p, terminations: newTerminations(p.ExcludeTermination)}
	if p.Sample > 0 && p.Sample < 1 {
		f.below = uint64(math.Ldexp(p.Sample, 64))
	}
	return f
}

// position reports whether the position of a game at a ply is kept.
func (f *filter) position(gameID int64, ply int) bool {
	switch {
	case ply < f.MinPly || f.MaxPly > 0 && ply > f.MaxPly:
		return false
	case f.Every > 1 && ply%f.Every != 0:
		return false
	case f.below > 0:
		return splitmix.Mix(splitmix.Mix(f.Seed+splitmix.Golden*uint64(gameID+1))+uint64(ply)) < f.below
	}
	return true
}

// terminations are texts, in lower case, that exclude games whose termination contains one.
type terminations []string

func newTerminations(texts []string) terminations {
	var t terminations
	for _, text := range texts {
		if text = strings.ToLower(strings.TrimSpace(text)); text != "" {
			t = append(t, text)
		}
	}
	return t
}

// excluded returns the text by which game i is excluded, "" when it is kept. A game without
// a termination is kept.
func (t terminations) excluded(s *source, i int) string {
	if len(t) == 0 || s.termination.IsNull(i) {
		return ""
	}
	written := bytes.ToLower(s.termination.Value(i))
	for _, text := range t {
		if bytes.Contains(written, []byte(text)) {
			return text
		}
	}
	return ""
}
