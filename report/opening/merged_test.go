package opening

import (
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/games/othello"
	"kifu/games/shogi"
	"kifu/games/weiqi"
	"kifu/kit/browser"
	"kifu/kit/reporttest"
	"kifu/query"
	"kifu/query/boards"
	"kifu/report/page"
	"kifu/schemas"
)

// line is an opening that some games have.
type line struct {
	moves string
	games int
}

// lines are games of Othello: the first three and the fourth are one opening in four
// orientations, the others another.
var lines = []line{
	{"f5 d6 c3", 4}, {"d3 c5 f6", 3}, {"c4 e3 f6", 2}, {"e6 f4 c3", 1}, {"f5 f6 e6", 5},
}

func positionsOf(t *testing.T, g board.Game, lines []line) *datasets.Dir {
	t.Helper()
	var rows []map[string]string
	game := 0
	for _, line := range lines {
		for range line.games {
			b, err := g.Start("", "")
			if err != nil {
				t.Fatal(err)
			}
			for ply, text := range append(strings.Fields(line.moves), "") {
				rows = append(rows, map[string]string{"game_id": fmt.Sprint(game), "ply": fmt.Sprint(ply), "hash": fmt.Sprint(b.Hash()), "board": hex.EncodeToString(b.Pack(nil)),
					"move": text, "first_to_move": fmt.Sprint(ply%2 == 0), "result": "first", "first_elo": "1500", "second_elo": fmt.Sprint(1400 + 100*game%300)})
				if text == "" {
					break
				}
				m, err := b.Find(text)
				if err != nil {
					t.Fatal(err)
				}
				b = m.Play()
			}
			game++
		}
	}
	d := reporttest.WriteTable(t, schemas.Positions(g.BoardSize(), nil, false), rows, manifest.Counts{})
	d.Manifest.Meta["game"] = g.Name()
	return d
}

// withBoards is a context that knows the boards of g.
func withBoards(g board.Game) context.Context {
	return board.With(query.With(context.Background(), boards.Of([]board.Game{g})), []board.Game{g})
}

// treeOf is the tree of three plies of games of g.
func treeOf(t *testing.T, g board.Game, lines []line) *report {
	t.Helper()
	ctx := withBoards(g)
	db, err := query.Open(ctx, query.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	o, err := run(ctx, db, Params{Sources: []string{"p"}, Depth: 3, MinGames: 1}, []*datasets.Dir{positionsOf(t, g, lines)})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestMerged: mirror images and rotations are one position; moves are told as most games have
// them, and lines can be played from the start.
func TestMerged(t *testing.T) {
	g := board.Of(othello.Rules{})
	o := treeOf(t, g, lines)
	root := o.Roots[0]
	if len(o.Roots) != 1 || len(root.Edges) != 1 || root.Edges[0].Move != "f5" || root.Edges[0].Games != 15 {
		t.Fatalf("%d starts, first moves %+v; want all 15 games by f5", len(o.Roots), root.Edges)
	}
	second := root.Edges[0].To
	if len(second.Edges) != 2 || second.Edges[0].Games != 10 || second.Edges[1].Games != 5 {
		t.Fatalf("replies %+v", second.Edges)
	}
	if third := second.Edges[0].To; len(third.Edges) != 1 || third.Edges[0].Games != 10 {
		t.Errorf("third moves %+v", third.Edges)
	}
	w := treeWriter{rules: g, seen: map[spot]string{}}
	w.root(o, root, 0)
	for _, row := range w.rows {
		b, err := g.Start("", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range strings.Fields(row[0]) {
			if _, err := strconv.Atoi(text); err == nil {
				continue // a number
			}
			m, err := b.Find(text)
			if err != nil {
				t.Fatalf("%s cannot be played: %v", row[0], err)
			}
			b = m.Play()
		}
	}
	if page := w.html.String(); strings.Count(page, "<svg") != 4 || !strings.Contains(page, `class="bar"`) {
		t.Errorf("%d boards", strings.Count(page, "<svg"))
	}
}

// TestNotation: lines, the main move and replies are as the game's players write them, with the numbers of records.
func TestNotation(t *testing.T) {
	for _, test := range []struct {
		g                         board.Game
		moves, line, main, second string
	}{
		{board.Of(chess.Rules{}), "e2e4 b8c6 g1f3", "1. e4 Nc6 2. Nf3", "1. e4", "1... Nc6"},
		{board.Of(weiqi.Rules{}), "pd dd qq", "1 Q16 D16 3 R3", "1 Q16", "2 D16"},
		{board.Of(shogi.Rules{}), "7g7f 3c3d 8h2b+", "1 ▲７六歩 △３四歩 3 ▲２二角成", "1 ▲７六歩", "2 △３四歩"},
	} {
		o := treeOf(t, test.g, []line{{test.moves, 40}})
		if got := o.bestTables()[0].Rows[0][0]; got != test.line {
			t.Errorf("%s: best line %s, want %s", test.g.Name(), got, test.line)
		}
		if !strings.Contains(o.lead(), "the main move is "+test.main+" (") {
			t.Error(o.lead())
		}
		w := treeWriter{rules: test.g, seen: map[spot]string{}}
		w.root(o, o.Roots[0], 0)
		if page := w.html.String(); w.rows[2][0] != test.line || !strings.Contains(page, "<b>"+test.second+"</b>") {
			t.Errorf("%s: %s in the tree, the page has %s: %t", test.g.Name(), w.rows[2][0], test.second, strings.Contains(page, test.second))
		}
		if r, err := o.result().All(); err != nil || !strings.Contains(fmt.Sprint(r[2]), strings.Fields(test.moves)[2]) {
			t.Errorf("the result of %s has no coordinates: %v", test.g.Name(), err)
		}
	}
}

// TestLeast: a page shows the most frequent moves, so many that it stays small, and says so.
func TestLeast(t *testing.T) {
	g := board.Of(othello.Rules{})
	o := treeOf(t, g, lines)
	if o.least() != 0 {
		t.Errorf("of %d moves those of %d games are shown", len(o.Edges), o.least())
	}
	w := treeWriter{rules: g, seen: map[spot]string{}, least: 10}
	w.root(o, o.Roots[0], 0)
	if len(w.rows) != 3 {
		t.Errorf("%d moves are shown, want the three that ten games have", len(w.rows))
	}
	many := &node{}
	for i := range int64(mostEdges + 200) {
		many.Edges = append(many.Edges, &edge{Games: i / 2})
	}
	o.Nodes = map[spot]*node{{}: many}
	shown := 0
	for _, e := range many.Edges {
		if e.Games >= o.least() {
			shown++
		}
	}
	if shown > mostEdges || shown < mostEdges-2 {
		t.Errorf("%d moves are shown, want %d", shown, mostEdges)
	}
	if !strings.Contains(strings.Join(o.notes(), "\n"), "the page shows moves in at least 100 games") {
		t.Error("nobody is told of the others")
	}
}

// TestNarrow: the text of a position, which has no spaces where a line could end, is no wider than a phone.
func TestNarrow(t *testing.T) {
	g := board.Of(shogi.Rules{})
	ctx := withBoards(g)
	d := positionsOf(t, g, []line{{"7g7f 3c3d 2g2f", 3}})
	b := browser.OpenPage(t, reporttest.PageOf(t, func(out page.Output) error {
		return Make(ctx, Params{Sources: []string{"p"}, Depth: 3, MinGames: 1}, []*datasets.Dir{d}, out)
	}))
	b.Size(400, 900, "light")
	b.Eval("document.querySelectorAll('details').forEach(d => { d.open = true; })")
	if got := b.Eval("document.querySelectorAll('.at svg').length"); got != "3" {
		t.Fatalf("%s boards", got)
	}
	if found := b.Faults(); found != "" {
		t.Error(found)
	}
}

// TestStarts: starts that differ are trees of their own, the most frequent first.
func TestStarts(t *testing.T) {
	g := board.Of(othello.Rules{})
	w := treeWriter{rules: g, seen: map[spot]string{}}
	usual, err := g.Start("", "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := usual.Find("f5")
	if err != nil {
		t.Fatal(err)
	}
	other := m.Play()
	n := &node{Position: string(other.AppendText(nil))}
	if a, b := startName(g, usual, &node{}, 0), startName(g, other, n, 1); a != "the usual start" || b != "from "+n.Position {
		t.Errorf("%s, %s", a, b)
	}
	o := &report{Roots: []*node{{Position: string(usual.AppendText(nil))}, n}}
	for i, root := range o.Roots {
		w.root(o, root, i)
	}
	if strings.Count(w.html.String(), "<h3>") != 2 {
		t.Error("starts have no headings")
	}
}

// TestBars: the light part is of the side with the light pieces, whoever begins.
func TestBars(t *testing.T) {
	e := &edge{Wins: 7, Draws: 2, Losses: 1}
	for _, c := range []struct {
		g     board.Game
		first bool
		want  string
	}{
		{nil, true, "7 the first player, 2 drawn, 1 the second player"},
		{board.Of(chess.Rules{}), true, "7 White, 2 drawn, 1 Black"},
		{board.Of(chess.Rules{}), false, "1 White, 2 drawn, 7 Black"},
		{board.Of(othello.Rules{}), true, "1 White, 2 drawn, 7 Black"},
		{board.Of(othello.Rules{}), false, "7 White, 2 drawn, 1 Black"},
	} {
		w := treeWriter{rules: c.g}
		if got := w.bar(e, c.first); !strings.Contains(got, `"`+c.want+`"`) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestHandicaps: stones that are set and pieces that are taken off name a start.
func TestHandicaps(t *testing.T) {
	for _, c := range []struct {
		g          board.Game
		text, want string
	}{
		{board.Of(weiqi.Rules{}), "19/19/19/15X3/19/19/19/19/19/19/19/19/19/19/19/3X15/19/19/19 w - 0 0:0 0.5 -", "2 handicap stones on Q16, D4"},
		{board.Of(weiqi.Rules{}), "19/19/19/15X3/19/19/19/19/19/19/19/19/19/19/19/3X15/19/19/19 b - 0 0:0 0.5 -", "from"},
		{board.Of(weiqi.Rules{}), "19/19/19/15X3/19/19/19/19/19/19/19/19/19/19/19/3O15/19/19/19 w - 0 0:0 0.5 -", "from"},
		{board.Of(weiqi.Rules{}), "19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 w - 0 0:0 0.5 -", "from"},
		{board.Of(weiqi.Rules{}), "9/9/2X6/9/9/9/9/9/9 w - 0 0:0 0.5 -", "from"},
		{board.Of(shogi.Rules{}), "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", "without r on 8b, b on 2b"},
		{board.Of(shogi.Rules{}), "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w B 1", "from"},
		{board.Of(shogi.Rules{}), "lnsgkgsnl/9/ppppppppp/9/4P4/9/PPPP1PPPP/1B5R1/LNSGKGSNL w - 1", "from"},
	} {
		at, err := c.g.Start("", c.text)
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "from" {
			c.want = "from " + c.text
		}
		if got := startName(c.g, at, &node{Position: c.text}, 1); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestChosen: a tree of some games.
func TestChosen(t *testing.T) {
	c := Chosen{Player: "tal", Names: []string{"Tal, M", "O'Tal"}, Side: "second", From: "1960", To: "1961-05", MinElo: 2400}
	if got := strings.Join(c.ofGames(), " AND "); got != "second_player IN ('Tal, M', 'O''Tal') AND date >= '1960' AND date[1:7] <= '1961-05'" {
		t.Error(got)
	}
	if got := c.String(); got != "of tal moving second, from 1960, to 1961-05, rated at least 2400" {
		t.Error(got)
	}
	if err := (Params{Depth: 1, MinGames: 1, Chosen: Chosen{MinElo: 2400, MaxElo: 2300}}).Validate(); err == nil || !strings.Contains(err.Error(), "--min-elo 2400 is above --max-elo 2300") {
		t.Errorf("no game can have these ratings: %v", err)
	}
	labels, _ := openingInputs(t)
	if _, err := ask(t, Params{Sources: []string{"labels"}, Depth: 4, MinGames: 1, Chosen: c}, labels); err == nil || !strings.Contains(err.Error(), "name them after the positions") {
		t.Errorf("%v", err)
	}
	all, err := ask(t, Params{Sources: []string{"labels"}, Depth: 4, MinGames: 1}, labels)
	if err != nil {
		t.Fatal(err)
	}
	// Moves that are too rare for the tree are moves of its games.
	frequent, err := ask(t, Params{Sources: []string{"labels"}, Depth: 4, MinGames: int(all.Roots[0].Edges[0].Games)}, labels)
	if err != nil || frequent.games() != all.games() || len(frequent.Roots[0].Edges) == len(all.Roots[0].Edges) {
		t.Errorf("%d of %d games are in a tree of frequent moves: %v", frequent.games(), all.games(), err)
	}
	strong, err := ask(t, Params{Sources: []string{"labels"}, Depth: 4, MinGames: 1, Chosen: Chosen{MinElo: 1750}}, labels)
	if err != nil || strong.games() >= all.games() || strong.games() == 0 {
		t.Errorf("of %d games %d are rated 1750 and more: %v", all.games(), strong.games(), err)
	}
}
