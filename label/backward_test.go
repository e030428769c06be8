package label

import (
	"math"
	"testing"

	"kifu/eval"
	evaldraughts "kifu/eval/draughts"
	evalothello "kifu/eval/othello"
	"kifu/games"
	"kifu/games/draughts"
	"kifu/games/othello"
	"kifu/kit/gametest"
	"kifu/schemas"
)

var (
	othelloGame  = eval.Game[othello.Position]{Rules: othello.Rules{}, NewEvaluator: evalothello.New, Default: evalothello.Default}
	checkersGame = eval.Game[draughts.Position]{Rules: draughts.Checkers, NewEvaluator: evaldraughts.Of(draughts.Checkers).New, Default: evaldraughts.Of(draughts.Checkers).Default}
)

// backwards returns what values the positions of a stretch.
func backwards[P games.Position[P]](t *testing.T, g eval.Game[P], b Backward, solve int) *backward[P] {
	t.Helper()
	pl, err := newPlan(g, Params{Search: []string{"static"}, Solve: solve, Backward: &b}, schemas.Positions(g.Rules.BoardSize(), nil, false))
	if err != nil {
		t.Fatal(err)
	}
	return newBackward(newWorker(pl), b, nil)
}

// line is the value of a position for the side to move, the discs at the end of its best
// line, and whether another line is as good or ends the game: then it says nothing here.
type line struct {
	value int32
	discs int
	vague bool
}

// slow is minimax without pruning over so many plies, and after that of the moves into corners
// and forced ones that the quiescence search of Othello follows.
func slow(e eval.Evaluator[othello.Position], p othello.Position, plies int) line {
	if p.Outcome() != games.Undecided {
		return line{vague: true}
	}
	moves, stand := p.AppendMoves(nil), false
	if plies <= 0 {
		var forced bool
		moves, forced = p.AppendTactics(nil)
		stand = !forced
	}
	best := line{value: math.MinInt32}
	if stand {
		best = line{value: p.ToMove().Sign() * e.Value(p), discs: 64 - p.Empty().Count()}
	}
	vague := false
	for _, m := range moves {
		next := slow(e, p.Play(m), plies-1)
		vague = vague || next.vague || next.value == -best.value
		if -next.value > best.value {
			best = line{value: -next.value, discs: next.discs}
		}
	}
	best.vague = vague
	return best
}

// TestBackwardReaches: a position of a stretch has the value over the fewest plies at which the
// best line comes to the next stretch.
func TestBackwardReaches(t *testing.T) {
	const depth = 3
	l := backwards(t, othelloGame, Backward{First: 40, Last: 45, Depth: depth}, 0)
	e, err := evalothello.New(evalothello.Default())
	if err != nil {
		t.Fatal(err)
	}
	n, far := 0, 0
	for seed := range uint64(30) {
		gametest.Random(othello.Start(), 70, seed, func(p othello.Position, _ []games.Move) {
			discs := 64 - p.Empty().Count()
			if discs < 40 || discs > 45 || p.Outcome() != games.Undecided {
				return
			}
			want := valued{note: notReached}
			for d := 1; d <= depth && !want.ok; d++ {
				switch v := slow(e, p, d); {
				case v.vague:
					return
				case v.discs > 45:
					want = valued{reply{float32(p.ToMove().Sign()*v.value) / eval.Grain, true}, reached}
				}
			}
			if n++; !want.ok {
				far++
			}
			if got := l.value(p); got != want {
				t.Errorf("%s: %+v, want %+v", othello.Rules{}.AppendPosition(nil, p), got, want)
			}
		})
	}
	if t.Logf("%d positions, %d too far", n, far); n < 80 || far < 20 {
		t.Errorf("%d positions, %d too far", n, far)
	}
}

// exactScore returns the exact score of p for the first player by going through all games.
func exactScore(p othello.Position) int32 {
	if score, ok := (othello.Rules{}).Score(p); ok {
		return score
	}
	best, sign := int32(math.MinInt32), p.ToMove().Sign()
	for _, m := range p.AppendMoves(nil) {
		best = max(best, sign*exactScore(p.Play(m)))
	}
	return sign * best
}

// TestBackwardSolves: the last stretch of Othello has the exact scores of minimax.
func TestBackwardSolves(t *testing.T) {
	l := backwards(t, othelloGame, Backward{First: 57, Last: math.MaxInt16, End: true, Depth: 1}, 7)
	n := 0
	for seed := range uint64(10) {
		gametest.Random(othello.Start(), 70, seed, func(p othello.Position, _ []games.Move) {
			e := p.Empty().Count()
			if e > 8 || p.Outcome() != games.Undecided {
				return
			}
			got := l.value(p)
			if n++; e == 8 && got.ok || e < 8 && (got.note != endFound || got.value != float32(exactScore(p))/eval.Grain) {
				t.Errorf("%d empty squares: %+v", e, got)
			}
		})
	}
	if n < 50 {
		t.Errorf("only %d positions", n)
	}
}

// wins reports whether the side to move of p can force a win within so many plies, and loses
// whether the other side can.
func wins(p draughts.Position, plies int) bool {
	for _, m := range p.AppendMoves(nil) {
		if plies > 0 && loses(p.Play(m), plies-1) {
			return true
		}
	}
	return false
}

func loses(p draughts.Position, plies int) bool {
	if p.Outcome() != games.Undecided {
		return p.Outcome() == games.WinFor(p.ToMove().Other())
	}
	for _, m := range p.AppendMoves(nil) {
		if plies <= 0 || !wins(p.Play(m), plies-1) {
			return false
		}
	}
	return true
}

// TestBackwardFindsEnds: in the last stretch of checkers, who can force a win within the plies
// searched has one, and what nobody can is a draw.
func TestBackwardFindsEnds(t *testing.T) {
	start, _, err := draughts.Checkers.Start("", "")
	if err != nil {
		t.Fatal(err)
	}
	l := backwards(t, checkersGame, Backward{First: math.MinInt16, Last: 5, Falls: true, End: true, Depth: 5}, 0)
	won, drawn := 0, 0
	for seed := range uint64(60) {
		gametest.Random(start, 200, seed, func(p draughts.Position, _ []games.Move) {
			if (p.Side(games.First)|p.Side(games.Second)).Count() > 5 || p.Outcome() != games.Undecided {
				return
			}
			got, mover := l.value(p), float32(p.ToMove().Sign())
			switch {
			case !got.ok:
				t.Fatalf("%+v", got)
			case wins(p, 5) != (got.value*mover >= schemas.Win-5):
				t.Errorf("%s: %+v, a win within five plies: %t", draughts.Checkers.AppendPosition(nil, p), got, wins(p, 5))
			case got.value == 0:
				if drawn++; got.note != noEnd {
					t.Errorf("%+v", got)
				}
			default:
				won++
			}
		})
	}
	if t.Logf("%d decided, %d not", won, drawn); won < 50 || drawn < 50 {
		t.Errorf("only %d decided and %d not", won, drawn)
	}
}

// TestBackwardLooksUp: with tables a won ending is a forced win, a drawn one a draw, and more
// pieces have no value.
func TestBackwardLooksUp(t *testing.T) {
	l := backwards(t, checkersGame, Backward{First: math.MinInt16, Last: 3, Falls: true, End: true, Depth: 1}, 2)
	for text, want := range map[string]valued{
		"B:W29:BK25":     {reply{schemas.Win, true}, endFound}, // takes the last man
		"W:W29:BK25":     {reply{-schemas.Win, true}, endFound},
		"B:WK32:BK1":     {reply{0, true}, endFound},
		"B:WK32,K31:BK1": {note: notReached},
	} {
		p, err := draughts.Checkers.ParsePosition(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.value(p); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// Phases rise in one game and fall in another.
func TestBackwardStretches(t *testing.T) {
	for _, c := range []struct {
		b               Backward
		phase           int
		earlier, within bool
	}{
		{Backward{First: 10, Last: 19}, 9, true, false}, {Backward{First: 10, Last: 19}, 10, false, true},
		{Backward{First: 10, Last: 19}, 19, false, true}, {Backward{First: 10, Last: 19}, 20, false, false},
		{Backward{First: 10, Last: 19, Falls: true}, 20, true, false}, {Backward{First: 10, Last: 19, Falls: true}, 9, false, false},
	} {
		if earlier, within := c.b.outOf(c.phase); earlier != c.earlier || within != c.within {
			t.Errorf("%+v, phase %d: %t, %t", c.b, c.phase, earlier, within)
		}
	}
	for want, phase := range map[int]func() (int, error){
		4: func() (int, error) { return StartPhase(othelloGame) }, 24: func() (int, error) { return StartPhase(checkersGame) },
	} {
		if got, err := phase(); got != want || err != nil {
			t.Errorf("the start has phase %d, %v, want %d", got, err, want)
		}
	}
	if !Points[othello.Position](othello.Rules{}) || Points[draughts.Position](draughts.Checkers) {
		t.Error("Othello is counted in points, checkers is not")
	}
}
