package solve

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"kifu/fit/losses"
	"kifu/fit/minimise"
	"kifu/fit/rows"
	"kifu/schemas"
)

// Unidentified is the error of a fit whose weights the rows do not determine. Its text
// names the terms and the next step.
type Unidentified struct {
	// Kind is "no position", "no decided game", "one game", "one winner", "no value",
	// "all free", "collinear", "separable", "no scale", "no draw" or "one value".
	Kind   string
	Terms  []string // those involved, "w_0" among them
	Reason string   // the sentence, which names them and the next step
}

// Error returns the reason as a sentence.
func (u *Unidentified) Error() string { return "the fit is not determined: " + u.Reason }

// Refuse returns an Unidentified with a formatted reason.
func Refuse(kind string, terms []string, format string, args ...any) error {
	return &Unidentified{kind, terms, fmt.Sprintf(format, args...)}
}

func (e *Estimate) note(kind string, terms []string, text string) {
	if len(terms) > 0 {
		e.Notes = append(e.Notes, schemas.FitNote{Kind: kind, Terms: terms, Text: text})
	}
}

// list joins the first few names.
func list(names []string) string {
	const most = 6
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// outcomes refuses rows whose results, or values, have no information, and sets the unit
// of the objective.
func (e *Estimate) outcomes(r *rows.Store) error {
	if r.Design.Decided != nil {
		return decisionsSay(r)
	}
	if e.settings.Method == losses.Value && r.N > 0 {
		e.Unit = r.Deviation()
		switch {
		case e.Unit == 0:
			return Refuse("one value", nil, "the target has one value in all %d positions: a fit needs several", r.N)
		case r.Games == 1:
			return Refuse("one game", nil, "all %d positions are of one game: take more games, since errors are by game", r.N)
		}
		return nil
	}
	first, second, drawn := 0, 0, 0
	for _, b := range r.Blocks {
		for _, y := range b.Y {
			if y == 0.5 {
				drawn++
			}
			// A row may be several positions, with some wins on either side.
			if y > 0 && y != 0.5 {
				first++
			}
			if y < 1 && y != 0.5 {
				second++
			}
		}
	}
	switch {
	case r.N == 0:
		return Refuse("no position", nil, "no position is left to fit")
	case first+second == 0:
		return Refuse("no decided game", nil, "all %d positions are of drawn games: a win on either side is needed", r.N)
	case r.Games == 1:
		return Refuse("one game", nil, "all %d positions are of one game, which has one result: take more games", r.N)
	case first == 0:
		return Refuse("one winner", nil, "the first player wins none of the %d games: take games that both sides win", r.Games)
	case second == 0:
		return Refuse("one winner", nil, "the second player wins none of the %d games: take games that both sides win", r.Games)
	case r.Design.Drawn && drawn == 0:
		return Refuse("no draw", []string{"draw width"}, "none of the %d games is drawn, so the draw width has no minimum: use mlm", r.Games)
	}
	return nil
}

// allFree reports whether every part of e(p) is free and its scale, too: any multiple of the weights then
// fits as well, with w_0 divided by it.
func (e *Estimate) allFree(r *rows.Store) bool {
	if e.settings.Scale != 0 || e.held() {
		return false
	}
	k := r.Design.Scale()
	rest := make([]float64, r.Design.Size())
	rest[k] = 1
	for j, p := range r.Design.Params {
		rest[j] = -p.Initial
	}
	sum, weight := 0.0, 0.0
	r.Counted(e.settings.Workers).EachScore(rest, func(b *rows.Block, z []float64) {
		for i, v := range z {
			sum += b.WeightOf(i) * v * v
			weight += b.WeightOf(i)
		}
	})
	// Values are rounded to hundredths, so that the rest is never quite zero.
	all := e.Supports[k].Squares / float64(r.N)
	left := sum / weight
	return left <= 4e-4 || left <= 1e-8*all
}

// holdScale holds w_0 at what suits the present weights, or refuses where that cannot be.
func (e *Estimate) holdScale() error {
	const same = "all of e(p) is free and w_0 too: any multiple of the weights fits as well, with w_0 divided by it"
	k := e.Design.Scale()
	switch {
	case e.settings.Method == losses.LSTD:
		return Refuse("all free", []string{"w_0"}, same+". Hold a term (leave it out of --free)")
	case e.Present == nil || e.settings.Levels != nil || e.settings.L1 > 0 || e.Design.Bounded():
		return Refuse("all free", []string{"w_0"}, same+". Hold a term (leave it out of --free), or fix the scale (--scale)")
	}
	e.settings.Scale = e.Present[k]
	e.Status[k] = schemas.StatusFixed
	e.note("scale held", []string{"w_0"}, fmt.Sprintf("is fixed at %.6g, the best value for the present weights, because all of e(p) is free (--scale fixes another)", e.Present[k]))
	return nil
}

// begin returns the Hessian at the start, and the rows that it is made of: those that guide the steps, or all rows if the
// former do not determine the weights.
func (e *Estimate) begin(r *rows.Store) (first *minimise.Metric, some *rows.Store, err error) {
	if some = e.guides(r); some != r {
		if first, err = e.information(some); err == nil {
			return first, some, nil
		}
	}
	first, err = e.information(r)
	return first, r, err
}

// information makes the Hessian at the start and refuses columns that are sums of
// others. It returns nil when there are too many parameters.
func (e *Estimate) information(r *rows.Store) (*minimise.Metric, error) {
	if limit := e.settings.dense; len(e.u.Columns) > limit {
		e.Notes = append(e.Notes, schemas.FitNote{Kind: "large", Text: fmt.Sprintf("%d weights: more than %d are fitted without standard errors and without a test for collinear terms", len(e.u.Columns), limit)})
		return nil, nil
	}
	full := r.Hessian(e.theta, e.settings.startLoss(), losses.Positive, e.settings.Workers)
	if e.settings.L1 == 0 {
		if err := e.collinear(e.u.Matrix(full, 1/r.Weight, e.ridge)); err != nil {
			return nil, err
		}
	}
	return e.newMetric(r, full)
}

// collinear looks for columns that the others determine, by a Cholesky factorisation
// with pivoting of the scaled information matrix.
func (e *Estimate) collinear(h *mat.SymDense) error {
	n := len(e.u.Columns)
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
		target := e.u.Name(order[col])
		var names []string
		for i := range rank {
			if math.Abs(x.AtVec(i)) > 1e-3 {
				names = append(names, e.u.Name(order[i]))
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
	return Refuse("collinear", all, "%d of %d weights are sums of others, so only their combination is determined: %s%s. Leave one of each out of --free, or shrink towards the present weights with --l2 (1e-6 is enough)", n-rank, n, strings.Join(texts, "; "), more)
}

// words are the words of messages about winners, or about moves.
type words struct{ all, never, thin, apart, inverse string }

func (e *Estimate) words() words {
	if e.Design.Decided == nil {
		return words{
			all: "every winner", never: "is zero in every position", thin: "is non-zero",
			apart:   "is always on the winner's side, or always on the loser's",
			inverse: "positions with a higher e(p) are won less often",
		}
	}
	return words{
		all: "every move played", never: "is the same after all moves of every decision", thin: "differs between moves",
		apart:   "is never less, or never more, after the move played than after the others",
		inverse: "moves to a higher e(p) are played less often",
	}
}

// decisionsSay refuses decisions without information.
func decisionsSay(r *rows.Store) error {
	switch {
	case r.N == 0:
		return Refuse("no position", nil, "no decision is left to fit")
	case r.Games == 1:
		return Refuse("one game", nil, "all %d decisions are of one game: take more games, since errors are by game", r.Decisions())
	}
	return nil
}
