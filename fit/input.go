package fit

import (
	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/manifest"
	"kifu/eval"
	"kifu/fit/computed"
	"kifu/fit/mapped"
	"kifu/fit/rows"
	"kifu/fit/solve"
	"kifu/schemas"
)

// input holds the data that a fit reads: the labels' evaluator, and the positions as rows, those
// of held-out games apart.
type input struct {
	p           choices
	model       *eval.Model
	leaf        string // value column
	design      *rows.Design
	train, held *sample
	expects     bool            // the labels have schemas.ExpectedResult, which is not fitted to
	spill       *mapped.Columns // has the rows, if they are not in memory
	targetScale float64         // of a blend
	free        []int           // terms
	noGames     bool            // the rows are positions of no known games
	levels      []string        // of --scale-by
	levelled    levelled
	wanted      map[int64]bool   // games; nil: all
	unseen      *computed.Unseen // positions without their next one; nil if it is of no use
	counts      manifest.Counts
	copies      *bygame.Copies    // of games that are held out; nil: not looked for
	notes       []schemas.FitNote // on what was read
	ratings     map[int64]float64 // of games, the mean of both players
}

// close lets go of what is not in memory.
func (in *input) close() error { return in.spill.Close() }

// source is one dataset of a fit with what is known of its positions besides their
// columns.
type source struct {
	dir      *datasets.Dir
	test     bool           // its positions are held out
	wanted   map[int64]bool // games; nil: all
	computed *computed.Labels
}

// settings are the solver's.
func (in *input) settings(workers int) solve.Settings {
	return solve.Settings{Method: in.p.name, L2: in.p.L2, L1: in.p.L1, Scale: in.p.Scale, MinGames: in.p.MinGames, Workers: workers, Cluster: in.p.Cluster,
		Levels: in.levels, NoGames: in.noGames, Temporal: solve.Temporal{Lambda: in.p.Lambda, Alpha: in.p.Alpha, Epochs: in.p.Epochs, Replacing: in.p.Replacing, Seed: in.p.Seed}}
}
