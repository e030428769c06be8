package pairs

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"kifu/internal/human"
	"kifu/internal/person"
	"kifu/internal/table"
	"kifu/query"
	"kifu/report/sheet"
)

// leastShown is how many pairs the tables have when fewer stand out (cycles: half as many), mostShown
// how many they and the picture have at most; the CSV file has all pairs.
const (
	leastShown = 10
	mostShown  = 40
)

// Sheet is the report with all of its tables printed.
func (r *report) Sheet() *sheet.Sheet {
	picture := r.forest()
	s := &sheet.Sheet{Name: "players", Text: table.Document{Title: sheet.Title("Players", r.Game, r.Sources.Names()), Lead: strings.TrimSpace(r.lead() + " " + person.Respelled(r.Names)), Tables: r.tables(), Notes: r.notes()},
		Caption: human.Capital(picture.Subtitle), Picture: picture, SQL: r.SQL, Rows: r.result(), Inputs: r.Sources.Inputs("game", "games"), Read: r.Sources.Read()}
	if len(r.Pairs) >= leastSpread {
		s.More = []sheet.Figure{sheet.FigureOf("spread", r.spreadChart())}
	}
	s.Printed = []int{0, 1, 2}[:len(s.Text.Tables)]
	return s
}

// shown are the pairs of the tables and the picture.
func (r *report) shown() []*pairing {
	n := r.standingOut()
	return r.Pairs[:min(len(r.Pairs), max(leastShown, min(n, mostShown)))]
}

func (r *report) standingOut() (n int) {
	for _, p := range r.Pairs {
		if p.StandsOut {
			n++
		}
	}
	return n
}

func (r *report) rate() string { return human.Percent(r.Params.FDR, 0) }

func (r *report) lead() string {
	departs := human.Plural(int64(r.standingOut()), "departs", "depart")
	if r.standingOut() == 0 {
		departs = "none departs"
	}
	text := fmt.Sprintf("%s with at least %d games: at a false discovery rate of %s, %s from the score expected from %s.",
		human.Plural(int64(len(r.Pairs)), "pair", "pairs"), r.Params.MinGames, r.rate(), departs, r.expectedBy())
	c := &r.Cycles
	switch {
	case c.Triples == 0:
		return text + " No three players have met each other that often."
	case len(c.Found) == 0:
		return text + fmt.Sprintf(" None of %s of players who have met each other is a cycle.", human.Plural(c.Triples, "triple", "triples"))
	}
	return text + fmt.Sprintf(" Among %s of players who have met each other, %s. Significant at this rate: %s; also significant with each player above expectation: %s.",
		human.Plural(c.Triples, "triple", "triples"), human.Plural(int64(len(c.Found)), "is a cycle", "are cycles"), noneOr(c.Sure), noneOr(c.Beyond))
}

func noneOr(n int) string {
	if n == 0 {
		return "none"
	}
	return human.Grouped(int64(n))
}

func (r *report) expectedBy() string {
	if r.Expected.Kind == ExpectRatings {
		return "their ratings"
	}
	return "all other games"
}

func (r *report) tables() []table.Table {
	all := []table.Table{r.pairTable()}
	if len(r.Cycles.Found) > 0 {
		all = append(all, r.cycleTable())
	}
	return append(all, r.expectationTable())
}

// results writes wins, draws and losses as +3 =2 −1.
func results(r [3]int64) string { return fmt.Sprintf("+%d =%d −%d", r[0], r[1], r[2]) }

func (r *report) pairTable() table.Table {
	t := table.Table{Name: "players-pairs", Caption: "Pairs that depart most from the expected score",
		Head: []table.Cell{table.Text("player"), table.Text("against"), table.Number("games"), table.Text("moving first"), table.Text("moving second"), table.Number("score"), table.Number("expected"), table.Number("difference"), table.Number("95\u00a0% interval"), table.Number("p"), table.Number("q")}}
	for _, p := range r.shown() {
		t.Rows = append(t.Rows, []string{r.Names[p.A], r.Names[p.B], human.Grouped(p.Games), results(p.AsFirst), results(p.AsSecond),
			human.Percent(p.Score(), 1), human.Percent(p.Expected/float64(p.Games), 1), human.Signed(100*p.Difference(), 1), human.Span(100*p.Low, 100*p.High, 1), human.Chance(p.P), human.Chance(p.Q)})
	}
	return t
}

func (r *report) cycleTable() table.Table {
	t := table.Table{Name: "players-cycles", Caption: "Three-cycles: each scores more than half against the next",
		Head: []table.Cell{table.Text("A"), table.Text("B"), table.Text("C"), table.Number("A on B"), table.Number("B on C"), table.Number("C on A"), table.Number("p"), table.Number("q"), table.Number("p, beyond expectation"), table.Number("q")}}
	for _, c := range r.Cycles.Found[:min(len(r.Cycles.Found), max(leastShown/2, min(r.Cycles.Sure, mostShown)))] {
		row := []string{r.Names[c.Players[0]], r.Names[c.Players[1]], r.Names[c.Players[2]]}
		for i, p := range c.Pairs {
			row = append(row, fmt.Sprintf("%s of %d", human.Percent(p.score(c.Players[i]), 1), p.Games))
		}
		t.Rows = append(t.Rows, append(row, human.Chance(c.P), human.Chance(c.Q), human.Chance(c.Beyond), human.Chance(c.BeyondQ)))
	}
	return t
}

func (r *report) expectationTable() table.Table {
	e := &r.Expected
	t := table.Table{Name: "players-expectation", Caption: "The expectation", Head: []table.Cell{table.Text("quantity"), table.Number("value"), table.Number("95\u00a0% interval")}}
	row := func(name, value, interval string) { t.Rows = append(t.Rows, []string{name, value, interval}) }
	unit := "Elo"
	row("games", human.Grouped(r.Used), "")
	if e.Kind == ExpectRatings {
		unit = "rating points"
		row("rating difference for odds of ten to one (Elo: 400)", e.scale(), e.scales())
	} else {
		row("standard deviation of the strengths, Elo", strconv.FormatFloat(e.Spread, 'f', 0, 64), "")
	}
	if !e.Model.OpenAdvantage {
		row("advantage of moving first, "+unit, e.advantage(), e.advantages())
	}
	if !e.Model.OpenDraws {
		row("draws between equals", human.Percent(e.Model.At(0).Draw, 1), "")
	}
	row("log-loss of a result, nats", strconv.FormatFloat(-e.Model.LogLikelihood/float64(r.Used), 'f', 4, 64), "")
	if len(r.Pairs) >= leastSpread {
		row("spread of z (by chance 1)", strconv.FormatFloat(r.spread(), 'f', 2, 64), "")
	}
	return t
}

// spread returns the spread of the pairs' z, by chance 1.
func (r *report) spread() float64 { return spreadOf(r.Pairs) }

// divided describes the divisor of z.
func (r *report) divided() string {
	if s := scaleOf(r.Pairs); s.by > 1 {
		return fmt.Sprintf(" Here z of every pair is divided by it (%.2f) in p, q and the intervals, so that a pair must stand out from the others. Student's distribution with %.0f degrees of freedom allows for its uncertainty.", s.by, s.degrees)
	}
	if len(r.Pairs) < leastJudged {
		return fmt.Sprintf(" With fewer than %d pairs the spread is unknown: there is no q, and no pair is marked. Then p and intervals assume independent games and constant strength.", leastJudged)
	}
	return fmt.Sprintf(" If it is above 1, with %d pairs or more, z is divided by it in p, q and the intervals.", leastJudged)
}

//go:embed notes.txt
var notesTemplate string

func (r *report) notes() []string {
	allowed := "chance in independent games"
	if scaleOf(r.Pairs).by > 1 {
		allowed += ", and other differences between pairs"
	}
	return sheet.Notes(notesTemplate, map[string]any{"R": r, "Open": r.Expected.Model.Note(), "ByRatings": r.Expected.Kind == ExpectRatings, "Unrated": r.Played - r.Used, "MostExact": mostExact, "MostInverted": mostInverted, "Divided": r.divided(), "Allowed": allowed})
}

// result has all pairs, for the CSV file.
func (r *report) result() *query.Result {
	var rows [][]any
	for _, p := range r.Pairs {
		rows = append(rows, []any{r.Names[p.A], r.Names[p.B], p.Games, p.AsFirst[0], p.AsFirst[1], p.AsFirst[2], p.AsSecond[0], p.AsSecond[1], p.AsSecond[2],
			p.Score(), p.Expected / float64(p.Games), p.Difference(), p.Low, p.High, p.Z, p.P, p.Q, p.StandsOut})
	}
	return sheet.Result(rows, "VARCHAR player opponent", "BIGINT games first_wins first_draws first_losses second_wins second_draws second_losses",
		"DOUBLE score expected difference low high z p q", "BOOLEAN stands_out")
}
