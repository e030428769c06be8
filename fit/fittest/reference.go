package fittest

import (
	"embed"
	"encoding/csv"
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"kifu/eval"
	"kifu/fit/losses"
	"kifu/fit/rows"
)

// Solution is a fit by an independent solver: the weights and w_0, their errors.
type Solution struct {
	Weights   []float64
	SE        []*float64 // nil without one
	SERobust  []*float64 `json:"se_robust"`
	Z         []float64  // of the weights being zero, in log-odds
	Objective float64
	Target    float64 `json:"target_scale"`
}

// ReferenceRows reads testdata/reference.csv: a is a term with two stages, b one
// without, c an added feature. The deeper value is y for method Value, else the target.
func ReferenceRows(t testing.TB, method string, draws bool, builtin ...string) *rows.Store {
	t.Helper()
	return readRows(t, method, draws, func(int64) int { return math.MaxInt }, builtin)
}

// UnevenRows are 3 to 18 positions of each game of the reference, draws included.
func UnevenRows(t testing.TB, method string) *rows.Store {
	t.Helper()
	return readRows(t, method, true, func(game int64) int { return 3 + int(game)%16 }, nil)
}

// readRows reads reference.csv, of each game the first positions up to most.
func readRows(t testing.TB, method string, draws bool, most func(game int64) int, builtin []string) *rows.Store {
	t.Helper()
	lines := table(t, "reference.csv")
	m := &eval.Model{Stages: []string{"opening", "endgame"}, Knots: []int{24, 0}, Terms: []eval.Term{
		{Name: "a", Group: "g", Weights: []float64{0, 0}}, {Name: "b", Group: "g", Weights: []float64{0}}}}
	d := rows.NewDesign(m, []int{0, 1}, builtin, []string{"c"})
	d.Drawn = method == losses.Ordered
	b := rows.NewBuilder(d)
	b.Blend = true
	taken := map[int64]int{}
	for _, line := range lines[1:] {
		var v [8]float64
		for i := range v {
			var err error
			if v[i], err = strconv.ParseFloat(line[i], 64); err != nil {
				t.Fatal(err)
			}
		}
		if taken[int64(v[0])]++; v[6] == 0.5 && !draws || taken[int64(v[0])] > most(int64(v[0])) {
			continue
		}
		x := &rows.Row{Game: int64(v[0]), Phase: int(v[1]), Value: v[5], Y: v[6], Target: v[7], Weight: 1, Dense: []float64{v[4]}}
		if method == losses.Value {
			x.Y = x.Target
		}
		for slot := range 2 {
			if v[2+slot] != 0 {
				x.Features = append(x.Features, rows.Count{Slot: uint32(slot), N: int16(v[2+slot])})
			}
		}
		if len(builtin) > 0 {
			x.Features = append(x.Features, rows.Count{Slot: 2, N: 1})
		}
		b.Add(x)
	}
	return b.Finish()
}

// NewMove returns a move of a game at a ply, of the first player if sign holds, with its
// counts of a and b and its c.
func NewMove(game, ply int, sign, played bool, phase int, a, b int16, c, value float64) Move {
	x := Move{Row: rows.Row{Game: int64(game), Phase: phase, Value: value, Weight: 1, Y: losses.OtherRow, Stratum: rows.NoStratum, Dense: []float64{c}}, Ply: ply}
	if played {
		x.Y = losses.PlayedRow
	}
	if !sign {
		x.Y = -x.Y
	}
	for slot, n := range []int16{a, b} {
		if n != 0 {
			x.Features = append(x.Features, rows.Count{Slot: uint32(slot), N: n})
		}
	}
	return x
}

// ReferenceChoices reads testdata/choices.csv.
func ReferenceChoices(t testing.TB, method string) *rows.Store {
	t.Helper()
	lines := table(t, "choices.csv")
	return Decisions(method, func(add func(Move)) {
		for _, line := range lines[1:] {
			var v [9]float64
			for i := range v {
				var err error
				if v[i], err = strconv.ParseFloat(line[i], 64); err != nil {
					t.Fatal(err)
				}
			}
			add(NewMove(int(v[0]), int(v[1]), v[2] > 0, v[3] == 1, int(v[4]), int16(v[5]), int16(v[6]), v[7], v[8]))
		}
	})
}

//go:embed testdata/*.csv testdata/*.json
var testdata embed.FS

// Solutions returns a file of solutions by statsmodels and scipy (testdata/*.py), which
// has one JSON object a name.
func Solutions(t testing.TB, file string) map[string]json.RawMessage {
	t.Helper()
	text, err := testdata.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func table(t testing.TB, file string) [][]string {
	t.Helper()
	f, err := testdata.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// Move is a move that could be played, as a row.
type Move struct {
	rows.Row
	Ply int
}

// Decisions puts moves together as a fit does, the one played first, with an evaluator
// of a term a with two stages and a term b with one, and an added feature c.
func Decisions(method string, moves func(add func(Move))) *rows.Store {
	m := &eval.Model{Stages: []string{"opening", "endgame"}, Knots: []int{24, 0}, Terms: []eval.Term{
		{Name: "a", Group: "g", Weights: []float64{0, 0}}, {Name: "b", Group: "g", Weights: []float64{0}}}}
	d := rows.NewDesign(m, []int{0, 1}, nil, []string{"c"})
	d.Decided = losses.DecisionsOf(method)
	b := rows.NewBuilder(d)
	var decision []Move
	end := func() {
		for _, first := range []bool{true, false} {
			for i := range decision {
				if x := &decision[i]; (math.Abs(x.Y) == losses.PlayedRow) == first {
					b.Add(&x.Row)
				}
			}
		}
		decision = decision[:0]
	}
	moves(func(x Move) {
		if n := len(decision); n > 0 && (decision[n-1].Game != x.Game || decision[n-1].Ply != x.Ply) {
			end()
		}
		decision = append(decision, x)
	})
	end()
	r := b.Finish()
	r.WeighDecisions(false)
	return r
}
