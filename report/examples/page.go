package examples

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/games"
	"kifu/games/board"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/report/page"
)

// compareSize compares numbers by their size.
func compareSize(a, b float64) int {
	switch a, b := math.Abs(a), math.Abs(b); {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// HTML returns the boards of the examples for a page, each Ask's under its name. It is empty without
// examples.
func HTML(g board.Game, asks []Ask, all []Example, unit string) template.HTML {
	var groups []Group
	for i, a := range asks {
		group := Group{Name: strings.TrimSpace(a.Number + " " + a.Name)}
		for _, e := range lists.Where(all, func(e Example) bool { return e.Ask == i }) {
			group.Figures = append(group.Figures, e.figure(unit))
		}
		groups = append(groups, group)
	}
	return Page(g, groups)
}

// figure returns the caption of an example.
func (e Example) figure(unit string) Figure {
	lines := []string{fmt.Sprintf("%s; the value is %s %s", e.outcome(e.Board.Layout().Sides), human.Signed(e.Value, decimals(e.Value)), unit)}
	lines = append(lines, players(e.First, e.Second, e.Date)...)
	terms := lists.Of(e.Terms[:min(5, len(e.Terms))], func(t Term) string { return t.Name + " " + human.Signed(t.Score, decimals(t.Score)) })
	if terms != nil {
		lines = append(lines, strings.Join(terms, ", "))
	}
	if counts := e.counts(); counts != "" {
		lines = append(lines, counts)
	}
	if next := e.played(); next != "" {
		lines = append(lines, "played "+next)
	}
	if e.Line != "" {
		lines = append(lines, "the search: "+board.Line(e.Board, int(e.Ply), strings.Fields(e.Line), false))
	}
	return Figure{Board: e.Board, Lines: lines, Game: e.Game, Ply: e.Ply}
}

// mostCounts is how many terms a caption has; the CSV has all.
const mostCounts = 6

// counts are the largest terms as count × weight.
func (e Example) counts() string {
	var parts []string
	for _, c := range e.Counts[:min(mostCounts, len(e.Counts))] {
		parts = append(parts, fmt.Sprintf("%s %s × %s", c.Name, human.Number(float64(c.Count)), human.Weight(c.Weight)))
	}
	return strings.Join(parts, "; ")
}

// played are the moves of the game from here on, as players write them.
func (e Example) played() string {
	next := e.Next
	if len(next) == 0 && e.Move != "" {
		next = []string{e.Move}
	}
	return board.Line(e.Board, int(e.Ply), next, false)
}

func decimals(x float64) int {
	if math.Abs(x) < 10 {
		return 1
	}
	return 0
}

// outcome names who won, and whether the value was wrong about it.
func (e Example) outcome(sides [2]string) string {
	who := sides[0]
	if e.Result == games.SecondWins.String() {
		who = sides[1]
	}
	if e.Wrong {
		return who + " won, against the value"
	}
	return who + " won, as the value predicts"
}

// Add finds the examples of all asks, writes them to a file of out and returns their boards for
// the page: Find, CSV and HTML for a report whose positions have no names of players.
func Add(ctx context.Context, out page.Files, file string, labels *datasets.Dir, value string, workers int, asks []Ask) (template.HTML, error) {
	all, err := Find(ctx, labels, nil, value, workers, asks)
	if err != nil || len(all) == 0 {
		return "", err
	}
	data, err := CSV(asks, all)
	if err != nil {
		return "", err
	}
	if err := out.AddFile(file, data); err != nil {
		return "", err
	}
	return HTML(board.Named(ctx, labels.Manifest.Meta["game"]), asks, all, labels.Manifest.Meta["unit"]), nil
}

// CSV returns the examples as a table.
func CSV(asks []Ask, all []Example) ([]byte, error) {
	rows := [][]string{{"number", "condition", "wrong", "game_id", "ply", "first_player", "second_player", "date", "result", "value", "position", "move", "pv", "terms", "counts", "next"}}
	for _, e := range all {
		terms := lists.Of(e.Terms, func(t Term) string { return t.Name + "=" + strconv.FormatFloat(t.Score, 'g', 6, 64) })
		counts := lists.Of(e.Counts, func(c Count) string {
			return fmt.Sprintf("%s=%d*%s", c.Name, c.Count, strconv.FormatFloat(c.Weight, 'g', 6, 64))
		})
		rows = append(rows, []string{asks[e.Ask].Number, asks[e.Ask].Condition, strconv.FormatBool(e.Wrong), strconv.FormatInt(e.Game, 10), strconv.FormatInt(e.Ply, 10),
			e.First, e.Second, e.Date, e.Result, strconv.FormatFloat(e.Value, 'g', 9, 64), string(e.Board.AppendText(nil)), e.Move, e.Line, strings.Join(terms, " "), strings.Join(counts, " "), strings.Join(e.Next, " ")})
	}
	return Table(rows)
}
