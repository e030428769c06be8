package draughts_test

import (
	"strings"
	"testing"

	"kifu/games"
	"kifu/games/draughts"
	"kifu/kit/gametest"
)

// endings are all positions of the mailbox that lead to each other from those with one man or
// king on each side, with the value of each for White: 1, -1, 0 for neither.
func endings(r draughts.Rules) map[string]int {
	b := newMailbox(r)
	graph := map[string][]string{}
	squares := []string{}
	b.each(func(row, column int) { squares = append(squares, b.name(row, column)) })
	add := func(text string) {
		b.set(text)
		if b.text() != text { // a man on its last row
			return
		}
		graph[text] = nil
		for m := range b.moves() {
			graph[text] = append(graph[text], m[strings.LastIndex(m, " ")+1:])
		}
	}
	for i, white := range squares {
		for j, black := range squares {
			for _, men := range [][2]string{{"", ""}, {"K", ""}, {"", "K"}, {"K", "K"}} {
				if i == j || men[0] == "" && i < b.size/2 || men[1] == "" && j >= len(squares)-b.size/2 {
					continue
				}
				for _, mover := range []string{"W", "B"} {
					add(mover + ":W" + men[0] + white + ":B" + men[1] + black)
				}
			}
		}
	}
	value := map[string]int{}
	for changed := true; changed; {
		changed = false
		for text, next := range graph {
			if value[text] != 0 {
				continue
			}
			mover := 1
			if text[0] == 'B' {
				mover = -1
			}
			best := -1
			for _, n := range next {
				v := value[n] * mover
				if strings.Contains(n, ":W:") || strings.HasSuffix(n, ":B") { // all were taken
					if v = 1; r == draughts.Giveaway {
						v = -1
					}
				}
				best = max(best, v)
			}
			if len(next) == 0 && r == draughts.Giveaway {
				best = 1
			}
			if best != 0 {
				value[text], changed = best*mover, true
			}
		}
	}
	for text := range graph {
		value[text] += 0
	}
	return value
}

// TestEndingsOfTwo compares all positions of two men or kings with a search of the slow rules.
func TestEndingsOfTwo(t *testing.T) {
	for _, r := range []draughts.Rules{draughts.Checkers, draughts.Russian, draughts.Giveaway, draughts.International, draughts.Brazilian, draughts.Italian} {
		solver, err := r.Tables(2)
		if err != nil {
			t.Fatal(err)
		}
		counts := map[int]int{}
		for text, white := range endings(r) {
			p, err := r.ParsePosition(text)
			if err != nil {
				t.Fatal(text, err)
			}
			want := int32(100 * white)
			if r == draughts.Checkers || r == draughts.Giveaway { // Black moves first
				want = -want
			}
			counts[white]++
			if got, ok := solver.Solve(p, 2); !ok || got != want {
				t.Fatalf("%s: %s: %d, %t, want %d", r.Name(), text, got, ok, want)
			}
		}
		t.Logf("%s: %v", r.Name(), counts)
		if counts[1] != counts[-1] || counts[1] < 100 {
			t.Errorf("%s: White wins %d, Black %d", r.Name(), counts[1], counts[-1])
		}
	}
}

// TestEndingsOfThree: each position met in random games has the best result of those after its
// moves, and what a search of some plies wins is won.
func TestEndingsOfThree(t *testing.T) {
	for _, r := range []draughts.Rules{draughts.Checkers, draughts.Russian, draughts.Giveaway, draughts.Brazilian, draughts.Italian} {
		solver, err := r.Tables(3)
		if err != nil {
			t.Fatal(err)
		}
		start, _, err := r.Start("", "")
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int32]int{}
		for seed := range uint64(150) {
			gametest.Random(start, 250, seed, func(p draughts.Position, _ []games.Move) {
				got, ok := solver.Solve(p, 3)
				if n := (p.Side(games.First) | p.Side(games.Second)).Count(); !ok {
					if n <= 3 && p.Side(games.First) != 0 && p.Side(games.Second) != 0 {
						t.Errorf("%s is not known", r.AppendPosition(nil, p))
					}
					return
				}
				seen[got]++
				sign := p.ToMove().Sign()
				best := int32(-100)
				for _, m := range p.AppendMoves(nil) {
					next := p.Play(m)
					v, ok := solver.Solve(next, 3)
					if !ok {
						v = worth(next.Outcome())
					}
					best = max(best, sign*v)
				}
				if p.Outcome() != games.Undecided {
					best = sign * worth(p.Outcome())
				}
				if best != sign*got {
					t.Errorf("%s: %d, but its moves lead to %d", r.AppendPosition(nil, p), got, sign*best)
				}
				if v := forced(p, 5); v != 0 && v != got {
					t.Errorf("%s: %d, but a search finds %d", r.AppendPosition(nil, p), got, v)
				}
			})
		}
		t.Logf("%s: %v", r.Name(), seen)
		if seen[0] < 5 || seen[100] < 15 || seen[-100] < 15 {
			t.Errorf("%s: only %v seen", r.Name(), seen)
		}
	}
}

func worth(o games.Outcome) int32 {
	switch o {
	case games.FirstWins:
		return 100
	case games.SecondWins:
		return -100
	}
	return 0
}

// forced returns ±100 if a side can force its win within so many plies.
func forced(p draughts.Position, plies int) int32 {
	if p.Outcome() != games.Undecided || plies == 0 {
		return worth(p.Outcome())
	}
	sign, best := p.ToMove().Sign(), int32(-100)
	for _, m := range p.AppendMoves(nil) {
		best = max(best, sign*forced(p.Play(m), plies-1))
	}
	return sign * best
}

// Tables of more pieces than fit, or than two, are refused; those of Frisian draughts always.
func TestEndingsRefuse(t *testing.T) {
	for r, pieces := range map[draughts.Rules]int{draughts.Checkers: 5, draughts.International: 4, draughts.Russian: 1, draughts.Frisian: 2} {
		if _, err := r.Tables(pieces); err == nil {
			t.Errorf("%s: tables of %d", r.Name(), pieces)
		}
	}
}

func BenchmarkEndingsOfThree(b *testing.B) { benchmarkEndings(b, 3) }
func BenchmarkEndingsOfFour(b *testing.B)  { benchmarkEndings(b, 4) }

func benchmarkEndings(b *testing.B, pieces int) {
	for range b.N {
		if _, err := draughts.Checkers.Tables(pieces); err != nil {
			b.Fatal(err)
		}
	}
}
