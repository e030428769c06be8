package multiple

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// TestFalseDiscovery: the fifteen p-values of Benjamini and Hochberg (1995, section 4.1), of which their procedure rejects the
// first four at 0.05, backwards and with a place without a test.
func TestFalseDiscovery(t *testing.T) {
	p := []float64{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000, math.NaN()}
	slices.Reverse(p)
	for i, q := range FalseDiscovery(p) {
		if rejected, want := q <= 0.05, p[i] <= 0.0095; rejected != want || math.IsNaN(q) != math.IsNaN(p[i]) {
			t.Errorf("%v has q %v, want rejected %v", p[i], q, want)
		}
	}
}

// TestDefinition holds q to the procedure at each rate: the k smallest p are rejected for the largest k with p_k ≤ rate·k/tests.
func TestDefinition(t *testing.T) {
	p, tests := []float64{0.2, 0.001, 0.03, 0.031, 0.0311, 0.6, 0.012, 0.03}, int64(11)
	sorted := slices.Sorted(slices.Values(p))
	q := FalseDiscoveryOf(p, tests)
	for rate := 0.005; rate < 1; rate += 0.0037 {
		bound := -1.0
		for k, x := range sorted {
			if x <= rate*float64(k+1)/float64(tests) {
				bound = x
			}
		}
		for i, x := range p {
			if (q[i] <= rate) != (x <= bound) {
				t.Errorf("rate %v: p %v has q %v, rejected up to %v", rate, x, q[i], bound)
			}
		}
	}
}

// TestHolm: the p-values of Holm (1979) by their definition.
func TestHolm(t *testing.T) {
	got := fmt.Sprintf("%.2f", Holm([]float64{0.01, math.NaN(), 0.04, 0.03, 0.005}))
	if want := "[0.03 NaN 0.06 0.06 0.02]"; got != want {
		t.Errorf("adjusted p-values are %v, want %v", got, want)
	}
}
