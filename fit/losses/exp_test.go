package losses

import (
	"math"
	"testing"
)

// TestExpMinus holds expMinus against math.Exp.
func TestExpMinus(t *testing.T) {
	for x := 0.0; x < 700; x += 0.000937 + x/1e4 {
		if got, want := expMinus(x), math.Exp(-x); math.Abs(got/want-1) > 1e-15 {
			t.Fatalf("exp(-%v) = %v, want %v: off by %g", x, got, want, got/want-1)
		}
	}
	if got := expMinus(math.Inf(1)); !(got >= 0 && got < 1e-300) {
		t.Errorf("exp(-∞) = %v", got)
	}
	if got := expMinus(0); got != 1 {
		t.Errorf("exp(0) = %v", got)
	}
	if got := expMinus(math.NaN()); !math.IsNaN(got) {
		t.Errorf("exp(NaN) = %v", got)
	}
}

func BenchmarkExpMinus(b *testing.B) {
	sum := 0.0
	for i := range b.N {
		sum += expMinus(float64(i&1023) / 100)
	}
	if sum < 0 {
		b.Fatal(sum)
	}
}

func BenchmarkMathExp(b *testing.B) {
	sum := 0.0
	for i := range b.N {
		sum += math.Exp(-float64(i&1023) / 100)
	}
	if sum < 0 {
		b.Fatal(sum)
	}
}
