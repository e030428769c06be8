package rows

import (
	"kifu/fit/losses"
)

// Decisions returns the number of decisions.
func (r *Store) Decisions() (n int) {
	for _, b := range r.Blocks {
		for _, y := range b.Y {
			if y == losses.PlayedRow || y == -losses.PlayedRow {
				n++
			}
		}
	}
	return n
}

// Positions returns the number of positions: rows or decisions.
func (r *Store) Positions() int {
	if r.Design.Decided != nil {
		return r.Decisions()
	}
	return r.N
}

// WeighDecisions sets the sum of the weights, the divisor of means, to the sum of the
// sizes of all decisions. With byGame, every game has the same share of it.
func (r *Store) WeighDecisions(byGame bool) {
	r.Weight = 0
	for _, b := range r.Blocks {
		r.Weight += r.gameSize(b, 0, b.Rows())
	}
	if !byGame || r.Weight == 0 {
		return
	}
	r.WeighGames(r.Weight / float64(r.Games))
}

// weighDecisions is WeighGames for decisions.
func (r *Store) weighDecisions(each float64) {
	for _, b := range r.Blocks {
		weight := make([]float32, b.Rows())
		from := 0
		for _, run := range b.Games {
			w := float32(each / r.gameSize(b, from, run.End))
			for i := from; i < run.End; i++ {
				weight[i] = w
			}
			from = run.End
		}
		b.Weight = weight
	}
	r.WeighDecisions(false)
}

// gameSize returns the sum of the sizes of the decisions in from..to-1, times their weights.
func (r *Store) gameSize(b *Block, from, to int) (sum float64) {
	for end := from; from < to; from = end {
		end = losses.DecisionEnd(b.Y[:to], from)
		sum += b.WeightOf(from) * r.Design.Decided.Size(end-from)
	}
	return sum
}
