package draughts

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kifu/eval"
	"kifu/games"
	"kifu/games/draughts"
	"kifu/kit/evaltest"
)

var all = []draughts.Rules{draughts.Checkers, draughts.International, draughts.Russian, draughts.Giveaway, draughts.Brazilian, draughts.Italian, draughts.Frisian}

func newDefault(t testing.TB, r draughts.Rules) eval.Evaluator[draughts.Position] {
	t.Helper()
	e, err := Of(r).New(Of(r).Default())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func start(t testing.TB, r draughts.Rules) draughts.Position {
	t.Helper()
	p, _, err := r.Start("", "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// positions returns those of random play and of men scattered at random, kings among them.
func positions(t testing.TB, r draughts.Rules) []draughts.Position {
	t.Helper()
	ps := evaltest.RandomPlay(start(t, r), 20, 120, 1)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		ps = append(ps, scatter(t, r, rng))
	}
	return ps
}

func scatter(t testing.TB, r draughts.Rules, rng *rand.Rand) draughts.Position {
	t.Helper()
	squares := r.Width() * r.Width() / 2
	var side [2][]string
	for n := 1; n <= squares; n++ {
		if rng.IntN(3) > 0 {
			continue
		}
		i := rng.IntN(2)
		text := fmt.Sprint(n)
		last := i == 0 && n <= r.Width()/2 || i == 1 && n > squares-r.Width()/2
		if last || rng.IntN(4) == 0 {
			text = "K" + text
		}
		side[i] = append(side[i], text)
	}
	return parse(t, r, "WB"[rng.IntN(2):][:1]+":W"+strings.Join(side[0], ",")+":B"+strings.Join(side[1], ","))
}

func parse(t testing.TB, r draughts.Rules, fen string) draughts.Position {
	t.Helper()
	p, err := r.ParsePosition(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// mirror exchanges the players: the board turned by a half, colours swapped.
func mirror(t testing.TB, r draughts.Rules) func(draughts.Position) draughts.Position {
	count := r.Width() * r.Width() / 2
	var numbered []draughts.Bitboard
	for n := range count {
		numbered = append(numbered, parse(t, r, fmt.Sprintf("W:WK%d:B", n+1)).Kings())
	}
	return func(p draughts.Position) draughts.Position {
		colour := map[games.Side]string{p.ToMove(): "W", p.ToMove().Other(): "B"}
		if string(r.AppendPosition(nil, p)[:1]) == "B" {
			colour = map[games.Side]string{p.ToMove(): "B", p.ToMove().Other(): "W"}
		}
		text := map[string][]string{}
		for n, at := range numbered {
			for side, c := range colour {
				if p.Side(side)&at == 0 {
					continue
				}
				man := ""
				if p.Kings()&at != 0 {
					man = "K"
				}
				other := map[string]string{"W": "B", "B": "W"}[c]
				text[other] = append(text[other], fmt.Sprint(man, count-n))
			}
		}
		return parse(t, r, colour[p.ToMove().Other()]+":W"+strings.Join(text["W"], ",")+":B"+strings.Join(text["B"], ","))
	}
}

func TestLinear(t *testing.T) {
	for _, r := range all {
		ps := positions(t, r)
		evaltest.Linear(t, newDefault(t, r), ps)
		e, err := Of(r).New(evaltest.Randomized(Of(r).Default(), 900, 1))
		if err != nil {
			t.Fatal(err)
		}
		evaltest.Linear(t, e, ps)
		few := ps[len(ps)-300:]
		for i := range e.Model().Terms { // what has no weight may go uncounted, and nothing else
			m := Of(r).blank()
			for stage := range m.Stages {
				m.Terms[i].Weights[stage] = 7
			}
			if e, err = Of(r).New(m); err != nil {
				t.Fatal(err)
			}
			evaltest.Linear(t, e, few)
		}
	}
}

func TestAntisymmetric(t *testing.T) {
	for _, r := range all {
		e, err := Of(r).New(evaltest.Randomized(Of(r).Default(), 900, 9))
		if err != nil {
			t.Fatal(err)
		}
		evaltest.Antisymmetric(t, e, positions(t, r), mirror(t, r))
	}
}

// Forced agrees with the tactics.
func TestForced(t *testing.T) {
	for _, r := range all {
		e := newDefault(t, r).(*evaluator)
		for _, p := range positions(t, r) {
			if _, forced := p.AppendTactics(nil); forced != e.Forced(p) {
				t.Fatalf("%s %s: forced %t, by the tactics %t", r.Name(), r.AppendPosition(nil, p), e.Forced(p), forced)
			}
		}
	}
}

// Every term of the model fires somewhere, or it could not be fitted.
func TestEveryTermFires(t *testing.T) {
	for _, r := range all {
		e := newDefault(t, r)
		seen := make([]bool, len(e.Model().Terms))
		var features []eval.Feature
		for _, p := range positions(t, r) {
			features, _ = e.Trace(p, features[:0])
			for _, f := range features {
				seen[f.Term] = true
			}
		}
		for i, ok := range seen {
			if !ok {
				t.Errorf("%s: %s never fires", r.Name(), e.Model().Terms[i].Name)
			}
		}
	}
}

// No term is a sum of others, otherwise a fit could not separate their weights: the counts
// of all terms have full rank, modulo a prime.
func TestTermsAreIndependent(t *testing.T) {
	const prime = 1<<31 - 1
	for _, r := range all {
		e := newDefault(t, r)
		n := len(e.Model().Terms)
		basis := make([][]int64, n) // by leading term, which is 1
		var features []eval.Feature
		for _, p := range positions(t, r) {
			features, _ = e.Trace(p, features[:0])
			row := make([]int64, n)
			for _, f := range features {
				row[f.Term] = (prime + int64(f.Count)) % prime
			}
			for i := range n {
				if row[i] == 0 {
					continue
				}
				factor := row[i]
				if basis[i] == nil {
					factor = new(big.Int).ModInverse(big.NewInt(row[i]), big.NewInt(prime)).Int64()
					for j := range row {
						row[j] = row[j] * factor % prime
					}
					basis[i] = row
					break
				}
				for j := i; j < n; j++ {
					row[j] = (row[j] + (prime-factor)*basis[i][j]) % prime
				}
			}
		}
		for i, row := range basis {
			if row == nil {
				t.Errorf("%s: %s is a sum of the terms after it", r.Name(), e.Model().Terms[i].Name)
			}
		}
	}
}

func TestModel(t *testing.T) {
	for _, r := range all {
		m := Of(r).Default()
		if err := m.Validate(); err != nil {
			t.Error(err)
		}
		if n := len(m.Terms); n < 20 {
			t.Errorf("%s: %d terms", r.Name(), n)
		}
		file, err := weights.ReadFile("weights/" + r.Name() + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		text, err := m.TOML()
		if err != nil || !bytes.Equal(text, file) {
			t.Errorf("weights/%s.toml is not what the model is written as (%v)", r.Name(), err)
		}
		part := m.Clone()
		slices.Reverse(part.Terms)
		part.Terms = part.Terms[:20]
		e, err := Of(r).New(part)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := e.Model().TOML(); !bytes.Equal(got, text) {
			t.Errorf("%s: a part of the terms in another order is another model", r.Name())
		}
	}
}

// TestTerms counts single terms on boards where they are easy to see. White is the second
// player of checkers, the first of the others.
func TestTerms(t *testing.T) {
	for _, c := range []struct {
		rules draughts.Rules
		fen   string
		term  string
		count int
	}{
		{draughts.Checkers, "B:W30,32,21:B9,10,11", "bridge", -1},
		{draughts.Checkers, "B:W30,32,21:BK9", "bridge", 0},
		{draughts.Checkers, "B:W22:B2,3,7", "triangle", 1},
		{draughts.Checkers, "B:W5:B1", "dog_hole", -1},
		{draughts.Checkers, "B:W32:B28", "dog_hole", 1},
		{draughts.Checkers, "B:W32,21:B10,14,K15", "man_centre", 2},
		{draughts.Checkers, "B:W32,21:B10,14,K15", "king_centre", 1},
		{draughts.Checkers, "B:W32:B5,12,13,4", "man_edge", 4},
		{draughts.Checkers, "B:W21:B1,5,6,9,10,K28", "man_double_diagonal", 5},
		{draughts.Checkers, "B:W21:BK4,K29,K18", "king_main_road", 3},
		{draughts.Checkers, "B:W21:B6,7,11,14,15", "hole", 1},
		{draughts.Checkers, "B:W32:B1,6,10", "dyke", 1},
		{draughts.Checkers, "B:W32:B1,10", "gap", 1},
		{draughts.Checkers, "B:W32:B1,6,11", "backed", 1},
		{draughts.Checkers, "B:W31,27:B1,11,20", "pole", 3},
		{draughts.Checkers, "B:W32,31:B25", "runaway_1", 1},
		{draughts.Checkers, "B:W21:B23", "runaway_2", 1},
		{draughts.Checkers, "B:W21:B23", "runaway_3", -1},
		{draughts.Checkers, "B:W32:B23", "runaway_2", 0},
		{draughts.Checkers, "B:W32:B5", "safe_man_steps", -1},
		{draughts.Checkers, "B:W22:B14,10", "denied_steps", -1}, // 14-17 against 22-17 and 22-18
		{draughts.Checkers, "B:W22:B14,10", "exchange_steps", 1},
		{draughts.Checkers, "B:W18,23:B14", "man_attacked", 1},
		{draughts.Checkers, "B:W14:BK10", "king_attacked", 1},
		{draughts.Checkers, "B:W18:BK26", "threat", 2},
		{draughts.Checkers, "B:W18:BK26", "safe_king_steps", 4},
		{draughts.Checkers, "B:W11:BK4", "trapped_king", 1},
		{draughts.Italian, "W:WK18:B14,11", "king_attacked", 0}, // by a man, which does not take kings
		{draughts.Italian, "W:WK18:BK14,11", "king_attacked", 1},
		{draughts.International, "B:W48:BK3", "man_attacked", 0},
		{draughts.International, "W:W33,44,50:BK22", "man_attacked", 1}, // from afar
		{draughts.Checkers, "B:W18:B14,7", "the_move", 0},
		{draughts.Checkers, "B:W32:B1", "the_move", 1},
		{draughts.Checkers, "W:W32:B1", "the_move", -1},
		{draughts.Checkers, "B:W32:BK1", "turn", 1},
		{draughts.International, "B:W32:BK1", "turn", -1},
		{draughts.International, "W:W32,33:BK1", "man", 2},
	} {
		e := newDefault(t, c.rules)
		features, _ := e.Trace(parse(t, c.rules, c.fen), nil)
		count := 0
		for _, f := range features {
			if e.Model().Terms[f.Term].Name == c.term {
				count = int(f.Count)
			}
		}
		if count != c.count {
			t.Errorf("%s %s: %s counts %d, want %d", c.rules.Name(), c.fen, c.term, count, c.count)
		}
	}
}

// A man up, a king for a man and a runaway man have plausible values.
func TestSane(t *testing.T) {
	for _, c := range []struct {
		rules     draughts.Rules
		fen       string
		low, high int32
	}{
		{draughts.Checkers, "", -60, 60},
		{draughts.International, "", -60, 60},
		{draughts.Russian, "", -60, 60},
		{draughts.Giveaway, "", -60, 60},
		{draughts.Checkers, "B:W21-32:B1-8,10-12", -300, -30},
		{draughts.International, "W:W31-50:B1-14,16-20", 30, 400},
		{draughts.Russian, "W:W21-32:B1-8,10-12", 30, 400},
		{draughts.Giveaway, "B:W21-32:B1-8,10-12", 2, 100},
		{draughts.Checkers, "B:W32,24:B1,K18", 40, 800},
		{draughts.Russian, "W:WKc3,h2:Ba7,h6", 30, 800},
	} {
		p, _, err := c.rules.Start("", c.fen)
		if err != nil {
			t.Fatal(err)
		}
		if v := newDefault(t, c.rules).Value(p) / eval.Grain; v < c.low || v > c.high {
			t.Errorf("%s %s: %d, want %d to %d", c.rules.Name(), c.fen, v, c.low, c.high)
		}
	}
}

func BenchmarkValue(b *testing.B) {
	for _, r := range []draughts.Rules{draughts.Checkers, draughts.International} {
		b.Run(r.Name(), func(b *testing.B) {
			e, ps := newDefault(b, r), evaltest.RandomPlay(start(b, r), 40, 150, 1)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				e.Value(ps[i])
				if i++; i == len(ps) {
					i = 0
				}
			}
		})
	}
}
