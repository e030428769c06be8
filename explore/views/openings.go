package views

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/datasets/tree"
	"kifu/explore/parts"
	"kifu/explore/played"
	"kifu/explore/site"
	"kifu/games/board"
	"kifu/internal/lists"
	"kifu/query/find"
	"kifu/report/sheet"
)

// openingsPage is the data of openings.html.
type openingsPage struct {
	Set     *site.Set
	Sets    []*site.Set
	Filter  gameFilter
	Columns []string
	Line    []parts.Step // that led here, the start first
	Text    string       // of the position
	At      string       // as requested; "" at the start that most games have
	Starts  []start
	Board   string
	Exactly bool // positions with other rights or orientation are different
	Setup   *parts.Setup
	Node    played.Node
	Rows    []gameRow
	Filled  map[string]bool // columns of the table of games
	Sides   [2]string
	Looks   parts.LookLinks
	Pattern *board.Pattern // in place of a position; nil: a position
	Corner  string         // address of what is played in a corner; "": games do not begin in corners
	Error   string
	before  board.Board // the last move of Line; nil: it has none
}

// mostStarts is how many starts are offered.
const mostStarts = 12

// startsOf returns the starts, the most frequent one first. They are read once.
func (c *call) startsOf(d *site.Set) ([]start, error) {
	return kept(c.site, c.site.starts, d.Name, func() ([]start, error) { return c.readStarts(d) })
}

func (c *call) readStarts(d *site.Set) (all []start, err error) {
	r, err := c.query(fmt.Sprintf("SELECT variant, start_position, count(*) AS games FROM %s GROUP BY ALL ORDER BY games DESC, variant, start_position LIMIT %d", d.View(), mostStarts), mostStarts)
	if err != nil {
		return nil, err
	}
	err = r.Each(func(row []any) error {
		f := sheet.Fields{Columns: r.Columns, Row: row}
		all = append(all, start{f.Text("variant"), f.Text("start_position"), f.Whole("games")})
		return nil
	})
	return all, err
}

// openingsView is the tree of what was played in a position: the filter of games, at (a
// position as the game writes it, with variant, or the start of one; "" and "" for the one
// that most games have), line (moves from there) and equal (which positions are merged: "look" or
// "exactly"; "" what the game is used to). With set a position is set up (parts.PlacedAt).
func openingsView(c *call) (*page, error) {
	d := c.set
	data := &openingsPage{Set: d, Sets: c.sets, Filter: filterOf(c.here), Columns: columnNames(d), At: c.here.Get("at")}
	p := &page{Title: titled("Openings", d), Data: data}
	g, ok := c.site.games[d.Game()]
	if !ok {
		return nil, complain("no games in %s, or several kinds of games: give one kind at a time", d.Name)
	}
	var err error
	if d.Kind() == "games" {
		data.Filter.Sides = c.sidesOf(d)
		if data.Starts, err = c.startsOf(d); err != nil {
			return nil, err
		}
	}
	if data.Pattern = patternIn(g.Boards, data.At); data.Pattern != nil {
		err = data.near(c, g)
	} else {
		err = data.position(c, g, p)
	}
	switch {
	case err != nil:
		return p, c.show(&data.Error, err)
	case p.To != "" || data.Board == "":
		return p, nil
	}
	data.Node.Sides = data.Sides
	for i := range data.Node.Next {
		data.Node.Next[i].Sides = data.Sides
	}
	if of := d.GamesOf(); of != nil {
		if data.Filled, err = c.filled(of); err != nil {
			return nil, err
		}
		p.SQL, data.Rows, err = c.gamesOfNode(of, &data.Node, data.Filter.Result)
	}
	return p, err
}

// position fills in what was played in a position, or sets p.To to the address of one that is set up.
func (data *openingsPage) position(c *call, g site.Game, p *page) error {
	at, err := data.reach(c, g.Boards)
	if at == nil {
		return err
	}
	if err != nil {
		data.Error = err.Error() // the last position that the line reaches is shown
	}
	data.Setup = parts.SetupOf(g.Boards, at.Layout(), at, c.here.Look().Western)
	if corner := cornerOf(at.Layout()); corner != "" {
		data.Corner = c.here.With("at", corner, "line", "", "variant", "", "equal", "")
	}
	if c.here.Get("set") != "" {
		placed, err := parts.PlacedAt(c.here, g.Boards, at)
		if err == nil {
			p.To = c.here.With(append([]any{"at", placed, "line", "", "equal", "look", "variant", ""}, parts.SetParts(c.here)...)...)
			return nil
		}
		data.Error = err.Error()
		data.Setup.Keep(c.here)
	}
	data.Sides = at.Layout().Sides
	if data.Set.Kind() != "games" {
		data.Filter.Sides = data.Sides
	}
	data.Looks = c.here.Looks(g.Boards)
	same := []board.Board{at}
	if data.Exactly = exactly(c.here, at); !data.Exactly {
		same = board.Alike(g.Boards, at)
	}
	n, err := data.node(c, g, same)
	if err != nil {
		return err
	}
	data.Node = *n
	data.branches(c, same)
	return nil
}

// node counts the games that had one of some positions. A position that the tree leaves out is looked
// for in the games: in one, if the tree shows that only this one has it.
func (data *openingsPage) node(c *call, g site.Game, same []board.Board) (*played.Node, error) {
	of := data.Set.GamesOf()
	if c.tree != "" {
		n, done, err := data.inTree(c, g, same)
		if done || err != nil {
			return n, err
		}
	}
	taken, err := c.taken(of, &data.Filter)
	if err != nil {
		return nil, err
	}
	return c.replayed(of, g, same, taken)
}

// inTree counts the games by the tree; done is false where it leaves the positions out.
func (data *openingsPage) inTree(c *call, g site.Game, same []board.Board) (n *played.Node, done bool, err error) {
	filter, err := data.Filter.inTree()
	if err != nil {
		return nil, false, err
	}
	t, err := c.site.openTree(c.ctx, c.tree)
	if err != nil {
		return nil, false, err
	}
	if n, err = t.Node(c.ctx, same, filter, data.Filter.Result); n != nil || err != nil {
		return n, true, err
	}
	of := data.Set.GamesOf()
	if of == nil {
		return &played.Node{}, true, nil
	}
	if data.before == nil || data.Filter != (gameFilter{Sides: data.Filter.Sides}) {
		return nil, false, nil
	}
	from := []board.Board{data.before}
	if !data.Exactly {
		from = board.Alike(g.Boards, data.before)
	}
	id, ok, err := t.Only(c.ctx, from, same)
	if !ok || err != nil {
		return nil, false, err
	}
	n, err = c.replayed(of, g, same, func(game int64) bool { return game == id })
	return n, true, err
}

// reach plays the line from the requested position. A move that cannot be played ends it, with the
// error.
func (data *openingsPage) reach(c *call, g board.Game) (board.Board, error) {
	variant, text := c.here.Get("variant"), strings.TrimSpace(data.At)
	if variant == "" && text == "" && len(data.Starts) > 0 {
		variant, text = data.Starts[0].Variant, data.Starts[0].Text
	}
	at, err := g.Start(variant, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", parts.Plain(data.At), err)
	}
	moves := board.Words(at, c.here.Get("line"))
	if len(moves) > 0 { // as addresses of the page go on from it
		c.here.Values.Set("line", strings.Join(moves, " "))
	}
	data.Line, err = parts.StepsOf(g.Name(), at, len(moves), c.here.Look(), func(b board.Board, i int) (board.Move, error) {
		m, err := b.Find(moves[i])
		if err == nil {
			data.before, at = at, m.Play()
		}
		return m, err
	})
	last := data.Line[len(data.Line)-1]
	data.Text, data.Board = last.Text, last.Board
	return at, err
}

// Has reports whether the dataset has a column, such as a group of a tree.
func (data *openingsPage) Has(column string) bool { return data.Set.Has(column) }

// Upto is the address of a step of the line.
func (data *openingsPage) Upto(h parts.Here, i int) string {
	return h.With("line", strings.Join(strings.Fields(h.Get("line"))[:i], " "))
}

// exactly reports whether positions with equal boards may be different: where boards have no
// symmetries, unless the address decides.
func exactly(h parts.Here, b board.Board) bool {
	switch h.Get("equal") {
	case "look":
		return false
	case "exactly":
		return true
	}
	return !b.Layout().Symmetric
}

// branches writes the moves of a node and where they lead. The first of the positions is drawn, and moves are
// written as in it; moves that are the same in it become one branch, shown as most games have it that
// reached this very position.
func (data *openingsPage) branches(c *call, same []board.Board) {
	moves := strings.Fields(c.here.Get("line"))
	moves = moves[:len(data.Line)-1]
	data.Node.Name = data.Line[len(data.Line)-1].Name
	of := lists.By(same, board.Board.Hash)
	all := board.Merge(data.Node.Next, func(n played.Branch) (played.Branch, string, bool) {
		as := n.Write(c.here, moves, of[n.Hash], same[0])
		return n, as, n.Hash == same[0].Hash()
	}, func(to *played.Branch, more played.Branch) { to.Join(more.Tally) })
	slices.SortStableFunc(all, func(a, b played.Branch) int { return cmp.Or(cmp.Compare(b.All, a.All), cmp.Compare(a.Move, b.Move)) })
	for i := range all {
		if all[i].After != nil {
			all[i].Name = all[i].After.Opening("")
		}
	}
	data.Node.Next = all
}

// taken is the games of a filter, nil for all of them.
func (c *call) taken(d *site.Set, f *gameFilter) (func(int64) bool, error) {
	where, err := c.clause(d, f)
	if err != nil || where == "" {
		return nil, err
	}
	r, err := c.db.Query(c.ctx, "SELECT game_id FROM "+d.View()+where)
	if err != nil {
		return nil, err
	}
	ids := map[int64]bool{}
	err = r.Each(func(row []any) error {
		id, _ := row[0].(int64)
		ids[id] = true
		return nil
	})
	return func(id int64) bool { return ids[id] }, err
}

// gamesOfNode reads the games that are listed below a tree, the latest first, and returns the query for them.
func (c *call) gamesOfNode(d *site.Set, n *played.Node, result string) (sql string, rows []gameRow, err error) {
	if len(n.Games) == 0 {
		return "", nil, nil
	}
	list := lists.Of(n.Games, func(id int64) string { return fmt.Sprint(id) })
	of := &gamesPage{Set: d, Order: "date", Down: true, Filter: gameFilter{Result: result, Where: "game_id IN (" + strings.Join(list, ", ") + ")"}}
	if sql, err = of.sql(c, gameColumns); err != nil {
		return "", nil, err
	}
	if rows, err = c.gamesNamed(d, n.Games); err != nil {
		return "", nil, err
	}
	rows = lists.Where(rows, func(g gameRow) bool { return result == "" || g.Result == result })
	slices.SortFunc(rows, func(a, b gameRow) int { return cmp.Or(cmp.Compare(b.Date, a.Date), cmp.Compare(a.ID, b.ID)) })
	for i := range rows {
		if k := slices.Index(n.Games, rows[i].ID); len(n.Plies) > 0 {
			rows[i].At = fmt.Sprint(n.Plies[k])
		}
	}
	return sql, rows, nil
}

// replayed counts the games of d that reached one of some positions, of those that are taken (nil: all). A game counts once,
// at the first time that it has one.
func (c *call) replayed(d *site.Set, g site.Game, same []board.Board, taken func(id int64) bool) (*played.Node, error) {
	var count played.Counter
	_, err := g.Find(c.ctx, find.Query{Hashes: played.HashesOf(same), Games: taken}, max(1, c.site.limits.Threads), d.Dir, count.Take)
	return count.Counted(), err
}

// played.Tree opens the tree in a directory, or finds it open.
func (s *Pages) openTree(ctx context.Context, path string) (*played.Tree, error) {
	return kept(s, s.trees, path, func() (*played.Tree, error) {
		d, err := datasets.OpenAt(ctx, path)
		if err != nil {
			return nil, err
		}
		opened, err := tree.Open(d)
		return &played.Tree{Tree: opened}, err
	})
}
