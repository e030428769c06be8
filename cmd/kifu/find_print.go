package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
	"kifu/games/board"
	"kifu/internal/human"
	"kifu/internal/lists"
	tables "kifu/internal/table"
	"kifu/query"
	"kifu/query/find"
	"kifu/query/format"
	"kifu/schemas"
)

// printFound prints how many games there are, what was played in them, and the first of them.
func (f findFlags) printFound(ctx context.Context, mk *command.Maker, g command.Game, of *datasets.Dir, result *findings) error {
	same := result.replies.Same
	if same != nil {
		fmt.Fprintf(mk.Stdout, "%s\n", same[0].AppendText(nil))
	}
	if result.opening != "" {
		fmt.Fprintf(mk.Stdout, "%s\n", result.opening)
	}
	line := "in " + command.Units(result.games, "games")
	if result.what == "games" && result.counts.Read > 0 && of.Rows() == result.counts.Read {
		line += " of " + human.Grouped(of.Rows())
	}
	if r := command.Reasons(result.counts.Rejected); r != "" {
		line += "; left out " + r
	}
	if len(same) > 1 {
		line += "; turned and mirrored boards are one position"
	}
	if moved, err := result.moved(ctx, g, of); err != nil {
		return err
	} else if moved != "" {
		line += "; the pattern is shown from " + moved + " on"
	}
	fmt.Fprintln(mk.Stdout, line)
	fmt.Fprintf(mk.Stderr, "%s in %v\n", command.Units(result.counts.Read, result.what), result.elapsed.Round(time.Millisecond))
	if result.games == 0 {
		f.suggestPattern(mk, g)
		return nil
	}
	sides := g.Boards.Layout().Sides
	if f.replies > 0 {
		fmt.Fprint(mk.Stdout, "\n"+f.repliesTable(result, upper(sides)).Plain())
	}
	if f.games > 0 && len(result.hits) > 0 {
		t, err := f.gamesTable(ctx, of, result.hits[:min(f.games, len(result.hits))], g.Boards.Layout(), sides)
		if err != nil {
			return err
		}
		fmt.Fprint(mk.Stdout, "\n"+t.Plain())
	}
	if f.out == "" {
		return nil
	}
	write, err := format.Writer(formatOf(f.out))
	if err != nil {
		return err
	}
	return writeHits(mk, f.out, write, result.hits)
}

// suggestPattern prints how to find the board of --fen alone, which may leave out castling rights or hands.
func (f findFlags) suggestPattern(mk *command.Maker, g command.Game) {
	placement, _, _ := strings.Cut(f.fen, " ")
	if placement == "" || f.moves != "" {
		return
	}
	if _, err := board.ParsePattern(g.Boards, placement); err == nil {
		fmt.Fprintf(mk.Stderr, "the side to move and all else in the line above must be the same; --pattern '%s' finds the board alone\n", placement)
	}
}

// upper returns the names of the sides as heads of columns.
func upper(sides [2]string) [2]string {
	return [2]string{strings.ToUpper(sides[0]), strings.ToUpper(sides[1])}
}

// repliesTable lists what was played, the rest in one line; lines near a pattern as a tree.
func (f findFlags) repliesTable(result *findings, sides [2]string) tables.Table {
	t := tables.Table{Head: []tables.Cell{tables.Text("MOVE"), tables.Number("GAMES"), tables.Number("SHARE"),
		tables.Number(sides[0]), tables.Number("DRAW"), tables.Number(sides[1]), tables.Number("SCORE")}}
	all := result.replies.All()
	listed := all[:min(f.replies, len(all))]
	if result.lines != "" {
		listLines(&t, listed, "", result.games)
		return t
	}
	for _, r := range listed {
		t.Rows = append(t.Rows, replyRow(cmp.Or(f.text(r.Written), "(the end)"), r, result.games))
	}
	var rest int64
	for _, r := range all[len(listed):] {
		rest += r.Games
	}
	if rest > 0 {
		t.Rows = append(t.Rows, []string{fmt.Sprintf("(%d others)", len(all)-f.replies), human.Grouped(rest), human.Percent(float64(rest)/float64(result.games), 1), "", "", "", ""})
	}
	return t
}

// text returns a move as --letters asks for it.
func (f findFlags) text(w find.Written) string {
	if f.letters {
		return w.Move
	}
	return w.Shown
}

// listLines appends the lines that go on after one that games games have, each followed by those that go on after it.
func listLines(t *tables.Table, all []find.Reply, after string, games int64) {
	for _, r := range all {
		before, word := "", r.Move
		if i := strings.LastIndexByte(r.Move, ' '); i >= 0 {
			before, word = r.Move[:i], r.Move[i+1:]
		}
		switch {
		case before != after:
		case word == "":
			row := replyRow("(elsewhere)", r, games)
			row[len(row)-1] = "" // no side moved
			t.Rows = append(t.Rows, row)
		default:
			depth := strings.Count(r.Move, " ")
			t.Rows = append(t.Rows, replyRow(strings.Repeat("  ", depth)+word[:1]+" "+word[1:], r, games))
			listLines(t, all, r.Move, r.Games)
		}
	}
}

// replyRow is the row of a reply in positions that games games have.
func replyRow(move string, r find.Reply, games int64) []string {
	score := ""
	if s, ok := r.Score(); ok {
		score = human.Percent(s, 1)
	}
	return []string{move, human.Grouped(r.Games), human.Percent(float64(r.Games)/float64(games), 1),
		human.Grouped(r.First), human.Grouped(r.Draw), human.Grouped(r.Second), score}
}

// gamesTable lists games with their players, where the games are known.
func (f findFlags) gamesTable(ctx context.Context, of *datasets.Dir, hits []find.Hit, on *games.Layout, sides [2]string) (tables.Table, error) {
	t := tables.Table{Head: []tables.Cell{tables.Number("GAME"), tables.Number("PLY"), tables.Text("MOVE"), tables.Text("RESULT")}}
	var names map[int64][]string
	if of.Table.Name == "games" {
		heads := upper(sides)
		t.Head = append(t.Head, tables.Text(heads[0]), tables.Text(heads[1]), tables.Text("DATE"), tables.Text("EVENT"))
		var err error
		if names, err = gameLines(ctx, of, hits); err != nil {
			return t, err
		}
	}
	for _, h := range hits {
		move := f.text(h.Written)
		row := []string{fmt.Sprint(h.Game), fmt.Sprint(h.Ply), move, winner(h.Result, sides)}
		if on.Pairs && move != "" && h.Ply != noPly {
			mover := games.First
			if !h.FirstToMove {
				mover = games.Second
			}
			row[2] = on.MoveNumber(int(h.Ply), mover) + " " + move
		}
		if h.Ply == noPly {
			row[1] = ""
		}
		if names != nil {
			extra := names[h.Game]
			if extra == nil {
				return t, fmt.Errorf("%s has no game %d: these are not the games of the positions", of.Path, h.Game)
			}
			row = append(append(row[:3], winner(games.OutcomeNamed(extra[0]), sides)), extra[1:]...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// lineColumns are the columns of games that gameLines returns.
var lineColumns = []string{"result", "first_player", "second_player", "date", "event"}

// gameLines returns the line of each game that was found.
func gameLines(ctx context.Context, of *datasets.Dir, hits []find.Hit) (map[int64][]string, error) {
	names := map[int64][]string{}
	return names, datasets.Lookup(ctx, of, lists.Of(hits, func(h find.Hit) int64 { return h.Game }), lineColumns, func(b *columns.Batch) error {
		for i, game := range b.Col("game_id").Int64 {
			names[game] = lists.Of(lineColumns, func(name string) string { return string(b.Col(name).Value(i)) })
		}
		return nil
	})
}

// writeHits writes all games that were found.
func writeHits(mk *command.Maker, out string, write format.Func, hits []find.Hit) error {
	rows := make([][]any, len(hits))
	for i, h := range hits {
		rows[i] = []any{h.Game, int64(h.Ply), h.FirstToMove, orNull(h.Move), orNull(h.Result.String())}
	}
	columns := []query.Column{{Name: "game_id", Type: "BIGINT"}, {Name: "ply", Type: "BIGINT"}, {Name: "first_to_move", Type: "BOOLEAN"},
		{Name: "move", Type: "VARCHAR"}, {Name: "result", Type: "VARCHAR"}}
	if err := mk.WriteFile(out, func(w io.Writer) error { return write(w, query.NewResult(columns, rows)) }); err != nil {
		return err
	}
	mk.Announce(out, command.Units(int64(len(hits)), "games"))
	return nil
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// moved returns the point at which lines show a pattern that may be anywhere, on the board of the first game found; "" where the
// pattern is not moved.
func (f *findings) moved(ctx context.Context, g command.Game, of *datasets.Dir) (point string, err error) {
	if f.near == nil || len(f.hits) == 0 {
		return "", nil
	}
	names := []string{"board"}
	if of.Table.Name == schemas.Games.Name {
		names = []string{"variant", "start_position"}
	}
	return point, datasets.Lookup(ctx, of, []int64{f.hits[0].Game}, names, func(b *columns.Batch) error {
		var at board.Board
		if len(names) == 1 {
			at, err = g.Boards.Unpack(b.Col("board").Value(0))
		} else {
			at, err = g.Boards.Start(string(b.Col("variant").Value(0)), string(b.Col("start_position").Value(0)))
		}
		if err == nil {
			point = f.near.Moved(at.Layout())
		}
		return err
	})
}
