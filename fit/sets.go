package fit

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kifu/eval"
	"kifu/fit/forecast"
	"kifu/fit/method"
	"kifu/fit/rows"
	"kifu/fit/solve"
	"kifu/internal/lists"
	"kifu/schemas"
)

// ParsePhases reads the width of a set of phases, or the first phases of several:
// "4" or "0,10,14,20".
func ParsePhases(text string) ([]int, error) {
	var out []int
	for _, s := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil {
			return nil, fmt.Errorf("%q: want the width of a set, or the first phases of several, as in 0,10,14,20", text)
		}
		out = append(out, n)
	}
	return out, nil
}

// stretches are the phases of sets, as method.Sets has them.
type stretches []int

// set returns the number of the set that a phase belongs to.
func (s stretches) set(phase int) uint8 {
	if len(s) == 1 {
		return uint8(min(mostLevels, max(0, phase/s[0])))
	}
	set := 0
	for set+1 < len(s) && phase >= s[set+1] {
		set++
	}
	return uint8(set)
}

// bounds returns the first and the last phase of a set; last is -1 when it has no end.
func (s stretches) bounds(set int) (first, last int) {
	switch {
	case len(s) == 1:
		return set * s[0], (set+1)*s[0] - 1
	case set+1 < len(s):
		return s[set], s[set+1] - 1
	}
	return s[set], -1
}

// phaseSet is one of the sets of weights that --phases asks for.
type phaseSet struct {
	number int
	fit    *solve.Estimate // nil when it was refused
	told   schemas.FitSet
}

// fitSets fits a set of weights to each stretch of phases and its neighbours, as BILL's
// (Lee & Mahajan 1988), and evaluates all of them on the positions held out.
func (in *input) fitSets(ctx context.Context, s solve.Settings, whole *solve.Estimate) ([]phaseSet, *schemas.FitSets, error) {
	d, err := in.newDesign(lists.Of(in.free, func(i int) string { return in.model.Terms[i].Name }))
	if err != nil {
		return nil, nil, err
	}
	d.ShareClasses(in.design)
	out := &schemas.FitSets{Neighbours: in.p.Neighbours}
	var sets []phaseSet
	var train, held, heldWhole forecast.Evaluation
	for number := range mostLevels + 1 {
		own := in.train.rows.Only(func(l uint8) bool { return int(l) == number })
		test := in.held.rows.Only(func(l uint8) bool { return int(l) == number })
		if own.N+test.N == 0 {
			continue
		}
		set, err := in.fitSet(ctx, s, d, number)
		if err != nil {
			return nil, nil, err
		}
		f := whole.Fitted()
		if set.fit != nil {
			f = set.fit.Fitted()
		}
		set.told.Own = own.N
		train.Add(own, f)
		if test.N > 0 {
			set.told.Held, set.told.OneSet = new(forecast.Evaluate(test, f)), new(forecast.Evaluate(test, whole.Fitted()))
			held.Add(test, f)
			heldWhole.Add(test, whole.Fitted())
		}
		sets = append(sets, set)
		out.Sets = append(out.Sets, set.told)
	}
	out.Train = train.Metrics()
	if held.Positions() > 0 {
		out.Held, out.OneSet = new(held.Metrics()), new(heldWhole.Metrics())
	}
	return sets, out, nil
}

// fitSet fits one set and notes the weights that the games do not determine.
func (in *input) fitSet(ctx context.Context, s solve.Settings, d *rows.Design, number int) (phaseSet, error) {
	first, last := stretches(in.p.Phases).bounds(number)
	set := phaseSet{number: number, told: schemas.FitSet{Name: setName(first, last), First: first, Last: last}}
	r := in.train.rows.Only(func(l uint8) bool { return max(int(l)-number, number-int(l)) <= in.p.Neighbours })
	r.Design = d.Clone() // sides of bounds are set per fit
	if in.p.Weight == method.ByGame && r.N > 0 {
		r.ByGame()
	}
	set.told.Positions, set.told.Games = r.N, r.Games
	e, err := solve.Fit(ctx, r, s)
	if refused, ok := errors.AsType[*solve.Unidentified](err); ok {
		set.told.Refused = refused.Reason
		return set, nil
	}
	if err != nil {
		return set, fmt.Errorf("phases %s: %w", set.told.Name, err)
	}
	set.fit = e
	set.told.Scale = new(e.Number(d.Scale()))
	if d.Drawn {
		set.told.DrawWidth = new(e.Number(d.Width()))
	}
	set.told.Objective, set.told.Status = e.MeanLoss, e.Minimum.Status
	set.told.Notes = e.Notes
	set.told.Train = forecast.Measure(r, e.Fitted(), s.Workers)
	return set, nil
}

func setName(first, last int) string {
	switch {
	case last < 0:
		return fmt.Sprintf("%d-", first)
	case first == last:
		return strconv.Itoa(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

// rows are the weights of the set for the table: one a term.
func (set *phaseSet) rows(d *rows.Design, m *eval.Model) (out []schemas.Weight) {
	middle := set.told.First
	if set.told.Last >= 0 {
		middle = (set.told.First + set.told.Last) / 2
	}
	for from := 0; from < len(d.Params); {
		q, to := d.Params[from], from
		for to < len(d.Params) && d.Params[to].Term == q.Term {
			to++
		}
		w := schemas.Weight{Term: q.Term, Group: q.Group, Stage: "phase " + set.told.Name, Initial: q.Initial, Status: schemas.StatusRefused}
		if q.Index >= 0 {
			w.Initial = m.Terms[q.Index].At(m.Mix(middle, nil))
		}
		w.Fitted = w.Initial
		if e := set.fit; e != nil {
			e.Fill(&w, from)
			if !e.Fits(e.Design.Params[from].Leader) {
				w.Fitted = w.Initial
			}
			for j := from; j < to; j++ {
				w.Positions, w.Games = max(w.Positions, int64(e.Supports[j].Positions)), max(w.Games, int64(e.Supports[j].Games))
			}
		}
		out = append(out, w)
		from = to
	}
	return out
}

// intoStages puts the weights of the sets into those stages of m whose knots are in
// them.
func (s stretches) intoStages(m *eval.Model, d *rows.Design, sets []phaseSet) {
	if len(m.Stages) < 2 {
		return
	}
	for _, set := range sets {
		if set.fit == nil {
			continue
		}
		for j, q := range d.Params {
			if q.Index < 0 || len(m.Terms[q.Index].Weights) == 1 || !set.fit.Fits(set.fit.Design.Params[j].Leader) {
				continue
			}
			if int(s.set(m.Knots[q.At])) == set.number {
				m.Terms[q.Index].Weights[q.At] = set.fit.Weights[j]
			}
		}
	}
}
