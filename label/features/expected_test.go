package features

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"kifu/fit"
	"kifu/fit/computed"
	"kifu/fit/losses"
	"kifu/fit/method"
)

// TestExpectedResultsAreSharesOfGames: a position whose expected result is k/8 weighs, in fits by
// either method, as eight of it do of which k are won and the others lost: the same weights, and
// the same errors by game.
func TestExpectedResultsAreSharesOfGames(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var soft, hard strings.Builder
	soft.WriteString("game,expected_result,a,b,c\n")
	hard.WriteString("game,result,a,b,c\n")
	for i := range 3000 {
		a, b, c := r.IntN(9)-4, r.IntN(5)-2, r.NormFloat64()
		p := 1 / (1 + math.Exp(-0.4*float64(a)+0.3*float64(b)-0.5*c+0.5*r.NormFloat64()))
		k := int(math.Round(8 * p))
		x := fmt.Sprintf("%d,%d,%.4f\n", a, b, c)
		fmt.Fprintf(&soft, "%d,%v,%s", i/10, float64(k)/8, x)
		for j := range 8 {
			won := 0
			if j < k {
				won = 1
			}
			fmt.Fprintf(&hard, "%d,%d,%s", i/10, won, x)
		}
	}
	for _, of := range []string{losses.MLM, losses.LS} {
		var fits [][]map[string]string
		for name, text := range map[string]string{"soft": soft.String(), "hard": hard.String()} {
			labels, err := build(t, Params{}, file(t, name+".csv", text))
			if err != nil {
				t.Fatal(err)
			}
			own := method.Choices{Held: method.Held{Scale: 1}}
			if name == "soft" {
				own.Expected = "expected_result"
			}
			m, err := own.Of(of)
			if err != nil {
				t.Fatal(err)
			}
			p := fit.Params{Method: m, Draws: fit.DrawsExclude, Free: []string{"all"}, Add: []computed.Feature{{Name: "c", SQL: "c"}}}
			weights, _ := fitted(t, p, labels)
			fits = append(fits, weights)
		}
		for i := range fits[0] {
			for _, name := range []string{"weight", "se_robust"} {
				x, err := strconv.ParseFloat(fits[0][i][name], 64)
				y, err2 := strconv.ParseFloat(fits[1][i][name], 64)
				if err != nil || err2 != nil || math.Abs(x-y) > 1e-7*math.Abs(x) {
					t.Errorf("%s: %s of %s is %s and %s", of, name, fits[0][i]["term"], fits[0][i][name], fits[1][i][name])
				}
			}
		}
		if len(fits[0]) != 3 {
			t.Errorf("%s: %d weights", of, len(fits[0]))
		}
	}
}

// TestExpectedOutside: numbers that are no chance are refused with their line.
func TestExpectedOutside(t *testing.T) {
	if _, err := build(t, Params{}, file(t, "a.csv", "game,expected_result,a\n1,0.5,1\n1,1.5,1\n")); err == nil || !strings.Contains(err.Error(), "line 3, column expected_result: 1.5: want") {
		t.Error(err)
	}
}
