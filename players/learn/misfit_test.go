package learn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kifu/games"
	"kifu/kit/slow"
	"kifu/players/decide"
)

// sampled returns decisions of a player against itself who chooses by the values, valued by all
// candidates, those with quiescence among them if they are asked for.
func sampled(t *testing.T, o *opponent, rng *rand.Rand, matches int, quiescent bool, values func(p position) []int32, c choice) (ds []decision[position]) {
	t.Helper()
	for g := range int64(matches) {
		positions, _, _ := o.game(t, rng, 6+rng.IntN(8)) // random plies
		if len(positions) == 0 {
			continue
		}
		p := positions[len(positions)-1]
		for range 16 {
			legal := p.AppendMoves(nil)
			if p.Outcome() != games.Undecided || len(legal) == 0 {
				break
			}
			v := values(p)
			chosen := drawn(c, v, rng)
			if rng.Float64() < c.lapse {
				chosen = rng.IntN(len(legal))
			}
			if len(legal) > 1 {
				d := decision[position]{position: p, game: g, moves: len(legal), chosen: chosen, values: decide.Values(o.search, p, candidates)}
				if d.calm = decide.QuietValues(o.search, p, 1)[0]; quiescent {
					d.quiet, d.calm = decide.QuietValues(o.search, p, candidates), nil
				}
				ds = append(ds, d)
			}
			p = p.Play(legal[chosen])
		}
	}
	return ds
}

// candidates is the depth up to which there are some.
const candidates = 3

// TestMisfit: the test of fit rejects a player who is a candidate in about one trial of twenty,
// and one who is none in most; a quiescent player is told from plain ones.
func TestMisfit(t *testing.T) {
	slow.Test(t, "learns from a dozen players")
	const trials, matches = 6, 30
	rng := rand.New(rand.NewPCG(15, 3))
	judge := newOpponent(t, checkers().Default(), 2, 0)
	quiet := func(p position) []int32 { return decide.QuietValues(judge.search, p, 2)[1] }
	plain := func(p position) []int32 { return decide.Values(judge.search, p, 2)[1] }
	for _, c := range []struct {
		name             string
		values           func(p position) []int32
		quiescence       bool
		temperature      float64
		hidden           bool    // candidates with quiescence are none
		from, to, chosen float64 // shares of the trials
	}{
		{"plain", plain, false, 20, false, 0, 0.05, 0.8},
		{"quiescent", quiet, true, 20, false, 0, 0.05, 0.8},
		{"plain, quiescence not among the candidates", plain, false, 20, true, 0, 0.05, 0.8},
		{"quiescent, not among the candidates", quiet, false, 3, true, 0.5, 1, 0},
		{"the same, noisy", quiet, false, 20, true, 0.8, 1, 0},
	} {
		rejections, right := 0, 0
		for range trials {
			ds := sampled(t, judge, rng, matches, !c.hidden, c.values, choice{temperature: c.temperature, lapse: 0.02})
			l := learnDepth(candidates, ds)
			m := l.Likeliest.Misfit
			if m == nil {
				t.Fatalf("%s: no test", c.name)
			}
			if m.Rejected() {
				rejections++
			}
			if l.Likeliest.Quiescence == c.quiescence && l.Likeliest.Depth == 2 {
				right++
			}
		}
		share, slack := float64(rejections)/trials, 3*math.Sqrt(0.05*0.95/trials)
		t.Logf("%s: rejected in %.3f ± %.3f of %d trials; named right in %d", c.name, share, math.Sqrt(share*(1-share)/trials), trials, right)
		if share < c.from-slack || share > c.to+slack || float64(right) < c.chosen*trials {
			t.Errorf("%s: rejected in %.3f, named in %d of %d", c.name, share, right, trials)
		}
	}
}

// TestQuietValues: they are those of the search that kifu's own players use.
func TestQuietValues(t *testing.T) {
	o := newOpponent(t, checkers().Default(), 3, 0)
	rng := rand.New(rand.NewPCG(15, 4))
	for range 5 {
		positions, _, _ := o.game(t, rng, 20)
		p := positions[len(positions)-1]
		if p.Outcome() != games.Undecided {
			continue
		}
		for d := 1; d <= 3; d++ {
			values := decide.QuietValues(o.search, p, 3)[d-1]
			if got, want := slices.Max(values), o.search.Depth(p, d).Value*p.ToMove().Sign(); got != want {
				t.Errorf("depth %d: the best move is worth %d, the position %d", d, got, want)
			}
		}
	}
}
