package reporttest

import (
	"context"
	"fmt"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/kit/datasettest"
	"kifu/schemas"
)

// weightRow is a row of a test's fit; se 0 means none.
type weightRow struct {
	group, term, stage  string
	initial, weight, se float64
	status              string
}

// WriteFit writes a dataset of weights as a fit by this method does.
func WriteFit(t *testing.T, method string, rows []weightRow) *datasets.Dir {
	t.Helper()
	dir := t.TempDir()
	return datasettest.Build(t, dir, datasets.Step{Stage: "fit", Output: schemas.Weights.ID(), Params: method,
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			b.SetTable(schemas.Weights)
			batch := columns.NewBatch(schemas.Weights)
			for _, r := range rows {
				appendWeight(batch, r)
			}
			if err := datasettest.Part(b, 0, batch); err != nil {
				return err
			}
			return b.AddFile("fit.json", []byte(fmt.Sprintf(`{"method": %q, "game": "chess", "unit": "centipawns", "draws": "exclude",
				"w_0": {"value": 0.0062, "status": "fitted", "se_robust": 0.0002, "original": 0.0058},
				"solver": {"status": "converged"}, "errors": "sandwich by game",
				"train": {"positions": 12345, "games": 321, "base": {"log_loss": 0.6931, "brier": 0.25, "accuracy": 0.5},
					"original": {"log_loss": 0.58, "brier": 0.2, "accuracy": 0.66}, "fitted": {"log_loss": 0.57, "brier": 0.19, "accuracy": 0.6712}},
				"held_out": {"positions": 2345, "games": 81, "base": {"log_loss": 0.6932, "brier": 0.25, "accuracy": 0.5}, "original": null,
					"fitted": {"log_loss": 0.5812, "brier": 0.2013, "accuracy": 0.6543}},
				"notes": [{"kind": "thin", "text": "storm is rare"}]}`, method)))
		}})
}

func appendWeight(b *columns.Batch, r weightRow) {
	b.Rows++
	optional := func(name string, v float64) {
		if r.se == 0 {
			b.Col(name).AppendNull()
			return
		}
		b.Col(name).AppendFloat64(v)
	}
	b.Col("term").AppendString(r.term)
	b.Col("term_group").AppendString(r.group)
	if r.stage == "" {
		b.Col("stage").AppendNull()
	} else {
		b.Col("stage").AppendString(r.stage)
	}
	b.Col("initial_weight").AppendFloat64(r.initial)
	b.Col("weight").AppendFloat64(r.weight)
	optional("se", r.se/2)
	optional("se_robust", r.se)
	optional("ci_low", r.weight-1.96*r.se)
	optional("ci_high", r.weight+1.96*r.se)
	optional("z", r.weight/r.se)
	b.Col("positions").AppendInt64(4321)
	b.Col("games").AppendInt64(210)
	b.Col("status").AppendString(r.status)
}

// TwoFits returns the datasets of two fits to compare.
func TwoFits(t *testing.T) []*datasets.Dir {
	return []*datasets.Dir{
		WriteFit(t, "mlm", []weightRow{
			{"king_safety", "shelter", "opening", 0, 31.25, 4, "fitted"},
			{"king_safety", "shelter", "endgame", 0, -2.5, 5, "fitted"},
			{"king_safety", "storm", "", 0, 900, 400, "fitted"},
			{"bishops", "bishop_pair", "", 40, 40, 0, "never fires"},
		}),
		WriteFit(t, "ls", []weightRow{
			{"king_safety", "shelter", "opening", 0, 28, 4.5, "fitted"},
			{"king_safety", "shelter", "endgame", 0, 0.004, 5.5, "fitted"},
			{"added", "pair", "", 0, 25.04, 3, "fitted"},
		}),
	}
}
