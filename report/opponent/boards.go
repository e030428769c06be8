package opponent

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"html/template"
	"strconv"

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
	SELECT true AS expected, unnest(list(k ORDER BY (k.game_id * 2654435761) % 4294967296)[:{{.Most}}]) AS k
	FROM (SELECT max(struct_pack(legal_moves := legal_moves, game_id := game_id, ply := -ply)) AS k FROM decisions WHERE model_better = 0 AND model_equal = 1 GROUP BY game_id)
)
SELECT c.expected, d.* FROM (SELECT expected, k.game_id AS game_id, -k.ply AS ply FROM least UNION ALL SELECT expected, k.game_id, -k.ply FROM most) c
JOIN decisions d USING (game_id, ply) ORDER BY c.expected, d.model_better DESC, c.game_id, c.ply`

// surprise is a decision that shows a model.
type surprise struct {
	expected                  bool
	game, ply                 int64
	board                     board.Board
	move                      string
	legalMoves, better, equal int64
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
	for _, m := range o.Models {
		found, err := m.surprises(ctx, db, g)
		if err != nil {
			return "", fmt.Errorf("positions of %s: %w", m.Name, err)
		}
		least := examples.Group{Name: m.Name + ": the moves played that the model expected least, each of another game"}
		first := examples.Group{Name: m.Name + ": the model's first choice was played"}
		for _, s := range found {
			table = append(table, []string{m.Name, strconv.FormatBool(s.expected), strconv.FormatInt(s.game, 10), strconv.FormatInt(s.ply, 10), string(s.board.AppendText(nil)), s.move,
				strconv.FormatInt(s.legalMoves, 10), strconv.FormatInt(s.better, 10), strconv.FormatInt(s.equal, 10)})
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
		all = append(all, s)
	}
	return all, nil
}

// figure says what is to be said of the decision.
func (s surprise) figure() examples.Figure {
	line := fmt.Sprintf("%s was played: number %d of %s by the model", examples.Text(s.board, s.move), s.better+1, human.Plural(s.legalMoves, "move", "moves"))
	if s.equal > 1 {
		line += fmt.Sprintf(", with %d of equal value", s.equal-1)
	}
	return examples.Figure{Board: s.board, Move: s.move, Lines: []string{line}, Game: s.game, Ply: s.ply}
}
