package fit

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"kifu/schemas"
)

// Unidentified is the error of a fit whose weights the rows do not determine. Its text
// names the terms and says what to do.
type Unidentified struct {
	// Kind is "no position", "no decided game", "one game", "one winner", "no value",
	// "all free", "collinear", "separable", "no scale", "no draw" or "one value".
	Kind  string
	Terms []string // those involved, "w_0" among them
	text  string
}

func (u *Unidentified) Error() string { return "the fit is not determined: " + u.text }

func unidentified(kind string, terms []string, format string, args ...any) error {
	return &Unidentified{kind, terms, fmt.Sprintf(format, args...)}
}

func (e *estimate) note(kind string, terms []string, text string) {
	if len(terms) > 0 {
		e.notes = append(e.notes, schemas.FitNote{Kind: kind, Terms: terms, Text: text})
	}
}

// list writes names, the first few of them.
func list(names []string) string {
	const most = 6
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// outcomes refuses rows whose results, or values, say nothing, and sets the unit of the
// objective.
func (e *estimate) outcomes(r *rows) error {
	if r.d.decided != nil {
		return decisionsSay(r)
	}
	if e.settings.method == Value && r.n > 0 {
		e.unit = r.deviation()
		switch {
		case e.unit == 0:
			return unidentified("one value", nil, "the target has one value in all %d positions: a fit needs several", r.n)
		case r.games == 1:
			return unidentified("one game", nil, "all %d positions are of one game: take more games, since errors are by game", r.n)
		}
		return nil
	}
	first, second, drawn := 0, 0, 0
	for _, b := range r.blocks {
		for _, y := range b.y {
			if y == 0.5 {
				drawn++
			}
			// A row may stand for several positions, with some wins on either side.
			if y > 0 && y != 0.5 {
				first++
			}
			if y < 1 && y != 0.5 {
				second++
			}
		}
	}
	switch {
	case r.n == 0:
		return unidentified("no position", nil, "no position is left to fit")
	case first+second == 0:
		return unidentified("no decided game", nil, "all %d positions are of drawn games: a win on either side is needed", r.n)
	case r.games == 1:
		return unidentified("one game", nil, "all %d positions are of one game, which has one result: take more games", r.n)
	case first == 0:
		return unidentified("one winner", nil, "the first player wins none of the %d games: take games that both sides win", r.games)
	case second == 0:
		return unidentified("one winner", nil, "the second player wins none of the %d games: take games that both sides win", r.games)
	case r.d.drawn && drawn == 0:
		return unidentified("no draw", []string{"draw width"}, "none of the %d games is drawn, so that the draw width has no least value: use mlm", r.games)
	}
	return nil
}

// allFree refuses to fit every part of e(p) together with its scale.
func (e *estimate) allFree(r *rows) error {
	if e.settings.scale != 0 || e.held() {
		return nil
	}
	k := r.d.scale()
	rest := make([]float64, r.d.size())
	rest[k] = 1
	for j, p := range r.d.params {
		rest[j] = -p.initial
	}
	sum, weight := 0.0, 0.0
	r.eachScore(rest, func(b *block, z []float64) {
		for i, v := range z {
			sum += b.weightOf(i) * v * v
			weight += b.weightOf(i)
		}
	})
	// Values are rounded to hundredths, so that the rest is never quite zero.
	all := e.supports[k].squares / float64(r.n)
	if left := sum / weight; left > 4e-4 && left > 1e-8*all {
		return nil
	}
	hint := ""
	if e.present != nil {
		hint = fmt.Sprintf(" %.6g, which suits the present weights", e.present[k])
	}
	return unidentified("all free", []string{"w_0"}, "all of e(p) is free and w_0 too: any multiple of the weights fits as well, with w_0 divided by it. Hold a term (leave it out of --free), fix the scale (--scale%s), or pull towards the present weights (--l2)", hint)
}

// information makes the Hessian at the start and refuses columns that are sums of
// others. It returns nil when there are too many parameters.
func (e *estimate) information(r *rows) (*metric, error) {
	if limit := e.settings.dense; len(e.u.columns) > limit {
		e.notes = append(e.notes, schemas.FitNote{Kind: "large", Text: fmt.Sprintf("%d weights: more than %d are fitted without standard errors and without a test for collinear terms", len(e.u.columns), limit)})
		return nil, nil
	}
	full := r.hessian(e.theta, e.settings.startLoss(), positive, e.settings.workers)
	if e.settings.l1 == 0 {
		if err := e.collinear(e.u.matrix(full, 1/r.weight, e.ridge)); err != nil {
			return nil, err
		}
	}
	return e.newMetric(r, full)
}

// collinear looks for columns that the others determine, by a Cholesky factorisation
// with pivoting of the scaled information matrix.
func (e *estimate) collinear(h *mat.SymDense) error {
	n := len(e.u.columns)
	if n == 0 {
		return nil
	}
	scaled := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			scaled.SetSym(i, j, h.At(i, j)/math.Sqrt(h.At(i, i)*h.At(j, j)))
		}
	}
	var c mat.PivotedCholesky
	if c.Factorize(scaled, rankLimit) {
		return nil
	}
	rank := c.Rank()
	order := c.ColumnPivots(nil)
	var u mat.TriDense
	c.UTo(&u)
	kept := u.SliceTri(0, rank)
	var texts, all []string
	seen := map[string]bool{}
	for col := rank; col < n; col++ {
		// The kept columns' share in this one: kept·x = the column of u above the diagonal.
		x := mat.NewVecDense(rank, nil)
		for i := range rank {
			x.SetVec(i, u.At(i, col))
		}
		if err := x.SolveVec(kept.(mat.Matrix), x); err != nil {
			continue
		}
		target := e.u.name(order[col])
		var names []string
		for i := range rank {
			if math.Abs(x.AtVec(i)) > 1e-3 {
				names = append(names, e.u.name(order[i]))
			}
		}
		texts = append(texts, fmt.Sprintf("%s is determined by %s", target, list(names)))
		for _, name := range append([]string{target}, names...) {
			if !seen[name] {
				seen[name] = true
				all = append(all, name)
			}
		}
	}
	const most = 4
	more := ""
	if len(texts) > most {
		more = fmt.Sprintf("; and %d more such", len(texts)-most)
		texts = texts[:most]
	}
	return unidentified("collinear", all, "%d of %d weights are sums of others, so that only their combination shows in a result: %s%s. Leave one of each out of --free, or pull towards the present weights with --l2 (1e-6 will do)", n-rank, n, strings.Join(texts, "; "), more)
}

// deviation is the standard deviation of y.
func (r *rows) deviation() float64 {
	mean, sum := r.mean(), 0.0
	for _, b := range r.blocks {
		for i, y := range b.y {
			sum += b.weightOf(i) * (float64(y) - mean) * (float64(y) - mean)
		}
	}
	return math.Sqrt(sum / r.weight)
}
