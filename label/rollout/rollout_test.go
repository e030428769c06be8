package rollout_test

import (
	"math"
	"testing"

	"kifu/games"
	"kifu/games/chess"
	"kifu/games/draughts"
	"kifu/games/othello"
	"kifu/games/shogi"
	"kifu/games/tictactoe"
	"kifu/games/weiqi"
	"kifu/kit/gametest"
	"kifu/label/rollout"
)

// exact returns the chances that random play from p ends in a win of the first player, a
// draw, a win of the second, by going through all games. A game that has not ended after
// depth moves counts for none.
func exact[P games.Position[P]](p P, depth int) (chance [3]float64) {
	switch p.Outcome() {
	case games.FirstWins:
		return [3]float64{1, 0, 0}
	case games.Drawn:
		return [3]float64{0, 1, 0}
	case games.SecondWins:
		return [3]float64{0, 0, 1}
	}
	if depth == 0 {
		return chance
	}
	moves := p.AppendMoves(nil)
	for _, m := range moves {
		for i, c := range exact(p.Play(m), depth-1) {
			chance[i] += c / float64(len(moves))
		}
	}
	return chance
}

// near reports whether shares of n games lie within four standard deviations of the chances.
func near(t *testing.T, text string, tally rollout.Tally, want [3]float64) {
	t.Helper()
	n := float64(tally.First + tally.Drawn + tally.Second)
	got := [3]float64{float64(tally.First) / n, float64(tally.Drawn) / n, float64(tally.Second) / n}
	for i, w := range want {
		if math.Abs(got[i]-w) > 4*math.Sqrt(w*(1-w)/n)+1e-12 {
			t.Errorf("%s: shares %.4f, want %.4f", text, got, want)
			return
		}
	}
}

// TestTicTacToe: who plays at random wins with chance 737/1260 as the first, 121/420 as the
// second player, and draws with 8/63; and so for every position, by all of the game.
func TestTicTacToe(t *testing.T) {
	want := [3]float64{737. / 1260, 8. / 63, 121. / 420}
	for i, c := range exact(tictactoe.Position{}, 9) {
		if math.Abs(c-want[i]) > 1e-12 {
			t.Fatalf("chance %d is %v, want %v", i, c, want[i])
		}
	}
	r := rollout.New(tictactoe.Rules{})
	near(t, "start", r.Roll(tictactoe.Position{}, 200_000, 1), want)
	seen := map[tictactoe.Position]bool{}
	for seed := range uint64(100) {
		gametest.Random(tictactoe.Position{}, 9, seed, func(p tictactoe.Position, _ []games.Move) {
			if !seen[p] {
				seen[p] = true
				near(t, string(tictactoe.Rules{}.AppendPosition(nil, p)), r.Roll(p, 2000, seed), exact(p, 9))
			}
		})
	}
	if len(seen) < 300 {
		t.Errorf("only %d positions", len(seen))
	}
}

// TestOthello compares endings with all games from there.
func TestOthello(t *testing.T) {
	r := rollout.New(othello.Rules{})
	n := 0
	for seed := range uint64(12) {
		gametest.Random(othello.Start(), 80, seed, func(p othello.Position, _ []games.Move) {
			if e := p.Empty().Count(); e <= 7 {
				n++
				near(t, string(othello.Rules{}.AppendPosition(nil, p)), r.Roll(p, 4000, 1), exact(p, 20))
			}
		})
	}
	if n < 50 {
		t.Errorf("only %d positions", n)
	}
}

// TestDraughts: what is decided within five moves is decided at least as often in random games.
func TestDraughts(t *testing.T) {
	decided := 0.0
	for _, rules := range []draughts.Rules{draughts.Checkers, draughts.International, draughts.Russian, draughts.Giveaway, draughts.Brazilian, draughts.Italian, draughts.Frisian} {
		start, _, err := rules.Start("", "")
		if err != nil {
			t.Fatal(err)
		}
		r := rollout.New(rules)
		for seed := range uint64(20) {
			gametest.Random(start, 200, seed, func(p draughts.Position, line []games.Move) {
				if (p.Side(games.First)|p.Side(games.Second)).Count() > 5 || len(line)%4 != 0 {
					return
				}
				const n = 400
				least := exact(p, 5)
				tally := r.Roll(p, n, 7)
				for i, got := range []int{tally.First, tally.Drawn, tally.Second} {
					decided += least[i]
					if w := least[i]; float64(got)/n < w-4*math.Sqrt(w*(1-w)/n)-1e-12 {
						t.Errorf("%s: %+v, want at least %.4f", rules.AppendPosition(nil, p), tally, least)
					}
				}
			})
		}
	}
	if decided < 30 {
		t.Errorf("only %.1f positions' worth decided", decided)
	}
}

// TestEveryGameEnds: random games from the usual start come to an end before maxMoves, and
// equal seeds give equal tallies, whatever was played before.
func TestEveryGameEnds(t *testing.T) {
	ends(t, chess.Rules{}, "")
	ends(t, draughts.International, "")
	ends(t, othello.Rules{}, "")
	ends(t, weiqi.Rules{}, "9 japanese")
	ends(t, shogi.Rules{}, "")
	ends(t, tictactoe.Rules{}, "")
}

func ends[P games.Position[P]](t *testing.T, rules games.Rules[P], variant string) {
	t.Helper()
	start, _, err := rules.Start(variant, "")
	if err != nil {
		t.Fatal(err)
	}
	r := rollout.New(rules)
	a := r.Roll(start, 20, 1)
	next := start.Play(start.AppendMoves(nil)[0])
	r.Roll(next, 3, 1)
	if b := r.Roll(start, 20, 1); a != b {
		t.Errorf("%s: %+v, then %+v", rules.Name(), a, b)
	}
	t.Logf("%s: %+v", rules.Name(), a)
	if a.First+a.Drawn+a.Second != 20 {
		t.Errorf("%s: %+v of 20 games", rules.Name(), a)
	}
}

func BenchmarkOthello(b *testing.B) {
	r := rollout.New(othello.Rules{})
	for range b.N {
		r.Roll(othello.Start(), 1, 1)
	}
}

func BenchmarkCheckers(b *testing.B) {
	start, _, err := draughts.Checkers.Start("", "")
	if err != nil {
		b.Fatal(err)
	}
	r := rollout.New(draughts.Checkers)
	for range b.N {
		r.Roll(start, 1, 1)
	}
}
