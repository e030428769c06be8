package match

import (
	"context"
	"encoding/binary"
	"math/rand/v2"

	"kifu/eval"
	"kifu/games"
	"kifu/internal/splitmix"
	"kifu/players/play"
	"kifu/search"
	"kifu/search/engine"
)

// record is one game as played. The fields with capitals are kept in journals and sent between processes.
type record struct {
	Number   int    // of all games
	meeting  int    // number of the meeting of its players
	index    int    // index within the meeting: games 2k and 2k+1 are a pair
	players  [2]int // of the meeting
	Variant  string
	Start    []byte // nil for the usual one
	Opening  []byte // its moves, where it has a name
	Booked   int    // plies that belong to the opening
	Begun    uint32 // hash of the position after it
	Moves    []byte // packed
	Plies    int
	Values   []int32 // after each ply, first player's side, hundredths
	Valued   []bool
	Depths   []int32 // that programs reported; 0: none
	Times    []int32 // of moves on a clock, in milliseconds, -1 for the others
	Left     []int32 // to the mover, in milliseconds, -1 without a clock
	Outcome  games.Outcome
	Rule     string // the rule that ended it
	Why      string // which adjudication it was, or the move that is not legal
	AnyValue bool
}

// firstMover returns the player of the meeting who moves first, 0 or 1.
func (g *record) firstMover() int { return g.index % 2 }

// player returns the player, by its number in the list, of that side.
func (g *record) player(side games.Side) int { return g.players[g.firstMover()^int(side)] }

// table is the state of one worker that plays games.
type table[P games.Position[P]] struct {
	*opener[P]
	ends    Ends
	tables  Tables // of endings; nil: none
	board   []byte
	judge   judge
	clocks  clocks
	limits  []engine.Limits // of the players
	seed    uint64
	players []play.Chooser[P]
	grain   int32 // steps of values (search.Grain per unit) in a hundredth of a pawn, man, disc or point
	replay  games.Replay[P]
	history play.History[P]
	moves   []games.Move
}

func newTable[P games.Position[P]](g eval.Game[P], p Params, o *opener[P]) (*table[P], error) {
	t := &table[P]{opener: o, ends: p.Ends, tables: p.Tables, seed: p.Seed, replay: g.Rules.NewReplay(), players: make([]play.Chooser[P], len(p.Players)), grain: eval.UnitOf(g.Default().Unit).Per}
	t.judge.grain = t.grain
	searchers := play.Searchers[P]{}
	if r, ok := t.replay.(interface{ Forbids(games.Move) bool }); ok {
		t.history.Forbids = r.Forbids
	}
	for i := range t.players {
		t.limits = append(t.limits, p.Players[i].Limits())
		var err error
		if t.players[i], err = play.NewChooser(g, p.Players[i], searchers); err != nil {
			t.close()
			return nil, err
		}
	}
	return t, nil
}

func (t *table[P]) close() {
	for _, p := range t.players {
		if p != nil {
			p.Close()
		}
	}
}

// play plays the game described by g.
func (t *table[P]) play(ctx context.Context, g *record) error {
	if err := t.open(g); err != nil {
		return err
	}
	for _, i := range g.players {
		if err := t.players[i].Begin(ctx); err != nil {
			return err
		}
	}
	t.judge.reset(t.ends)
	t.clocks.wind(t.limits[g.player(games.First)], t.limits[g.player(games.Second)])
	rng := splitmix.Stream(t.seed, forGames, g.Number)
	for {
		if g.Outcome, g.Rule = t.replay.Outcome(); g.Outcome != games.Undecided {
			return nil
		}
		if o, known := t.ending(g); known {
			g.Outcome, g.Rule, g.Why = o, adjudication, "tables"
			return nil
		}
		if g.Outcome, g.Rule, g.Why = t.judge.verdict(g.Plies); g.Rule != "" {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if over, err := t.move(ctx, g, rng); over || err != nil {
			return err
		}
	}
}

// move plays a move of g. It reports whether the game ended without one.
func (t *table[P]) move(ctx context.Context, g *record, rng *rand.Rand) (over bool, err error) {
	p := t.replay.Position()
	mover := p.ToMove()
	timed := t.clocks.limits[mover].Timed()
	if timed {
		t.history.Clock = t.clocks.show(mover)
	}
	c, err := t.players[g.player(mover)].Choose(ctx, p, &t.history, rng)
	switch {
	case err != nil:
		return true, err
	case timed && (!t.clocks.spend(mover, c.Took) || c.Overdue):
		g.Outcome, g.Rule = games.WinFor(mover.Other()), "time forfeit"
		return true, nil
	case c.Resigned || c.Declared:
		g.Outcome, g.Rule = t.without(p, c)
		return true, nil
	case c.Illegal != "":
		g.Outcome, g.Rule, g.Why = games.WinFor(mover.Other()), illegalMove, c.Illegal
		return true, nil
	}
	t.put(g, c)
	if last := g.Plies - 1; timed {
		g.Times[last] = int32(c.Took.Milliseconds())
		if t.clocks.counts(mover) {
			g.Left[last] = int32(t.clocks.left[mover].Milliseconds())
		}
	}
	t.judge.see(c, mover, t.ends.Draw != nil && t.irreversible())
	return false, nil
}

// irreversible is like progress, whether draws are adjudicated or not. It is true at the start of a game.
func (t *table[P]) irreversible() bool {
	p := t.replay.Position()
	clock, ok := any(&p).(interface{ HalfmoveClock() int })
	return ok && clock.HalfmoveClock() == 0
}

// ending asks the tables of endings, which count moves without progress from their position on.
func (t *table[P]) ending(g *record) (games.Outcome, bool) {
	if t.tables == nil || g.Plies <= g.Booked || !t.irreversible() {
		return games.Undecided, false
	}
	t.board = t.rules.AppendBoard(t.board[:0], t.replay.Position())
	return t.tables.Outcome(t.board)
}

// without returns the result of a game that ended in p without a move. A wrong declaration of a win loses.
func (t *table[P]) without(p P, c play.Choice) (games.Outcome, string) {
	mover := p.ToMove()
	if c.Resigned {
		return games.WinFor(mover.Other()), "resignation"
	}
	if d, ok := t.rules.(games.Declarer[P]); ok && d.MayDeclare(p) {
		return games.WinFor(mover), "declaration"
	}
	return games.WinFor(mover.Other()), "wrong declaration"
}

// hundredths converts v to the column evals: hundredths of a pawn, a man, a disc or a
// point, and 32000 less the plies to a forced end.
func (t *table[P]) hundredths(v int32) int32 {
	if v >= search.Decisive || v <= -search.Decisive {
		return v / search.Grain
	}
	const most = search.Decisive/search.Grain - 1
	return max(-most, min(most, v/t.grain))
}

// put plays c and records it.
func (t *table[P]) put(g *record, c play.Choice) {
	p := t.replay.Position()
	g.Moves = binary.LittleEndian.AppendUint16(g.Moves, t.rules.PackMove(p, c.Move))
	g.Plies++
	g.Values, g.Valued = append(g.Values, t.hundredths(c.Value)), append(g.Valued, c.Valued)
	g.AnyValue = g.AnyValue || c.Valued
	g.Depths = append(g.Depths, int32(c.Depth))
	g.Times, g.Left = append(g.Times, -1), append(g.Left, -1)
	t.replay.Play(c.Move)
	t.history.Moves = append(t.history.Moves, c.Move)
	t.history.See(t.replay.Position().Hash())
}

// illegalMove is the end of a game whose loser answered with a move that is not legal.
const illegalMove = "illegal move"

// Purposes of random numbers: each has a stream of its own.
const (
	forGames = iota
	forOpenings
	forRatings
	forOrder
)
