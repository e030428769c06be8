package numbers

import (
	"fmt"
	"strings"
	"testing"

	"kifu/internal/table"
	"kifu/kit/latextest"
)

func document() table.Document {
	return table.Document{Lead: "The curve is monotone: 14 of its 54 steps, or 25.9\u00a0%, go down.", Tables: []table.Table{
		{Name: "curves", Head: []table.Cell{table.Text("curve"), table.Number("games"), table.Number("gap (95\u00a0%)"), table.Text("command")},
			Rows: [][]string{{"safe (king_safety ≥ 30)", "1,423", "+31 (−5 to +60)", "kifu fit 1"}}},
		{Name: "x-bins", Head: []table.Cell{table.Number("value"), table.Number("won"), table.Number("interval"), table.Number("won"), table.Number("± s.e.")},
			Rows: [][]string{{"−625", "7.1\u00a0%", "2.7–17.3", "50.0", "2.0"}, {"625", "–", "", "", ""}}},
		{Name: "players", Head: []table.Cell{table.Number("rank"), table.Text("player"), table.Text("results"), table.Number("rating")},
			Rows: [][]string{{"1", "Réti, R.", "+18 =6 −3", "1742.8 ± 11.9"}, {"2", "Tal", "+1 =1 −0", "1700.0 ± 9.0"}}},
		{Name: "x-ratings", Head: []table.Cell{table.Text("games"), table.Number("difference"), table.Number("score")},
			Rows: [][]string{{"all", "−400", "50.0"}, {"all", "0", "60.0"}}},
	}}
}

// TestOf: cells get the names of their rows and columns, and the intervals that stand in them or after them.
func TestOf(t *testing.T) {
	var got []string
	for _, n := range Of(document(), "x", "x") {
		line := n.ID + " " + n.Text
		for _, v := range []*float64{n.Value, n.Low, n.High} {
			if v != nil {
				line += fmt.Sprintf(" %.1f", *v)
			}
		}
		got = append(got, strings.ReplaceAll(line, "\u00a0", "~"))
	}
	want := []string{
		"x/lead/1 14 14.0", "x/lead/2 54 54.0", "x/lead/3 25.9~% 25.9",
		"x/curves/safe-king-safety-30/games 1,423 1423.0", "x/curves/safe-king-safety-30/gap-95 +31 (−5 to +60) 31.0 -5.0 60.0",
		"x/bins/-625/won 7.1~% 7.1 2.7 17.3", "x/bins/-625/interval 2.7–17.3", "x/bins/-625/won-2 50.0 50.0 46.1 53.9", "x/bins/-625/se 2.0 2.0",
		"x/players/réti-r/rank 1 1.0", "x/players/réti-r/results +18 =6 −3", "x/players/réti-r/rating 1742.8 ± 11.9 1742.8 1730.9 1754.7",
		"x/players/tal/rank 2 2.0", "x/players/tal/results +1 =1 −0", "x/players/tal/rating 1700.0 ± 9.0 1700.0 1691.0 1709.0",
		"x/ratings/all--400/score 50.0 50.0", "x/ratings/all-0/score 60.0 60.0",
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("%s\nwant\n%s", a, b)
	}
}

// TestMacros: what LaTeX prints by the macros is what the report prints; a name that no report has is ??.
func TestMacros(t *testing.T) {
	f := File{Key: "abc", Prefix: "x", Numbers: Of(document(), "x", "x")}
	key, texts, err := ParseMacros(f.Macros())
	if err != nil || key != "abc" || len(texts) != len(f.Numbers) || texts["x/lead/3"] != `25.9~\%` {
		t.Errorf("the macros are read as %q, %d numbers, %q: %v", key, len(texts), texts["x/lead/3"], err)
	}
	if back, err := ParseJSON(f.JSON()); err != nil || back.Key != "abc" || len(back.Numbers) != len(f.Numbers) || *back.Numbers[4].High != 60 {
		t.Errorf("the JSON is read as %+v: %v", back, err)
	}
	use := `\typeout{<\kifu{x/lead/3}>}\typeout{<\kifu{x/players/réti-r/rating}>}\kifu{x/none}`
	log := latextest.Compile(t, latextest.Article(""), map[string][]byte{"a.tex": f.Macros(), "b.tex": []byte(use)})
	for _, want := range []string{`<25.9\nobreakspace {}\%>`, "<1742.8", "no number x/none"} {
		if !strings.Contains(log, want) {
			t.Errorf("LaTeX does not print %q:\n%s", want, log)
		}
	}
}
