// Package clean makes a clean dataset of games: every game once, every player under one name, dates and
// results corrected from the games themselves. Each change is a row of an extra table
// (schemas.Changes), and Undo restores the games from both.
//
// In: games. Out: games, in their order, numbered again. It works in four steps:
//
//  1. names: each name of a record becomes its player's main name (Options.Names);
//  2. duplicates: games that are one are found by their moves under the canonical names, and
//     with Fuzzy also those whose moves differ a little; the fullest is kept (see find.go), or
//     the games to leave out are given (Options.Without);
//  3. merge: the record that is kept takes missing data from those left out: columns that are
//     null, tags that it lacks, a date that is more precise;
//  4. repair: the date from the record's tags, the result from the board, the tags or the
//     termination (date.go, result.go).
//
// Memory holds a bit per game and some thirty bytes per game that is left out; the games go
// through scratch files. The output depends on input and parameters alone.
package clean

import (
	"context"
	"fmt"

	"kifu/datasets"
	"kifu/games"
	"kifu/internal/ordered"
	"kifu/schemas"
)

// Ways to find duplicates.
const (
	None  = "none"
	Exact = "exact" // the same moves, or the beginning of them
	Fuzzy = "fuzzy" // also moves that differ a little
)

// Ways returns the ways to find duplicates.
func Ways() []string { return []string{None, Exact, Fuzzy} }

// Params are the parameters that determine the output, along with the inputs.
type Params struct {
	Dedup     string // None, Exact or Fuzzy
	MinPrefix int    // moves from which a game may be the beginning of another one
	// Names reports where the canonical names are from: "found" with the confidence, "file" or "none".
	Names         string
	MinConfidence float64 `json:",omitempty"`
	KeepDates     bool    `json:",omitempty"`
	KeepResults   bool    `json:",omitempty"`
}

// Out is a game to leave out.
type Out struct {
	ID, Kept int64 // Kept is the game that stays in its place, -1 if that is not known
	Reason   string
	Same     bool // the moves equal Kept's
}

// Options are the resources of a run, and what it reads next to the games.
type Options struct {
	Workers int // 0: one per processor
	// Names returns the canonical name of each name that is not one; nil for none.
	Names func(ctx context.Context) (map[string]string, error)
	// Without returns further games to leave out; nil for none.
	Without func(ctx context.Context) ([]Out, error)
}

// changesFile and removedFile are the tables next to the clean games.
const (
	changesFile = "changes.parquet"
	removedFile = "removed.parquet"
)

// Run writes the games of in to out, cleaned.
func Run[P games.Position[P]](ctx context.Context, rules games.Rules[P], p Params, o Options, in *datasets.Dir, out *datasets.Builder) error {
	if err := in.Want(schemas.Games.Name); err != nil {
		return err
	}
	if of := in.Manifest.Meta["game"]; of != rules.Name() {
		return fmt.Errorf("%s holds games of %s, not of %s", in.Path, of, rules.Name())
	}
	o.Workers = ordered.Workers(o.Workers)
	table := in.Table
	table.Sorted = nil
	out.SetTable(table)
	out.SetMeta("game", rules.Name())
	out.SetMeta("games_key", in.Manifest.Key)
	r := &run{params: p, workers: o.Workers, rules: rules, in: in, out: out, final: finals(rules), blackFirst: blackFirst(rules)}
	var err error
	if o.Names != nil {
		if r.names, err = o.Names(ctx); err != nil {
			return err
		}
	}
	if o.Without != nil {
		if r.gone, err = o.Without(ctx); err != nil {
			return err
		}
	}
	if err := r.find(ctx); err != nil {
		return err
	}
	if err := r.settle(); err != nil {
		return err
	}
	if err := r.collect(ctx); err != nil {
		return err
	}
	if r.donors != nil {
		defer r.donors.Close()
	}
	return r.write(ctx)
}
