package pentanomial

import (
	"errors"
	"fmt"
	"math"
)

// Test is a sequential probability ratio test on the pairs of two players: fishtest's generalised test, with
// Wald's bounds. It ends the match.
type Test struct {
	// Elo0 and Elo1 are the hypotheses: the first player's advantage, in normalised Elo or,
	// if Logistic, in Elo.
	Elo0     float64 `json:"elo_0"`
	Elo1     float64 `json:"elo_1"`
	Logistic bool    `json:"logistic"`
	// Alpha is the probability of accepting Elo1 when Elo0 is true, Beta the reverse.
	Alpha float64 `json:"alpha"`
	Beta  float64 `json:"beta"`
}

// Validate reports what is wrong with t.
func (t *Test) Validate() error {
	switch {
	case !(t.Elo0 < t.Elo1) || math.IsInf(t.Elo1-t.Elo0, 0):
		return fmt.Errorf("hypotheses %g and %g: the first must be the smaller one", t.Elo0, t.Elo1)
	case !t.Logistic && max(math.Abs(t.Elo0), math.Abs(t.Elo1)) > mostNormalised:
		return fmt.Errorf("hypotheses %g and %g: want at most %d in normalised Elo; no distribution of pairs' points exceeds it", t.Elo0, t.Elo1, mostNormalised)
	case !(t.Alpha > 0 && t.Beta > 0 && t.Alpha+t.Beta < 1):
		return errors.New("the errors of a test must be above 0 and add up to less than 1")
	}
	return nil
}

// SPRT is the state of a test.
type SPRT struct {
	Test
	LLR   float64 `json:"llr"` // log likelihood ratio of Elo1 to Elo0
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
	// Accepted is "elo_0", "elo_1", or empty while nothing is decided.
	Accepted string `json:"accepted"`
	// Estimates allow for the stop; nil while a match is played, without a pair, and where
	// Withheld has a reason.
	Estimates *Stopped `json:"estimates,omitempty"`
	Withheld  string   `json:"withheld,omitempty"`
}

const (
	// LookPairs is the number of pairs between two evaluations of a test, in the order of the games. So a
	// test ends a match at the same game for any number of workers.
	LookPairs = 4
	// LeastPairs are played in any case: a few pairs that ended alike have so little
	// variance that they would decide anything.
	LeastPairs = 16
	// mostNormalised bounds hypotheses in normalised Elo.
	mostNormalised = 200
)

// SPRT returns the state of t after the pairs, from these openings. Where openings come again the ratio is
// divided by the ratio of the variance by opening to the variance of independent pairs.
func (t Test) SPRT(pairs Pairs, o Openings) SPRT {
	r := SPRT{Test: t, Lower: math.Log(t.Beta / (1 - t.Alpha)), Upper: math.Log((1 - t.Beta) / t.Alpha)}
	n := pairs.N()
	if n == 0 {
		return r
	}
	s := newSample(pairs)
	if t.Logistic {
		r.LLR = s.ratioLogistic(t.Elo0, t.Elo1)
	} else {
		r.LLR = s.ratioNormalised(t.Elo0, t.Elo1)
	}
	r.LLR /= o.inflation(pairs)
	switch {
	case n < LeastPairs:
	case r.LLR >= r.Upper:
		r.Accepted = "elo_1"
	case r.LLR <= r.Lower:
		r.Accepted = "elo_0"
	}
	return r
}

// Ended returns the state of t at the end of a match, with estimates that allow for it.
func (t Test) Ended(pairs Pairs, o Openings) SPRT {
	r := t.SPRT(pairs, o)
	if pairs.N() > 0 {
		r.Estimates, r.Withheld = r.stopped(pairs, o)
	}
	return r
}

// scale returns the name of the hypotheses' unit.
func (t Test) scale() string {
	if t.Logistic {
		return "Elo"
	}
	return "normalised Elo"
}

// String returns the state of the test in a line, and in another one the estimates of the
// match adjusted for its stop.
func (r SPRT) String() string {
	text := fmt.Sprintf("log likelihood ratio of %s %g against %g: %.4f in (%.2f, %.2f)", r.scale(), r.Elo1, r.Elo0, r.LLR, r.Lower, r.Upper)
	switch r.Accepted {
	case "elo_1":
		text += fmt.Sprintf(", %g is accepted", r.Elo1)
	case "elo_0":
		text += fmt.Sprintf(", %g is accepted", r.Elo0)
	default:
		text += ", undecided"
	}
	if e := r.Estimates; e != nil {
		kind := "median-unbiased"
		if e.Widened {
			kind = "far from the hypotheses: the intervals also hold those above"
		}
		text += fmt.Sprintf("\ncorrected for a test that stops at high and low results: Elo %+.1f (95 %%: %+.1f to %+.1f), normalised %+.1f (%+.1f to %+.1f), %s",
			e.Elo.Value, e.Elo.Low, e.Elo.High, e.NormalisedElo.Value, e.NormalisedElo.Low, e.NormalisedElo.High, kind)
	}
	if r.Withheld != "" {
		text += "\nno estimate that allows for the test: " + r.Withheld
	}
	return text
}
