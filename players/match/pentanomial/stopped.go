package pentanomial

import "math"

// Stopped estimates a difference of ratings from a match that a sequential test watched. A match that stops
// at a good result overstates it: the score and its interval assume a fixed number of pairs, so they are
// biased away from the hypotheses. Value is the median-unbiased estimate, too high as often as too low. Low
// and High have 2.5 % of all outcomes beyond each. Outcomes are ordered as by Siegmund (Estimation following
// sequential tests, Biometrika 65, 1978): an earlier acceptance of Elo1 is above a later one, then come tests
// without an end, then acceptances of Elo0, late ones first.
type Stopped struct {
	NormalisedElo Estimate `json:"normalised_elo"`
	Elo           Estimate `json:"elo"`
	// Widened is set if the result is far from the hypotheses. The intervals then contain those for a fixed
	// number of pairs, and the values are biased towards the hypotheses.
	Widened bool `json:"widened,omitempty"`
}

// lookCorrection is how far a bound that is checked at intervals must move to end as often as one checked
// continuously, in standard deviations between checks: -ζ(1/2)/√(2π) (D. Siegmund, Sequential Analysis, 1985,
// chapter X).
const lookCorrection = 0.5826

// Far from the hypotheses the ratio grows more slowly than the Brownian motion assumes: some 150 Elo away at
// four fifths of the rate. Below littleBend of the rate the interval also contains the one for a fixed number
// of pairs. Below leastBend nothing is corrected, and the uncorrected interval covers
// (bench/simulation/matches).
const (
	littleBend = 0.96
	leastBend  = 0.8
)

// stopped returns the estimates of a test at r after the pairs, or why there are none.
//
// The log likelihood ratio is taken as a Brownian motion. Its drift is (t1-t0)(t-(t0+t1)/2) and its variance
// (t1-t0)² per pair, where t is the distance of the score from one half in standard deviations of a pair.
func (r SPRT) stopped(pairs Pairs, o Openings) (*Stopped, string) {
	s, n := newSample(pairs), pairs.N()
	if n <= LeastPairs { // no look before this one: the number of pairs was given
		m := Measure(pairs, o)
		return &Stopped{NormalisedElo: m.NormalisedElo(), Elo: m.Elo()}, ""
	}
	if o.Repeat(n) {
		return nil, "openings repeat, so pairs depend on each other"
	}
	t0, t1 := r.Elo0*perPair, r.Elo1*perPair
	if r.Logistic {
		t0, t1 = (expected(r.Elo0)-0.5)/s.dev, (expected(r.Elo1)-0.5)/s.dev
	}
	step := t1 - t0
	bend := 1.0
	if linear := float64(n) * step * ((s.mean-0.5)/s.dev - (t0+t1)/2); math.Abs(linear) > 1 {
		bend = r.LLR / linear
	}
	if bend < leastBend {
		return nil, "the result is so far from the hypotheses that the stop hardly matters: use the estimates above"
	}
	margin := lookCorrection * step * math.Sqrt(LookPairs)
	look := func(drift float64) float64 {
		return firstLook{
			walk:   walk{below: margin - r.Lower, above: r.Upper + margin, drift: drift, time: float64(n-LeastPairs) * step * step},
			time:   LeastPairs * step * step,
			margin: margin,
		}.atLeast(r.Accepted, r.LLR)
	}
	at := func(chance float64) float64 {
		low, high := -mostElo*perPair, mostElo*perPair
		for range 40 {
			t := (low + high) / 2
			if look((t-(t0+t1)/2)/step) < chance {
				low = t
			} else {
				high = t
			}
		}
		return (low + high) / 2
	}
	value, low, high := at(0.5), at(0.025), at(0.975)
	elo := func(t float64) float64 { return Logistic(0.5 + t*s.dev) }
	e := &Stopped{
		NormalisedElo: Estimate{value / perPair, low / perPair, high / perPair},
		Elo:           Estimate{elo(value), elo(low), elo(high)},
	}
	if bend < littleBend {
		m := Measure(pairs, o)
		e.Widened = true
		e.NormalisedElo.cover(m.NormalisedElo())
		e.Elo.cover(m.Elo())
	}
	return e, ""
}

// cover widens e to the interval of o.
func (e *Estimate) cover(o Estimate) { e.Low, e.High = min(e.Low, o.Low), max(e.High, o.High) }

// firstLook is a walk whose bounds count from a time on: nothing is tested before LeastPairs.
type firstLook struct {
	walk           // from there on
	time   float64 // of the first look
	margin float64 // of the bounds of the walk, beyond the look's own
}

// atLeast returns the chance of an outcome at least as high as the hypothesis accepted, or as being at x if
// none was. It integrates over the position of the walk at the first look.
func (f firstLook) atLeast(accepted string, x float64) float64 {
	const cells = 40
	mean, dev := f.drift*f.time, math.Sqrt(f.time)
	top, bottom := f.above-f.margin, f.margin-f.below
	if min(top-mean, mean-bottom) > 8*dev { // nothing ends there
		w := f.walk
		w.time += f.time
		return w.atLeast(accepted, x)
	}
	chance := math.Exp(logNormal((mean - top) / dev))
	from, to := max(bottom, mean-8*dev), min(top, mean+8*dev)
	if from >= to {
		return chance
	}
	last := logNormal((from - mean) / dev)
	for i := range cells {
		a, b := from+(to-from)*float64(i)/cells, from+(to-from)*float64(i+1)/cells
		here := logNormal((b - mean) / dev)
		w, middle := f.walk, (a+b)/2
		w.below, w.above = w.below+middle, w.above-middle
		if mass := math.Exp(here) - math.Exp(last); mass > 1e-12 {
			chance += mass * w.atLeast(accepted, x-middle)
		}
		last = here
	}
	return chance
}

// walk is a Brownian motion from 0 with unit variance, stopped at two bounds.
type walk struct {
	below, above float64 // distances of the bounds, both above 0
	drift, time  float64
}

// atLeast returns the chance of an outcome as high as the one accepted at this time, or
// as being at x when none was.
func (w walk) atLeast(accepted string, x float64) float64 {
	switch accepted {
	case "elo_1":
		return w.hits()
	case "elo_0":
		return 1 - walk{w.above, w.below, -w.drift, w.time}.hits()
	}
	return w.hits() + w.within(x)
}

// mostImages bounds the images of a walk; a few are enough.
const mostImages = 1000

// hits returns the chance that the walk meets the upper bound by the time, without meeting the lower one
// before. It is a sum over the images of the bound (inverse Gaussian distributions).
func (w walk) hits() float64 {
	width, root := w.below+w.above, math.Sqrt(w.time)
	passes := func(c float64) float64 {
		d := math.Abs(c)
		p := math.Exp(w.drift*(w.above-d)+logNormal((w.drift*w.time-d)/root)) +
			math.Exp(w.drift*(w.above+d)+logNormal((-w.drift*w.time-d)/root))
		return math.Copysign(p, c)
	}
	sum := passes(w.above)
	for k := 1.0; k < mostImages; k++ {
		a, b := passes(w.above+2*k*width), passes(w.above-2*k*width)
		if sum += a + b; math.Abs(a)+math.Abs(b) < 1e-15 {
			break
		}
	}
	return max(0, min(1, sum))
}

// within returns the chance that no bound was met by the time and the walk is at x or above.
func (w walk) within(x float64) float64 {
	width, root := w.below+w.above, math.Sqrt(w.time)
	image := func(m float64) float64 {
		from, to := (x-m-w.drift*w.time)/root, (w.above-m-w.drift*w.time)/root
		if from > 0 {
			from, to = -to, -from
		}
		return math.Exp(w.drift*m+logNormal(to)) - math.Exp(w.drift*m+logNormal(from))
	}
	sum := image(0) - image(2*w.above)
	for k := 1.0; k < mostImages; k++ {
		a := image(2*k*width) - image(2*w.above+2*k*width)
		b := image(-2*k*width) - image(2*w.above-2*k*width)
		if sum += a + b; math.Abs(a)+math.Abs(b) < 1e-15 {
			break
		}
	}
	return max(0, min(1, sum))
}

// logNormal returns the logarithm of the standard normal distribution function.
func logNormal(x float64) float64 {
	if x < -30 {
		return -x*x/2 - math.Log(-x*math.Sqrt(2*math.Pi))
	}
	return math.Log(math.Erfc(-x/math.Sqrt2) / 2)
}
