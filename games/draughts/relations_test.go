package draughts

import (
	"math/rand/v2"
	"testing"

	"kifu/games"
	"kifu/kit/gametest"
)

// TestShot compares shots with lines of moves that are listed one by one, in random games of several variants.
func TestShot(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for _, rules := range []Rules{International, Checkers, Russian} {
		shots := 0
		for seed := range uint64(40) {
			start, _, err := rules.Start("", "")
			if err != nil {
				t.Fatal(err)
			}
			gametest.Random(start, 60, seed, func(p Position, _ []games.Move) {
				if r.IntN(4) > 0 || p.Outcome() != games.Undecided {
					return
				}
				want := 0
				if !p.Forced() {
					want = max(0, listed(p, p.ToMove(), mostGiven))
				}
				if got := rules.Relations()[0].Count(p, nil); got != want {
					t.Fatalf("%s: %s: a shot wins %d, want %d", rules.Name(), rules.AppendPosition(nil, p), got, want)
				}
				if want > 0 {
					shots++
				}
			})
		}
		if shots < 3 {
			t.Errorf("%s: only %d positions have a shot", rules.Name(), shots)
		}
	}
}

// listed is what the giver is ahead by after the best play of captures and of n moves that give, counted on the boards.
func listed(p Position, giver games.Side, n int) int {
	ahead := func(p Position) int { return p.Side(giver).Count() - p.Side(giver.Other()).Count() }
	moves := p.AppendMoves(nil)
	captures := len(moves) > 0 && Taken(moves[0]) != 0
	if !captures && (p.ToMove() != giver || n == 0) {
		return 0
	}
	best, any := 0, false
	for _, m := range moves {
		next, left := p.Play(m), n
		if !captures {
			replies := next.AppendMoves(nil)
			if len(replies) == 0 || Taken(replies[0]) == 0 {
				continue
			}
			left--
		}
		value := ahead(next) - ahead(p) + listed(next, giver, left)
		if !any || (value > best) == (p.ToMove() == giver) && value != best {
			best, any = value, true
		}
	}
	if !captures {
		return max(0, best)
	}
	return best
}
