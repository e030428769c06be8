package moves

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/csv"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"kifu/games/board"
	"kifu/internal/human"
	"kifu/query"
	"kifu/report/examples"
	"kifu/report/page"
	"kifu/report/sheet"
)

// surpriseSQL is the data of surprise.sql.
type surpriseSQL struct {
	Holdout     float64
	Heads       sheet.Heads
	Games       string // view, as SQL
	Order       shownOrder
	Least, Most int
	Above       string // least surprise of a move that was not expected
}

// shownOrder is an order whose decisions are shown.
type shownOrder struct {
	moveOrder
	Predicted bool
}

//go:embed surprise.sql
var surpriseTemplate string

// surprise is a decision that shows an order.
type surprise struct {
	Order                            string
	Expected                         bool
	Game, Ply                        int64
	Board                            board.Board
	Move, First                      string   // played, and the order's first one ("" if unknown), in coordinates
	Next                             []string // moves of the game from here on
	Value, Best                      float64  // of the move played and of the first one, NaN if unknown
	Moves, Better, Equal             int64
	FirstPlayer, Second, Date, Score string
	predicted, pattern               bool
}

// boards finds the decisions that show the orders, writes them as a table to out and returns
// their boards for the page. There are none where the games are not known.
func (g *report) boards(ctx context.Context, db *query.DB, q querySQL, out page.Files) (template.HTML, error) {
	rules := board.Named(ctx, g.Game)
	if rules == nil || q.Games == "" {
		return "", nil
	}
	var all []surprise
	for i, o := range g.Orders {
		ask := surpriseSQL{Holdout: q.Holdout, Heads: q.Heads, Games: q.Games, Order: shownOrder{o, i >= len(q.Orders)}, Least: examples.Spare * examples.Wrong, Most: examples.Spare * examples.Right, Above: "0"}
		if ask.Order.Predicted {
			ask.Above, ask.Heads = "-1", sheet.Heads{}
		}
		found, err := ask.find(ctx, db, rules)
		if err != nil {
			return "", fmt.Errorf("positions of %s: %w", o.Name, err)
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return "", nil
	}
	table, err := surpriseCSV(all)
	if err != nil {
		return "", err
	}
	if err := out.AddFile("moves-examples.csv", table); err != nil {
		return "", err
	}
	var groups []examples.Group
	for _, s := range all {
		name := s.Order + ": the moves played that it expected least, each of another game"
		if s.Expected {
			name = s.Order + ": its first choice was played"
		}
		if len(groups) == 0 || groups[len(groups)-1].Name != name {
			groups = append(groups, examples.Group{Name: name})
		}
		of := &groups[len(groups)-1]
		of.Figures = append(of.Figures, s.figure(g.Unit))
	}
	return examples.Page(rules, groups), nil
}

func (q surpriseSQL) find(ctx context.Context, db *query.DB, rules board.Game) (all []surprise, err error) {
	_, rows, _, err := sheet.Run(ctx, db, "surprise.sql", surpriseTemplate, q)
	if err != nil {
		return nil, err
	}
	var selection examples.Selection
	for _, f := range rows {
		s := surprise{Order: q.Order.Name, Expected: f.Truth("expected"), Game: f.Whole("game_id"), Ply: f.Whole("ply"), Move: f.Text("move"), First: f.Text("first"),
			Value: f.OrNaN("value"), Best: f.OrNaN("best"), Moves: f.Whole("moves"), Better: f.Whole("better"), Equal: f.Whole("equal"),
			FirstPlayer: f.Text("first_player"), Second: f.Text("second_player"), Date: f.Text("date"), Score: f.Text("result"), predicted: q.Order.Predicted, pattern: q.Order.Pattern != ""}
		codes, _ := f.At("codes").([]byte)
		if s.Board, s.Next, err = examples.Replay(rules, f.Text("variant"), f.Text("start_position"), codes, s.Ply); err != nil {
			return nil, fmt.Errorf("game %d: %w", s.Game, err)
		}
		if selection.Take(!s.Expected, s.Move+" "+string(s.Board.AppendText(nil))) {
			all = append(all, s)
		}
	}
	return all, nil
}

// figure reports what is to be stated of the decision.
func (s surprise) figure(unit string) examples.Figure {
	played := examples.Text(s.Board, s.Move)
	rank := fmt.Sprintf("%s was played: number %d of %s", played, s.Better+1, human.Plural(s.Moves, "move", "moves"))
	if s.Equal > 1 {
		rank += fmt.Sprintf(", with %d of equal standing", s.Equal-1)
	}
	lines := []string{rank}
	switch {
	case s.predicted:
		lines = append(lines, "probability "+human.Percent(s.Value, 1))
	case s.pattern:
		lines = append(lines, fmt.Sprintf("its pattern is played %s of the times; the pattern of %s %s", human.Percent(s.Value, 1), examples.Text(s.Board, s.First), human.Percent(s.Best, 1)))
	case s.Expected:
		lines = append(lines, fmt.Sprintf("value %s %s for the player to move", human.Signed(s.Value, 0), unit))
	default:
		lines = append(lines, fmt.Sprintf("value %s %s for the player to move; %s has %s", human.Signed(s.Value, 0), unit, examples.Text(s.Board, s.First), human.Signed(s.Best, 0)))
	}
	lines = append(lines, examples.Players(s.FirstPlayer, s.Second, s.Date)...)
	if text := examples.Result(s.Board, s.Score); text != "" {
		lines = append(lines, text)
	}
	if len(s.Next) > 1 {
		lines = append(lines, "and then "+strings.Join(s.Next[1:], " "))
	}
	return examples.Figure{Board: s.Board, Move: s.Move, Lines: lines, Game: s.Game, Ply: s.Ply}
}

func surpriseCSV(all []surprise) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	rows := [][]string{{"order", "expected", "game_id", "ply", "first_player", "second_player", "date", "result", "position", "move", "first", "value", "best", "moves", "better", "equal", "next"}}
	for _, s := range all {
		rows = append(rows, []string{s.Order, strconv.FormatBool(s.Expected), strconv.FormatInt(s.Game, 10), strconv.FormatInt(s.Ply, 10), s.FirstPlayer, s.Second, s.Date, s.Score,
			string(s.Board.AppendText(nil)), s.Move, s.First, orEmpty(s.Value), orEmpty(s.Best), strconv.FormatInt(s.Moves, 10), strconv.FormatInt(s.Better, 10), strconv.FormatInt(s.Equal, 10), strings.Join(s.Next, " ")})
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func orEmpty(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x+0, 'g', 6, 64) // + 0: no minus at nothing
}
