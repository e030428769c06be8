package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/games"
	"kifu/games/board"
	"kifu/internal/human"
	"kifu/internal/lists"
	tables "kifu/internal/table"
	"kifu/query"
	"kifu/query/format"
)

// showRows prints the first rows of a dataset: boards as texts of positions, moves as records
// write them. Columns that are null in all of them are left out.
func (f showFlags) showRows(ctx context.Context, mk *command.Maker, in *datasets.Dir) error {
	if f.rows < 1 {
		return command.Usagef("--rows %d: want 1 or more", f.rows)
	}
	if in.NumParts() == 0 {
		return fmt.Errorf("%s is a %s and has no rows: read its tables with kifu query", in.Path, in.Table.Name)
	}
	columns, rows, err := command.Rows(ctx, mk, in, fmt.Sprintf("SELECT * FROM d LIMIT %d", f.rows))
	if err != nil {
		return err
	}
	g, err := command.GameOf(in)
	if err != nil {
		g = command.Game{} // a fit has no game, and no boards
	}
	t := tables.Table{}
	var shown []int
	for i, c := range columns {
		null := !slices.ContainsFunc(rows, func(row []any) bool { return row[i] != nil })
		if !null && !slices.Contains(unreadable, c.Name) && (c.Type != "BLOB" || g.Boards != nil && (c.Name == "board" || c.Name == "moves")) {
			shown = append(shown, i)
			t.Head = append(t.Head, tables.Cell{Text: c.Name, Number: query.IsNumber(c.Type)})
		}
	}
	for _, row := range rows {
		cells := lists.Of(shown, func(i int) string { return shorten(cellText(g, columns, row, i)) })
		t.Rows = append(t.Rows, cells)
	}
	fmt.Fprint(mk.Stdout, t.Plain())
	fmt.Fprintf(mk.Stderr, "%s of %s rows of %s\n", human.Grouped(int64(len(rows))), human.Grouped(in.Rows()), in.Table.ID())
	return nil
}

// unreadable are columns that have no meaning in a line.
var unreadable = []string{"evals", "clocks_ms", "annotations", "tags", "features"}

// cellText returns the value of a column for a person.
func cellText(g command.Game, columns []query.Column, row []any, i int) string {
	packed, _ := row[i].([]byte)
	switch {
	case columns[i].Name == "board" && packed != nil:
		b, err := g.Boards.Unpack(packed)
		if err != nil {
			return err.Error()
		}
		return string(b.AppendText(nil))
	case columns[i].Name == "moves" && packed != nil:
		return movesText(g, columns, row, packed)
	}
	return format.Short(row[i], columns[i].Type)
}

// movesText returns the first moves of a game as records write them.
func movesText(g command.Game, columns []query.Column, row []any, codes []byte) string {
	b, err := g.Boards.Start(textOf(columns, row, "variant"), textOf(columns, row, "start_position"))
	if err != nil {
		return err.Error()
	}
	var words []string
	for ; len(codes) > 1 && len(words) < 8; codes = codes[2:] {
		m, err := b.FindCode(uint16(codes[0]) | uint16(codes[1])<<8)
		if err != nil {
			return err.Error()
		}
		words, b = append(words, string(m.AppendText(nil))), m.Play()
	}
	if len(codes) > 1 {
		words = append(words, "…")
	}
	return strings.Join(words, " ")
}

// shorten cuts what is too long for a column.
func shorten(text string) string {
	if r := []rune(text); len(r) > 90 {
		return string(r[:89]) + "…"
	}
	return text
}

// value returns a row's value of the named column, nil without one.
func valueOf(columns []query.Column, row []any, name string) any {
	if i := slices.IndexFunc(columns, func(c query.Column) bool { return c.Name == name }); i >= 0 {
		return row[i]
	}
	return nil
}

func textOf(columns []query.Column, row []any, name string) string {
	t, _ := valueOf(columns, row, name).(string)
	return t
}

// showGame shows a position of a game: in a dataset of games the last one, or the one after that many
// plies; in positions or labels the row of that game and ply, or the first of the game.
func (f showFlags) showGame(ctx context.Context, mk *command.Maker, in *datasets.Dir, at string) error {
	idText, plyText, hasPly := strings.Cut(at, ":")
	id, err1 := strconv.ParseInt(idText, 10, 64)
	ply, err2 := int64(-1), error(nil)
	if hasPly {
		ply, err2 = strconv.ParseInt(plyText, 10, 32)
	}
	if err1 != nil || err2 != nil {
		return command.Usagef("%q: want GAME or GAME:PLY, two numbers as in the columns game_id and ply", at)
	}
	g, err := command.GameOf(in)
	if err != nil {
		return err
	}
	isGames := in.Table.Index("moves") >= 0
	if in.Table.Index("game_id") < 0 || !isGames && in.Table.Index("board") < 0 {
		return fmt.Errorf("%s holds %s, which have no board", in.Path, in.Table.Name)
	}
	sql := fmt.Sprintf("SELECT * FROM d WHERE game_id = %d", id)
	if hasPly && !isGames {
		sql += fmt.Sprintf(" AND ply = %d", ply)
	}
	columns, rows, err := command.Rows(ctx, mk, in, sql+" LIMIT 1")
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return fmt.Errorf("%s has no row of game %s", in.Path, at)
	}
	if isGames {
		return f.showPly(mk, g, columns, rows[0], ply)
	}
	return f.showPosition(mk, g, columns, rows[0])
}

// showPly draws the position of a game after that many plies, after all for -1.
func (f showFlags) showPly(mk *command.Maker, g command.Game, columns []query.Column, row []any, ply int64) error {
	codes, _ := valueOf(columns, row, "moves").([]byte)
	plies := int64(len(codes) / 2)
	if ply < 0 {
		ply = plies
	}
	if ply > plies {
		return fmt.Errorf("game %v has %d plies, not %d", valueOf(columns, row, "game_id"), plies, ply)
	}
	b, err := g.Boards.Start(textOf(columns, row, "variant"), textOf(columns, row, "start_position"))
	if err != nil {
		return err
	}
	var last []int
	played, next := "the start", ""
	for i := range plies {
		m, err := b.FindCode(uint16(codes[2*i]) | uint16(codes[2*i+1])<<8)
		if err != nil {
			return fmt.Errorf("game %v, ply %d: %w", valueOf(columns, row, "game_id"), i+1, err)
		}
		if i == ply {
			next = "; next " + board.Numbered(b, m, int(i), f.letters)
			break
		}
		played = "after " + board.Numbered(b, m, int(i), f.letters)
		last, b = m.Marks(), m.Play()
	}
	said := fmt.Sprintf("%s\nply %d of %d, %s%s\n", headline(columns, row, b.Layout().Sides), ply, plies, played, next)
	if b, last, err = playFurther(b, last, f.moves); err != nil {
		return err
	}
	return f.draw(mk, g, b, last, said)
}

// playFurther is playMoves that keeps the last move where there are no more.
func playFurther(b board.Board, last []int, moves string) (board.Board, []int, error) {
	if strings.TrimSpace(moves) == "" {
		return b, last, nil
	}
	return playMoves(b, moves)
}

// headline names a game: number, players with ratings, date, event, result.
func headline(columns []query.Column, row []any, sides [2]string) string {
	player := func(side string) string {
		name := textOf(columns, row, side+"_player")
		name = cmp.Or(name, "?")
		if elo := valueOf(columns, row, side+"_elo"); elo != nil {
			name += fmt.Sprintf(" (%v)", elo)
		}
		return name
	}
	line := fmt.Sprintf("game %v: %s – %s", valueOf(columns, row, "game_id"), player("first"), player("second"))
	for _, name := range []string{"date", "event"} {
		if t := textOf(columns, row, name); t != "" {
			line += ", " + t
		}
	}
	switch result := textOf(columns, row, "result"); result {
	case "":
		return line + ", no result"
	case "draw":
		return line + ", a draw"
	default:
		return line + ", " + winner(games.OutcomeNamed(result), sides) + " won"
	}
}

// showPosition draws a row of positions or labels, and lists its columns.
func (f showFlags) showPosition(mk *command.Maker, g command.Game, columns []query.Column, row []any) error {
	packed, _ := valueOf(columns, row, "board").([]byte)
	b, err := g.Boards.Unpack(packed)
	if err != nil {
		return fmt.Errorf("game %v, ply %v: %w", valueOf(columns, row, "game_id"), valueOf(columns, row, "ply"), err)
	}
	var last []int
	if b, last, err = playMoves(b, f.moves); err != nil {
		return err
	}
	if err := f.draw(mk, g, b, last, ""); err != nil || f.svg != "" {
		return err
	}
	return listColumns(mk.Stdout, columns, row)
}

// listColumns prints a row as a column and its value a line.
func listColumns(w io.Writer, columns []query.Column, row []any) error {
	width := 0
	for _, c := range columns {
		width = max(width, len(c.Name))
	}
	for i, c := range columns {
		if c.Type == "BLOB" {
			continue
		}
		if _, err := fmt.Fprintf(w, "%-*s  %s\n", width, c.Name, format.Short(row[i], c.Type)); err != nil {
			return err
		}
	}
	return nil
}

// winner names the side that won, or "draw"; "" without a result.
func winner(result games.Outcome, sides [2]string) string {
	return map[games.Outcome]string{games.FirstWins: sides[0], games.SecondWins: sides[1], games.Drawn: "draw"}[result]
}
