package diff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/internal/table"
	"kifu/report/numbers"
)

// play returns n results, in hundredths, of games of 60 players, whose own means spread by the given deviation.
func play(r *rand.Rand, n int, spread float64) (results []float64, player []int) {
	strength := make([]float64, 60)
	for i := range strength {
		strength[i] = spread * r.NormFloat64()
	}
	for range n {
		p := r.IntN(len(strength))
		results, player = append(results, 55+strength[p]+45*r.NormFloat64()), append(player, p)
	}
	return results, player
}

// estimate is a report of the mean result, with its interval by player.
func estimate(results []float64, player []int) numbers.File {
	sum, n := 0.0, float64(len(results))
	for _, x := range results {
		sum += x
	}
	of, variance := map[int]float64{}, 0.0
	for i, x := range results {
		of[player[i]] += x - sum/n
	}
	for _, x := range of {
		variance += x * x
	}
	se := math.Sqrt(variance) / n * math.Sqrt(60./59)
	t := table.Table{Name: "x", Head: []table.Cell{table.Text("games"), table.Number("score"), table.Number("± s.e.")},
		Rows: [][]string{{"all", fmt.Sprintf("%.1f\u00a0%%", sum/n), fmt.Sprintf("%.3f", se)}}}
	return numbers.File{Prefix: "r", Numbers: numbers.Of(table.Document{Tables: []table.Table{t}}, "r", "r")}
}

// TestCoverage: where nothing changed, one in twenty numbers moves beyond its error, of other games, of more games, of a
// window that goes on; fewer where players recur. Without pairing those that share games hardly ever move.
func TestCoverage(t *testing.T) {
	for _, c := range []struct {
		name      string
		from, all int // B has the games from..all; A has the first 600
		spread    float64
		shared    Shared
		low, high float64
	}{
		{"A within B", 0, 1500, 0, Shared{1, 0.4}, 0.03, 0.065},
		{"B within A", 300, 600, 0, Shared{0.5, 1}, 0.03, 0.065},
		{"a window", 200, 1000, 0, Shared{400. / 600, 400. / 800}, 0.03, 0.065},
		{"other games", 600, 1500, 0, Shared{}, 0.03, 0.065},
		{"A within B, players", 0, 1500, 12, Shared{1, 0.4}, 0.01, 0.06},
		{"a window, players", 200, 1000, 12, Shared{400. / 600, 400. / 800}, 0.008, 0.06},
		{"other games, players", 600, 1500, 12, Shared{}, 0.03, 0.07},
		{"A within B, not paired", 0, 1500, 0, Shared{}, 0, 0.008},
	} {
		moved, runs := 0, 1500
		for i := range runs {
			r := rand.New(rand.NewPCG(uint64(i), 7))
			results, player := play(r, c.all, c.spread)
			a, b := estimate(results[:600], player[:600]), numbers.File{}
			if c.from == 600 {
				b = estimate(play(r, c.all-c.from, c.spread))
			} else {
				b = estimate(results[c.from:], player[c.from:])
			}
			compared := Compare(a, b, c.shared)
			if compared.Compared != 1 {
				t.Fatalf("%s: %d numbers compared", c.name, compared.Compared)
			}
			moved += len(compared.Moved)
		}
		if share := float64(moved) / float64(runs); share < c.low || share > c.high {
			t.Errorf("%s: %.3f of the numbers moved, want %v to %v", c.name, share, c.low, c.high)
		}
	}
}

// TestCompare: names are compared without the prefixes of the reports; numbers without intervals and those of one
// report alone are counted.
func TestCompare(t *testing.T) {
	file := func(prefix string, row ...string) numbers.File {
		head := []table.Cell{table.Text("curve"), table.Number("games"), table.Number("won"), table.Number("95\u00a0% interval")}
		d := table.Document{Lead: "Of 7 games.", Tables: []table.Table{{Name: "curve-all", Head: head, Rows: [][]string{row}}}}
		return numbers.File{Prefix: prefix, Numbers: numbers.Of(d, "curve", prefix)}
	}
	r := Compare(file("old", "total", "1,200", "52.0 %", "50.0–54.0"), file("new", "total", "1,500", "58.0 %", "56.0–60.0"), Shared{})
	if r.Compared != 1 || r.Bare != 2 || r.OnlyA != 0 || r.OnlyB != 0 || len(r.Moved) != 1 {
		t.Fatalf("%+v", r)
	}
	if got := strings.Join(r.Table().Rows[0], "|"); got != "old/all/total/won|52.0 %|58.0 %|+6.0|+3.2 to +8.8" {
		t.Errorf("the table has %s", got)
	}
	if r := Compare(file("a", "total", "1", "52.0 %", "50.0–54.0"), file("b", "rest", "1", "52.0 %", "50.0–54.0"), Shared{}); r.OnlyA != 3 || r.OnlyB != 3 {
		t.Errorf("%d numbers of A alone and %d of B, want 3 and 3", r.OnlyA, r.OnlyB)
	}
}
