package paired

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestDiffer: estimates from the same games whose errors have the correlation 0.9: the interval of their difference
// holds it in 95 of 100 samples, and is a third as wide as for independent ones; other labels have none.
func TestDiffer(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const samples, games = 2000, 500
	k, held, narrower := Key{"g", "t", ""}, 0, 0.0
	for range samples {
		a, b := make(Moved, Groups), make(Moved, Groups)
		for id := range games {
			x, y := rng.NormFloat64(), rng.NormFloat64()
			a[Group(int64(id))] += x
			b[Group(int64(id))] += 0.9*x + math.Sqrt(1-0.81)*y
		}
		estimate := [2]float64{10, 12}
		for i := range a {
			estimate[0], estimate[1] = estimate[0]+a[i], estimate[1]+b[i]
		}
		se := math.Sqrt(games)
		f, g := Fit{"labels", map[Key]Moved{k: a}}, Fit{"labels", map[Key]Moved{k: b}}
		d, ok := f.Differ(g, k, estimate[0], se, estimate[1], se)
		if !ok {
			t.Fatal("no difference")
		}
		if d.Low <= 2 && 2 <= d.High {
			held++
		}
		narrower += d.SE / (se * math.Sqrt2) / samples
		if _, ok := f.Differ(Fit{"others", g.moved}, k, 0, 1, 0, 1); ok {
			t.Fatal("a difference of fits to other labels")
		}
	}
	if share := float64(held) / samples; share < 0.94 || share > 0.98 || narrower > 0.4 {
		t.Errorf("held in %.3f, %.2f of the independent error", share, narrower)
	}
}

// TestTable: what is written is read, and what is damaged is named.
func TestTable(t *testing.T) {
	m := make(Moved, Groups)
	m[3], m[127] = 1.5, -2e-9
	var text []byte
	for _, row := range Table(func(int) Key { return Key{"king", "shelter", "late"} }, []Moved{m}) {
		text = append(text, strings.Join(row, ",")+"\n"...)
	}
	f, err := Parse("labels", text)
	if got := f.moved[Key{"king", "shelter", "late"}]; err != nil || got[3] != 1.5 || got[127] != -2e-9 {
		t.Errorf("%v, %v", f, err)
	}
	if _, err := Parse("labels", append(text, "a,b,c\n"...)); err == nil {
		t.Error("a short line is read")
	}
}
