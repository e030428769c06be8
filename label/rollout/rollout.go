// Package rollout values positions by games of random moves: expected outcomes (Abramson,
// "Expected-Outcome: A General Model of Static Evaluation", IEEE PAMI 12, 1990).
//
// Both sides play random legal moves, all equally likely, until the rules end the game. Draws
// by repetition and by count of moves are included, but the history before the position is
// unknown. A game that implements games.RandomPlayer has sensible moves and an end of its own.
//
// The random numbers of a position follow from its hash and a seed. So equal positions have
// equal tallies, wherever they are counted. The package evaluates and writes nothing.
package rollout

import (
	"math/rand/v2"

	"kifu/games"
	"kifu/internal/splitmix"
)

// maxMoves is the number of moves after which a game without an end is drawn; no rule of
// repetition or of counts ends random games of chess or draughts so late.
const maxMoves = 1 << 14

// Tally counts the outcomes of random games.
type Tally struct {
	First, Drawn, Second int // won by the first player, drawn, won by the second
}

func (t *Tally) add(o games.Outcome) {
	switch o {
	case games.FirstWins:
		t.First++
	case games.SecondWins:
		t.Second++
	default:
		t.Drawn++
	}
}

// Roller plays random games, reusing its buffers. It must not be shared by goroutines.
type Roller[P games.Position[P]] struct {
	player games.RandomPlayer[P] // nil: legal moves, and the ends of replay
	replay games.Replay[P]
	source rand.PCG
	draw   func(n int) int
	moves  []games.Move
}

// New returns a Roller of a game.
func New[P games.Position[P]](rules games.Rules[P]) *Roller[P] {
	r := &Roller[P]{replay: rules.NewReplay()}
	r.player, _ = rules.(games.RandomPlayer[P])
	r.draw = rand.New(&r.source).IntN
	return r
}

// Roll plays n random games from p. A p in which play has ended has n times its outcome.
func (r *Roller[P]) Roll(p P, n int, seed uint64) (t Tally) {
	r.source.Seed(splitmix.Mix(seed+splitmix.Golden), p.Hash())
	for range n {
		if r.player != nil {
			t.add(r.sensible(p))
		} else {
			t.add(r.legal(p))
		}
	}
	return t
}

// legal plays a game of legal moves.
func (r *Roller[P]) legal(p P) games.Outcome {
	r.replay.Reset(p)
	for range maxMoves {
		if o, _ := r.replay.Outcome(); o != games.Undecided {
			return o
		}
		if r.moves = r.replay.Position().AppendMoves(r.moves[:0]); len(r.moves) == 0 {
			return games.Drawn
		}
		r.replay.Play(r.moves[r.draw(len(r.moves))])
	}
	return games.Drawn
}

// sensible plays a game of the moves that the rules draw.
func (r *Roller[P]) sensible(p P) games.Outcome {
	for moves := 0; ; moves++ {
		if o := r.player.RandomOutcome(p, moves); o != games.Undecided {
			return o
		}
		p = p.Play(r.player.RandomMove(p, r.draw))
	}
}
