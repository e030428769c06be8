package opening

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/games/draughts"
	"kifu/games/othello"
	"kifu/games/weiqi"
	"kifu/kit/reporttest"
	"kifu/query"
	"kifu/schemas"
)

// played are the rows of games of a kind, each table by name.
type played struct{ labels, choices, games []map[string]string }

// playedAtRandom plays games whose first moves are few, so that lines meet, part by a symmetry and
// come again; values, names, ratings, results and dates are now and then unknown.
func playedAtRandom(t *testing.T, g board.Game, start string, games int) (all played) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for game := range games {
		b, err := g.Start("", start)
		if err != nil {
			t.Fatal(err)
		}
		now := map[string]string{"game_id": fmt.Sprint(game), "result": []string{"first", "second", "draw", ""}[r.IntN(4)]}
		for _, column := range []string{"first_elo", "second_elo"} {
			if r.IntN(4) > 0 {
				now[column] = fmt.Sprint(1500 + r.IntN(700))
			}
		}
		all.games = append(all.games, map[string]string{"game_id": now["game_id"], "date": []string{"", "1950", "1950-07", "1950-07-15", "0999-12-31"}[r.IntN(5)],
			"first_player": randomPlayer(r), "second_player": randomPlayer(r)})
		for ply := range 1 + r.IntN(7) {
			row := map[string]string{"ply": fmt.Sprint(ply), "hash": fmt.Sprint(b.Hash()), "board": hex.EncodeToString(b.Pack(nil)), "first_to_move": fmt.Sprint(ply%2 == 0)}
			maps.Copy(row, now)
			if r.IntN(5) > 0 {
				row["static_value"] = fmt.Sprint(r.IntN(200) - 100)
			}
			if r.IntN(3) > 0 {
				row["opening_name"] = fmt.Sprint("opening ", r.IntN(3))
			}
			all.labels = append(all.labels, row)
			moves := b.Moves()
			if len(moves) == 0 {
				break
			}
			for i, m := range moves {
				if (i+ply)%3 > 0 && i < 24 {
					all.choices = append(all.choices, map[string]string{"game_id": row["game_id"], "ply": row["ply"], "first_to_move": row["first_to_move"],
						"move": string(m.AppendCoordinates(nil)), "static_value": fmt.Sprint(r.IntN(20) - 10)})
				}
			}
			m := moves[r.IntN(min(len(moves), 1+r.IntN(5)))]
			row["move"] = string(m.AppendCoordinates(nil))
			b = m.Play()
		}
		delete(all.labels[len(all.labels)-1], "move")
	}
	return all
}

// randomPlayer is one of forty, some of whom play often, or nobody knows who.
func randomPlayer(r *rand.Rand) string {
	if r.IntN(20) == 0 {
		return ""
	}
	return fmt.Sprint("player ", min(r.IntN(40), r.IntN(40)))
}

// write writes the tables in row groups in which games begin and end anywhere.
func (all played) write(t *testing.T, g board.Game, start string) []*datasets.Dir {
	t.Helper()
	b, err := g.Start("", start)
	if err != nil {
		t.Fatal(err)
	}
	positions := schemas.Positions(len(b.Pack(nil)), nil, false)
	positions.Columns = append(positions.Columns, schemas.OpeningName)
	in := []*datasets.Dir{
		reporttest.WriteTableGroups(t, schemas.Labels(positions, []string{"static_value"}, nil, "static_value"), all.labels, manifest.Counts{}, 97),
		reporttest.WriteTableGroups(t, schemas.Choices(positions, []string{"static_value"}), all.choices, manifest.Counts{}, 301),
		reporttest.WriteTableGroups(t, schemas.Games, all.games, manifest.Counts{}, 50),
	}
	for _, d := range in {
		d.Manifest.Meta["game"], d.Manifest.Meta["leaf"], d.Manifest.Meta["unit"] = g.Name(), "static_value", "centipawns"
		d.Manifest.Inputs = []manifest.Input{{Name: "positions/v1", Key: "same"}}
	}
	return in
}

// kinds of games: without symmetries and with them, a board of several sizes among them.
var kinds = []struct {
	g     board.Game
	start string
}{
	{board.Of(chess.Rules{}), ""},
	{board.Of(othello.Rules{}), ""},
	{board.Of(weiqi.Rules{}), "9/9/9/9/9/9/9/9/9 b - 0 0:0 7 chinese"},
	{board.Of(draughts.Checkers), ""},
}

// madeAndAsked are the rows of the report p, with at most so many entries of tables before positions are counted first, and those
// of the query that the report prints.
func madeAndAsked(t *testing.T, g board.Game, p Params, most int64, in []*datasets.Dir) (made, asked *query.Result) {
	t.Helper()
	ctx := withBoards(g)
	db, err := query.Open(ctx, query.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	o, s, err := prepare(ctx, db, p, in)
	if err != nil {
		t.Fatal(err)
	}
	s.most = most
	moves, err := s.moves(ctx, db)
	if err == nil {
		err = o.plant(ctx, db, s, moves)
	}
	if err != nil {
		t.Fatalf("%s: %v", g.Name(), err)
	}
	if s.counted != (most == 0) {
		t.Fatal("positions were not counted")
	}
	if asked, err = db.Query(ctx, o.SQL); err != nil {
		t.Fatal(err)
	}
	return o.result(), asked
}

// TestIsTheQuery: rows, columns and types are those of the query, for all kinds of games, with
// choices and games and without, of some games and of all, and whatever is counted beforehand.
func TestIsTheQuery(t *testing.T) {
	for i, k := range kinds {
		in := playedAtRandom(t, k.g, k.start, 400).write(t, k.g, k.start)
		for j, c := range []struct {
			in   []*datasets.Dir
			p    Params
			most int64
		}{
			{in[:1], Params{MinGames: 2, Depth: 5}, mostEntries},
			{in[:1], Params{MinGames: 4, Depth: 6}, 0},
			{in, Params{MinGames: 1, Depth: 3}, mostEntries},
			{in, Params{MinGames: 1, Depth: 6}, 0},
			{in, Params{MinGames: 3, Depth: 6, Workers: 3}, 0},
			{in, Params{MinGames: 20, Depth: 6}, 0},
			{in[:1:1], Params{MinGames: 40, Depth: 2}, 0},
			{in, Params{MinGames: 2, Depth: 6, Chosen: Chosen{Names: []string{"player 1", "player 3"}, From: "1950", To: "1950-07"}}, mostEntries},
			{in, Params{MinGames: 2, Depth: 6, Chosen: Chosen{Names: []string{"player 0", "player 1", "player 2", "player 3", "player 4", "player 6"}, Side: "second", MinElo: 1650, MaxElo: 2100}}, 0},
		} {
			if i > 0 && j%3 != i-1 {
				continue // one game is asked everything, of the others each a third
			}
			for i := range c.in {
				c.p.Sources = append(c.p.Sources, []string{"labels", "choices", "games"}[i])
			}
			got, want := madeAndAsked(t, k.g, c.p, c.most, c.in)
			sameRows(t, fmt.Sprintf("%s, %d plies in %d games %s", k.g.Name(), c.p.Depth, c.p.MinGames, c.p.Chosen), got, want)
		}
	}
}

// sameRows compares with the rows of the query, after whose columns come values that the tree backs up.
func sameRows(t *testing.T, what string, a, b *query.Result) {
	t.Helper()
	if columns := a.Columns[:len(a.Columns)-1]; !slices.Equal(columns, b.Columns) {
		t.Fatalf("%s: columns %v, the query has %v", what, columns, b.Columns)
	}
	got, err := a.All()
	if err != nil {
		t.Fatal(err)
	}
	want, err := b.All()
	if err != nil || len(got) != len(want) || len(got) < 3 {
		t.Fatalf("%s: %d rows, the query has %d; %v", what, len(got), len(want), err)
	}
	for i := range want {
		for k := range want[i] {
			x, _ := got[i][k].(float64)
			y, number := want[i][k].(float64)
			// The logarithms of performances differ in their last digit.
			if got[i][k] != want[i][k] && !(number && a.Columns[k].Name == "performance" && math.Abs(x-y) < 1e-11) {
				t.Fatalf("%s, row %d, %s: %v, the query has %v", what, i, a.Columns[k].Name, got[i], want[i])
			}
		}
	}
}

// TestAnyOrder: rows in another order are sorted first; games and choices may lie in any. A move that is not known is one of its own.
func TestAnyOrder(t *testing.T) {
	k := kinds[1]
	for what, change := range map[string]func(all *played){
		"a game in two places": func(all *played) { all.labels = append(all.labels[20:], all.labels[:20]...) },
		"plies descend":        func(all *played) { all.labels[0], all.labels[1] = all.labels[1], all.labels[0] },
		"by hash": func(all *played) {
			slices.SortFunc(all.labels, func(a, b map[string]string) int { return strings.Compare(a["hash"], b["hash"]) })
		},
		"no move":              func(all *played) { delete(all.labels[0], "move") },
		"games by other ids":   func(all *played) { slices.Reverse(all.games) },
		"choices in any order": func(all *played) { slices.Reverse(all.choices) },
	} {
		for _, most := range []int64{mostEntries, 0} {
			all := playedAtRandom(t, k.g, k.start, 100)
			change(&all)
			p := Params{Sources: []string{"labels", "choices", "games"}, Depth: 6, MinGames: 1}
			got, want := madeAndAsked(t, k.g, p, most, all.write(t, k.g, k.start))
			sameRows(t, what, got, want)
		}
	}
}

// TestNoGames: rows that no games have are errors that name the game.
func TestNoGames(t *testing.T) {
	k := kinds[0]
	for want, change := range map[string]func(all *played){
		"game 0 has two positions at ply 0": func(all *played) { all.labels = append(all.labels, all.labels[0]) },
		`game 7: date "May 1950"`:           func(all *played) { all.games[7]["date"] = "May 1950" },
		"nowhere: unreadable move":          func(all *played) { all.labels[0]["move"] = "nowhere" },
	} {
		all := playedAtRandom(t, k.g, k.start, 100)
		for len(all.labels[0]["move"]) == 0 || all.labels[1]["game_id"] != "0" {
			t.Fatal("the first game has one row")
		}
		change(&all)
		ctx := withBoards(k.g)
		db, err := query.Open(ctx, query.Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		p := Params{Sources: []string{"labels", "choices", "games"}, Depth: 6, MinGames: 1}
		if _, err := run(ctx, db, p, all.write(t, k.g, k.start)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestFrequent: no position that is frequent is lost, and of rare ones a few are taken for frequent.
func TestFrequent(t *testing.T) {
	const positions = 200_000
	for _, least := range []int{1, 2, 3, 5, 15, 40} {
		f := newFrequent(2*positions, least)
		for i := range positions {
			for range 1 + i%10*i%10%7 {
				f.add(spot{int64(i % 13), uint64(i)}.mix())
			}
		}
		taken := 0
		for i := range positions {
			rows := 1 + i%10*i%10%7
			has := f.has(spot{int64(i % 13), uint64(i)}.mix())
			if !has && rows >= least {
				t.Fatalf("at least %d: %d rows are lost", least, rows)
			}
			if has && rows < min(least, 15) {
				taken++
			}
		}
		if taken > positions/20 {
			t.Errorf("at least %d: %d rare positions are taken for frequent", least, taken)
		}
	}
}
