package examples

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"

	"kifu/games/board"
	"kifu/internal/human"
	"kifu/query"
	"kifu/report/sheet"
)

// Decision is a move that was played, and its place in an order of the legal moves.
type Decision struct {
	Expected             bool // it is the order's first
	Game, Ply            int64
	Board                board.Board
	Move                 string // in coordinates
	Moves, Better, Equal int64  // legal ones, those before it and those at its place
	// Of the game, where it is known:
	First, Second, Date, Result string
	Next                        []string // moves from here on
}

// Decisions calls take with the decisions to be shown of those that a query returns, and with their rows. The columns are named
// as the fields; where there are no codes of a game, position is the board's text.
func Decisions(ctx context.Context, db *query.DB, g board.Game, name, text string, data any, take func(d Decision, f sheet.Fields)) error {
	_, rows, _, err := sheet.Run(ctx, db, name, text, data)
	if err != nil {
		return err
	}
	var selection Selection
	for _, f := range rows {
		d := Decision{Expected: f.Truth("expected"), Game: f.Whole("game_id"), Ply: f.Whole("ply"), Move: f.Text("move"), Moves: f.Whole("moves"), Better: f.Whole("better"), Equal: f.Whole("equal"),
			First: f.Text("first_player"), Second: f.Text("second_player"), Date: f.Text("date"), Result: f.Text("result")}
		if codes, known := f.At("codes").([]byte); known {
			d.Board, d.Next, err = replay(g, f.Text("variant"), f.Text("start_position"), codes, d.Ply)
		} else {
			d.Board, err = g.Start("", f.Text("position"))
		}
		if err != nil {
			return fmt.Errorf("game %d, ply %d: %w", d.Game, d.Ply, err)
		}
		if selection.Take(!d.Expected, d.Move+" "+string(d.Board.AppendText(nil))) {
			take(d, f)
		}
	}
	return nil
}

// Figure is the decision with a caption: by names whose order it is, equal what moves at one place have alike; lines follow.
func (d Decision) Figure(by, equal string, lines ...string) Figure {
	rank := fmt.Sprintf("%s was played: number %d of %s%s", board.Line(d.Board, int(d.Ply), []string{d.Move}, false), d.Better+1, human.Plural(d.Moves, "move", "moves"), by)
	if d.Equal > 1 {
		rank += fmt.Sprintf(", with %d of equal %s", d.Equal-1, equal)
	}
	lines = append([]string{rank}, append(lines, players(d.First, d.Second, d.Date)...)...)
	if text := Result(d.Board, d.Result); text != "" {
		lines = append(lines, text)
	}
	if len(d.Next) > 1 {
		if m, err := d.Board.Find(d.Next[0]); err == nil {
			lines = append(lines, "and then "+board.Line(m.Play(), int(d.Ply)+1, d.Next[1:], false))
		}
	}
	return Figure{Board: d.Board, Move: d.Move, Lines: lines, Game: d.Game, Ply: d.Ply}
}

// Table writes rows as CSV.
func Table(rows [][]string) ([]byte, error) {
	var out bytes.Buffer
	err := csv.NewWriter(&out).WriteAll(rows)
	return out.Bytes(), err
}
