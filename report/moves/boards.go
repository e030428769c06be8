package moves

import (
	"context"
	_ "embed"
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
	Found       []string // views of the decisions, as SQL
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
	examples.Decision
	order       shownOrder
	first       string  // the order's first move ("" if unknown), in coordinates
	value, best float64 // of the move played and of the first one, NaN if unknown
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
		ask := surpriseSQL{Found: q.Found, Heads: q.Heads, Games: q.Games, Order: shownOrder{o, i >= len(q.Orders)}, Least: examples.Spare * examples.Wrong, Most: examples.Spare * examples.Right, Above: "0"}
		if ask.Order.Predicted {
			ask.Above, ask.Heads = "-1", sheet.Heads{}
		}
		err := examples.Decisions(ctx, db, rules, "surprise.sql", surpriseTemplate, ask, func(d examples.Decision, f sheet.Fields) {
			all = append(all, surprise{d, ask.Order, f.Text("first"), f.OrNaN("value"), f.OrNaN("best")})
		})
		if err != nil {
			return "", fmt.Errorf("positions of %s: %w", o.Name, err)
		}
	}
	if len(all) == 0 {
		return "", nil
	}
	table, err := tableOf(all)
	if err != nil {
		return "", err
	}
	if err := out.AddFile("moves-examples.csv", table); err != nil {
		return "", err
	}
	var groups []examples.Group
	for _, s := range all {
		name := s.order.Name + ": the played moves that it expected least, from different games"
		if s.Expected {
			name = s.order.Name + ": its first choice was played"
		}
		if len(groups) == 0 || groups[len(groups)-1].Name != name {
			groups = append(groups, examples.Group{Name: name})
		}
		of := &groups[len(groups)-1]
		of.Figures = append(of.Figures, s.figure(g.Unit))
	}
	return examples.Page(rules, groups), nil
}

// figure reports what is to be stated of the decision.
func (s surprise) figure(unit string) examples.Figure {
	line := ""
	switch first := board.Shown(s.Board, s.first, false); {
	case s.order.Predicted:
		line = "probability " + human.Percent(s.value, 1)
	case s.order.Pattern != "":
		line = fmt.Sprintf("its pattern is played in %s of cases; the pattern of %s in %s", human.Percent(s.value, 1), first, human.Percent(s.best, 1))
	case s.Expected:
		line = fmt.Sprintf("value %s %s for the player to move", human.Signed(s.value, 0), unit)
	default:
		line = fmt.Sprintf("value %s %s for the player to move; %s has %s", human.Signed(s.value, 0), unit, first, human.Signed(s.best, 0))
	}
	return s.Figure("", "standing", line)
}

func tableOf(all []surprise) ([]byte, error) {
	rows := [][]string{{"order", "expected", "game_id", "ply", "first_player", "second_player", "date", "result", "position", "move", "first", "value", "best", "moves", "better", "equal", "next"}}
	for _, s := range all {
		rows = append(rows, []string{s.order.Name, strconv.FormatBool(s.Expected), strconv.FormatInt(s.Game, 10), strconv.FormatInt(s.Ply, 10), s.First, s.Second, s.Date, s.Result,
			string(s.Board.AppendText(nil)), s.Move, s.first, orEmpty(s.value), orEmpty(s.best), strconv.FormatInt(s.Moves, 10), strconv.FormatInt(s.Better, 10), strconv.FormatInt(s.Equal, 10), strings.Join(s.Next, " ")})
	}
	return examples.Table(rows)
}

func orEmpty(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x+0, 'g', 6, 64) // + 0: no minus at nothing
}
