package performance

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kifu/internal/human"
	"kifu/internal/table"
	"kifu/query"
	"kifu/report/chart"
	"kifu/report/sheet"
)

// mostShown is how many performances the table and mostDrawn how many the picture have at most; the CSV file has all.
const mostShown, mostDrawn = 20, 40

// alarm is the z that a performance of chance alone exceeds once in a thousand times.
const alarm = 3.09

// Sheet is the report with two of its tables printed.
func (r *report) Sheet() *sheet.Sheet {
	picture := r.forest()
	return &sheet.Sheet{Name: "performance", Text: table.Document{Title: r.title(), Lead: r.lead(), Tables: []table.Table{r.performanceTable(), r.powerTable(), r.curveTable()}, Notes: r.notes()},
		Caption: human.Capital(picture.Subtitle), Picture: picture, SQL: r.SQL, Rows: r.result(), Inputs: r.Inputs, Read: r.Read, Printed: []int{0, 1}}
}

func (r *report) title() string {
	return sheet.Title("Performances by "+strings.Join(r.Params.By, ", "), r.Model.Game, r.Params.Sources[:1])
}

func (r *report) lead() string {
	text := fmt.Sprintf("%s of %s or more, rated by %s and %s.", human.Plural(int64(len(r.Shown)), "performance", "performances"), human.Plural(int64(r.Params.MinMoves), "move", "moves"), human.Plural(int64(r.moves.Len()), "move", "moves"), r.values())
	above, below := 0, 0
	for _, p := range r.Shown {
		if p.Q <= r.Params.FDR {
			above++
		}
		if p.Z < -alarm {
			below++
		}
	}
	if r.Tested > 0 {
		text += fmt.Sprintf(" At a false discovery rate of %[2]s, %[1]s above the expectation from the rating.", human.Plural(int64(above), "is", "are"), human.Percent(r.Params.FDR, 0))
	}
	if n := r.provisional(); n > 0 {
		text += fmt.Sprintf(" %s a provisional rating, which z leaves out.", human.Plural(int64(n), "game has", "games have"))
	}
	return text
}

// values names the values by which moves are rated.
func (r *report) values() string {
	if r.Model.Value == recorded {
		return "the values in the records"
	}
	return r.Model.Value
}

// provisional counts the games with a provisional rating, of either player.
func (r *report) provisional() (n int) {
	for i := 0; i < len(r.turns); i += 2 { // both sides of a game
		if r.turns[i].provisional || r.turns[i+1].provisional {
			n++
		}
	}
	return n
}

// rating writes a rating, with a sign where it is out of reach.
func rating(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "above all"
	case math.IsInf(x, -1):
		return "below all"
	case math.IsNaN(x):
		return "–"
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

func (r *report) performanceTable() table.Table {
	t := table.Table{Name: "performance-list", Caption: "Performances, furthest above their ratings first", Head: []table.Cell{table.Text(strings.Join(r.Params.By, ", ")), table.Number("games"), table.Number("moves"), table.Number("rating"),
		table.Number("intrinsic rating"), table.Number("95\u00a0% interval"), table.Number("z"), table.Number("q"), table.Number("share seen"), table.Number("loss, expected")}}
	if n := len(r.Shown); n > mostShown {
		t.Caption += fmt.Sprintf("; the first %d of %s (performance.csv has all)", mostShown, human.Grouped(int64(n)))
	}
	if r.Model.All {
		t.Head = append(t.Head, table.Number("best moves, expected"))
	}
	accuracy, early := r.accurate(), r.provisional() > 0
	if early {
		t.Head = slices.Insert(t.Head, 2, table.Number("provisional"))
	}
	if accuracy {
		t.Head = append(t.Head, table.Number("accuracy"), table.Number("mean loss"))
	}
	for _, p := range r.Shown[:min(len(r.Shown), mostShown)] {
		n := float64(p.At.Moves)
		seen := "–"
		if p.Sees <= 1 {
			seen = human.Percent(p.Sees, 0)
		}
		row := []string{p.Name, human.Grouped(int64(p.Games)), human.Grouped(int64(p.Moves)), rating(p.Mean), rating(p.Rating), rating(p.Low) + " to " + rating(p.High), human.Signed(p.Z, 2), human.Chance(p.Q), seen,
			human.Fixed(p.At.Loss/n, 3) + ", " + human.Fixed(p.At.Expected/n, 3)}
		if r.Model.All {
			row = append(row, human.Percent(p.At.First/n, 1)+", "+human.Percent(p.At.ExpectedFirst/n, 1))
		}
		if early {
			row = slices.Insert(row, 2, human.Grouped(int64(p.Provisional)))
		}
		if accuracy {
			row = append(row, human.Fixed(p.Accuracy, 1), human.Fixed(p.Loss, 1))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// accurate reports whether a performance has an accuracy.
func (r *report) accurate() bool {
	return slices.ContainsFunc(r.Shown, func(p performance) bool { return !math.IsNaN(p.Accuracy) })
}

// The games and the shares of helped moves that the table of the power has.
var (
	powerGames  = []int{1, 4, 9, 20, 50, 200}
	powerShares = []float64{0.05, 0.1, 0.2, 0.4}
)

func (r *report) powerTable() table.Table {
	t := table.Table{Name: "performance-power", Caption: "Help that would be detected: expected z, and how often z is above " + human.Number(alarm) + ", by the share of moves replaced by best moves", Head: []table.Cell{table.Number("games")}}
	for _, share := range powerShares {
		t.Head = append(t.Head, table.Number(human.Percent(share, 0)))
	}
	for _, games := range powerGames {
		row := []string{strconv.Itoa(games)}
		for _, share := range powerShares {
			z, chance := r.Model.Power(games, share, alarm)
			row = append(row, human.Fixed(z, 1)+" ("+human.Percent(chance, 0)+")")
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// curveTable has what players of some ratings do.
func (r *report) curveTable() table.Table {
	t := table.Table{Name: "performance-curve", Caption: "Usual play, by rating", Head: []table.Cell{table.Number("rating")}, Long: true}
	if r.Model.All {
		t.Head = append(t.Head, table.Number("sensitivity s"), table.Number("consistency c"))
	} else {
		t.Head = append(t.Head, table.Number("mean loss of a move in an equal position"))
	}
	step := math.Max(100, math.Ceil((r.Model.High-r.Model.Low)/8/100)*100)
	for at := math.Ceil(r.Model.Low/step) * step; at <= r.Model.High; at += step {
		row := []string{rating(at)}
		for _, w := range r.Model.Weights {
			row = append(row, human.Fixed(math.Exp(w[0]+w[1]*(at-r.Model.Centre)/100), 3))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

//go:embed notes.txt
var notesTemplate string

func (r *report) notes() []string {
	of := ""
	if r.Model.Value == recorded {
		of = sheet.Recorded
	}
	return sheet.Notes(notesTemplate, map[string]any{"R": r, "Recorded": of, "FarPawns": farPawns, "Low": rating(r.Model.Low), "High": rating(r.Model.High), "Spread": 100 * math.Sqrt(r.Model.Player), "Alarm": alarm, "Accurate": r.accurate(), "Provisional": r.provisional() > 0, "MostChange": mostChange, "Start": lichessStart})
}

// forest has the intrinsic ratings, and the ratings next to them.
func (r *report) forest() *chart.Forest {
	f := &chart.Forest{Title: r.title(), Subtitle: "intrinsic ratings with 95 % intervals", XLabel: "rating", Series: []chart.Series{{Label: "intrinsic rating"}, {Label: "rating", Colour: 1}}}
	f.XMin, f.XMax = r.Model.Low-300, r.Model.High+300
	for _, p := range r.Shown[:min(len(r.Shown), mostDrawn)] {
		note := fmt.Sprintf("%s: %s (%s to %s)", p.Name, rating(p.Rating), rating(p.Low), rating(p.High))
		line := chart.Line{Label: p.Name, Marks: []chart.Mark{{At: p.Rating, Low: p.Low, High: p.High, Note: note}}}
		if !math.IsNaN(p.Mean) {
			line.Marks = append(line.Marks, chart.Mark{Series: 1, At: p.Mean, Low: math.NaN(), High: math.NaN(), Note: "rating " + rating(p.Mean)})
		}
		f.Lines = append(f.Lines, line)
	}
	return f
}

// result has all performances, for the CSV file.
func (r *report) result() *query.Result {
	var rows [][]any
	for _, p := range r.Shown {
		n := float64(p.At.Moves)
		row := []any{p.Name, int64(p.Games), int64(p.Provisional), int64(p.Moves), p.Mean, p.Rating, p.Low, p.High, p.Z, p.P, p.Q, p.Sees, p.At.Loss / n, p.At.Expected / n, nil, nil, p.Accuracy, p.Loss}
		if r.Model.All {
			row[14], row[15] = p.At.First/n, p.At.ExpectedFirst/n
		}
		rows = append(rows, row)
	}
	return sheet.Result(rows, "VARCHAR performance", "BIGINT games provisional moves",
		"DOUBLE rating intrinsic_rating low high z p q share_seen loss expected_loss best_moves expected_best_moves accuracy mean_loss")
}
