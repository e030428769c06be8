package fit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/internal/lists"
	"kifu/internal/splitmix"
)

// Why moves are left out.
const (
	playedOut     = "the move played is left out"
	noAlternative = "no alternative is left"
)

// Moves reports whether a method fits to choices, not to labels.
func Moves(method string) bool { return losses.DecisionsOf(method) != nil }

// Wants refuses a dataset that a method is not for.
func Wants(method string, dir *datasets.Dir) error {
	want, why := "labels", fmt.Sprintf("method %s fits to results or values of positions: give labels (kifu label)", method)
	if Moves(method) {
		want, why = "choices", fmt.Sprintf("method %s fits to the moves played: give choices of the same positions (kifu choices)", method)
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
		return fmt.Errorf("%s has %s of another evaluator or search than %s: label both with the same flags", b.Path, b.Table.Name, a.Path)
	}
	return nil
}

// choice appends x, a move that could be played.
func (d *decoder) choice(i int, x *readRow) {
	x.Weight, x.Y = 1, losses.OtherRow
	if d.col.played.Bool[i] {
		x.Y = losses.PlayedRow
	}
	if !d.col.turn.Bool[i] {
		x.Y = -x.Y
	}
	d.keep(x)
}

// gatherer puts the moves of decisions together, the one played first. A game is taken
// in as a whole, so that decisions can be drawn from it.
type gatherer struct {
	options  []readRow
	features []rows.Count // of the options, end to end
	dense    []float64    // likewise
	counts   manifest.Counts
	err      error
}

// add takes a move. The moves of a decision come one after the other.
func (g *gatherer) add(s *sample, x *readRow) {
	if n := len(g.options); n > 0 && g.options[n-1].Game != x.Game {
		g.endGame(s)
	}
	g.options = append(g.options, *x)
	g.features = append(g.features, x.Features...)
	g.dense = append(g.dense, x.Dense...)
}

// endGame puts the decisions of a game into s, a seeded choice of them if they are too
// many.
func (g *gatherer) endGame(s *sample) {
	features, dense := g.features, g.dense
	for i := range g.options {
		x := &g.options[i]
		x.At = g.options[0].At // the moves of a decision change places
		x.Features, features = features[:len(x.Features)], features[len(x.Features):]
		x.Dense, dense = dense[:len(x.Dense)], dense[len(x.Dense):]
	}
	var whole []rows.Span
	for from, to := 0, 0; from < len(g.options); from = to {
		for to = from + 1; to < len(g.options) && g.options[to].ply == g.options[from].ply; to++ {
		}
		if g.order(g.options[from:to]) {
			whole = append(whole, rows.Span{From: from, To: to})
		}
	}
	if s.most > 0 && len(whole) > s.most {
		some := drawn(len(whole), s.most, splitmix.Hash(s.seed^capSalt, g.options[0].Game))
		for i, w := range whole {
			if _, in := slices.BinarySearch(some, i); !in {
				s.dropped += int64(w.To - w.From)
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

// capSalt keeps the choice of positions apart from the others that one seed makes.
const capSalt = 0x27d4eb2f165667c5

// drawn are some of the numbers below n, ascending: those with the least hashes.
func drawn(n, some int, seed uint64) []int {
	order := lists.N(n, func(i int) int { return i })
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(splitmix.Hash(seed, int64(a)), splitmix.Hash(seed, int64(b))) })
	order = order[:some]
	slices.Sort(order)
	return order
}

// order brings the move played to the front. It reports whether there is a choice.
func (g *gatherer) order(decision []readRow) bool {
	at, n := -1, int64(len(decision))
	for i, x := range decision {
		if x.Y == losses.PlayedRow || x.Y == -losses.PlayedRow {
			if at >= 0 && g.err == nil {
				g.err = fmt.Errorf("two moves are played in game %d at ply %d: damaged, or a position that was labelled twice", x.Game, x.ply)
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

func (g *gatherer) put(s *sample, decision rows.Span) {
	for i := decision.From; i < decision.To; i++ {
		s.put(&g.options[i].Row)
	}
}
