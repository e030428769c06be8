package views

import (
	"kifu/explore/site"
	"kifu/games/board"
	"kifu/report/sheet"
)

// sidesOf returns the names of the sides in a dataset of games, whose variants are read once.
func (c *call) sidesOf(d *site.Set) (sides [2]string, err error) {
	c.site.mu.Lock()
	defer c.site.mu.Unlock()
	if sides, read := c.site.sides[d.Name]; read {
		return sides, nil
	}
	r, err := c.query("SELECT DISTINCT variant FROM "+d.View()+" ORDER BY variant", mostStarts)
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
