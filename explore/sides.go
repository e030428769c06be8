package explore

import (
	"kifu/games"
	"kifu/games/board"
	"kifu/report/sheet"
)

// sidesOf returns the names of the sides in a dataset of games, whose variants are read once.
func (c *call) sidesOf(d *Set) (sides [2]string, err error) {
	c.site.mu.Lock()
	defer c.site.mu.Unlock()
	if sides, read := c.site.sides[d.Name]; read {
		return sides, nil
	}
	r, err := c.query("SELECT DISTINCT variant FROM "+d.view()+" ORDER BY variant", mostStarts)
	if err != nil {
		return sides, err
	}
	var variants []string
	if err := r.Each(func(row []any) error {
		variants = append(variants, sheet.Fields{Columns: r.Columns, Row: row}.Text("variant"))
		return nil
	}); err != nil {
		return sides, err
	}
	sides = board.Sides(c.site.games[d.Game()].Boards, variants)
	c.site.sides[d.Name] = sides
	return sides, nil
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
