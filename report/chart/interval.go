package chart

import "slices"

// mostBands is the number of series up to which intervals are shaded: more overlapping bands are mud.
// More series have whiskers, each at most mostWhiskers, evenly spaced, so that many points stay
// readable.
const mostBands, mostWhiskers = 2, 30

// shaded reports whether the intervals of c are bands, not whiskers.
func (c *Chart) shaded() bool {
	n := 0
	for i := range c.Series {
		if c.Series[i].intervals() {
			n++
		}
	}
	return n <= mostBands
}

// shadedBy is shaded, unless the look sets how intervals are drawn.
func (c *Chart) shadedBy(l Look) bool {
	if l.Bands == "" {
		return c.shaded()
	}
	return l.Bands == "band"
}

// intervals reports whether any point of s has an interval.
func (s *Series) intervals() bool {
	return !s.Smooth && slices.ContainsFunc(s.Points, func(p Point) bool { return p.Low != p.High })
}

// outline goes along the upper ends of the intervals, and back along the lower ones.
func (s *Series) outline() (all []Point) {
	for _, p := range s.Points {
		all = append(all, Point{X: p.X, Y: p.High})
	}
	for _, p := range slices.Backward(s.Points) {
		all = append(all, Point{X: p.X, Y: p.Low})
	}
	return all
}

// whiskers are the points of s that have one.
func (s *Series) whiskers() []Point {
	every := (len(s.Points) + mostWhiskers - 1) / mostWhiskers
	var some []Point
	for i, p := range s.Points {
		if i%every == 0 {
			some = append(some, p)
		}
	}
	return some
}
