package weights

import (
	"context"
	"strings"
	"testing"

	"kifu/kit/reporttest"
	"kifu/query"
	"kifu/report/page"
)

func TestLiteratureIsWhole(t *testing.T) {
	for _, name := range Literature() {
		r, err := ReadReference(name)
		if err != nil || r.Source == "" || r.Weights["material"]["pawn"][0] != 100 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

const reference = `game = "chess"
name = "ours"
unit = "centipawns"
stages = ["opening", "endgame"]
knots = [24, 0]
[king_safety]
shelter = [12.5, -3]
storm = 7
`

// TestReferences: a reference is a column and a mark without an interval, by stage.
func TestReferences(t *testing.T) {
	r, err := parseReference([]byte(reference))
	if err != nil {
		t.Fatal(err)
	}
	in := reporttest.TwoFits(t)
	p := Params{Sources: []string{"mlm", "ls"}, References: []Reference{r}}
	files := reporttest.Build(t, func(out page.Output) error { return Make(context.Background(), p, in, out) })
	table := string(files["weights.md"])
	for _, line := range []string{"shelter | king_safety | opening | 0 | 12.5", "shelter | king_safety | endgame | 0 | −3.00", "storm | king_safety |  | 0 | 7.00"} {
		if !strings.Contains(strings.Join(strings.Fields(table), " "), strings.Join(strings.Fields(line), " ")) {
			t.Errorf("the table lacks %q:\n%s", line, table)
		}
	}
	reporttest.CheckPage(t, files["index.html"], "shelter, opening, ours: 12.5", ">ours<")
}

func TestReferenceErrors(t *testing.T) {
	if _, err := ReadReference("shanon-1950"); err == nil || !strings.Contains(err.Error(), "shannon-1950") {
		t.Errorf("error %v", err)
	}
	for change, want := range map[string]string{
		"shelter = [12.5, -3]>shelter = [12.5]>":    "",
		"shelter = [12.5, -3]>shelter = [1, 2, 3]>": "one for each of 2 stages",
		"storm = 7>storm = \"7\">":                  "king_safety.storm",
		"unit = \"centipawns\">unit = \"discs\">":   "in discs",
		"game = \"chess\">game = \"othello\">":      "is of othello",
		"[king_safety]>[queens]>":                   "none of the fitted weights",
		"name = \"ours\">>":                         "want name",
	} {
		cut := strings.Split(change, ">")
		r, err := parseReference([]byte(strings.Replace(reference, cut[0], cut[1], 1)))
		if err == nil {
			db, dbErr := query.Open(context.Background(), query.Options{})
			if dbErr != nil {
				t.Fatal(dbErr)
			}
			_, err = Run(context.Background(), db, Params{Sources: []string{"mlm", "ls"}, References: []Reference{r}}, reporttest.TwoFits(t))
			db.Close()
		}
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", change, err, want)
		}
	}
}
