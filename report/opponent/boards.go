package opponent

import (
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/games/board"
	"kifu/query"
	"kifu/report/examples"
	"kifu/report/page"
	"kifu/report/sheet"
)

// boardsSQL is the data of boardsTemplate.
type boardsSQL struct {
	View, Sample string
	Games        string // view, as SQL; empty: not known
	Least, Most  int
}

// boardsTemplate asks for decisions of the games that a model is judged by: those whose move it
// expected least, each of another game, and some whose move is its only first choice.
//
//go:embed boards.sql
var boardsTemplate string

// gamesView is the name of the games in SQL.
const gamesView = "games of the models"

// attach attaches the games that models were learned of, for the players and the next moves.
func (o *report) attach(ctx context.Context, db *query.DB, models []*datasets.Dir, games *datasets.Dir) error {
	if games == nil {
		return nil
	}
	found := false
	for i, d := range models {
		for _, in := range d.Manifest.Inputs {
			if in.Key == games.Manifest.Key {
				o.Models[i].played, found = true, true
			}
		}
	}
	if !found {
		return fmt.Errorf("no model was learned from %s: name the games that kifu learn read", games.Path)
	}
	return db.Attach(ctx, gamesView, games)
}

// boards finds the decisions that show the models, writes them as a table to out and returns
// their boards for the page. There are none without boards of the game in the context.
func (o *report) boards(ctx context.Context, db *query.DB, out page.Files) (template.HTML, error) {
	g := board.Named(ctx, o.Models[0].Game)
	if g == nil {
		return "", nil
	}
	var groups []examples.Group
	table := [][]string{{"model", "expected", "game_id", "ply", "position", "move", "legal_moves", "better", "equal"}}
	played := slices.ContainsFunc(o.Models, func(m *model) bool { return m.played })
	if played {
		table[0] = append(table[0], "first_player", "second_player", "date", "result", "next")
	}
	for _, m := range o.Models {
		least := examples.Group{Name: m.Name + ": the moves played that the model expected least, each of another game"}
		first := examples.Group{Name: m.Name + ": the model's first choice was played"}
		q := boardsSQL{View: query.View(m.Name + "_decisions"), Sample: query.QuoteText(m.judged()), Least: examples.Spare * examples.Wrong, Most: examples.Spare * examples.Right}
		if m.played {
			q.Games = query.View(gamesView)
		}
		err := examples.Decisions(ctx, db, g, "boards.sql", boardsTemplate, q, func(s examples.Decision, f sheet.Fields) {
			row := []string{m.Name, strconv.FormatBool(s.Expected), strconv.FormatInt(s.Game, 10), strconv.FormatInt(s.Ply, 10), string(s.Board.AppendText(nil)), s.Move,
				strconv.FormatInt(s.Moves, 10), strconv.FormatInt(s.Better, 10), strconv.FormatInt(s.Equal, 10)}
			if played {
				row = append(row, s.First, s.Second, s.Date, s.Result, strings.Join(s.Next, " "))
			}
			table = append(table, row)
			of := &least
			if s.Expected {
				of = &first
			}
			of.Figures = append(of.Figures, s.Figure(" by the model", "value"))
		})
		if err != nil {
			return "", fmt.Errorf("positions of %s: %w", m.Name, err)
		}
		groups = append(groups, least, first)
	}
	html := examples.Page(g, groups)
	if html == "" {
		return "", nil
	}
	data, err := examples.Table(table)
	if err != nil {
		return "", err
	}
	return html, out.AddFile("opponent-examples.csv", data)
}
