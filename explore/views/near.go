package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kifu/explore/parts"
	"kifu/explore/played"
	"kifu/explore/site"
	"kifu/games"
	"kifu/games/board"
	"kifu/internal/expression"
	"kifu/query"
	"kifu/query/find"
)

// patternIn is a text as a pattern of a game whose boards are square and symmetric, nil if it is none, or is a position.
func patternIn(g board.Game, text string) *board.Pattern {
	text = strings.TrimSpace(text)
	if _, err := g.Start("", text); err == nil || !g.Layout().Symmetric {
		return nil
	}
	p, err := board.ParsePattern(g, text)
	if err != nil {
		return nil
	}
	return p
}

// cornerOf is the pattern of an empty corner, the upper right one, "" for boards whose games do not begin in corners.
func cornerOf(l *games.Layout) string {
	if l.Grid != games.Crossed || !l.Symmetric {
		return ""
	}
	half := (l.Columns + 1) / 2
	row := strings.Repeat("?", l.Columns-half) + fmt.Sprint(half) + "/"
	return strings.TrimSuffix(strings.Repeat(row, half)+strings.Repeat("*/", l.Rows-half), "/")
}

// near fills in what was played near the pattern, after a line of such moves.
func (data *openingsPage) near(c *call, g site.Game) error {
	var first start
	if len(data.Starts) > 0 {
		first = data.Starts[0]
	}
	like, err := g.Boards.Start(first.Variant, first.Text)
	if err != nil {
		return err
	}
	data.Sides = like.Layout().Sides
	data.Looks = c.here.Looks(g.Boards)
	data.Setup = parts.SetupOf(g.Boards, like.Layout(), nil, c.here.Look().Western)
	data.Setup.Field = "at"
	line := strings.Fields(c.here.Get("line"))
	if data.Line, err = nearSteps(g.Boards, like, data.Pattern.Cells(like.Layout()), line, c.here.Look()); err != nil {
		return err
	}
	last := data.Line[len(data.Line)-1]
	data.Text, data.Board = data.At, last.Board
	d := data.Set.GamesOf()
	if d == nil {
		return complain("a tree has no patterns: start kifu explore with its games as well")
	}
	found, err := c.linesOf(d, g, data)
	if err != nil {
		return err
	}
	data.Node = found.after(line, c.here)
	return nil
}

// nearSteps draws a line of moves near a pattern. Sides need not alternate: they play elsewhere in between.
func nearSteps(g board.Game, like board.Board, cells []uint8, line []string, as parts.Look) (all []parts.Step, err error) {
	place := func(cells []uint8, side games.Side) (board.Board, error) {
		found, err := g.Place(like, cells, [2][]uint8{}, side)
		if err != nil {
			return nil, err
		}
		return found[0], nil
	}
	at, err := place(cells, games.First)
	if err != nil {
		return nil, err
	}
	all = []parts.Step{parts.StepAt(g.Name(), at, nil, as)}
	for i, word := range line {
		side := slices.IndexFunc(like.Layout().Sides[:], func(name string) bool { return name[:1] == word[:1] })
		if side < 0 {
			return nil, complain("%s: want %s or %s before the point, as in %s", parts.Plain(word), like.Layout().Sides[0][:1], like.Layout().Sides[1][:1], like.Layout().Sides[0][:1]+"Q16")
		}
		if at, err = place(at.AppendCells(nil), games.Side(side)); err != nil {
			return nil, err
		}
		m, err := at.Find(word[1:])
		if err != nil || len(m.Marks()) == 0 {
			return nil, complain("%s cannot be played here", parts.Plain(word))
		}
		at = m.Play()
		s := parts.StepAt(g.Name(), at, m.Marks(), as)
		s.Ply, s.Move = i+1, nearMove(word)
		all = append(all, s)
	}
	return all, nil
}

// nearMove is a word of a line for a reader.
func nearMove(word string) string { return word[:1] + " " + word[1:] }

// linesOf looks for a pattern in the chosen games. The last ones are kept, so that a line is followed at once.
func (c *call) linesOf(d *site.Set, g site.Game, data *openingsPage) (*lines, error) {
	asked := fmt.Sprintf("%q", []any{d.Name, data.At, data.Filter})
	c.site.mu.Lock()
	known := c.site.lines
	c.site.mu.Unlock()
	if known != nil && known.of == asked {
		return known, nil
	}
	taken, err := c.taken(d, &data.Filter)
	if err != nil {
		return nil, err
	}
	n, err := c.db.Parse(c.ctx, "board_like_any(board, "+query.QuoteText(strings.TrimSpace(data.At))+")")
	if err != nil {
		return nil, err
	}
	found := &lines{of: asked}
	q := find.Query{Conditions: []expression.Node{n}, Games: taken, Near: &find.Near{Pattern: data.Pattern, Every: true}}
	_, err = g.Find(c.ctx, q, max(1, c.site.limits.Threads), d.Dir, func(h find.Hit) error {
		found.hits = append(found.hits, h)
		return nil
	})
	if err == nil {
		c.site.mu.Lock()
		c.site.lines = found
		c.site.mu.Unlock()
	}
	return found, err
}

// after sums up the games that have a line, by what was played next.
func (l *lines) after(line []string, h parts.Here) (n played.Node) {
	before := strings.Join(line, " ")
	next := map[string]*played.Branch{}
	for _, hit := range l.hits {
		rest, has := strings.CutPrefix(hit.Line, before)
		if !has || rest != "" && before != "" && rest[0] != ' ' {
			continue
		}
		n.Add(hit.LineResult())
		if len(n.Games) < played.Listed {
			n.Games = append(n.Games, hit.Game)
			n.Plies = append(n.Plies, hit.Ply)
		}
		word, _, _ := strings.Cut(strings.TrimPrefix(rest, " "), " ")
		if word == "" {
			continue
		}
		if next[word] == nil {
			next[word] = &played.Branch{Move: nearMove(word), To: h.With("line", strings.TrimSpace(before+" "+word))}
		}
		next[word].Add(hit.LineResult())
	}
	for _, b := range next {
		n.Next = append(n.Next, *b)
	}
	slices.SortFunc(n.Next, func(a, b played.Branch) int { return cmp.Or(cmp.Compare(b.All, a.All), cmp.Compare(a.Move, b.Move)) })
	return n
}
