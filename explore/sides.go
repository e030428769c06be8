package explore

import (
	"kifu/games"
	"kifu/games/board"
	"kifu/report/sheet"
)

// sidesOf returns the names of the sides in a dataset of games: White and Black, but "first player"
// and "second player" where its variants differ in who begins.
func (c *call) sidesOf(d *Set) (sides [2]string, err error) {
	other := [2]string{"first player", "second player"}
	g, ok := c.site.games[d.Game()]
	if !ok {
		return other, nil
	}
	r, err := c.query("SELECT DISTINCT variant FROM "+d.view()+" ORDER BY variant", mostStarts)
	if err != nil {
		return other, err
	}
	err = r.Each(func(row []any) error {
		b, err := g.Boards.Start(sheet.Fields{Columns: r.Columns, Row: row}.Text("variant"), "")
		if err != nil {
			return nil
		}
		switch of := b.Layout().Sides; {
		case sides == [2]string{}:
			sides = of
		case sides != of:
			sides = other
		}
		return nil
	})
	if sides == [2]string{} {
		sides = other
	}
	return sides, err
}

// resultText is a result in words: "White won".
func resultText(result string, sides [2]string) string {
	switch result {
	case games.FirstWins.String():
		return sides[games.First] + " won"
	case games.SecondWins.String():
		return sides[games.Second] + " won"
	case "":
		return "no result"
	}
	return result
}

// moveText is a move of the column move as players write it, after its number.
func moveText(b board.Board, ply int, move string, western bool) string {
	m, err := b.Find(move)
	if err != nil {
		return move
	}
	return b.Layout().MoveNumber(ply, b.ToMove()) + " " + string(m.AppendShown(nil, western))
}
