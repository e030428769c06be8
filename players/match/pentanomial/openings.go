package pentanomial

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/dyads"
)

// Opening holds the results of the pairs of one opening.
type Opening struct{ Pairs, Points int64 } // points in half points: 0 to 4 a pair

// Openings are sums over the openings of a match. Pairs of one opening depend on each other, more so if the
// players are nearly deterministic. A match that repeats its openings shows little more about how the players
// do in others. The zero value means that all pairs have openings of their own.
type Openings struct {
	Number   int64 `json:"number"`
	Squares  int64 `json:"-"` // of points
	Products int64 `json:"-"` // of points and pairs
	Sizes    int64 `json:"-"` // squares of pairs
}

// Add adds a pair to an opening of o.
func (o *Openings) Add(of *Opening, points int) {
	if of.Pairs == 0 {
		o.Number++
	}
	x := int64(points)
	o.Squares += 2*of.Points*x + x*x
	o.Products += of.Points + of.Pairs*x + x
	o.Sizes += 2*of.Pairs + 1
	of.Pairs++
	of.Points += x
}

// Repeat reports whether an opening has more than one of the n pairs.
func (o Openings) Repeat(n int64) bool { return o.Number > 0 && o.Number < n }

// effective returns the number of openings of equal size that weigh as much as the openings of n pairs.
func (o Openings) effective(n float64) float64 { return n * n / float64(o.Sizes) }

// variance returns the variance of the score of n pairs with the errors clustered by opening, from the mean in 0 to 1.
func (o Openings) variance(n, mean float64) float64 {
	k, m := float64(o.Number), 4*mean
	if o.Number < 2 {
		return math.Inf(1)
	}
	return max(0, float64(o.Squares)-2*m*float64(o.Products)+m*m*float64(o.Sizes)) / (16 * n * n) * k / (k - 1)
}

// student returns the square of the ratio of the 97.5 % quantile of Student's t to the normal's
// distribution, with one degree of freedom less than there are openings.
func student(openings float64) float64 {
	t := distuv.StudentsT{Sigma: 1, Nu: max(1, openings-1)}.Quantile(0.975) / dyads.Normal95
	return t * t
}

// trials returns the effective number of trials of a coin that n pairs with this mean are by opening.
// An opening whose pairs are all alike shows no variance: a factor of 1 is supposed as for pairs.
func (o Openings) trials(n, mean float64) float64 {
	k := o.effective(n)
	factor := 1.0
	if most := mean * (1 - mean); most > 0 && o.Number > 1 {
		factor = (k*min(1, k*o.variance(n, mean)/most) + priorPairs) / (k + priorPairs)
	}
	return k / factor / student(k)
}

// inflation returns the ratio of the variance of the score by opening to the variance of independent pairs,
// allowing for Student's t. It is at least 1, and 1 if no opening repeats.
func (o Openings) inflation(p Pairs) float64 {
	n := p.N()
	if !o.Repeat(n) {
		return 1
	}
	s := newSample(p)
	return max(1, o.variance(float64(n), s.mean)*float64(n)/(s.dev*s.dev)*student(o.effective(float64(n))))
}
