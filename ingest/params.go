package ingest

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"kifu/datasets/columns"
	"kifu/ingest/charset"
	"kifu/ingest/legal"
	"kifu/schemas"
)

// Params are the flags that change the output.
type Params struct {
	Game string `json:"game"`
	// Sort takes records that do not name their game for Game only if their moves look like it; without
	// it, all are taken for Game.
	Sort bool `json:"sort,omitempty"`
	// PartGames is how many games close a part; 0 means 16,384.
	PartGames int `json:"part_games,omitempty"`
	// Where is a condition over the columns filled from tags alone (tagColumns), in the language of
	// Options.NewFilter. Moves are read only of games for which it is true.
	Where string `json:"where,omitempty"`
	// KeepPrefix keeps a game up to its first move that cannot be played, marked in the
	// column cut, instead of rejecting it.
	KeepPrefix bool `json:"keep_prefix,omitempty"`
	// Positions reads the records as positions, into a dataset of them (see Kind).
	Positions bool `json:"positions,omitempty"`
	// Mover: results and values in lists of positions are for the side to move.
	Mover bool `json:"mover,omitempty"`
	// Soft takes results between win, draw and loss, of lists of positions, and adds the column
	// schemas.ExpectedResult.
	Soft bool `json:"soft,omitempty"`
	// DropAnnotations leaves the column annotations empty.
	DropAnnotations bool `json:"drop_annotations,omitempty"`
	// Encoding is the encoding of texts that are not UTF-8, one of Encodings; if empty, it is detected
	// game by game.
	Encoding string `json:"encoding,omitempty"`
}

// Options are the ways to run that do not change the output, and the inputs, which the
// dataset's key has from InputKeys.
type Options struct {
	Inputs []string  // files, directories, "-"
	Stdin  io.Reader // what the input "-" reads
	// Games are all known games: records of other games are told from damaged ones by them. The game that
	// is read need not be among them.
	Games   []legal.Game
	Workers int // 0: as many as there are processors
	// NewFilter makes the filter of Params.Where, one a worker. The command passes the filter of package
	// query, so the condition is SQL; without a condition it may be nil.
	NewFilter func(ctx context.Context, condition string, t schemas.Table) (Filter, error)
	// Force reads a standard input in which no record is seen; other inputs are for
	// Recognise.
	Force bool
	// Seen, if given to InputKeys and to Run, makes Run return datasets.ErrChanged if a file is written
	// between the two or while it is read.
	Seen *Seen
	// Held, if it is given to Detect, InputKeys and Run, keeps them from opening small files again.
	Held *Held
	Log  io.Writer // gets a line for every rejected game; nil for none
	Warn io.Writer // gets a line for every file that ended early; nil for none
}

// known returns the games that the program knows, g among them.
func (o *Options) known(g legal.Game) []legal.Game {
	if isKnown(o.Games, g.Name()) {
		return o.Games
	}
	return append([]legal.Game{g}, o.Games...)
}

// Encodings are the names that Params.Encoding takes.
func Encodings() []string { return charset.Names() }

func parseEncoding(name string) (charset.Encoding, error) {
	e, ok := charset.Parse(name)
	if !ok {
		return e, fmt.Errorf("no encoding %q (%s)", name, strings.Join(charset.Names(), ", "))
	}
	return e, nil
}

// isKnown reports whether one of the games has that name.
func isKnown(known []legal.Game, name string) bool {
	return slices.ContainsFunc(known, func(g legal.Game) bool { return g.Name() == name })
}

// Filter finds the rows of a batch that meet a condition. It is for one goroutine.
type Filter interface {
	// Select returns one truth a row; the slice may be used again by the next call.
	Select(ctx context.Context, b *columns.Batch) ([]bool, error)
	Close() error
}
