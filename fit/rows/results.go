package rows

import "math"

// DrawWidth returns the draw width of the ordered model at which equal positions are
// drawn as often as all positions are.
func (r *Store) DrawWidth() float64 {
	draws := 0.0
	for _, b := range r.Blocks {
		for i, y := range b.Y {
			if y == 0.5 {
				draws += b.WeightOf(i)
			}
		}
	}
	share := draws / r.Weight
	return math.Log((1 + share) / (1 - share))
}

// Mean returns the weighted mean of y.
func (r *Store) Mean() float64 {
	sum := 0.0
	for _, b := range r.Blocks {
		for i, y := range b.Y {
			sum += b.WeightOf(i) * float64(y)
		}
	}
	return sum / r.Weight
}

// Deviation returns the weighted standard deviation of y.
func (r *Store) Deviation() float64 {
	mean, sum := r.Mean(), 0.0
	for _, b := range r.Blocks {
		for i, y := range b.Y {
			sum += b.WeightOf(i) * (float64(y) - mean) * (float64(y) - mean)
		}
	}
	return math.Sqrt(sum / r.Weight)
}
