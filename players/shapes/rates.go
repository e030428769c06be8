package shapes

import "kifu/games"

// Rater returns how often moves with their shapes are played when they can be. It must not be shared by goroutines.
type Rater[P games.Position[P]] struct {
	*Counts
	shapes games.Patterns[P]
	Rates  []float64 // of the moves rated last
	Sizes  []int     // of the shapes kept, by move
}

// NewRater returns a rater by counts of a game's shapes.
func NewRater[P games.Position[P]](of games.Patterns[P], c *Counts) *Rater[P] {
	return &Rater[P]{Counts: c, shapes: of}
}

// Rate fills Rates and Sizes. A rate is times played / times available of the largest shape
// kept, after adding one play at the rate of the next smaller shape, whose rate is computed in
// the same way, down to the rate of all moves. (Stern and his co-authors rank shapes by a
// Bayesian model instead; times played / times available is the baseline of Araki et al. 2007.)
func (r *Rater[P]) Rate(p P, moves []games.Move) {
	overall := float64(r.Decisions) / float64(r.legals)
	r.Rates, r.Sizes = r.Rates[:0], r.Sizes[:0]
	for range moves {
		r.Rates, r.Sizes = append(r.Rates, overall), append(r.Sizes, 0)
	}
	eachKept(r.shapes, &r.numbers, r.sizes, p, moves, func(move int, n uint32) {
		r.Rates[move] = (float64(r.played[n]) + r.Rates[move]) / (float64(r.available[n]) + 1)
		r.Sizes[move]++
	})
}
