package schemas

import "slices"

// Motifs has a row for each move of games that has a motif, with a column for each of these.
func Motifs(boardSize int, motifs []GameColumn) Table {
	t := Table{Name: "motifs", Version: 1, Doc: motifsDoc}
	for _, c := range positions {
		if c.Name == "board" {
			c.Size = boardSize
		}
		if !slices.Contains([]string{"comment_value", "clock_ms"}, c.Name) {
			t.Columns = append(t.Columns, c)
		}
	}
	for _, m := range motifs {
		t.Columns = append(t.Columns, Column{Name: m.Name, Type: Bool, Doc: m.Doc})
	}
	return t
}

const motifsDoc = `One row per move of the games that has at least one motif, in the order of game and ply; made by
kifu motifs. The row describes the position in which the move was played, as in positions, and game_id
with ply joins it to these. The columns after the fixed ones are the motifs of the game.`
