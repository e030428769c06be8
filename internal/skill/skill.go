// Package skill rates play by the values of moves, after Regan and Haworth ("Intrinsic Chess Ratings", AAAI
// 2011). It learns from rated players how much players of a rating lose by a move, and compares performances
// with this.
//
// In: moves with what they lost, by player, game and rating. Out: the curve of ratings (Calibrate), and for a performance its
// intrinsic rating, z against the rating, and what help it would show (Model.Rate, Model.Power). It reads no data and writes none.
//
// Each law of moves gives the gradient and the expected information of one move in a few quantities that are
// linear in the rating. With values of all legal moves these are the sensitivity and the consistency of the
// choice (choices); with values of only the move played, its expected loss (losses). A performance is its
// summed score at a rating, which is 0 on average at the right rating. The variance of the score grows with
// the information of a move, of a game and of a player. These three components are estimated from the players
// of the calibration, so z has a spread of 1 among honest players.
package skill

import "math"

// Scaled returns a value on the scale of differences: the integral of dx/(unit+|x|), unit being the value of a pawn. A difference of
// a pawn counts less where one side is far ahead.
func Scaled(value, unit float64) float64 {
	return math.Copysign(math.Log1p(math.Abs(value)/unit), value)
}

// Turn is a player's moves in one game.
type Turn struct {
	Player     int // number of the player, from 0
	Game       int64
	Rating     float64 // NaN: not known
	first, end int     // moves
}

// Len returns the number of moves.
func (t Turn) Len() int { return t.end - t.first }

// Moves are moves of players by turn. They have the losses of all legal moves, or of the move played alone.
type Moves struct {
	Turns  []Turn
	all    bool
	losses []float32 // scaled, of all legal moves of a move or of the move played
	ends   []int     // of each move in losses, if all
	played []int32   // of each move, its place among the legal ones, if all
	before []float32 // scaled value before each move, mover's side, if not all
	late   []float32 // of each move: 0 at its start to 1 in a long game, if not all
}

// Choices returns moves, none yet, that have the losses of all legal moves.
func Choices() *Moves { return &Moves{all: true} }

// Losses returns moves, none yet, that have the loss of the move played.
func Losses() *Moves { return &Moves{} }

// All reports whether moves have the losses of all legal moves.
func (m *Moves) All() bool { return m.all }

// Len returns the number of moves.
func (m *Moves) Len() int {
	if m.all {
		return len(m.ends)
	}
	return len(m.losses)
}

// Begin begins a turn; moves that are added belong to it.
func (m *Moves) Begin(player int, game int64, rating float64) {
	m.Turns = append(m.Turns, Turn{player, game, rating, m.Len(), m.Len()})
}

// Choose adds a move with the scaled values of all legal moves, mover's side, of which one was played.
func (m *Moves) Choose(values []float64, played int) {
	best := math.Inf(-1)
	for _, v := range values {
		best = max(best, v)
	}
	for _, v := range values {
		m.losses = append(m.losses, float32(best-v))
	}
	m.ends, m.played = append(m.ends, len(m.losses)), append(m.played, int32(played))
	m.Turns[len(m.Turns)-1].end++
}

// longGame is the ply from which a move counts as late.
const longGame = 80

// Lose adds a move with the scaled values before and after it, mover's side. A value that rises counts as no loss. The move
// gets the root of the loss, so that a few blunders do not outweigh all other moves.
func (m *Moves) Lose(before, after float64, ply int) {
	m.losses, m.before = append(m.losses, float32(math.Sqrt(max(0, before-after)))), append(m.before, float32(before))
	m.late = append(m.late, float32(min(1, float64(ply)/longGame)))
	m.Turns[len(m.Turns)-1].end++
}

// Help replaces a move by the best one, as someone with an engine would: for simulations.
func (m *Moves) Help(move int) {
	if !m.all {
		m.losses[move] = 0
		return
	}
	for j, loss := range m.lossesOf(move) {
		if loss == 0 {
			m.played[move] = int32(j)
			return
		}
	}
}

// lossesOf returns the losses of the legal moves.
func (m *Moves) lossesOf(move int) []float32 {
	from := 0
	if move > 0 {
		from = m.ends[move-1]
	}
	return m.losses[from:m.ends[move]]
}

// loss returns what the move that was played lost.
func (m *Moves) loss(move int) float64 {
	if !m.all {
		return float64(m.losses[move])
	}
	return float64(m.lossesOf(move)[m.played[move]])
}
