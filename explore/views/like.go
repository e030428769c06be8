package views

import (
	"fmt"
	"slices"
	"strings"

	"kifu/explore/site"
	"kifu/games/board"
	"kifu/query"
)

// like is a pattern or the text of a position as a condition over the boards of d, "" for
// none.
func (c *call) like(d *site.Set, text string, everywhere bool) (string, error) {
	if text = strings.TrimSpace(text); text == "" {
		return "", nil
	}
	g, ok := c.site.games[d.Game()]
	if !ok {
		return "", complain("the manifest of %s does not name its game: make it again", d.Name)
	}
	game := c.gameOf(d)
	_, wrong := board.ParsePattern(g.Boards, text)
	if wrong == nil {
		return fmt.Sprintf("%s(board, %s%s)", map[bool]string{false: "board_like", true: "board_like_any"}[everywhere], query.QuoteText(text), game), nil
	}
	if _, err := g.Boards.Start("", text); err != nil {
		return "", complaint{400, wrong}
	}
	return fmt.Sprintf("hash = hash_of(%s%s)", query.QuoteText(text), game), nil
}

// gameOf is the last argument of a function of boards of d: its game, where the datasets are of several.
func (c *call) gameOf(d *site.Set) string {
	if c.site.severalGames() {
		return ", " + query.QuoteText(d.Game())
	}
	return ""
}

// severalGames reports whether the datasets are of more than one game.
func (s *Pages) severalGames() bool {
	var names []string
	for _, d := range s.sets {
		if g := d.Game(); g != "" && !slices.Contains(names, g) {
			names = append(names, g)
		}
	}
	return len(names) > 1
}
