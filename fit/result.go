package fit

import (
	"encoding/json"
	"fmt"
	"math"

	"kifu/datasets"
)

// Result is a whole fit: fit.json, and the weights of the table.
type Result struct {
	Method    string  `json:"method"` // MLM or LS
	Game      string  `json:"game"`
	Unit      string  `json:"unit"`
	Evaluator string  `json:"evaluator"` // name of the weights that were fitted from
	Value     string  `json:"value"`     // label column that is e(p)
	Draws     string  `json:"draws"`
	L2        float64 `json:"l2"`
	Holdout   float64 `json:"holdout"`
	Seed      uint64  `json:"seed"`
	MinGames  int     `json:"min_games"`

	Scale  Scale   `json:"w_0"`
	Solver Solver  `json:"solver"`
	Train  *Sample `json:"train"`
	Held   *Sample `json:"held_out"` // null without a hold-out

	Excluded map[string]int64 `json:"excluded"` // positions by reason
	Notes    []Note           `json:"notes"`
	Errors   string           `json:"errors"` // how they were computed
	Added    []Feature        `json:"added"`

	Weights []Weight `json:"-"` // the rows of the table
}

// Scale is w_0, in 1/unit: a value of 1/w_0 wins with probability 0.73. Without an
// error the pointers are nil.
type Scale struct {
	Value    float64  `json:"value"`
	Status   string   `json:"status"` // StatusFitted or StatusFixed
	SE       *float64 `json:"se"`
	SERobust *float64 `json:"se_robust"`
	CILow    *float64 `json:"ci_low"`
	CIHigh   *float64 `json:"ci_high"`
	// Original is the w_0 that suits e(p) as it was; nil when there is none.
	Original *float64 `json:"original"`
}

// Solver says how the minimum was found.
type Solver struct {
	Objective     float64 `json:"objective"` // mean loss at the solution, without the ridge
	ObjectiveName string  `json:"objective_name"`
	Ridge         float64 `json:"ridge"` // the ridge's part
	// GradientNorm is sqrt(gᵀH⁻¹g), g the gradient of the mean objective and H a Hessian
	// of it near the solution; the distance to the minimum is about GradientNorm·√n
	// standard errors. The solver stops below Tolerance.
	GradientNorm float64 `json:"gradient_norm"`
	Tolerance    float64 `json:"tolerance"`
	GradientMax  float64 `json:"gradient_max"` // largest |∂ mean objective/∂θ_j|
	Iterations   int     `json:"iterations"`
	Passes       int     `json:"passes"` // over the rows, for value and gradient
	Status       string  `json:"status"`
	Start        string  `json:"start"`
	Parameters   int     `json:"parameters"` // that were fitted, w_0 included
	BytesPerRow  float64 `json:"bytes_per_row"`
}

// Weight is one row of the table (schemas.Weights); errors that there are not are nil.
type Weight struct {
	Term, Group     string
	Stage           string // "" when the weight does not depend on the phase
	Initial, Fitted float64
	SE, SERobust    *float64
	CILow, CIHigh   *float64
	Z               *float64
	Positions       int64
	Games           int64
	Status          string
}

// Read reads a fit.
func Read(dir *datasets.Dir) (*Result, error) {
	if err := dir.Want("weights"); err != nil {
		return nil, err
	}
	text, err := dir.ReadFile("fit.json")
	if err != nil {
		return nil, err
	}
	r := new(Result)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s/fit.json: %w", dir.Path, err)
	}
	b := datasets.NewBatch(dir.Table)
	for i := range dir.Manifest.Parts {
		if err := readWeights(dir, i, b, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func readWeights(dir *datasets.Dir, i int, b *datasets.Batch, r *Result) error {
	part, err := dir.OpenPart(i)
	if err != nil {
		return err
	}
	defer part.Close()
	for g := range part.RowGroups() {
		if err := part.Read(g, b); err != nil {
			return err
		}
		number := func(name string, i int) *float64 {
			v := b.Col(name)
			if v.IsNull(i) {
				return nil
			}
			return &[]float64{v.Float64[i]}[0]
		}
		for i := range b.Rows {
			r.Weights = append(r.Weights, Weight{
				Term: string(b.Col("term").Value(i)), Group: string(b.Col("term_group").Value(i)), Stage: string(b.Col("stage").Value(i)),
				Initial: b.Col("initial_weight").Float64[i], Fitted: b.Col("weight").Float64[i],
				SE: number("se", i), SERobust: number("se_robust", i), CILow: number("ci_low", i), CIHigh: number("ci_high", i), Z: number("z", i),
				Positions: b.Col("positions").Int64[i], Games: b.Col("games").Int64[i], Status: string(b.Col("status").Value(i)),
			})
		}
	}
	return nil
}

// known is nil for what is not a number.
func known(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
