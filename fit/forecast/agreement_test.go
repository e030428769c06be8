package forecast

import (
	"encoding/json"
	"math"
	"testing"

	"kifu/fit/fittest"
	"kifu/fit/losses"
)

// TestAgreement holds the order agreement to scikit-learn's ROC curve and scipy's
// Somers' D (testdata/reference.py), and to its definition.
func TestAgreement(t *testing.T) {
	var want struct{ AUC, Somers float64 }
	if err := json.Unmarshal(fittest.Solutions(t, "reference.json")["agreement"], &want); err != nil {
		t.Fatal(err)
	}
	var all, decided []point
	r := fittest.ReferenceRows(t, losses.MLM, true)
	n := 0
	for _, b := range r.Blocks {
		for i := range b.Rows() {
			p := point{z: math.RoundToEven(float64(b.Value[i]) / 50), y: float64(b.Y[i]), w: 1}
			all = append(all, p)
			if p.w = float64(1 + n%3); p.y != 0.5 {
				decided = append(decided, p)
			}
			n++
		}
	}
	if got := agreement(decided); math.Abs(*got-want.AUC) > 1e-12 {
		t.Errorf("wins and losses: %v, want %v", *got, want.AUC)
	}
	if got := agreement(all); math.Abs(*got-want.Somers) > 1e-12 {
		t.Errorf("with draws: %v, want %v", *got, want.Somers)
	}
	some := all[:200]
	for i := range some {
		some[i].w = float64(1 + i%4)
	}
	right, pairs := 0.0, 0.0
	for _, a := range some {
		for _, b := range some {
			if a.y > b.y {
				pairs += a.w * b.w
				if a.z > b.z {
					right += a.w * b.w
				} else if a.z == b.z {
					right += a.w * b.w / 2
				}
			}
		}
	}
	if got := agreement(some); math.Abs(*got-right/pairs) > 1e-12 {
		t.Errorf("weighted: %v, want %v", *got, right/pairs)
	}
	if got := agreement([]point{{1, 1, 1, 0}, {2, 1, 1, 0}}); got != nil {
		t.Errorf("no pair: %v", *got)
	}
}
