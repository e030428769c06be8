package rows

import (
	"fmt"
	"math"
	"slices"

	"kifu/eval"
	"kifu/fit/losses"
)

// Design defines the columns of the regression. A slot is one countable feature of a row: a freed
// term, or an added feature; a parameter is one unknown. A slot that depends on the phase has one
// parameter per stage. At a phase in which stage s has the share m_s, a count c adds c·m_s to the
// column of the slot's parameter of stage s.
//
// The parameters of the slots come first, in their order. Then comes w_0, whose column is the value e(p), and
// for the ordered model the draw width, which has no column.
type Design struct {
	stages int
	slots  []slot
	Params []Param // without w_0
	dense  []int   // slots that are columns of numbers, not counts
	Drawn  bool    // the draw width is an unknown too, after w_0
	// Decided is the loss of the decisions that the rows belong to, nil if every row is
	// a position of its own.
	Decided losses.Decisions
	// classes are the distinct stage mixes, found as rows arrive.
	classes []class
	byPhase map[int]uint16
	mix     func(phase int) []float64
}

type slot struct {
	params []int // by stage; all the same when the phase does not matter
}

// Param is one free weight.
type Param struct {
	Term, Group, Stage string
	Initial            float64 // the weight that is in e(p) now
	Index, At          int     // term and stage in the model; index -1: not of the model
	Constant           bool    // the intercept: its column may be constant

	Leader    int     // the parameter whose weight, times sign, is this one's: its own if it is not tied
	Sign      float64 // 1 or -1
	Low, High float64 // bounds of the weight, or infinities
	Side      int     // the bound that the unknown is measured from: -1 low, 1 high, 0 none
	SD        float64 // of the prior, 0 for none
}

// String returns the name of p in messages: term (stage).
func (p Param) String() string {
	if p.Stage == "" {
		return p.Term
	}
	return p.Term + " (" + p.Stage + ")"
}

// class is a stage mix: at most two stages have a share (eval.Model.Mix).
type class struct {
	a, b   int
	ma, mb float64
}

// NewDesign makes the design in which the terms of m with the given indices are free. It adds the features of
// every model (builtin), and then columns of numbers.
func NewDesign(m *eval.Model, terms []int, builtin, features []string) *Design {
	d := &Design{stages: len(m.Stages), byPhase: map[int]uint16{}, mix: func(phase int) []float64 { return m.Mix(phase, nil) }}
	for _, i := range terms {
		t := m.Terms[i]
		s := slot{params: make([]int, d.stages)}
		for stage := range s.params {
			if len(t.Weights) == 1 {
				s.params[stage] = len(d.Params)
				continue
			}
			s.params[stage] = len(d.Params)
			d.Params = append(d.Params, Param{Term: t.Name, Group: t.Group, Stage: m.Stages[stage], Initial: t.Weights[stage], Index: i, At: stage})
		}
		if len(t.Weights) == 1 {
			d.Params = append(d.Params, Param{Term: t.Name, Group: t.Group, Initial: t.Weights[0], Index: i})
		}
		d.slots = append(d.slots, s)
	}
	for i, name := range append(builtin[:len(builtin):len(builtin)], features...) {
		s := slot{params: make([]int, d.stages)}
		for stage := range s.params {
			s.params[stage] = len(d.Params)
		}
		d.Params = append(d.Params, Param{Term: name, Group: AddedGroup, Index: -1, Constant: name == InterceptName})
		if i >= len(builtin) {
			d.dense = append(d.dense, len(d.slots))
		}
		d.slots = append(d.slots, s)
	}
	for j := range d.Params {
		p := &d.Params[j]
		p.Leader, p.Sign, p.Low, p.High = j, 1, math.Inf(-1), math.Inf(1)
	}
	return d
}

// AddedGroup is the group under which features that are no terms are reported;
// InterceptName and TurnName are the features that every model can have.
const (
	AddedGroup    = "added"
	InterceptName = "intercept"
	TurnName      = "side_to_move"
)

// Scale returns the index of w_0, which is also the number of parameters before it.
func (d *Design) Scale() int { return len(d.Params) }

// Width returns the index of the draw width, if there is one.
func (d *Design) Width() int { return len(d.Params) + 1 }

// Size returns the length of theta: the parameters, w_0 and the draw width.
func (d *Design) Size() int {
	if d.Drawn {
		return len(d.Params) + 2
	}
	return len(d.Params) + 1
}

// Draw returns the draw width in theta, 0 without one.
func (d *Design) Draw(theta []float64) float64 {
	if d.Drawn {
		return theta[d.Width()]
	}
	return 0
}

// Name returns the name of entry j of theta: a parameter, w_0 or the draw width.
func (d *Design) Name(j int) string {
	switch j {
	case d.Scale():
		return "w_0"
	case d.Width():
		return "draw width"
	}
	return d.Params[j].String()
}

// ShareClasses makes d use the stage mixes of o, whose rows d describes too.
func (d *Design) ShareClasses(o *Design) { d.classes, d.byPhase = o.classes, o.byPhase }

// Clone returns a copy of d with parameters of its own.
func (d *Design) Clone() *Design {
	copied := *d
	copied.Params = slices.Clone(d.Params)
	return &copied
}

// Mixing returns a copy of d with the stage mixes of some phases, in their order: sums are added mix by mix.
func (d *Design) Mixing(phases []int) *Design {
	copied := d.Clone()
	copied.classes, copied.byPhase = nil, map[int]uint16{}
	for _, phase := range phases {
		copied.classOf(phase)
	}
	return copied
}

// classOf returns the number of the phase's stage mix.
func (d *Design) classOf(phase int) uint16 {
	if c, ok := d.byPhase[phase]; ok {
		return c
	}
	var k class
	used := 0
	for s, share := range d.mix(phase) {
		if share == 0 {
			continue
		}
		switch used++; used {
		case 1:
			k.a, k.b, k.ma = s, s, share
		case 2:
			k.b, k.mb = s, share
		default:
			panic(fmt.Sprintf("fit: phase %d mixes more than two stages", phase))
		}
	}
	at := len(d.classes)
	for i, have := range d.classes {
		if have == k {
			at = i
		}
	}
	if at == len(d.classes) {
		d.classes = append(d.classes, k)
	}
	d.byPhase[phase] = uint16(at)
	return uint16(at)
}

// eachShare calls f with the parameters that a count of slot s has a part in under class c,
// and with their shares.
func (d *Design) eachShare(s int, c class, f func(param int, share float64)) {
	pa, pb := d.slots[s].params[c.a], d.slots[s].params[c.b]
	if pa == pb {
		f(pa, c.ma+c.mb)
		return
	}
	f(pa, c.ma)
	if c.mb != 0 {
		f(pb, c.mb)
	}
}

// Bounded reports whether some weight has a bound.
func (d *Design) Bounded() bool {
	return slices.ContainsFunc(d.Params, func(p Param) bool { return !math.IsInf(p.Low, 0) || !math.IsInf(p.High, 0) })
}

// SetSide chooses the bound from which a weight is measured first.
func (p *Param) SetSide() {
	switch {
	case math.IsInf(p.Low, 0) && math.IsInf(p.High, 0):
		p.Side = 0
	case math.IsInf(p.High, 0) || !math.IsInf(p.Low, 0) && math.Abs(p.Initial-p.Low) <= math.Abs(p.Initial-p.High):
		p.Side = -1
	default:
		p.Side = 1
	}
}

// Bound returns the bound that p is measured from.
func (p *Param) Bound() float64 {
	if p.Side < 0 {
		return p.Low
	}
	return p.High
}
