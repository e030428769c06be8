package fit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"kifu/datasets"
	"kifu/internal/splitmix"
)

// Why moves are left out.
const (
	playedOut     = "the move played is left out"
	noAlternative = "no alternative is left"
)

// Moves says that the method fits to choices, not to labels.
func (p Params) Moves() bool { return p.decisionLoss() != nil }

// Wants refuses a dataset that the method is not for.
func (p Params) Wants(dir *datasets.Dir) error {
	want, why := "labels", fmt.Sprintf("method %s fits to what became of positions: give their labels (kifu label without --choices)", p.Method)
	if p.Moves() {
		want, why = "choices", fmt.Sprintf("method %s fits to the moves played: give choices, which kifu label --choices makes of the same positions", p.Method)
	}
	if err := dir.Want(want); err != nil {
		return fmt.Errorf("%w: %s", err, why)
	}
	return nil
}

// Alike refuses two datasets whose values and features are not of one evaluator and
// search.
func Alike(a, b *datasets.Dir) error {
	text, err := a.ReadFile("weights.toml")
	if err != nil {
		return err
	}
	other, err := b.ReadFile("weights.toml")
	if err != nil {
		return err
	}
	if !bytes.Equal(text, other) || a.Manifest.Meta["leaf"] != b.Manifest.Meta["leaf"] || a.Manifest.Meta["zeroed"] != b.Manifest.Meta["zeroed"] {
		return fmt.Errorf("%s has %s of another evaluator or search than %s: label both alike", b.Path, b.Table.Name, a.Path)
	}
	return nil
}

// option is a move that could be played, on its way into rows.
type option struct {
	row
	ply  int32
	held bool
}

// decodeOptions reads a row group of choices.
func (d *decoder) decodeOptions(p piece) error {
	if err := p.part.Read(p.rowGroup, d.batch); err != nil {
		return err
	}
	c := &d.col
	d.options, d.features, d.dense = d.options[:0], d.features[:0], d.dense[:0]
	d.counts = datasets.Counts{Read: int64(d.batch.Rows)}
	for i := range d.batch.Rows {
		at := p.first + int64(i)
		x := option{row: row{game: c.game.Int64[i], value: float64(c.value.Float32[i]), phase: int(c.phase.Int32[i]), weight: 1, y: otherRow}, ply: c.ply.Int32[i]}
		x.stratum = stratumOf(d.model, x.ply, x.phase)
		if c.played.Bool[i] {
			x.y = playedRow
		}
		if !c.turn.Bool[i] {
			x.y = -x.y
		}
		reason, err := d.position(i, at, &x.row)
		if err != nil {
			return fmt.Errorf("choices of game %d, row %d: %w", x.game, at, err)
		}
		if reason != "" {
			d.counts.Reject(reason, 1)
			continue
		}
		if x.held = d.test || heldOut(x.game, d.p.Holdout, d.p.Seed); x.held {
			d.counts.Note(heldOutRow, 1)
		}
		d.options = append(d.options, x)
	}
	return nil
}

// deliverOptions adds the moves to the samples.
func (d *decoder) deliverOptions(in *input) {
	for i := range d.options {
		x := &d.options[i]
		s := in.train
		if x.held {
			s = in.held
		}
		s.gather.add(s, x)
	}
	in.counts.Add(d.counts)
}

// gatherer puts the moves of decisions together, the one played first. A game is taken
// in as a whole, so that decisions can be drawn from it.
type gatherer struct {
	options  []option
	features []count   // of the options, end to end
	dense    []float64 // likewise
	counts   datasets.Counts
	err      error
}

// add takes a move in. Those of a decision come one after the other.
func (g *gatherer) add(s *sample, x *option) {
	if n := len(g.options); n > 0 && g.options[n-1].game != x.game {
		g.endGame(s)
	}
	g.options = append(g.options, *x)
	g.features = append(g.features, x.features...)
	g.dense = append(g.dense, x.dense...)
}

// endGame puts the decisions of a game into s, a seeded choice of them if they are too
// many.
func (g *gatherer) endGame(s *sample) {
	features, dense := g.features, g.dense
	for i := range g.options {
		x := &g.options[i]
		x.features, features = features[:len(x.features)], features[len(x.features):]
		x.dense, dense = dense[:len(x.dense)], dense[len(x.dense):]
	}
	var whole []span
	for from, to := 0, 0; from < len(g.options); from = to {
		for to = from + 1; to < len(g.options) && g.options[to].ply == g.options[from].ply; to++ {
		}
		if g.order(g.options[from:to]) {
			whole = append(whole, span{from, to})
		}
	}
	if s.most > 0 && len(whole) > s.most {
		some := drawn(len(whole), s.most, splitmix.Hash(s.seed^capSalt, g.options[0].game))
		for i, w := range whole {
			if _, in := slices.BinarySearch(some, i); !in {
				s.dropped += int64(w.to - w.from)
				continue
			}
			g.put(s, w)
		}
	} else {
		for _, w := range whole {
			g.put(s, w)
		}
	}
	g.options, g.features, g.dense = g.options[:0], g.features[:0], g.dense[:0]
}

// drawn are some of the numbers below n, ascending: those with the least hashes.
func drawn(n, some int, seed uint64) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(splitmix.Hash(seed, int64(a)), splitmix.Hash(seed, int64(b))) })
	order = order[:some]
	slices.Sort(order)
	return order
}

// order brings the move played to the front. It reports whether there is a choice.
func (g *gatherer) order(decision []option) bool {
	at, n := -1, int64(len(decision))
	for i, x := range decision {
		if x.y == playedRow || x.y == -playedRow {
			if at >= 0 && g.err == nil {
				g.err = fmt.Errorf("two moves are played in game %d at ply %d: damaged, or a position that was labelled twice", x.game, x.ply)
			}
			at = i
		}
	}
	switch {
	case at < 0:
		g.counts.Reject(playedOut, n)
	case n == 1:
		g.counts.Reject(noAlternative, n)
	default:
		played := decision[at]
		copy(decision[1:at+1], decision[:at])
		decision[0] = played
		return true
	}
	return false
}

func (g *gatherer) put(s *sample, decision span) {
	for i := decision.from; i < decision.to; i++ {
		s.put(&g.options[i].row)
	}
}
