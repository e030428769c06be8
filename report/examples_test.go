package report

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"kifu/datasets"
	"kifu/query"
	"kifu/schemas"
)

// curveExample is what the example of a curve asks for.
var curveExample = CurveParams{When: when, MinCount: 30, Sources: []string{"labels"}}

// example is a report as a user makes it, of data that are committed here.
type example struct {
	name string
	make func(t *testing.T, workers int, out Output) error
}

// examples are one of each kind, from which the pages and the files are tested. What is
// behind a hyphen tells two of a report apart.
var examples = []example{
	{"database", func(t *testing.T, workers int, out Output) error {
		games, positions := databaseInputs(t)
		return Database(context.Background(), DatabaseParams{Sources: []string{"games", "games"}, Workers: workers}, []*datasets.Dir{games, positions}, out)
	}},
	{"opening", func(t *testing.T, workers int, out Output) error {
		labels, choices := openingInputs(t)
		p := OpeningParams{Sources: []string{"labels", "choices"}, Depth: 4, MinGames: 4, Workers: workers}
		return Opening(context.Background(), p, []*datasets.Dir{labels, choices}, out)
	}},
	{"curve", func(t *testing.T, workers int, out Output) error {
		p := curveExample
		p.Workers = workers
		return Curve(context.Background(), p, []*datasets.Dir{writeLabels(t, t.TempDir(), committed(t), map[string]string{"zeroed": "king_safety"})}, out)
	}},
	{"split", func(t *testing.T, workers int, out Output) error {
		p := SplitParams{Source: "labels", Holdout: 0.3, FDR: 0.05, Top: 10, MinCount: 300, Workers: workers}
		return Split(context.Background(), p, []*datasets.Dir{writeLabels(t, t.TempDir(), planted(3, 3000), nil)}, out)
	}},
	{"weights", func(t *testing.T, workers int, out Output) error {
		return Weights(context.Background(), WeightsParams{Sources: []string{"mlm", "ls"}, Workers: workers}, twoFits(t), out)
	}},
	{"opponent", func(t *testing.T, workers int, out Output) error {
		in := []*datasets.Dir{learnedModel(t, "learned"), learnedModel(t, "given")}
		return Opponent(context.Background(), OpponentParams{Sources: []string{"learned", "given"}, Workers: workers}, in, out)
	}},
	{"calibration", func(t *testing.T, workers int, out Output) error {
		p := CalibrationParams{Bins: 10, Draws: DrawsExclude, Holdout: 0.3, Seed: 1, Sources: []string{"labels"}, By: []query.Named{{Name: "mover", SQL: "first_to_move"}}, Workers: workers}
		return Calibration(context.Background(), p, []*datasets.Dir{writeLabels(t, t.TempDir(), committed(t), nil)}, out)
	}},
	{"depth", func(t *testing.T, workers int, out Output) error {
		p := DepthParams{Shallow: []string{"king_safety"}, Sources: []string{"labels"}, Workers: workers}
		return Depth(context.Background(), p, []*datasets.Dir{writeLabels(t, t.TempDir(), committed(t), nil)}, out)
	}},
	{"moves", func(t *testing.T, workers int, out Output) error {
		p := MovesParams{Sources: []string{"choices"}, Workers: workers}
		return Moves(context.Background(), p, []*datasets.Dir{writeChoices(t, t.TempDir(), committedChoices(t))}, out)
	}},
	{"moves-foretold", func(t *testing.T, workers int, out Output) error {
		in := []*datasets.Dir{writeChoices(t, t.TempDir(), committedChoices(t)), foretold(t)}
		return Moves(context.Background(), MovesParams{Sources: []string{"choices", "patterns"}, Workers: workers}, in, out)
	}},
	{"players", func(t *testing.T, workers int, out Output) error {
		games, _ := databaseInputs(t)
		p := playersParams(ExpectAuto)
		p.Workers = workers
		return Players(context.Background(), p, []*datasets.Dir{games}, out)
	}},
	{"all", func(t *testing.T, workers int, out Output) error {
		in := append(twoFits(t), learnedModel(t, "given"), writeChoices(t, t.TempDir(), committedChoices(t)))
		return All(context.Background(), AllParams{Sources: []string{"mlm", "ls", "model", "choices"}, Workers: workers}, in, out)
	}},
}

// foretold are predictions in which the move played is often among the first.
func foretold(t *testing.T) *datasets.Dir {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 1))
	var rows []map[string]string
	for game := range 40 {
		for ply := range 30 {
			legal := 2 + r.IntN(30)
			better := min(legal-1, int(4*r.ExpFloat64()))
			row := map[string]string{"first_to_move": strconv.FormatBool(ply%2 == 0)}
			for name, n := range map[string]int{"game_id": game, "ply": ply, "phase": ply / 3, "legal_moves": legal, "better": better, "equal": 1 + r.IntN(legal-better)} {
				row[name] = strconv.Itoa(n)
			}
			rows = append(rows, row)
		}
	}
	d := writeTable(t, schemas.Predictions(), rows, datasets.Counts{})
	d.Manifest.Meta["holdout"], d.Manifest.Meta["seed"] = "0.3", "1"
	return d
}

// builtOnce are the built examples, which several tests look at.
var builtOnce = map[string]map[string][]byte{}

// built are the files of the example, made on two threads by the first test that asks.
func built(t *testing.T, name string) map[string][]byte {
	t.Helper()
	if builtOnce[name] == nil {
		i := slices.IndexFunc(examples, func(e example) bool { return e.name == name })
		builtOnce[name] = makeReport(t, func(out *datasets.Builder) error { return examples[i].make(t, 2, out) })
	}
	return builtOnce[name]
}

// TestSameBytes: a report has the same bytes at every run, on any number of threads.
func TestSameBytes(t *testing.T) {
	for _, e := range examples[:len(examples)-1] { // the last is made of others
		once := built(t, e.name)
		again := makeReport(t, func(out *datasets.Builder) error { return e.make(t, 1, out) })
		if len(again) != len(once) {
			t.Errorf("%s: %d files, and %d at the second run", e.name, len(once), len(again))
		}
		for name := range again {
			if name != "manifest.json" && !bytes.Equal(once[name], again[name]) {
				t.Errorf("%s of %s is another at the second run", name, e.name)
			}
		}
	}
}
