package chess_test

import (
	"slices"
	"testing"

	"kifu/games"
	"kifu/games/chess"
	"kifu/kit/gametest"
)

// TestTactics compares ExchangeAtLeast and AppendTactics with their definitions, written as
// slowly and plainly as possible, on random positions.
func TestTactics(t *testing.T) {
	var exchanges, tactics, lost int
	for _, fen := range []string{chess.StartFEN, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"} {
		start, err := chess.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(60) {
			gametest.Random(start, 150, seed, func(p chess.Position, _ []games.Move) {
				moves := p.AppendMoves(nil)
				var want []games.Move
				for _, m := range moves {
					value := exchange(&p, m)
					exchanges++
					for _, threshold := range []int32{-1000, -1, 0, 1, 100, 600, value, value + 1} {
						if got := p.ExchangeAtLeast(m, threshold); got != (value >= threshold) {
							t.Fatalf("%s %s: exchange of %d at least %d: %t", p, name(p, m), value, threshold, got)
						}
					}
					promo := chess.Promotion(m)
					if p.InCheck() || promo == chess.Queen || promo == chess.NoKind && p.IsCapture(m) && value >= 0 {
						want = append(want, m)
					} else if p.IsCapture(m) {
						lost++
					}
				}
				slices.SortStableFunc(want, func(a, b games.Move) int { return rank(&p, b) - rank(&p, a) })
				got, forced := p.AppendTactics(nil)
				if forced != p.InCheck() || !slices.Equal(got, want) {
					t.Fatalf("%s: tactics\n %v\nwant\n %v", p, names(p, got), names(p, want))
				}
				tactics += len(want)
			})
		}
	}
	if exchanges < 100000 || tactics < 10000 || lost < 1000 {
		t.Errorf("only %d exchanges, %d tactics, %d losing captures were looked at", exchanges, tactics, lost)
	}
}

// rank returns a higher rank the earlier a move comes.
func rank(p *chess.Position, m games.Move) int {
	taken := int(chess.ExchangeValues[p.Taken(m)])
	switch {
	case chess.Promotion(m) == chess.Queen:
		return 1e9 + taken
	case taken > 0:
		return 1e6 + taken*1000 - int(chess.ExchangeValues[chess.KindOf(m)])/100
	}
	return 0
}

// exchange returns the static exchange value of m, by playing the captures on a board of
// squares.
func exchange(p *chess.Position, m games.Move) int32 {
	if chess.IsCastling(m) {
		return 0
	}
	var b board
	for s := range chess.Square(64) {
		b[s] = man{p.KindAt(s), p.SideAt(s)}
	}
	from, to := chess.From(m), chess.To(m)
	gain := chess.ExchangeValues[p.Taken(m)]
	moved := b[from]
	if promo := chess.Promotion(m); promo != chess.NoKind {
		gain += chess.ExchangeValues[promo] - chess.ExchangeValues[chess.Pawn]
		moved.kind = promo
	}
	if chess.IsPassing(m) {
		b[to^8] = man{}
	}
	b[from] = man{}
	b[to] = moved
	return gain - b.best(to, p.ToMove().Other())
}

type man struct {
	kind chess.Kind
	side games.Side
}

type board [64]man

// best returns what side can win by taking on to, 0 when it had better not.
func (b board) best(to chess.Square, side games.Side) int32 {
	from, found := b.least(to, side)
	if !found {
		return 0
	}
	gain := chess.ExchangeValues[b[to].kind]
	taker := b[from]
	b[from] = man{}
	b[to] = taker
	if _, defended := b.least(to, side.Other()); taker.kind == chess.King && defended {
		return 0
	}
	return max(0, gain-b.best(to, side.Other()))
}

// least returns side's least valuable man that attacks to: of equal ones the first, but a
// knight before a bishop.
func (b *board) least(to chess.Square, side games.Side) (chess.Square, bool) {
	least, found := chess.Square(0), false
	for s := range chess.Square(64) {
		if b[s].kind != chess.NoKind && b[s].side == side && b.attacks(s, to) && (!found || b[s].kind < b[least].kind) {
			least, found = s, true
		}
	}
	return least, found
}

// attacks walks from s towards to.
func (b *board) attacks(s, to chess.Square) bool {
	df, dr := to.File()-s.File(), to.Rank()-s.Rank()
	if s == to {
		return false
	}
	diagonal, straight := df == dr || df == -dr, df == 0 || dr == 0
	near := df*df <= 1 && dr*dr <= 1
	switch b[s].kind {
	case chess.Pawn:
		return df*df == 1 && dr == int(b[s].side.Sign())
	case chess.Knight:
		return df*df+dr*dr == 5
	case chess.King:
		return near
	case chess.Bishop:
		if !diagonal {
			return false
		}
	case chess.Rook:
		if !straight {
			return false
		}
	case chess.Queen:
		if !diagonal && !straight {
			return false
		}
	}
	for f, r := s.File()+sign(df), s.Rank()+sign(dr); ; f, r = f+sign(df), r+sign(dr) {
		switch here := chess.SquareAt(f, r); {
		case here == to:
			return true
		case b[here].kind != chess.NoKind:
			return false
		}
	}
}

func sign(x int) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

func name(p chess.Position, m games.Move) string { return string(chess.Rules{}.AppendMove(nil, p, m)) }

func names(p chess.Position, moves []games.Move) []string {
	var all []string
	for _, m := range moves {
		all = append(all, name(p, m))
	}
	return all
}
