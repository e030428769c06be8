package match

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets/columns"
	"kifu/eval"
	"kifu/games/draughts"
	tables "kifu/internal/table"
	"kifu/kit/datasettest"
	"kifu/players/match/pentanomial"
	"kifu/players/play"

	evaldraughts "kifu/eval/draughts"
)

var checkersGame = eval.Game[draughts.Position]{Rules: draughts.Checkers, NewEvaluator: evaldraughts.Of(draughts.Checkers).New, Default: evaldraughts.Of(draughts.Checkers).Default}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %.6f; want %.6f", what, got, want)
	}
}

// published are the results of table 2 to 4 of Al-Khateeb and Kendall (2011), of the first
// player against the second, with the mean ratings and standard deviations of table 5. The
// tables contradict each other once (C4 beat C3 35 times and C3 lost 33) and one of their
// sums is not one (91 draws of C3); these are the rows of the first player.
var published = []struct {
	a, b       int
	wdl        [3]int64
	means, sds [2]float64
}{
	{0, 1, [3]int64{28, 25, 33}, [2]float64{1188.94, 1206.24}, [2]float64{28.94, 27.62}},
	{0, 2, [3]int64{17, 24, 45}, [2]float64{1146.58, 1266.18}, [2]float64{27.40, 26.14}},
	{0, 3, [3]int64{13, 14, 59}, [2]float64{1264.11, 1474.99}, [2]float64{27.21, 26.14}},
	{1, 2, [3]int64{24, 31, 31}, [2]float64{1179.47, 1205.10}, [2]float64{26.85, 25.60}},
	{1, 3, [3]int64{19, 27, 40}, [2]float64{1114.61, 1200.21}, [2]float64{27.17, 25.88}},
	{2, 3, [3]int64{27, 26, 33}, [2]float64{1176.02, 1205.26}, [2]float64{28.26, 26.98}},
}

func publishedLeague() *League {
	p := Params{Games: 86, Seed: 1, Orders: 5000}
	for _, name := range []string{"C1", "C2", "C3", "C4"} {
		p.Players = append(p.Players, play.Player{Text: name})
	}
	var tallies []Tally
	for _, m := range published {
		tallies = append(tallies, Tally{Sides: [2][3]int64{m.wdl}, Ends: map[string]int64{"no moves": 86}})
	}
	return newLeague(p, tallies)
}

// TestPublishedRatings: how far the players of a meeting are apart is that of the paper,
// and so are the standard deviations. The level is not: from 1600 each the formula keeps
// the sum of two ratings, and the paper's sums are from 2315 to 2739.
func TestPublishedRatings(t *testing.T) {
	l := publishedLeague()
	for i, m := range published {
		r := l.Meetings[i].Ratings
		near(t, "difference", r[1].Mean-r[0].Mean, m.means[1]-m.means[0], 8)
		near(t, "sum", r[1].Mean+r[0].Mean, 3200, 1e-6)
		for k := range r {
			near(t, "standard deviation", r[k].SD, m.sds[k], 3)
		}
	}
}

// TestPublishedTables: the sums of the paper's tables, in each of the forms.
func TestPublishedTables(t *testing.T) {
	l := publishedLeague()
	for i, want := range [][3]int64{{58, 63, 137}, {76, 83, 99}, {103, 81, 74}, {132, 67, 59}} {
		if s := l.Standings[i]; [3]int64{s.Wins, s.Draws, s.Losses} != want {
			t.Errorf("%s: %+v, want %v", s.Player, s, want)
		}
	}
	if l.Games != 516 {
		t.Errorf("%d games", l.Games)
	}
	text := l.String()
	for _, line := range []string{"C1 - 28 17 13 58", "C3 45 31 - 27 103", "C2 25 - 31 27 83", "C1 : C4 13 14 59 0.465"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), line) {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
	if data := l.document(); !slices.ContainsFunc(data.Tables, func(t tables.Table) bool {
		return !t.Head[0].Number && t.Head[1].Number && slices.ContainsFunc(t.Rows, func(row []string) bool {
			return slices.Equal(row, []string{"C1", "-", "28", "17", "13", "58"})
		})
	}) {
		t.Errorf("league.json:\n%s", data.JSON())
	}
	if md := markdown(l.document()); !strings.Contains(md, "| C1 | - | 28 | 17 | 13 | 58 |\n") {
		t.Error(md)
	}
	if tex := latex(l.document()); !strings.Contains(tex, "C1 & - & 28 & 17 & 13 & 58 \\\\\n") || !strings.Contains(tex, `$\Sigma$ wins`) {
		t.Error(tex)
	}
	rows := l.table()
	if !slices.ContainsFunc(rows, func(row []string) bool { return strings.HasPrefix(strings.Join(row, ","), "C4,C1,59,14,13,0,1.5349,") }) || len(rows) != 13 {
		t.Error(rows)
	}
}

// TestLeague: everybody meets everybody over the same openings, whatever the workers.
func TestLeague(t *testing.T) {
	p := params(t, 4, "depth=1 name=a", "random name=b")
	p.Players = append(p.Players, player(t, "depth=2 plain name=c"), player(t, "depth=1 zero=material name=d"))
	p.Openings.RandomPlies, p.Orders = 2, 100
	one, three := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "three")
	l, err := league(t, tictactoeGame, nil, p, 1, one)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := league(t, tictactoeGame, nil, p, 3, three); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"part-00000.parquet", "result.json", "league.csv"} {
		a, _ := os.ReadFile(filepath.Join(one, name))
		if b, err := os.ReadFile(filepath.Join(three, name)); err != nil || string(a) != string(b) {
			t.Errorf("%s depends on the number of workers", name)
		}
	}
	var met, openings []string
	read(t, one, func(b *columns.Batch, i int) {
		met = append(met, string(b.Col("first_player").Value(i))+string(b.Col("second_player").Value(i)))
		openings = append(openings, string(b.Col("moves").Value(i)[:4]))
	})
	want := "ab ba ab ba ac ca ac ca ad da ad da bc cb bc cb bd db bd db cd dc cd dc"
	if got := strings.Join(met, " "); got != want || l.Games != 24 || len(l.Meetings) != 6 {
		t.Errorf("%s\n%s, %d games", got, want, l.Games)
	}
	for i := range openings {
		if openings[i] != openings[i%4] {
			t.Errorf("game %d has another opening than game %d", i, i%4)
		}
	}
	p.Gauntlet = true
	if l, err = league(t, tictactoeGame, nil, p, 2, t.TempDir()); err != nil || len(l.Meetings) != 3 || l.Standings[0].Wins+l.Standings[0].Draws+l.Standings[0].Losses != 12 {
		t.Errorf("gauntlet: %+v, %v", l, err)
	}
	for text, spoil := range map[string]func(*Params){
		"whole pairs":          func(p *Params) { p.Games = 3 },
		"two players are":      func(p *Params) { p.Players[2].Text = "a" },
		"needs two players":    func(p *Params) { p.SPRT = &pentanomial.Test{Elo1: 1, Alpha: 0.1, Beta: 0.1} },
		"at least two players": func(p *Params) { p.Players = p.Players[:1] },
	} {
		bad := p
		bad.Players = slices.Clone(p.Players)
		spoil(&bad)
		if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want %q", err, text)
		}
	}
}

// TestBook: openings of the games of a dataset, cut and without repeats.
func TestBook(t *testing.T) {
	p := params(t, 20, "random", "random")
	p.Openings = Openings{Name: "test", Text: "e4 e5 Nf3\ne4 e5 Nc3\n4k3/pppp4/8/8/8/8/4PPPP/3QK3 w - - 0 1"}
	dir := t.TempDir()
	if _, err := playOut(t, chessGame, nil, p, 1, dir); err != nil {
		t.Fatal(err)
	}
	d := datasettest.Open(t, dir)
	text, err := ReadBook(context.Background(), chessGame.Rules, d, 2)
	lines := strings.Split(text, "\n")
	if err != nil || lines[0] != "e4 e5" || !strings.Contains(lines[1], " w ") || slices.Contains(lines[1:], "e4 e5") {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := newOpener(chessGame.Rules, Params{Openings: Openings{Name: "book", Text: text}}); err != nil {
		t.Error(err)
	}
	if _, err = ReadBook(context.Background(), chessGame.Rules, d, 0); err == nil || !strings.Contains(err.Error(), "game ") || !strings.Contains(err.Error(), "over after its opening") {
		t.Errorf("whole games as openings: %v", err)
	}
}

// TestSPRTStops: the match ends at the same game for any number of workers, and with the
// first task after which the test is decided.
func TestSPRTStops(t *testing.T) {
	p := params(t, 3000, "depth=2 plain", "random")
	p.Openings.RandomPlies = 1
	p.SPRT = &pentanomial.Test{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.05}
	one, three := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "three")
	r, err := playOut(t, tictactoeGame, nil, p, 1, one)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := playOut(t, tictactoeGame, nil, p, 3, three); err != nil {
		t.Fatal(err)
	}
	a, _ := os.ReadFile(filepath.Join(one, "part-00000.parquet"))
	if b, err := os.ReadFile(filepath.Join(three, "part-00000.parquet")); err != nil || string(a) != string(b) {
		t.Error("the end depends on the number of workers")
	}
	n := int64(0)
	for _, k := range r.Pairs {
		n += k
	}
	if r.SPRT.Accepted != "elo_1" || n%taskPairs != 0 || n >= 1500 {
		t.Errorf("%d pairs, %+v", n, r.SPRT)
	}
	// The pairs of a prefix of the match: the test was open there.
	p.SPRT, p.Games = nil, int(2*n-2*taskPairs)
	if before, err := playOut(t, tictactoeGame, nil, p, 2, t.TempDir()); err != nil || (pentanomial.Test{Elo1: 20, Alpha: 0.05, Beta: 0.05}).SPRT(before.Pairs, pentanomial.Openings{}).Accepted != "" {
		t.Errorf("decided %d pairs before its end: %+v, %v", taskPairs, before, err)
	}
}
