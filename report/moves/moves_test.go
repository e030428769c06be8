package moves

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/internal/human"
	"kifu/kit/reporttest"
	"kifu/query"
	"kifu/report/page"
	"kifu/schemas"
)

var example = &reporttest.Example{
	Name: "moves",
	Page: reporttest.Numbers{Column: "share", Where: "kind", Is: "all", Write: func(v float64) string { return human.Percent(v, 1) }},
	Make: func(t *testing.T, workers int, out page.Output) error {
		p := Params{Sources: []string{"choices"}, Workers: workers}
		return Make(context.Background(), p, []*datasets.Dir{reporttest.WriteChoices(t, t.TempDir(), reporttest.CommittedChoices(t))}, out)
	},
}

func TestMovesExample(t *testing.T) {
	example.Check(t)
	predictedExample.Check(t)
}

var predictedExample = &reporttest.Example{
	Name: "moves-predicted",
	Page: reporttest.Numbers{Column: "share", Where: "kind", Is: "all", Write: func(v float64) string { return human.Percent(v, 1) }},
	Make: func(t *testing.T, workers int, out page.Output) error {
		in := []*datasets.Dir{reporttest.WriteChoices(t, t.TempDir(), reporttest.CommittedChoices(t)), predicted(t)}
		return Make(context.Background(), Params{Sources: []string{"choices", "patterns"}, Workers: workers}, in, out)
	},
}

// predicted are predictions in which the move played is often among the first.
func predicted(t *testing.T) *datasets.Dir {
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
	d := reporttest.WriteTable(t, schemas.Predictions(), rows, manifest.Counts{})
	d.Manifest.Meta["holdout"], d.Manifest.Meta["seed"] = "0.3", "1"
	return d
}

func TestMovesEqualScript(t *testing.T) {
	d := reporttest.WriteChoices(t, t.TempDir(), reporttest.CommittedChoices(t))
	p := Params{Holdout: 0.5, Seed: 1, Sources: []string{"value"}, Patterns: []query.Named{{Name: "vowel", SQL: "move IN ('a', 'e', 'i', 'o', 'u')"}}}
	g, err := run(context.Background(), reporttest.OpenDB(t), p, []*datasets.Dir{d})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range reporttest.Judged(t, "moves") {
		found := false
		for i, o := range g.Orders {
			for _, r := range g.guesses(i, "all") {
				if o.Name != want[0] || strconv.FormatInt(r.Top, 10) != want[1] {
					continue
				}
				found = true
				what := want[0] + " first " + want[1]
				reporttest.Near(t, what+" decisions", want[2], float64(r.Decisions))
				reporttest.Near(t, what+" games", want[3], float64(r.Games))
				reporttest.Near(t, what+" share", want[4], r.Share)
				reporttest.Near(t, what+" chance", want[6], r.Chance)
			}
		}
		if !found {
			t.Errorf("no row of %v", want[:2])
		}
	}
}

// TestParts: decisions that are found some games after the others are those of all games at once.
func TestParts(t *testing.T) {
	choices, whole := reporttest.WriteChoices(t, t.TempDir(), reporttest.CommittedChoices(t)), together
	rows := func(most int64) ([]guess, int) {
		defer func() { together = whole }()
		together = most
		g, err := run(context.Background(), reporttest.OpenDB(t), Params{Sources: []string{"choices"}, Holdout: 0.7, Seed: 3}, []*datasets.Dir{choices})
		if err != nil {
			t.Fatal(err)
		}
		return g.Rows, len(g.asked.Found)
	}
	want, one := rows(whole)
	got, parts := rows(choices.Rows() / 7)
	if one != 1 || parts < 7 || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d parts: %v, in %d parts %v", parts, got, one, want)
	}
}

// TestSampledMoves: the first sentence, which the terminal shows without the notes, says that moves are a sample.
func TestSampledMoves(t *testing.T) {
	d := reporttest.WriteChoices(t, t.TempDir(), reporttest.CommittedChoices(t))
	for alternatives, want := range map[string]bool{"0": false, "5": true} {
		d.Manifest.Meta["alternatives"] = alternatives
		g, err := run(context.Background(), reporttest.OpenDB(t), Params{Sources: []string{"choices"}}, []*datasets.Dir{d})
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(g.sheet().Text.Notes, "\n")
		if strings.Contains(g.lead(), "Moves are a sample") != want || strings.Contains(notes, "choices has the move played and at most 5 others, a sample") != want {
			t.Errorf("%s alternatives: %s\n%s", alternatives, g.lead(), notes)
		}
	}
}

func TestRefuses(t *testing.T) {
	p := Params{Patterns: []query.Named{{Name: "x", SQL: "move"}}, Sources: []string{"a"}}
	if _, err := run(context.Background(), reporttest.OpenDB(t), p, nil); err == nil || !strings.Contains(err.Error(), "--holdout") {
		t.Errorf("error %v", err)
	}
}
