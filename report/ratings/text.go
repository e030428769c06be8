package ratings

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"kifu/internal/human"
	"kifu/internal/person"
	"kifu/internal/table"
	"kifu/query"
	"kifu/report/chart"
	"kifu/report/sheet"
)

// mostShown is how many players the table and the picture have at most; the CSV file has all.
const mostShown = 100

// Sheet is the report with all of its tables printed.
func (r *report) Sheet() *sheet.Sheet {
	picture, inputs := r.forest(), r.Sources.Inputs("game", "games")
	scores := int64(len(r.Params.Scores))
	if scores > 0 {
		inputs = append(inputs, human.Plural(scores, "row", "rows")+" of a table of results")
	}
	return &sheet.Sheet{Name: "ratings", Text: table.Document{Title: r.title(), Lead: strings.TrimSpace(r.lead() + " " + person.Respelled(r.Names)), Tables: []table.Table{r.ratingTable(), r.modelTable()}, Notes: r.notes()},
		Caption: human.Capital(picture.Subtitle), Picture: picture, SQL: r.SQL, Rows: r.result(), Inputs: inputs, Read: scores + r.Sources.Read(), Printed: []int{0, 1}}
}

func (r *report) title() string {
	if len(r.Sources) == 0 {
		return "Ratings"
	}
	return sheet.Title("Ratings", r.Game, r.Sources.Names())
}

func (r *report) shown() []*player { return r.Listed[:min(len(r.Listed), mostShown)] }

func (r *report) lead() string {
	text := fmt.Sprintf("%s between %s.", human.Plural(r.Games, "game", "games"), human.Plural(int64(len(r.Names)), "player", "players"))
	if r.unlinked > 0 {
		text += fmt.Sprintf(" %s of them have a rating, from their %s with each other.", human.Grouped(int64(len(r.Names)-r.unlinked)), human.Plural(r.Fitted, "game", "games"))
	}
	if first := r.Listed[0]; first.Rated {
		text += fmt.Sprintf(" %s is first, with %s (%s to %s)", first.Name, human.Fixed(first.Rating, 0), human.Fixed(first.Low, 0), human.Fixed(first.High, 0))
		if !math.IsNaN(first.Above) {
			text += fmt.Sprintf(", stronger than the next with a probability of %s", human.Percent(first.Above, 1))
		}
		text += "."
	}
	return text
}

func (r *report) ratingTable() table.Table {
	t := table.Table{Name: "ratings-players", Caption: "Ratings", Head: []table.Cell{table.Number("rank"), table.Text("player"), table.Number("rating"), table.Number("95\u00a0% interval"),
		table.Number("games"), table.Text("results"), table.Number("score"), table.Number("opponents"), table.Number("above the next")}}
	if r.Orders > 0 {
		t.Head = append(t.Head, table.Number("in random orders"), table.Text("class"))
	}
	for i, p := range r.shown() {
		row := []string{"–", p.Name, "–", "–"}
		if p.Rated {
			row[0], row[2], row[3] = strconv.Itoa(i+1), human.Fixed(p.Rating, 0), human.Fixed(p.Low, 0)+" to "+human.Fixed(p.High, 0)
		}
		above := "–"
		if !math.IsNaN(p.Above) {
			above = human.Percent(p.Above, 1)
		}
		row = append(row, human.Grouped(p.games()), fmt.Sprintf("+%d =%d −%d", p.Wins, p.Draws, p.Losses), human.Percent(p.score(), 1), human.Fixed(p.Opposition, 0), above)
		if r.Orders > 0 {
			row = append(row, fmt.Sprintf("%.1f ± %.1f", p.Orders.Mean, p.Orders.SD), p.Orders.Class)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (r *report) modelTable() table.Table {
	t := table.Table{Name: "ratings-model", Caption: "The model", Head: []table.Cell{table.Text("quantity"), table.Number("value"), table.Number("95\u00a0% interval")}}
	row := func(name, value, interval string) { t.Rows = append(t.Rows, []string{name, value, interval}) }
	row("games", human.Grouped(r.Games), "")
	if r.unlinked > 0 {
		row("games between rated players", human.Grouped(r.Fitted), "")
	}
	if r.advantage() {
		a := r.Advantage
		row("advantage of moving first, Elo", human.Signed(a[0], 1), human.Signed(a[1], 1)+" to "+human.Signed(a[2], 1))
	}
	if !r.Model.OpenDraws {
		row("draws between equals", human.Percent(r.Model.At(0).Draw, 1), "")
	}
	row("log-loss of a result, nats", strconv.FormatFloat(-r.Model.LogLikelihood/float64(r.Fitted), 'f', 4, 64), "")
	if r.Openings > 0 {
		row("openings", human.Grouped(int64(r.Openings)), "")
	}
	return t
}

//go:embed notes.txt
var notesTemplate string

func (r *report) notes() []string {
	return sheet.Notes(notesTemplate, map[string]any{"R": r, "Anchorless": r.anchorless, "Average": human.Fixed(r.Params.Average, 0), "Unlinked": r.unlinked, "Open": r.Model.Note()})
}

// forest has the players shown, a line each.
func (r *report) forest() *chart.Forest {
	f := &chart.Forest{Title: r.title(), Subtitle: "ratings with 95 % intervals", XLabel: "rating [Elo]", Single: true, Series: []chart.Series{{Label: "rating"}}}
	f.XMin, f.XMax = math.Inf(1), math.Inf(-1)
	for _, p := range r.shown() {
		if !p.Rated {
			continue
		}
		m := chart.Mark{At: p.Rating, Low: p.Low, High: p.High, Note: fmt.Sprintf("%s: %s (%s to %s), %s of %s", p.Name, human.Fixed(p.Rating, 0), human.Fixed(p.Low, 0), human.Fixed(p.High, 0), human.Percent(p.score(), 1), human.Plural(p.games(), "game", "games"))}
		f.XMin, f.XMax = math.Min(f.XMin, m.Low), math.Max(f.XMax, m.High)
		f.Lines = append(f.Lines, chart.Line{Label: p.Name, Marks: []chart.Mark{m}})
	}
	if len(f.Lines) == 0 {
		f.XMin, f.XMax = 0, 1
	}
	margin := (f.XMax - f.XMin) * 0.03
	f.XMin, f.XMax = f.XMin-margin, f.XMax+margin
	return f
}

// result has all players, for the CSV file.
func (r *report) result() *query.Result {
	var rows [][]any
	for _, p := range r.Players {
		row := []any{p.Name, p.games(), p.Wins, p.Draws, p.Losses, p.Rating, p.Low, p.High, p.Opposition, p.Orders.Mean, p.Orders.SD}
		if !p.Rated {
			row[5], row[6], row[7] = nil, nil, nil
		}
		if r.Orders == 0 {
			row[9], row[10] = nil, nil
		}
		rows = append(rows, row)
	}
	return sheet.Result(rows, "VARCHAR player", "BIGINT games wins draws losses", "DOUBLE rating low high opposition orders_mean orders_sd")
}
