package endgame

import (
	"fmt"
	"math"

	"kifu/internal/human"
	"kifu/internal/table"
	"kifu/query"
	"kifu/report/chart"
	"kifu/report/sheet"
)

// Sheet is the report with its table printed.
func (r *Report) Sheet() *sheet.Sheet {
	picture, doc, of := r.forest(), r.Document(), sheet.Sources{r.source}
	doc.Notes = append(doc.Notes, r.errors)
	return &sheet.Sheet{Name: "endgame", Text: doc, Caption: human.Capital(picture.Subtitle), Picture: picture, SQL: r.SQL, Rows: r.Result(), Inputs: of.Inputs("position", "positions"), Read: of.Read(), Printed: []int{0}}
}

// Document returns the text and the table of the endings.
func (r *Report) Document() table.Document {
	return table.Document{Title: sheet.Title("Endings", r.Game, []string{r.source.Name}), Lead: r.lead(), Tables: []table.Table{r.table()}, Notes: r.notes()}
}

// by names what scores are compared with.
func (r *Report) by() string {
	if r.Valued {
		return "positions of similar value score"
	}
	return "the ratings predict"
}

// lead names the ending that differs most surely from what is expected.
func (r *Report) lead() string {
	text := fmt.Sprintf("%s of %s have an ending.", human.Grouped(int64(r.Games)), human.Plural(r.All, "game", "games"))
	best, most := -1, 0.0
	for i, e := range r.Endings {
		if reach := e.AboveTop - e.Above; reach > 0 && math.Abs(e.Above)/reach > most {
			best, most = i, math.Abs(e.Above)/reach
		}
	}
	if best >= 0 && most > 1 {
		e := r.Endings[best]
		text += fmt.Sprintf(" In %s the side ahead scores %s; %s %s.", e.Name, human.Percent(e.Score, 1), r.by(), human.Percent(e.Expected, 1))
	}
	return text
}

// score writes the score in percent with its interval.
func (e Ending) score() string {
	if math.IsNaN(e.Low) {
		return human.Fixed(100*e.Score, 1)
	}
	return fmt.Sprintf("%s (%s to %s)", human.Fixed(100*e.Score, 1), human.Fixed(100*e.Low, 1), human.Fixed(100*e.High, 1))
}

// difference writes the difference in percent with its interval.
func (e Ending) difference() string {
	return human.Estimate(100*e.Above, 100*e.AboveLow, 100*e.AboveTop, 1)
}

func (r *Report) table() table.Table {
	t := table.Table{Name: "endgame", Caption: "Endings, from the side that is ahead", Head: []table.Cell{table.Text("ending"), table.Number("games"), table.Number("% of games"),
		table.Number("won"), table.Number("drawn"), table.Number("lost"), table.Number("score %"), table.Number("games compared"), table.Number("expected %"), table.Number("difference, points"), table.Number("mean positions"), table.Text("example: game, ply")}}
	for _, e := range r.Endings {
		count := func(n int) string { return human.Grouped(int64(n)) }
		t.Rows = append(t.Rows, []string{e.Name, count(e.Games), human.Fixed(100*float64(e.Games)/float64(r.All), 1), count(e.Won), count(e.Drawn), count(e.Lost), e.score(), count(e.Expecting),
			human.Fixed(100*e.Expected, 1), e.difference(), human.Fixed(e.Positions, 1), fmt.Sprintf("%d, %d", e.Example[0], e.Example[1])})
	}
	return t
}

func (r *Report) notes() []string {
	expected := "“Expected” is the score by Elo's formula, in games with both ratings."
	if r.Valued {
		expected = "“Expected” is the mean score of all positions in the same band of values (there are " + fmt.Sprint(Data{}.Bands()) + " bands)."
	}
	return []string{
		fmt.Sprintf("An ending is the material on the board at phase %d or less, for at least %d positions. A game counts once in each of its endings. A side's weakest kind of piece is listed once, whatever its number.", r.Phase, r.Plies),
		"The side ahead is written first: it has more of the strongest kind of piece in which the sides differ. Won, lost and score are for that side, or for " + r.Sides[0] + " if both sides have the same pieces.",
		expected + " The difference is the score minus the expected score, in the games compared. One interval in twenty excludes 0 by chance.",
	}
}

// mostLines is how many endings the picture shows.
const mostLines = 25

// forest has the differences from what is expected.
func (r *Report) forest() *chart.Forest {
	f := &chart.Forest{Title: sheet.Title("Endings", r.Game, []string{r.source.Name}), Subtitle: "score of the side ahead minus what " + r.by() + ", with 95 % intervals", XLabel: "difference of the score [percentage points]", Single: true, Series: []chart.Series{{Label: "difference"}}}
	for _, e := range r.Endings {
		if math.IsNaN(e.AboveLow) || len(f.Lines) == mostLines {
			continue
		}
		m := chart.Mark{At: 100 * e.Above, Low: 100 * e.AboveLow, High: 100 * e.AboveTop, Note: e.Name + ": " + e.difference()}
		f.Lines = append(f.Lines, chart.Line{Label: e.Name, Marks: []chart.Mark{m}})
		f.XMin, f.XMax = min(f.XMin, m.Low), max(f.XMax, m.High)
	}
	margin := (f.XMax - f.XMin) * 0.05
	if f.XMin, f.XMax = f.XMin-margin, f.XMax+margin; f.XMin == f.XMax {
		f.XMin, f.XMax = -1, 1
	}
	return f
}

// Result returns the endings as rows, for the CSV file.
func (r *Report) Result() *query.Result {
	var all [][]any
	for _, e := range r.Endings {
		all = append(all, []any{e.Name, int64(e.Games), int64(e.Won), int64(e.Drawn), int64(e.Lost), int64(e.Expecting), e.Example[0], e.Example[1], e.Positions, e.Score, e.Low, e.High, e.Expected, e.Above, e.AboveLow, e.AboveTop})
	}
	return sheet.Result(all, "VARCHAR ending", "BIGINT games won drawn lost compared game_id ply", "DOUBLE positions score low high expected difference difference_low difference_high")
}
