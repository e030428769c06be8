// Package tables fits the tables of an evaluator of patterns (eval/pattern).
//
// In: labels or positions, and the plan of the tables. Out: a dataset of the tables with the losses. It does not play.
package tables

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/manifest"
	"kifu/eval/pattern"
	"kifu/fit"
	"kifu/fit/computed"
	"kifu/fit/losses"
	"kifu/fit/method"
	"kifu/fit/sparse"
	"kifu/games"
	"kifu/internal/dyads"
	"kifu/internal/lists"
	"kifu/internal/ordered"
	"kifu/schemas"
)

// Params are the choices of a fit of pattern tables (eval/pattern): values are sums of tables'
// entries for the side to move, z = w_0 V, with the method's loss.
type Params struct {
	Method string // MLM, LS or Value
	Board  string // column with the packed positions; "": board
	Draws  string // DrawsExclude or DrawsHalf
	Target string // SQL over the columns, of Value
	Where  string // SQL over the columns
	// GamesTarget is SQL over the columns of the games: the target of positions that have no
	// other. GamesWhere is a condition over them.
	GamesTarget, GamesWhere string
	Scale                   float64 // w_0, 0 for the labels' values'
	Holdout                 float64
	Seed                    uint64
	MinCount                int // a weight that occurs less often is 0
	Errors                  int // number of the strongest weights of each pattern with a standard error
	// Tolerance bounds the gradient norm, 0 for sparse.Tolerance.
	Tolerance float64
	Plan      *pattern.Plan
	// Cluster and Aliases are as in Params, for errors.
	Cluster string
	Aliases []dyads.Alias
}

// MarshalJSON returns what goes into the dataset's key.
func (p Params) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Method, Board, Draws, Target, Where, GamesTarget, GamesWhere string
		Scale, Holdout, Tolerance                                    float64
		Seed                                                         uint64
		MinCount, Errors                                             int
		Patterns                                                     string
		Sums                                                         int
		Cluster                                                      string        `json:",omitempty"`
		Aliases                                                      []dyads.Alias `json:",omitempty"`
	}{p.Method, p.Board, p.Draws, p.Target, p.Where, p.GamesTarget, p.GamesWhere, p.Scale, p.Holdout, p.Tolerance, p.Seed, p.MinCount, p.Errors, string(p.Plan.File.Text), fit.Sums, p.Cluster, p.Aliases})
}

// Validate reports the first parameter that makes no sense.
func (p Params) Validate() error {
	switch {
	case p.Method != losses.MLM && p.Method != losses.LS && p.Method != losses.Value:
		return fmt.Errorf("method %s: tables of patterns are fitted by %s, %s or %s", p.Method, losses.MLM, losses.LS, losses.Value)
	case p.MinCount < 0 || p.Errors < 0:
		return errors.New("--min-count and --errors: want 0 or more")
	case p.Target+p.GamesTarget != "" && p.Method != losses.Value:
		return fmt.Errorf("--target has no effect: use --method %s", losses.Value)
	}
	of, err := method.Choices{Aim: method.Aim{Target: p.Target + p.GamesTarget}, Held: method.Held{Scale: p.Scale}}.Of(p.Method)
	if err != nil {
		return err
	}
	return fit.Params{Method: of, Draws: p.Draws, Holdout: p.Holdout}.Validate()
}

// Indexer returns the entries of a packed position, appended to the slices. It is used by one
// goroutine.
type Indexer func(at []uint32, x []float32, board []byte) (pattern.Entries, error)

// IndexerOf returns what makes indexers of a plan for a game.
func IndexerOf[P games.Position[P]](r games.Rules[P], d games.Drawer[P]) func(*pattern.Plan) Indexer {
	return func(p *pattern.Plan) Indexer {
		x := pattern.NewIndexer(p, d)
		return func(at []uint32, values []float32, board []byte) (pattern.Entries, error) {
			position, err := r.UnpackBoard(board)
			if err != nil {
				return pattern.Entries{}, err
			}
			return x.Of(at, values, position)
		}
	}
}

// Run fits tables to labels, or to positions, and writes the dataset. games are the labels'
// games, for GamesTarget and GamesWhere, names the games with the players for errors; else nil.
func Run(ctx context.Context, p Params, m fit.Means, dir, games, names *datasets.Dir, index func(*pattern.Plan) Indexer, out *datasets.Builder) error {
	if err := p.Validate(); err != nil {
		return err
	}
	workers := ordered.Workers(m.Workers)
	in, err := readInput(ctx, p, workers, dir, games, index)
	if err != nil {
		return err
	}
	if in.train.Rows == 0 {
		return fit.NothingLeft(dir, in.counts.Rejected)
	}
	if most := slices.Max(in.train.Counts()); int(most) < p.MinCount {
		return fmt.Errorf("--min-count %d leaves no weight: the most frequent weight occurs %d times", p.MinCount, most)
	}
	scale, err := in.scale(ctx, p, workers, dir)
	if err != nil {
		return err
	}
	e, err := in.fit(ctx, p, workers)
	if err != nil {
		return err
	}
	weights := lists.Of(e.Weights, func(w float64) float64 { return w / scale })
	tables, cut, err := p.Plan.NewTables(weights)
	if err != nil {
		return err
	}
	r, err := in.result(ctx, p, e)
	if err != nil {
		return err
	}
	r.Scale, r.Cut = scale, cut
	if err := in.strongest(ctx, p, e, r, names, dir.Manifest.Meta[schemas.NoGames] != ""); err != nil {
		return err
	}
	return write(out, p, in, r, weights, tables)
}

// input are the rows of a fit of tables.
type input struct {
	train, held *sparse.Store
	// values have one weight, the labels' value's; nil without values. ones have one that counts in
	// every row.
	values, heldValues, ones, heldOnes *sparse.Store
	counts                             manifest.Counts
}

// readInput reads the rows.
func readInput(ctx context.Context, p Params, workers int, dir, games *datasets.Dir, index func(*pattern.Plan) Indexer) (_ *input, err error) {
	if kind := dir.Table.Name; kind != "labels" && kind != "positions" {
		return nil, fmt.Errorf("%s holds %s: want labels or positions", dir.Path, kind)
	}
	x, err := computed.Open(ctx, computed.Expressions{Target: computed.Target("--target", p.Target), Where: computed.Condition("--where", p.Where)}, dir, computed.SQL)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	byGame, err := targetsOfGames(ctx, p, games)
	if err != nil {
		return nil, err
	}
	wanted, err := computed.WantedGames(ctx, p.GamesWhere, games, computed.SQL)
	if err != nil {
		return nil, err
	}
	var copies *bygame.Copies
	if p.Holdout > 0 {
		if copies, err = bygame.CopiesOf(ctx, dir, nil, "copies", bygame.CopiesMemory); err != nil {
			return nil, err
		}
	}
	readers := make([]*reader, workers)
	for w := range readers {
		if readers[w], err = newReader(p, dir, x, index(p.Plan)); err != nil {
			return nil, err
		}
		readers[w].byGame, readers[w].wanted, readers[w].copies = byGame, wanted, copies
	}
	build := newBuilder(p.Plan.Weights, readers[0].value != nil)
	err = x.ReadGroups(ctx, workers, func(w int, g datasets.Group) error { return readers[w].read(ctx, g) }, func(w int) error { return build.add(readers[w]) })
	if err != nil {
		return nil, err
	}
	return build.finish(), nil
}

// targetsOfGames returns GamesTarget by game; nil without it.
func targetsOfGames(ctx context.Context, p Params, dir *datasets.Dir) (map[int64]float64, error) {
	if p.GamesTarget == "" {
		return nil, nil
	}
	all, err := computed.Whole(ctx, dir, []computed.Feature{{Name: "game_id", SQL: "game_id"}, computed.Target("--games-target", p.GamesTarget)}, computed.SQL)
	if err != nil {
		return nil, err
	}
	by := make(map[int64]float64, len(all[0]))
	for i, id := range all[0] {
		by[int64(id)] = all[1][i]
	}
	return by, nil
}

// fit fits the tables.
func (in *input) fit(ctx context.Context, p Params, workers int) (*sparse.Estimate, error) {
	f := p.Plan.File
	set := sparse.Settings{Loss: losses.Of(p.Method), Ridge: f.Ridge, Ties: ties(p.Plan), Least: p.MinCount, Workers: workers, Tolerance: p.Tolerance}
	if p.Method == losses.LS { // its valley depends on the start
		near := set
		near.Loss, near.Tolerance = losses.Logistic{}, 1e-3
		e, err := sparse.Fit(ctx, in.train, near)
		if err != nil {
			return nil, err
		}
		set.Start = e.Weights
	}
	return sparse.Fit(ctx, in.train, set)
}

// ties draw the weights of each phase to the neighbouring phases'.
func ties(p *pattern.Plan) (all []sparse.Tie) {
	if p.File.Neighbours == 0 {
		return nil
	}
	for _, n := range p.Neighbours() {
		all = append(all, sparse.Tie{A: n.A, B: n.B, N: n.N, Strength: p.File.Neighbours})
	}
	return all
}

// scale returns w_0: what the fitted scores are divided by.
func (in *input) scale(ctx context.Context, p Params, workers int, dir *datasets.Dir) (float64, error) {
	switch {
	case p.Method == losses.Value:
		return 1, nil
	case p.Scale != 0:
		return p.Scale, nil
	case in.values == nil:
		return 0, fmt.Errorf("%s has no values to fit the scale: give labels, or --scale", dir.Path)
	}
	e, err := sparse.Fit(ctx, in.values, sparse.Settings{Loss: losses.Of(p.Method), Workers: workers})
	if err != nil {
		return 0, err
	}
	if w := e.Weights[0]; w > 0 && !math.IsInf(w, 0) {
		return w, nil
	}
	return 0, fmt.Errorf("%s: the values predict the results best at the impossible scale %v: give --scale", dir.Path, e.Weights[0])
}
