package fit

import (
	"fmt"
	"math"

	"kifu/datasets"
	"kifu/eval"
	"kifu/internal/splitmix"
	"kifu/schemas"
)

// The reasons for which positions are left out, and what is noted of others.
const (
	noResult       = "no result"
	drawnGame      = "drawn game"
	forcedWin      = "forced win"
	drawnLeaf      = "drawn at the leaf"
	noValue        = "value is no number"
	noTarget       = "no target"
	unwanted       = "filtered out"
	overCap        = "over --max-per-game"
	loserBlundered = "loser's blunder"
	heldOutRow     = "held out"
)

// decoder turns row groups of labels into rows.
type decoder struct {
	p       Params
	model   *eval.Model
	slotOf  []int // of each term, -1 when it is not free
	free    int   // terms
	extras  extras
	games   map[int64]bool // that are wanted; nil: all
	test    bool           // the dataset is held out
	batch   *datasets.Batch
	col     labelColumns
	weights map[int][]float64 // by phase: the model's, one a term

	// Of the last row group:
	rows     []row
	held     []bool
	options  []option // of choices
	features []count  // of the rows, end to end
	unpacked []eval.Feature
	dense    []float64
	counts   datasets.Counts
	err      error
}

// labelColumns are those of the batch that a fit reads; the ones that only some labels
// have may be nil.
type labelColumns struct {
	game, result, value, phase, features    *datasets.Vec
	ply, turn, firstWins, drawn, secondWins *datasets.Vec
	played                                  *datasets.Vec // of choices
}

// results counts positions by the result of their game.
type results struct{ first, draws, second float64 }

func (w results) sum() float64 { return w.first + w.draws + w.second }

func newDecoder(in *input, p Params, dir *datasets.Dir, slotOf []int, x extras) (*decoder, error) {
	if v := dir.Table.Version; dir.Table.Name == "labels" && v != schemas.LabelsVersion {
		return nil, fmt.Errorf("%s is labels/v%d, this kifu reads labels/v%d: label its positions anew", dir.Path, v, schemas.LabelsVersion)
	}
	d := &decoder{p: p, model: in.model, slotOf: slotOf, extras: x, games: in.games, test: in.testing, weights: map[int][]float64{},
		batch: datasets.NewBatch(dir.Table, "game_id", "ply", "first_to_move", "result", in.leaf, "leaf_phase", "features", "first_wins", "draws", "second_wins", "played")}
	needed := []string{"game_id", "result", in.leaf, "leaf_phase", "features"}
	if p.SideToMove {
		needed = append(needed, "first_to_move")
	}
	if in.design.decided != nil {
		needed = append(needed, "first_to_move", "ply", "played")
	}
	for _, name := range needed {
		if d.batch.Col(name) == nil {
			return nil, fmt.Errorf("%s has no column %q", dir.Path, name)
		}
	}
	d.col = labelColumns{
		game: d.batch.Col("game_id"), result: d.batch.Col("result"), value: d.batch.Col(in.leaf), phase: d.batch.Col("leaf_phase"), features: d.batch.Col("features"),
		ply: d.batch.Col("ply"), turn: d.batch.Col("first_to_move"),
		firstWins: d.batch.Col("first_wins"), drawn: d.batch.Col("draws"), secondWins: d.batch.Col("second_wins"),
		played: d.batch.Col("played"),
	}
	for _, slot := range slotOf {
		d.free = max(d.free, slot+1)
	}
	return d, nil
}

// decode reads a row group.
func (d *decoder) decode(p piece) error {
	if d.col.played != nil {
		return d.decodeOptions(p)
	}
	if err := p.part.Read(p.rowGroup, d.batch); err != nil {
		return err
	}
	c := &d.col
	d.rows, d.held, d.features, d.dense = d.rows[:0], d.held[:0], d.features[:0], d.dense[:0]
	d.counts = datasets.Counts{Read: int64(d.batch.Rows)}
	for i := range d.batch.Rows {
		at := p.first + int64(i)
		x := row{game: c.game.Int64[i], value: float64(c.value.Float32[i]), phase: int(c.phase.Int32[i]), stratum: noStratum}
		if c.ply != nil {
			x.stratum = stratumOf(d.model, c.ply.Int32[i], x.phase)
		}
		reason, err := d.position(i, at, &x)
		if err != nil {
			return fmt.Errorf("labels of game %d, row %d: %w", x.game, at, err)
		}
		held := d.test || heldOut(x.game, d.p.Holdout, d.p.Seed)
		before := len(d.rows)
		if reason == "" {
			x.won = d.outcome(i)
			if d.extras.level != nil {
				x.level = d.extras.level(at, &x)
			}
			if !held && d.extras.lost(at, x.won) {
				reason = loserBlundered
			} else {
				reason = d.outcomes(x, held)
			}
		}
		if reason != "" {
			d.counts.Reject(reason, 1)
			continue
		}
		if held {
			d.counts.Note(heldOutRow, 1)
		}
		for range len(d.rows) - before {
			d.held = append(d.held, held)
		}
	}
	return nil
}

// outcomes appends x with what the method makes of the results of its games: one row, or
// for Ordered one for each result. A reason says that nothing is left.
func (d *decoder) outcomes(x row, held bool) (reason string) {
	switch {
	case d.p.Target == "" || held && d.p.Method != Value:
	case x.target == absent:
		return noTarget
	case schemas.Forced(x.target):
		return forcedWin
	}
	if d.p.Method == Value {
		x.y, x.weight = x.target, max(1, x.won.sum())
		d.rows = append(d.rows, x)
		return ""
	}
	if d.p.Method != Ordered && d.p.Draws == DrawsExclude && x.won.draws > 0 {
		if x.won.draws = 0; x.won.sum() == 0 {
			return drawnGame
		}
	}
	if x.won.sum() == 0 {
		return noResult
	}
	if d.p.Method != Ordered {
		x.weight = x.won.sum()
		x.y = (x.won.first + x.won.draws/2) / x.weight
		d.rows = append(d.rows, x)
		return ""
	}
	for i, won := range []results{{second: x.won.second}, {draws: x.won.draws}, {first: x.won.first}} {
		if won.sum() > 0 {
			one := x
			one.y, one.weight, one.won = float64(i)/2, won.sum(), won
			d.rows = append(d.rows, one)
		}
	}
	return ""
}

// outcome is the result of row i's game; of distinct positions, how often each was.
func (d *decoder) outcome(i int) results {
	if c := &d.col; c.firstWins != nil {
		return results{float64(c.firstWins.Int32[i]), float64(c.drawn.Int32[i]), float64(c.secondWins.Int32[i])}
	}
	col := d.col.result
	if col.IsNull(i) {
		return results{}
	}
	switch string(col.Value(i)) {
	case "first":
		return results{first: 1}
	case "draw":
		return results{draws: 1}
	case "second":
		return results{second: 1}
	}
	return results{}
}

// position reads the features of row i into x. A reason says that the position has to
// stay out.
func (d *decoder) position(i int, at int64, x *row) (reason string, err error) {
	if d.unpacked, err = eval.AppendUnpacked(d.unpacked[:0], d.col.features.Value(i)); err != nil {
		return "", err
	}
	if n := len(d.unpacked); n > 0 && int(d.unpacked[n-1].Term) >= len(d.slotOf) {
		return "", fmt.Errorf("feature %d of %d terms: damaged", d.unpacked[n-1].Term, len(d.slotOf))
	}
	weights := d.weightsAt(x.phase)
	score := 0.0
	from := len(d.features)
	for _, f := range d.unpacked {
		score += float64(f.Count) * weights[f.Term]
		if slot := d.slotOf[f.Term]; slot >= 0 {
			d.features = append(d.features, count{uint16(slot), f.Count})
		}
	}
	slot := uint16(d.free)
	if d.p.Intercept {
		d.features = append(d.features, count{slot, 1})
		slot++
	}
	if d.p.SideToMove {
		turn := int16(-1)
		if d.col.turn.Bool[i] {
			turn = 1
		}
		d.features = append(d.features, count{slot, turn})
	}
	x.features = d.features[from:len(d.features):len(d.features)]
	fromDense := len(d.dense)
	for _, column := range d.extras.added {
		d.dense = append(d.dense, column[at])
	}
	x.dense = d.dense[fromDense:len(d.dense):len(d.dense)]
	if d.extras.target != nil {
		x.target = d.extras.target[at]
	}
	switch {
	case d.extras.where != nil && d.extras.where[at] == 0, d.games != nil && !d.games[x.game]:
		return unwanted, nil
	case math.IsNaN(x.value):
		return noValue, nil
	case schemas.Forced(x.value):
		return forcedWin, nil
	case x.value == 0 && math.Abs(score) > 0.5:
		// The search has seen the end of the game there. No weight changes that.
		return drawnLeaf, nil
	}
	return "", nil
}

// weightsAt are the model's weights at a phase.
func (d *decoder) weightsAt(phase int) []float64 {
	weights, ok := d.weights[phase]
	if !ok {
		mix := d.model.Mix(phase, nil)
		for i := range d.model.Terms {
			weights = append(weights, d.model.Terms[i].At(mix))
		}
		d.weights[phase] = weights
	}
	return weights
}

// deliver adds the rows to the samples.
func (d *decoder) deliver(in *input) {
	if d.col.played != nil {
		d.deliverOptions(in)
		return
	}
	for i := range d.rows {
		if d.held[i] {
			in.held.add(&d.rows[i])
		} else {
			in.train.add(&d.rows[i])
		}
	}
	in.counts.Add(d.counts)
}

// heldOut says whether a game is kept out of the fit: a hash of seed and game, below
// the share.
func heldOut(game int64, share float64, seed uint64) bool {
	return share > 0 && splitmix.Share(seed, game) < share
}
