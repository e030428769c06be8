package opponent

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/games/board"
	"kifu/internal/human"
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
const boardsTemplate = `WITH decisions AS (
	SELECT game_id, ply, legal_moves, position, move, model_better, model_equal FROM {{.View}} WHERE part = {{.Sample}}
), least AS (
	SELECT false AS expected, unnest(list(k ORDER BY k.model_better DESC, k.game_id)[:{{.Least}}]) AS k
	FROM (SELECT max(struct_pack(model_better := model_better, legal_moves := legal_moves, game_id := game_id, ply := -ply)) AS k FROM decisions WHERE model_better > 0 GROUP BY game_id)
), most AS (
	-- in no order that the model knows of
	SELECT true AS expected, unnest(list(k ORDER BY (k.game_id % 4294967296)::UBIGINT * 2654435761 % 4294967296)[:{{.Most}}]) AS k
	FROM (SELECT max(struct_pack(legal_moves := legal_moves, game_id := game_id, ply := -ply)) AS k FROM decisions WHERE model_better = 0 AND model_equal = 1 GROUP BY game_id)
)
SELECT c.expected, d.*{{if .Games}}, g.variant, g.start_position, g.moves AS codes, g.first_player, g.second_player, g.date, g.result{{end}} FROM (SELECT expected, k.game_id AS game_id, -k.ply AS ply FROM least UNION ALL SELECT expected, k.game_id, -k.ply FROM most) c
JOIN decisions d USING (game_id, ply){{if .Games}} JOIN {{.Games}} g ON g.game_id = c.game_id{{end}}
ORDER BY c.expected, d.model_better DESC, c.game_id, c.ply`

// surprise is a decision that shows a model.
type surprise struct {
	expected                  bool
	game, ply                 int64
	board                     board.Board
	move                      string
	legalMoves, better, equal int64

	// Of the games, where they are known:
	first, second, date, result string
	next                        []string // moves from here on
}

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
		return fmt.Errorf("no model was learned of %s: give the games that kifu learn was given", games.Path)
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
		found, err := m.surprises(ctx, db, g)
		if err != nil {
			return "", fmt.Errorf("positions of %s: %w", m.Name, err)
		}
		least := examples.Group{Name: m.Name + ": the moves played that the model expected least, each of another game"}
		first := examples.Group{Name: m.Name + ": the model's first choice was played"}
		for _, s := range found {
			row := []string{m.Name, strconv.FormatBool(s.expected), strconv.FormatInt(s.game, 10), strconv.FormatInt(s.ply, 10), string(s.board.AppendText(nil)), s.move,
				strconv.FormatInt(s.legalMoves, 10), strconv.FormatInt(s.better, 10), strconv.FormatInt(s.equal, 10)}
			if played {
				row = append(row, s.first, s.second, s.date, s.result, strings.Join(s.next, " "))
			}
			table = append(table, row)
			if s.expected {
				first.Figures = append(first.Figures, s.figure())
			} else {
				least.Figures = append(least.Figures, s.figure())
			}
		}
		groups = append(groups, least, first)
	}
	html := examples.Page(g, groups)
	if html == "" {
		return "", nil
	}
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(table); err != nil {
		return "", err
	}
	return html, out.AddFile("opponent-examples.csv", text.Bytes())
}

func (m *model) surprises(ctx context.Context, db *query.DB, g board.Game) (all []surprise, err error) {
	q := boardsSQL{View: query.View(m.Name + "_decisions"), Sample: sheet.QuoteText(m.judged()), Least: examples.Spare * examples.Wrong, Most: examples.Spare * examples.Right}
	if m.played {
		q.Games = query.View(gamesView)
	}
	_, rows, _, err := sheet.Run(ctx, db, "boards.sql", boardsTemplate, q)
	if err != nil {
		return nil, err
	}
	var selection examples.Selection
	for _, f := range rows {
		s := surprise{expected: f.Truth("expected"), game: f.Whole("game_id"), ply: f.Whole("ply"), move: f.Text("move"), legalMoves: f.Whole("legal_moves"), better: f.Whole("model_better"), equal: f.Whole("model_equal")}
		if !selection.Take(!s.expected, s.move+" "+f.Text("position")) {
			continue
		}
		if s.board, err = g.Start("", f.Text("position")); err != nil {
			return nil, fmt.Errorf("game %d, ply %d: %w", s.game, s.ply, err)
		}
		if m.played {
			codes, _ := f.At("codes").([]byte)
			s.first, s.second, s.date, s.result = f.Text("first_player"), f.Text("second_player"), f.Text("date"), f.Text("result")
			if s.board, s.next, err = examples.Replay(g, f.Text("variant"), f.Text("start_position"), codes, s.ply); err != nil {
				return nil, fmt.Errorf("game %d: %w", s.game, err)
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// figure reports what is to be stated of the decision.
func (s surprise) figure() examples.Figure {
	line := fmt.Sprintf("%s was played: number %d of %s by the model", examples.Text(s.board, s.move), s.better+1, human.Plural(s.legalMoves, "move", "moves"))
	if s.equal > 1 {
		line += fmt.Sprintf(", with %d of equal value", s.equal-1)
	}
	lines := append([]string{line}, examples.Players(s.first, s.second, s.date)...)
	if text := examples.Result(s.board, s.result); text != "" {
		lines = append(lines, text)
	}
	if len(s.next) > 1 {
		lines = append(lines, "and then "+strings.Join(s.next[1:], " "))
	}
	return examples.Figure{Board: s.board, Move: s.move, Lines: lines, Game: s.game, Ply: s.ply}
}
