package fit

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

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
			return b, fmt.Errorf("%q: nothing lies between", text)
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
	if b.Of = strings.TrimSpace(b.Of); b.Of == "" || b.Low == nil && b.High == nil {
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

// validateStructure reports what does not go together in the structure.
func (p Params) validateStructure() error {
	switch {
	case p.ScaleBy != "" && p.Method == Ordered:
		return errors.New("--scale-by: the ordered model has one scale beside its draw width: take mlm, ls or value")
	case p.ScaleBy != "" && p.Scale != 0:
		return errors.New("--scale-by fits scales and --scale holds one: give either")
	case p.ScaleBy != "" && (p.L1 > 0 || len(p.Bounds) > 0):
		return errors.New("--scale-by does not go with --l1 and --bound: take --l2 or --prior")
	case p.ScaleBy != "" && len(p.Phases) > 0:
		return errors.New("--scale-by and --phases: a set of a phase has a scale of its own already")
	case len(p.Phases) > 0 && (p.Folds > 0 || p.LearningCurve || p.Ratios):
		return errors.New("--phases does not go with --folds, --learning-curve and --ratios, which are of one set: take --holdout or --test")
	case p.Neighbours != 0 && len(p.Phases) == 0:
		return errors.New("--neighbours says how many sets of --phases share examples: give both")
	case p.Neighbours < 0:
		return fmt.Errorf("neighbours %d: want a number that is not negative", p.Neighbours)
	case len(p.Phases) == 1 && p.Phases[0] < 1:
		return fmt.Errorf("phases %d: want the width of a set, 1 or more, or several first phases", p.Phases[0])
	case len(p.Phases) > mostLevels:
		return fmt.Errorf("%d sets of phases: at most %d", len(p.Phases), mostLevels)
	}
	for i := 1; i < len(p.Phases); i++ {
		if p.Phases[i] <= p.Phases[i-1] {
			return fmt.Errorf("phases %v: the first phases of the sets have to ascend", p.Phases)
		}
	}
	return nil
}

// named returns the parameters of a term, a group or an added feature.
func (d *design) named(name string) ([]int, error) {
	var out []int
	for j, p := range d.params {
		if p.term == name || p.group == name {
			out = append(out, j)
		}
	}
	if out == nil {
		return nil, fmt.Errorf("%q is no term or group that is fitted: name it in --free or --add too", name)
	}
	return out, nil
}

// constrain makes the ties, bounds and priors of p part of the design.
func (d *design) constrain(p Params) error {
	for _, name := range p.Untapered {
		params, err := d.named(name)
		if err != nil {
			return fmt.Errorf("--untapered: %w", err)
		}
		for _, j := range params {
			if j > 0 && d.params[j-1].term == d.params[j].term {
				d.tie(j-1, j, 1)
			}
		}
	}
	for _, names := range p.Tie {
		if err := d.tieTerms(names); err != nil {
			return fmt.Errorf("--tie %s: %w", strings.Join(names, ","), err)
		}
	}
	for _, b := range p.Bounds {
		params, err := d.named(b.Of)
		if err != nil {
			return fmt.Errorf("--bound: %w", err)
		}
		for _, j := range params {
			q := &d.params[j]
			if slices.Contains(params, q.leader) && q.leader != j && q.sign > 0 {
				continue // bounded with its leader
			}
			if q.leader != j {
				return fmt.Errorf("--bound: %s is tied to %s: bound that", q, d.params[q.leader])
			}
			if b.Low != nil {
				q.low = max(q.low, *b.Low)
			}
			if b.High != nil {
				q.high = min(q.high, *b.High)
			}
			if q.low > q.high {
				return fmt.Errorf("--bound: nothing lies between the bounds of %s, %v and %v", q, q.low, q.high)
			}
		}
	}
	for _, prior := range p.Prior {
		params := make([]int, len(d.params))
		for j := range params {
			params[j] = j
		}
		if prior.Of != "" {
			var err error
			if params, err = d.named(prior.Of); err != nil {
				return fmt.Errorf("--prior: %w", err)
			}
		}
		for _, j := range params {
			d.params[j].sd = prior.SD
		}
	}
	return nil
}

// tieTerms gives terms one weight a stage; a name behind a minus has the opposite.
func (d *design) tieTerms(names []string) error {
	if len(names) < 2 {
		return errors.New("want two terms or more")
	}
	var first []int
	for i, name := range names {
		name, negative := strings.CutPrefix(strings.TrimSpace(name), "-")
		params, err := d.named(name)
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
			d.tie(first[s], params[s], sign)
		}
	}
	return nil
}

// tie makes the weight of b sign times that of a, and so for all that are tied to b.
func (d *design) tie(a, b int, sign float64) {
	a, b, sign = d.params[a].leader, d.params[b].leader, sign*d.params[a].sign*d.params[b].sign
	if a == b {
		return
	}
	for j := range d.params {
		if q := &d.params[j]; q.leader == b {
			q.leader, q.sign = a, q.sign*sign
		}
	}
}

// bounded says that some weight may not be what it likes.
func (d *design) bounded() bool {
	return slices.ContainsFunc(d.params, func(p param) bool { return !math.IsInf(p.low, 0) || !math.IsInf(p.high, 0) })
}

// merge adds the support of the column of another weight that is sign times this one.
func (s *support) merge(o support, sign float64) {
	if sign < 0 {
		o.low, o.high, o.with, o.against = -o.high, -o.low, o.against, o.with
	}
	s.positions, s.games, s.squares = s.positions+o.positions, max(s.games, o.games), s.squares+o.squares
	s.low, s.high = min(s.low, o.low), max(s.high, o.high)
	s.with, s.against = s.with+o.with, s.against+o.against
}
