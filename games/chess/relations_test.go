package chess_test

import (
	"math/rand/v2"
	"testing"

	"kifu/games"
	"kifu/games/chess"
	"kifu/kit/gametest"
)

// set chooses squares by what is on them.
type set func(s chess.Square) bool

// selections returns n random selections of men and squares, as the relations take them and as sets of squares.
func selections(r *rand.Rand, b *board, n int) (all []games.Selection, sets []set) {
	for range n {
		s := games.Selection{Pieces: r.Uint32() & r.Uint32() & (1<<13 - 1), Cells: [6]uint64{r.Uint64() | r.Uint64()}}
		if r.IntN(2) == 0 {
			s.Pieces = 1<<13 - 1
			s.Cells[0] &= r.Uint64() & r.Uint64()
		}
		all = append(all, s)
		sets = append(sets, func(at chess.Square) bool {
			piece := int(b[at].kind)
			if piece > 0 && b[at].side == chess.Black {
				piece += 6
			}
			return s.Pieces>>piece&1 != 0 && s.Cells[0]>>at.Flip()&1 != 0
		})
	}
	return all, sets
}

// related is a slow reference for the relations: whether a square counts.
type related func(p *chess.Position, b *board, s chess.Square, sets []set) bool

// pawn reports whether an own pawn, or with other the enemy's, is on a square of the file df files away whose rank
// is ahead of s by a number that fits.
func (b *board) pawn(s chess.Square, df int, other bool, fits func(ahead int) bool) bool {
	side := b[s].side
	for t := range chess.Square(64) {
		ahead := (t.Rank() - s.Rank()) * int(side.Sign())
		if t != s && t.File() == s.File()+df && b[t].kind == chess.Pawn && (b[t].side != side) == other && fits(ahead) {
			return true
		}
	}
	return false
}

// hits reports whether a man on s attacks t.
func (b *board) hits(s, t chess.Square) bool {
	return s != t && b[s].kind != chess.NoKind && b.attacks(s, t)
}

func anywhere(int) bool      { return true }
func inFront(ahead int) bool { return ahead > 0 }
func isOwn(b *board, s chess.Square, k chess.Kind) bool {
	return s < 64 && b[s].kind == k
}

var slowly = map[string]related{
	"attackers": func(_ *chess.Position, b *board, s chess.Square, sets []set) bool {
		for t := range chess.Square(64) {
			if sets[1](s) && sets[0](t) && b.hits(s, t) {
				return true
			}
		}
		return false
	},
	"attacked": func(_ *chess.Position, b *board, t chess.Square, sets []set) bool {
		for s := range chess.Square(64) {
			if sets[0](t) && sets[1](s) && b.hits(s, t) {
				return true
			}
		}
		return false
	},
	"xray": func(_ *chess.Position, b *board, s chess.Square, sets []set) bool {
		if !sets[1](s) || b[s].kind < chess.Bishop || b[s].kind > chess.Queen {
			return false // other men see through none
		}
		for t := range chess.Square(64) {
			for between := range chess.Square(64) {
				if t == between || s == t || b[between].kind == chess.NoKind || !sets[0](t) || b.hits(s, t) {
					continue
				}
				without := *b
				without[between] = man{}
				if without.hits(s, t) {
					return true
				}
			}
		}
		return false
	},
	"pinned": func(_ *chess.Position, b *board, s chess.Square, sets []set) bool {
		if !sets[0](s) || b[s].kind == chess.NoKind {
			return false
		}
		without := *b
		without[s] = man{}
		for king := range chess.Square(64) {
			for by := range chess.Square(64) {
				if b[king] == (man{chess.King, b[s].side}) && b[by].side != b[s].side && without.hits(by, king) && !b.hits(by, king) {
					return true
				}
			}
		}
		return false
	},
	"checkers": func(p *chess.Position, b *board, s chess.Square, _ []set) bool {
		for king := range chess.Square(64) {
			if b[king] == (man{chess.King, p.ToMove()}) && b[s].side != p.ToMove() && b.hits(s, king) {
				return true
			}
		}
		return false
	},
	"passed": func(_ *chess.Position, b *board, s chess.Square, _ []set) bool {
		return isOwn(b, s, chess.Pawn) && !b.pawn(s, 0, true, inFront) && !b.pawn(s, -1, true, inFront) && !b.pawn(s, 1, true, inFront)
	},
	"doubled": func(_ *chess.Position, b *board, s chess.Square, _ []set) bool {
		return isOwn(b, s, chess.Pawn) && b.pawn(s, 0, false, inFront)
	},
	"isolated": func(_ *chess.Position, b *board, s chess.Square, _ []set) bool {
		return isOwn(b, s, chess.Pawn) && !b.pawn(s, -1, false, anywhere) && !b.pawn(s, 1, false, anywhere)
	},
	"backward": func(_ *chess.Position, b *board, s chess.Square, _ []set) bool {
		level := func(ahead int) bool { return ahead <= 0 }
		two, one := func(ahead int) bool { return ahead == 2 }, func(ahead int) bool { return ahead == 1 }
		return isOwn(b, s, chess.Pawn) && (b.pawn(s, -1, false, anywhere) || b.pawn(s, 1, false, anywhere)) &&
			!b.pawn(s, -1, false, level) && !b.pawn(s, 1, false, level) && (b.pawn(s, -1, true, two) || b.pawn(s, 1, true, two) || b.pawn(s, 0, true, one))
	},
	"chained": func(_ *chess.Position, b *board, s chess.Square, _ []set) bool {
		next := func(ahead int) bool { return ahead == 1 || ahead == -1 }
		return isOwn(b, s, chess.Pawn) && (b.pawn(s, -1, false, next) || b.pawn(s, 1, false, next))
	},
	"on_open_file": func(_ *chess.Position, b *board, s chess.Square, _ []set) bool {
		return b[s].kind != chess.Pawn && !b.pawn(s, 0, false, anywhere) && !b.pawn(s, 0, true, anywhere)
	},
	"on_half_open_file": func(_ *chess.Position, b *board, s chess.Square, _ []set) bool {
		return b[s].kind != chess.NoKind && b[s].kind != chess.Pawn && !b.pawn(s, 0, false, anywhere) && b.pawn(s, 0, true, anywhere)
	},
	"fianchettoed": func(_ *chess.Position, b *board, s chess.Square, _ []set) bool {
		front := map[string]string{"b2": "b3", "g2": "g3", "b7": "b6", "g7": "g6"}[s.String()]
		home := chess.White
		if s.Rank() == 6 {
			home = chess.Black
		}
		if front == "" || b[s] != (man{chess.Bishop, home}) {
			return false
		}
		return b[chess.SquareAt(s.File(), int(front[1]-'1'))] == man{chess.Pawn, home}
	},
}

// TestRelations compares each relation with a slow reference, square by square, in random games with random
// selections; the exchange with the trade played out on a mailbox.
func TestRelations(t *testing.T) {
	r, seen := rand.New(rand.NewPCG(5, 6)), map[string]int{}
	for _, fen := range []string{"rnbqk2r/ppp1ppbp/3p1np1/8/2PPP3/2N2NP1/PP3PBP/R1BQK2R b KQkq - 0 7", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "8/pp3p1k/2p2q1p/3r1P2/5R2/7P/P1P1QP2/7K b - - 2 30"} {
		start, err := chess.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(5) {
			gametest.Random(start, 100, seed, func(p chess.Position, _ []games.Move) {
				var b board
				for s := range chess.Square(64) {
					b[s] = man{p.KindAt(s), p.SideAt(s)}
				}
				for _, relation := range (chess.Rules{}).Relations() {
					args, sets := selections(r, &b, len(relation.Params))
					got, want := relation.Count(p, args), 0
					if relation.Name == "exchange" {
						for _, m := range p.AppendMoves(nil) {
							if p.IsCapture(m) && args[0].Cells[0]>>chess.To(m).Flip()&1 != 0 && args[0].Pieces == 1<<13-1 {
								want = max(want, int(exchange(&p, m)))
							}
						}
						if args[0].Pieces != 1<<13-1 {
							continue
						}
					} else {
						for s := range chess.Square(64) {
							if slowly[relation.Name](&p, &b, s, sets) && (len(sets) != 1 || sets[0](s)) {
								want++
							}
						}
					}
					if got != want {
						t.Fatalf("%s of %v in %s: %d, want %d", relation.Name, args, p, got, want)
					}
					seen[relation.Name] += want
				}
			})
		}
	}
	for _, relation := range (chess.Rules{}).Relations() {
		if seen[relation.Name] < 20 {
			t.Errorf("%s: only %d were counted", relation.Name, seen[relation.Name])
		}
	}
}
