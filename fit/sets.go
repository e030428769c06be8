package fit

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kifu/eval"
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

// setOf returns the number of the set that a phase belongs to.
func (p Params) setOf(phase int) uint8 {
	if len(p.Phases) == 1 {
		return uint8(min(mostLevels, max(0, phase/p.Phases[0])))
	}
	set := 0
	for set+1 < len(p.Phases) && phase >= p.Phases[set+1] {
		set++
	}
	return uint8(set)
}

// phasesOf returns the first and the last phase of a set; last is -1 when it has no end.
func (p Params) phasesOf(set int) (first, last int) {
	switch {
	case len(p.Phases) == 1:
		return set * p.Phases[0], (set+1)*p.Phases[0] - 1
	case set+1 < len(p.Phases):
		return p.Phases[set], p.Phases[set+1] - 1
	}
	return p.Phases[set], -1
}

// phaseSet is one of the sets of weights that --phases asks for.
type phaseSet struct {
	number int
	fit    *estimate // nil when it was refused
	told   schemas.FitSet
}

// fitSets fits a set of weights to each stretch of phases and its neighbours, as BILL's
// (Lee & Mahajan 1988), and evaluates all of them on the positions held out.
func (in *input) fitSets(ctx context.Context, p Params, s settings, whole *estimate) ([]phaseSet, *schemas.FitSets, error) {
	one := p
	for _, i := range in.free {
		one.Untapered = append(one.Untapered, in.model.Terms[i].Name)
	}
	d, err := in.newDesign(one)
	if err != nil {
		return nil, nil, err
	}
	d.classes, d.byPhase = in.design.classes, in.design.byPhase
	out := &schemas.FitSets{Neighbours: p.Neighbours}
	var sets []phaseSet
	var train, held, heldWhole evaluation
	for number := range mostLevels + 1 {
		own := in.train.rows.only(func(l uint8) bool { return int(l) == number })
		test := in.held.rows.only(func(l uint8) bool { return int(l) == number })
		if own.n+test.n == 0 {
			continue
		}
		set, err := in.fitSet(ctx, p, s, d, number)
		if err != nil {
			return nil, nil, err
		}
		f := whole.fitted()
		if set.fit != nil {
			f = set.fit.fitted()
		}
		set.told.Own = own.n
		train.add(own, f)
		if test.n > 0 {
			var now, before evaluation
			now.add(test, f)
			before.add(test, whole.fitted())
			set.told.Held, set.told.OneSet = pointer(now.metrics()), pointer(before.metrics())
			held.add(test, f)
			heldWhole.add(test, whole.fitted())
		}
		sets = append(sets, set)
		out.Sets = append(out.Sets, set.told)
	}
	out.Train = train.metrics()
	if held.total.n > 0 {
		out.Held, out.OneSet = pointer(held.metrics()), pointer(heldWhole.metrics())
	}
	return sets, out, nil
}

// fitSet fits one set. What the games do not determine is told in it.
func (in *input) fitSet(ctx context.Context, p Params, s settings, d *design, number int) (phaseSet, error) {
	first, last := p.phasesOf(number)
	set := phaseSet{number: number, told: schemas.FitSet{Name: setName(first, last), First: first, Last: last}}
	r := in.train.rows.only(func(l uint8) bool { return max(int(l)-number, number-int(l)) <= p.Neighbours })
	copied := *d
	copied.params = append([]param(nil), d.params...)
	r.d = &copied
	if p.Weight == WeightGame && r.n > 0 {
		r.byGame()
	}
	set.told.Positions, set.told.Games = r.n, r.games
	e, err := solve(ctx, r, s)
	var refused *Unidentified
	if errors.As(err, &refused) {
		set.told.Refused = refused.text
		return set, nil
	}
	if err != nil {
		return set, fmt.Errorf("phases %s: %w", set.told.Name, err)
	}
	set.fit = e
	set.told.Scale = pointer(e.number(d.scale()))
	if d.drawn {
		set.told.DrawWidth = pointer(e.number(d.width()))
	}
	set.told.Objective, set.told.Status = e.meanLoss, e.minimum.status
	set.told.Notes = e.notes
	set.told.Train = r.metrics(e.fitted(), s.workers)
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

func pointer[T any](x T) *T { return &x }

// rows are the weights of the set for the table: one a term.
func (set *phaseSet) rows(d *design, m *eval.Model) (out []Weight) {
	middle := set.told.First
	if set.told.Last >= 0 {
		middle = (set.told.First + set.told.Last) / 2
	}
	for from := 0; from < len(d.params); {
		q, to := d.params[from], from
		for to < len(d.params) && d.params[to].term == q.term {
			to++
		}
		w := Weight{Term: q.term, Group: q.group, Stage: "phase " + set.told.Name, Initial: q.initial, Status: statusRefused}
		if q.index >= 0 {
			w.Initial = m.Terms[q.index].At(m.Mix(middle, nil))
		}
		w.Fitted = w.Initial
		if e := set.fit; e != nil {
			e.fill(&w, from)
			if !e.fits(e.d.params[from].leader) {
				w.Fitted = w.Initial
			}
			for j := from; j < to; j++ {
				w.Positions, w.Games = max(w.Positions, int64(e.supports[j].positions)), max(w.Games, int64(e.supports[j].games))
			}
		}
		out = append(out, w)
		from = to
	}
	return out
}

// statusRefused is that of the weights of a set which the games do not determine.
const statusRefused = "refused"

// intoStages puts the weights of the sets into those stages of m whose knots lie in
// them.
func intoStages(p Params, m *eval.Model, d *design, sets []phaseSet) {
	if len(m.Stages) < 2 {
		return
	}
	for _, set := range sets {
		if set.fit == nil {
			continue
		}
		for j, q := range d.params {
			if q.index < 0 || len(m.Terms[q.index].Weights) == 1 || !set.fit.fits(set.fit.d.params[j].leader) {
				continue
			}
			if int(p.setOf(m.Knots[q.at])) == set.number {
				m.Terms[q.index].Weights[q.at] = set.fit.weights[j]
			}
		}
	}
}
