package fit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/eval"
	"kifu/fit/computed"
	"kifu/fit/forecast"
	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/schemas"
)

// The reasons for which positions are left out, and what is noted of others.
const (
	drawnLeaf      = "drawn at the leaf"
	noValue        = "value is no number"
	noExpected     = "no expected result"
	overCap        = "over --max-per-game"
	loserBlundered = "loser's blunder"
	gap            = "after a gap" // noted: the position before it is not there, or not wanted
)

// decoder turns row groups of labels into rows.
type decoder struct {
	p      choices
	model  *eval.Model
	slotOf []int32 // of each term, -1 when it is not free
	free   int     // terms
	// scaleAlone: features are not read. Positions of value 0 then count, whatever their leaf: they
	// have no effect on the scale.
	scaleAlone bool
	ordered    bool // the method
	value      bool // likewise
	exclude    bool // drawn games
	computed   *computed.Labels
	games      map[int64]bool // that are wanted; nil: all
	test       bool           // the dataset is held out
	copies     *bygame.Copies
	from, to   int64 // the rows of the dataset that are taken
	table      string
	batch      *columns.Batch
	col        labelColumns
	weights    map[int][]float64 // by phase: the model's, one a term

	// Of the last row group:
	extra    *computed.Part // its part's
	skipped  int            // rows of the part before it
	row      readRow        // the last one
	rows     []keptRow
	features []rows.Count // of the rows, end to end
	unpacked []eval.Feature
	dense    []float64 // of the rows, end to end
	game     gameState // of the last row
	counts   manifest.Counts
}

// labelColumns holds the label columns of the batch that a fit reads; the ones that only some labels
// have may be nil.
type labelColumns struct {
	game, result, value, phase, features    *columns.Vec
	ply, turn, firstWins, drawn, secondWins *columns.Vec
	played                                  *columns.Vec // of choices
}

func newDecoder(in *input, of source) (*decoder, error) {
	dir := of.dir
	if v := dir.Table.Version; dir.Table.Name == "labels" && v != schemas.LabelsVersion {
		return nil, fmt.Errorf("%s is labels/v%d, this kifu reads labels/v%d: label its positions again", dir.Path, v, schemas.LabelsVersion)
	}
	wanted := []string{"game_id", "result", in.leaf, "leaf_phase", "first_wins", "draws", "second_wins", "played"}
	if in.p.Holdout > 0 || in.p.Test || in.p.Folds > 0 || in.p.temporal() {
		wanted = append(wanted, "ply") // tests are by bands of it
	}
	needed := []string{"game_id", "result", in.leaf, "leaf_phase"}
	scaleAlone := in.design.Scale() == 0 && (in.p.name == losses.MLM || in.p.name == losses.LS)
	if !scaleAlone {
		needed = append(needed, "features")
	}
	d := &decoder{p: in.p, scaleAlone: scaleAlone, ordered: in.p.name == losses.Ordered, value: in.p.name == losses.Value, exclude: in.p.Draws == DrawsExclude, model: in.model, computed: of.computed, games: of.wanted, test: of.test, copies: in.copies, to: math.MaxInt64, weights: map[int][]float64{},
		table: dir.Table.Name}
	if in.p.SideToMove {
		needed = append(needed, "first_to_move")
	}
	if in.design.Decided != nil {
		needed = append(needed, "first_to_move", "ply", "played")
	}
	d.batch = columns.NewBatch(dir.Table, append(wanted, needed...)...)
	for _, name := range needed {
		if d.batch.Col(name) == nil {
			remedy := ""
			if name == "leaf_phase" || name == "features" {
				remedy = ": label its positions with --features all"
			}
			return nil, fmt.Errorf("%s has no column %q%s", dir.Path, name, remedy)
		}
	}
	d.col = labelColumns{
		game: d.batch.Col("game_id"), result: d.batch.Col("result"), value: d.batch.Col(in.leaf), phase: d.batch.Col("leaf_phase"), features: d.batch.Col("features"),
		ply: d.batch.Col("ply"), turn: d.batch.Col("first_to_move"),
		firstWins: d.batch.Col("first_wins"), drawn: d.batch.Col("draws"), secondWins: d.batch.Col("second_wins"),
		played: d.batch.Col("played"),
	}
	d.slotOf, d.free = make([]int32, len(in.model.Terms)), len(in.free)
	for i := range d.slotOf {
		d.slotOf[i] = -1
	}
	for slot, term := range in.free {
		d.slotOf[term] = int32(slot)
	}
	return d, nil
}

// decode reads a row group, whose first row is first of the dataset.
func (d *decoder) decode(ctx context.Context, g datasets.Group, first int64) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if d.extra, err = d.computed.Part(ctx, g.Part); err != nil {
		return err
	}
	d.skipped = g.At
	if err := g.Read(d.batch); err != nil {
		return err
	}
	d.rows, d.features, d.dense = slices.Grow(d.rows[:0], d.batch.Rows), d.features[:0], d.dense[:0]
	d.counts = manifest.Counts{Read: int64(d.batch.Rows)}
	last, out := "", int64(0) // the last reason, and rows that were left out for it
	for i := range d.batch.Rows {
		at := first + int64(i)
		if at < d.from || at >= d.to {
			continue
		}
		x := &d.row // field by field, so that no pointer is written
		x.At, x.Game, x.Value, x.Phase, x.Stratum = at, d.col.game.Int64[i], float64(d.col.value.Float32[i]), int(d.col.phase.Int32[i]), rows.NoStratum
		x.Y, x.Weight, x.Target, x.Won, x.Level, x.ply, x.held = 0, 0, 0, rows.Results{}, 0, 0, false
		reason, err := d.appendRow(i, x)
		switch {
		case err != nil:
			return fmt.Errorf("%s of game %d, row %d: %w", d.table, d.row.Game, at, err)
		case reason == "" && d.row.held:
			d.counts.Note(computed.HeldOut, 1)
		case reason != "" && reason != last:
			d.left(last, out)
			last, out = reason, 1
		case reason != "":
			out++
		}
	}
	d.left(last, out)
	return nil
}

// left counts n rows that were left out, if there are any.
func (d *decoder) left(reason string, n int64) {
	if n > 0 {
		d.counts.Reject(reason, n)
	}
}

// readRow is a position, or a move in it, on its way into a sample.
type readRow struct {
	rows.Row
	ply  int32
	held bool
}

// keptRow is a readRow without pointers: a row group's are many.
type keptRow struct {
	at, game                 int64
	value, y, weight, target float64
	won                      rows.Results
	features, dense          span32 // of the decoder's
	phase, ply               int32
	stratum, level           uint8
	held                     bool
}

// span32 is a rows.Span of fewer than 2³¹.
type span32 struct{ from, to int32 }

// keep appends x, without its features.
func (d *decoder) keep(x *readRow) {
	d.rows = append(d.rows, keptRow{at: x.At, game: x.Game, value: x.Value, y: x.Y, weight: x.Weight, target: x.Target, won: x.Won,
		phase: int32(x.Phase), ply: x.ply, stratum: x.Stratum, level: x.Level, held: x.held})
}

// whole overwrites x with a row that was kept.
func (d *decoder) whole(k *keptRow, x *readRow) {
	x.At, x.Game, x.Value, x.Y, x.Weight, x.Target, x.Won = k.at, k.game, k.value, k.y, k.weight, k.target, k.won
	x.Phase, x.ply, x.Stratum, x.Level, x.held = int(k.phase), k.ply, k.stratum, k.level, k.held
	x.Features, x.Dense = d.features[k.features.from:k.features.to:k.features.to], d.dense[k.dense.from:k.dense.to:k.dense.to]
}

// appendRow appends what is fitted of row i, which x has begun to read, or returns the reason why it stays out.
func (d *decoder) appendRow(i int, x *readRow) (reason string, err error) {
	c := &d.col
	if d.p.temporal() && i > 0 && c.game.Int64[i-1] == x.Game {
		if err := d.follows(i); err != nil {
			return "", err
		}
	}
	if c.ply != nil {
		x.ply = c.ply.Int32[i]
		x.Stratum = forecast.StratumOf(d.model, x.ply, x.Phase)
	}
	if reason, err = d.position(i, &x.Row); reason != "" || err != nil {
		return reason, err
	}
	x.held = d.stateOf(x.Game).held
	before := len(d.rows)
	if c.played != nil {
		d.choice(i, x)
	} else if reason, err = d.outcome(i, x); reason != "" || err != nil {
		return reason, err
	}
	if d.p.temporal() && before > 0 && d.rows[before-1].game == x.Game && x.ply > d.rows[before-1].ply+1 {
		d.counts.Note(gap, 1)
	}
	features, dense := int32(len(d.features)), int32(len(d.dense))
	if err := d.describe(i); err != nil {
		return "", err
	}
	for j := range d.rows[before:] {
		one := &d.rows[before+j]
		one.features, one.dense = span32{features, int32(len(d.features))}, span32{dense, int32(len(d.dense))}
	}
	return "", nil
}

// outcome appends x with its targets by the results of its games, or returns the reason why it stays out.
func (d *decoder) outcome(i int, x *readRow) (reason string, err error) {
	if d.p.Expected != "" && x.Target != computed.Absent && !(x.Target >= 0 && x.Target <= 1) {
		return "", fmt.Errorf("--expected %s is %v: want the first player's expected result, from 0 (lost) to 1 (won)", d.p.Expected, x.Target)
	}
	x.Won = computed.ResultOf(i, d.col.result, d.col.firstWins, d.col.drawn, d.col.secondWins)
	x.Level = d.extra.Level(d.skipped+i, &x.Row)
	if !x.held && d.extra.Lost(d.skipped+i, x.Won) {
		if !d.p.temporal() {
			return loserBlundered, nil
		}
		x.Level = rows.Unjoined
		d.counts.Note(loserBlundered, 1)
	}
	return d.outcomes(x), nil
}

// follows checks that row i is of a later ply than the row before it.
func (d *decoder) follows(i int) error {
	if before, ply := d.col.ply.Int32[i-1], d.col.ply.Int32[i]; ply <= before {
		return fmt.Errorf("ply %d is after ply %d: temporal differences need a game's positions in their order", ply, before)
	}
	return nil
}

// outcomes appends x with the method's targets for the results of its games: one row, or for Ordered
// one for each result. A reason means that nothing is left.
func (d *decoder) outcomes(x *readRow) (reason string) {
	switch {
	case d.p.Expected != "":
		return d.expected(x)
	case d.p.Target == "" || x.held && !d.value:
	case x.Target == computed.Absent:
		return bygame.NoTarget
	case schemas.Forced(x.Target):
		return computed.ForcedWin
	}
	if d.value {
		x.Y, x.Weight = x.Target, max(1, x.Won.Sum())
		d.keep(x)
		return ""
	}
	if !d.ordered && d.exclude && x.Won.Draws > 0 {
		x.Won.Draws = 0
		if x.Won.Sum() == 0 {
			return bygame.DrawnGame
		}
	}
	if x.Won.Sum() == 0 {
		return bygame.NoResult
	}
	if !d.ordered {
		x.Weight = x.Won.Sum()
		x.Y = (x.Won.First + x.Won.Draws/2) / x.Weight
		d.keep(x)
		return ""
	}
	for i, won := range []rows.Results{{Second: x.Won.Second}, {Draws: x.Won.Draws}, {First: x.Won.First}} {
		if won.Sum() > 0 {
			one := *x
			one.Y, one.Weight, one.Won = float64(i)/2, won.Sum(), won
			d.keep(&one)
		}
	}
	return ""
}

// expected appends x with its expected result for y; for Won that counts as fractions of wins and
// losses.
func (d *decoder) expected(x *readRow) (reason string) {
	if x.Target == computed.Absent {
		return noExpected
	}
	x.Y, x.Weight = x.Target, max(1, x.Won.Sum())
	x.Won = rows.Results{First: x.Y * x.Weight, Second: (1 - x.Y) * x.Weight}
	d.keep(x)
	return ""
}

// position returns the reason why row i stays out, or nothing, and reads its target into x.
func (d *decoder) position(i int, x *rows.Row) (reason string, err error) {
	x.Target = d.extra.Target(d.skipped + i)
	switch {
	case !d.extra.Wanted(d.skipped + i), !d.stateOf(x.Game).wanted:
		return bygame.Unwanted, nil
	case math.IsNaN(x.Value):
		return noValue, nil
	case schemas.Forced(x.Value):
		return computed.ForcedWin, nil
	case x.Value != 0 || d.scaleAlone || len(d.model.Reals) > 0:
		return "", nil
	}
	if err := d.unpack(i); err != nil {
		return "", err
	}
	score, weights := 0.0, d.weightsAt(x.Phase)
	for _, f := range d.unpacked {
		score += float64(f.Count) * weights[f.Term]
	}
	if math.Abs(score) > 0.5 {
		// The search has seen the end of the game there. No weight changes that.
		return drawnLeaf, nil
	}
	return "", nil
}

// unpack reads the features of row i.
func (d *decoder) unpack(i int) (err error) {
	if d.unpacked, err = eval.AppendUnpacked(d.unpacked[:0], d.col.features.Value(i)); err != nil {
		return err
	}
	if n := len(d.unpacked); n > 0 && int(d.unpacked[n-1].Term) >= len(d.slotOf) {
		return fmt.Errorf("feature %d of %d terms: damaged", d.unpacked[n-1].Term, len(d.slotOf))
	}
	return nil
}

// describe appends what is fitted of row i.
func (d *decoder) describe(i int) error {
	if d.free > 0 {
		if err := d.unpack(i); err != nil {
			return err
		}
		n := len(d.features)
		d.features = slices.Grow(d.features, len(d.unpacked))[:n+len(d.unpacked)]
		for _, f := range d.unpacked {
			slot := d.slotOf[f.Term]
			d.features[n] = rows.Count{Slot: uint32(slot), N: f.Count}
			n += int(^uint32(slot) >> 31) // no jump, which could not be foreseen
		}
		d.features = d.features[:n]
	}
	slot := uint32(d.free)
	if d.p.Intercept {
		d.features = append(d.features, rows.Count{Slot: slot, N: 1})
		slot++
	}
	if d.p.SideToMove {
		turn := int16(-1)
		if d.col.turn.Bool[i] {
			turn = 1
		}
		d.features = append(d.features, rows.Count{Slot: slot, N: turn})
	}
	d.dense = d.extra.Dense(d.dense, d.skipped+i)
	return nil
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

// deliver adds the rows to the samples, those held out only where they are wanted.
func (d *decoder) deliver(in *input) {
	x := &d.row
	for i := range d.rows {
		d.whole(&d.rows[i], x)
		s := in.train
		if x.held {
			s = in.held
		}
		switch {
		case s == nil:
		case s.gather != nil:
			s.gather.add(s, x)
		default:
			s.add(&x.Row)
		}
	}
	in.counts.Add(d.counts)
}

// stateOf returns the treatment of a game's rows: whether they are wanted, and kept out of the fit, which
// its copies decide together.
func (d *decoder) stateOf(game int64) gameState {
	if x := &d.game; !x.known || x.id != game {
		*x = gameState{id: game, known: true, wanted: d.games == nil || d.games[game], held: d.test || d.copies.Held(game, d.p.Holdout, d.p.Seed)}
	}
	return d.game
}

type gameState struct {
	id                  int64
	known, wanted, held bool
}
