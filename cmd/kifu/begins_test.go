package main

import (
	"context"
	"fmt"
	"testing"

	"kifu/cmd/kifu/gametable"
	"kifu/games"
	"kifu/games/board"
	"kifu/query"
)

// TestSecondBegins: the macro reads the side to move from start positions of every game as its rules do, except those of tic-tac-toe, which do not name it.
func TestSecondBegins(t *testing.T) {
	db, err := query.Open(t.Context(), query.Options{Threads: 1, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, g := range gametable.Boards() {
		if g.Name() == "tictactoe" {
			continue
		}
		at, err := g.Start("", "")
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			ask := fmt.Sprintf("SELECT second_begins('standard', '%s', '%s')", at.AppendText(nil), board.SecondMark(g))
			if got, want := truth(t, db, ask), at.ToMove() == games.Second; got != want {
				t.Errorf("%s: %v", ask, got)
			}
			at = at.Moves()[0].Play()
		}
	}
	for ask, want := range map[string]bool{"'19x19 handicap 2', NULL, 'w'": true, "'handicap-2', NULL, 'w'": true, "'19x19 komi 6.5', NULL, 'w'": false, "'standard', NULL, 'b'": false} {
		if got := truth(t, db, "SELECT second_begins("+ask+")"); got != want {
			t.Errorf("%s: %v", ask, got)
		}
	}
}

func truth(t *testing.T, db *query.DB, text string) (value bool) {
	t.Helper()
	rows, err := db.Query(context.Background(), text)
	if err != nil {
		t.Fatal(err)
	}
	if err := rows.Each(func(row []any) error {
		value = row[0].(bool)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return value
}
