package eval

import (
	"bytes"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
)

const small = `game = "chess"
name = "small"
unit = "centipawns"
stages = ["opening", "endgame"]
knots = [24, 0]

[material]
pawn = [82.00, 94.50]
knight = [337.25, -0.01]

[tempo]
tempo = 12.00
`

func TestTOMLRoundTrip(t *testing.T) {
	m, err := ReadModel(strings.NewReader(small))
	if err != nil {
		t.Fatal(err)
	}
	want := &Model{Game: "chess", Name: "small", Unit: "centipawns",
		Stages: []string{"opening", "endgame"}, Knots: []int{24, 0},
		Terms: []Term{
			{"pawn", "material", []float64{82, 94.5}},
			{"knight", "material", []float64{337.25, -0.01}},
			{"tempo", "tempo", []float64{12}},
		}}
	if d := cmp.Diff(want, m); d != "" {
		t.Error(d)
	}
	text, err := m.TOML()
	if err != nil || string(text) != small {
		t.Errorf("written back (%v):\n%s", err, text)
	}
}

// Any model whose weights are hundredths is read back to the bit, and the written text is
// TOML to the library's own decoder too.
func TestTOMLRoundTripRandom(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	names := []string{"a", "b-2", "with space", "Ünïcode", `quo"te\`, "tab\t", "x.y", "1"}
	for range 200 {
		m := &Model{Game: "g", Name: names[r.Intn(len(names))], Unit: "discs", Stages: []string{"s"}, Knots: []int{0}}
		if r.Intn(2) == 0 {
			m.Corrections = r.Intn(2) == 0
			m.Stages, m.Knots, m.Step = []string{"a", "b", "c"}, []int{-3, 7, 60}, r.Intn(2) == 0
		}
		for _, i := range r.Perm(len(names)) {
			term := Term{Name: names[i] + "_t", Group: "all"}
			if i < 4 {
				term.Weights = []float64{float64(r.Intn(2e8)-1e8) / 100}
			} else {
				for range m.Stages {
					term.Weights = append(term.Weights, float64(r.Intn(4001)-2000)/100)
				}
			}
			// Dots would make a nested key of a bare name; they are refused on reading.
			term.Name = strings.ReplaceAll(term.Name, ".", "_")
			m.Terms = append(m.Terms, term)
		}
		for _, i := range r.Perm(len(names))[:r.Intn(3)] {
			m.Reals = append(m.Reals, Real{names[i], r.NormFloat64() * math.Pow(10, float64(r.Intn(20)-10))})
		}
		for range r.Intn(3) * 9 {
			m.Network = append(m.Network, float32(r.NormFloat64()))
		}
		text, err := m.TOML()
		if err != nil {
			t.Fatal(err)
		}
		var any map[string]any
		if err := toml.Unmarshal(text, &any); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		back, err := ReadModel(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if d := cmp.Diff(m, back); d != "" {
			t.Fatal(d)
		}
	}
}

func TestTOMLRounds(t *testing.T) {
	m := &Model{Stages: []string{"s"}, Knots: []int{0}, Terms: []Term{{"x", "g", []float64{1.2345}}, {"y", "g", []float64{-0.001}}}}
	text, _ := m.TOML()
	if !strings.Contains(string(text), "x = 1.23\ny = 0.00\n") {
		t.Errorf("written:\n%s", text)
	}
	if w := m.Round().Terms[1].Weights[0]; w != 0 || math.Signbit(w) {
		t.Errorf("rounded to %v", w)
	}
}

func TestReadModelErrors(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"syntax", "knots = [24, 0]", "knots = [24, 0", "line 7"},
		{"unknown key", `name = "small"`, `nam = "small"`, `line 2: unknown key "nam"`},
		{"too many weights", "[82.00, 94.50]", "[1, 2, 3]", `line 8: term "pawn" has 3 weights`},
		{"not a number", "12.00", `"12"`, `line 12: term "tempo": want a number, not "12"`},
		{"not finite", "12.00", "nan", `term "tempo" has weight NaN`},
		{"term twice", "knight", "pawn", `line 9: term "pawn" appears twice`},
		{"term in two groups", "tempo = 12", "pawn = 12", `line 12: term "pawn" appears twice, in "material" and in "tempo"`},
		{"group twice", "[tempo]", "[material]", `line 11: group "material" appears twice`},
		{"dots", "tempo = 12", "a.b = 12", `line 12: "a.b": names must have no dots`},
		{"array table", "[tempo]", "[[tempo]]", `line 11: "tempo": want a plain table for a group`},
		{"no stages", `stages = ["opening", "endgame"]`, "", "line 7: group"},
		{"knots", "[24, 0]", "[24]", "2 stages and 1 knots"},
		{"network", "knots", "network = [0.1, nan]\nknots", "parameter 1 of the network is NaN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadModel(strings.NewReader(strings.Replace(small, c.from, c.to, 1)))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestFill(t *testing.T) {
	base, _ := ReadModel(strings.NewReader(small))
	read := func(groups string) (*Model, error) {
		m, err := ReadModel(strings.NewReader(small[:strings.Index(small, "[material]")] + groups))
		if err != nil {
			t.Fatal(err)
		}
		return base.Fill(m)
	}
	m, err := read("[tempo]\ntempo = 3\n[material]\nknight = 300\n")
	if err != nil {
		t.Fatal(err)
	}
	want := base.Clone()
	want.Terms[1].Weights = []float64{300, 300}
	want.Terms[2].Weights = []float64{3}
	if d := cmp.Diff(want, m); d != "" {
		t.Error(d)
	}
	if _, err := read("[material]\nknigth = 300\n"); err == nil || !strings.Contains(err.Error(), `no term "knigth": did you mean knight?`) {
		t.Error(err)
	}
	if _, err := read("[tempo]\ntempo = [1, 2]\n"); err == nil || !strings.Contains(err.Error(), "does not depend on the phase") {
		t.Error(err)
	}
	network := base.Clone()
	network.Network = make([]float32, 5)
	if _, err := base.Fill(network); err == nil || !strings.Contains(err.Error(), "a network of 5 parameters, the chess evaluator takes 0") {
		t.Error(err)
	}
	if filled, err := network.Fill(network); err != nil || len(filled.Network) != 5 {
		t.Error(filled, err)
	}
	other := base.Clone()
	other.Game = "othello"
	if _, err := base.Fill(other); err == nil {
		t.Error("weights of another game were taken")
	}
}
