// Package constraints limits and connects the weights of a fit: bounds, priors and ties.
//
// In: what a user wrote of them. Out: the same as part of a design. It does not fit.
package constraints

import (
	"errors"
	"fmt"
	"kifu/fit/rows"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Set limits and connects the weights of a design.
type Set struct {
	Prior     []Prior
	Bounds    []Bound
	Tie       [][]string // terms with one weight, stage by stage; a minus before a name reverses its sign
	Untapered []string   // terms and groups with one weight in all stages
}

// Bound keeps weights between two numbers, in the evaluator's unit; nil is no limit.
type Bound struct {
	Of   string   `json:"of"` // term, group, or name of an added feature
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// Prior is a normal prior at the present weights with this standard deviation, in the
// evaluator's unit.
type Prior struct {
	Of string  `json:"of,omitempty"` // as of Bound; "" for all
	SD float64 `json:"sd"`
}

// ParseBound reads NAME>=X, NAME<=X, NAME=X or X<=NAME<=Y.
func ParseBound(text string) (Bound, error) {
	bad := fmt.Errorf("%q: want NAME>=X, NAME<=X, NAME=X or X<=NAME<=Y", text)
	number := func(s string) *float64 {
		x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	var b Bound
	parts := strings.Split(text, "<=")
	switch {
	case len(parts) == 3:
		b = Bound{parts[1], number(parts[0]), number(parts[2])}
		if b.Low == nil || b.High == nil {
			return b, bad
		}
		if *b.Low > *b.High {
			return b, fmt.Errorf("%q: nothing is between", text)
		}
	case len(parts) == 2:
		b = Bound{Of: parts[0], High: number(parts[1])}
	default:
		name, x, found := strings.Cut(text, "=")
		if !found {
			return b, bad
		}
		b = Bound{Of: name, Low: number(x)}
		if least, more := strings.CutSuffix(name, ">"); more {
			b.Of = least
		} else {
			b.High = b.Low
		}
	}
	b.Of = strings.TrimSpace(b.Of)
	if b.Of == "" || b.Low == nil && b.High == nil {
		return b, bad
	}
	return b, nil
}

// ParsePrior reads SD or NAME=SD.
func ParsePrior(text string) (Prior, error) {
	name, sd, found := strings.Cut(text, "=")
	if !found {
		name, sd = "", text
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(sd), 64)
	if err != nil || !(x > 0) || math.IsInf(x, 0) {
		return Prior{}, fmt.Errorf("%q: want a standard deviation above 0, or NAME=SD", text)
	}
	return Prior{strings.TrimSpace(name), x}, nil
}

// named returns the parameters of a term, a group or an added feature.
func named(d *rows.Design, name string) ([]int, error) {
	var out []int
	for j, p := range d.Params {
		if p.Term == name || p.Group == name {
			out = append(out, j)
		}
	}
	if out == nil {
		return nil, fmt.Errorf("%q is not fitted: name it in --free or --add too", name)
	}
	return out, nil
}

// Apply makes ties, bounds and priors part of the design.
func (p Set) Apply(d *rows.Design) error {
	for _, name := range p.Untapered {
		params, err := named(d, name)
		if err != nil {
			return fmt.Errorf("--untapered: %w", err)
		}
		for _, j := range params {
			if j > 0 && d.Params[j-1].Term == d.Params[j].Term {
				tie(d, j-1, j, 1)
			}
		}
	}
	for _, names := range p.Tie {
		if err := tieTerms(d, names); err != nil {
			return fmt.Errorf("--tie %s: %w", strings.Join(names, ","), err)
		}
	}
	for _, b := range p.Bounds {
		params, err := named(d, b.Of)
		if err != nil {
			return fmt.Errorf("--bound: %w", err)
		}
		for _, j := range params {
			q := &d.Params[j]
			if slices.Contains(params, q.Leader) && q.Leader != j && q.Sign > 0 {
				continue // bounded with its leader
			}
			if q.Leader != j {
				return fmt.Errorf("--bound: %s is tied to %s: bound that", q, d.Params[q.Leader])
			}
			if b.Low != nil {
				q.Low = max(q.Low, *b.Low)
			}
			if b.High != nil {
				q.High = min(q.High, *b.High)
			}
			if q.Low > q.High {
				return fmt.Errorf("--bound: no value lies between the bounds of %s, %v and %v", q, q.Low, q.High)
			}
		}
	}
	for _, prior := range p.Prior {
		params := make([]int, len(d.Params))
		for j := range params {
			params[j] = j
		}
		if prior.Of != "" {
			var err error
			if params, err = named(d, prior.Of); err != nil {
				return fmt.Errorf("--prior: %w", err)
			}
		}
		for _, j := range params {
			d.Params[j].SD = prior.SD
		}
	}
	return nil
}

// tieTerms gives terms one weight per stage; a name after a minus has the opposite one.
func tieTerms(d *rows.Design, names []string) error {
	if len(names) < 2 {
		return errors.New("want two terms or more")
	}
	var first []int
	for i, name := range names {
		name, negative := strings.CutPrefix(strings.TrimSpace(name), "-")
		params, err := named(d, name)
		if err != nil {
			return err
		}
		if i == 0 && negative {
			return errors.New("the first term has its own sign: put the minus before the others")
		}
		if i == 0 {
			first = params
			continue
		}
		if len(params) != len(first) {
			return fmt.Errorf("%s has %d weights and %s %d: only terms of equally many stages can be tied", name, len(params), names[0], len(first))
		}
		sign := 1.0
		if negative {
			sign = -1
		}
		for s := range params {
			tie(d, first[s], params[s], sign)
		}
	}
	return nil
}

// tie sets the weight of b to sign times a's, and so the weights tied to b.
func tie(d *rows.Design, a, b int, sign float64) {
	a, b, sign = d.Params[a].Leader, d.Params[b].Leader, sign*d.Params[a].Sign*d.Params[b].Sign
	if a == b {
		return
	}
	for j := range d.Params {
		if q := &d.Params[j]; q.Leader == b {
			q.Leader, q.Sign = a, q.Sign*sign
		}
	}
}
