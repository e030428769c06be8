package sheet

import (
	"context"
	"math/rand/v2"
	"testing"

	"kifu/kit/reporttest"
	"kifu/query"
)

// TestHeads: games that share a position, and those that hang together through others however many,
// have the least of them for their head, as a search of the graph finds it: by the published query and as Find finds them.
func TestHeads(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for _, c := range []struct {
		name  string
		edges [][2]int
	}{
		{"a chain", chain(40)}, {"few", random(rng, 60, 40)}, {"many", random(rng, 60, 90)}, {"none", nil},
	} {
		var rows []reporttest.Label
		linked := map[int][]int{}
		for position, e := range c.edges {
			for k, game := range e {
				rows = append(rows, reporttest.Label{Game: int64(game), Ply: 31, Hash: 1 + uint64(position)})
				linked[game] = append(linked[game], e[1-k])
			}
		}
		// Positions of one game, of another ply, and before ply 30 join nothing.
		rows = append(rows, reporttest.Label{Game: 0, Ply: 40, Hash: 9001}, reporttest.Label{Game: 1, Ply: 41, Hash: 9001},
			reporttest.Label{Game: 2, Ply: 29, Hash: 9002}, reporttest.Label{Game: 3, Ply: 29, Hash: 9002})
		ctx, db := context.Background(), reporttest.OpenDB(t)
		if err := db.Attach(ctx, "l", reporttest.WriteLabels(t, t.TempDir(), rows, nil)); err != nil {
			t.Fatal(err)
		}
		published := Heads{Views: []HeadsOf{{View: query.View("l"), Hashed: true}}}
		found, err := published.Find(ctx, db)
		if err != nil {
			t.Fatal(err)
		}
		for name, h := range map[string]Heads{"published": published, "found": found} {
			sql, err := Fill("q", `WITH RECURSIVE {{template "heads" .}} SELECT game_id, head FROM heads ORDER BY game_id`, h)
			if err != nil {
				t.Fatal(err)
			}
			r, err := db.Query(ctx, sql)
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.All()
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(linked) {
				t.Errorf("%s, %s: %d games hang together, want %d", c.name, name, len(got), len(linked))
			}
			for _, row := range got {
				f := Fields{Columns: r.Columns, Row: row}
				if game, head := int(f.Whole("game_id")), int(f.Whole("head")); head != least(linked, game) {
					t.Errorf("%s, %s: game %d has the head %d, want %d", c.name, name, game, head, least(linked, game))
				}
			}
		}
	}
}

// chain links games that are far from least to greatest: 0 with 39, 39 with 1, 1 with 38, …
func chain(n int) (edges [][2]int) {
	at := 0
	for i := 1; i < n; i++ {
		next := i / 2
		if i%2 == 1 {
			next = n - 1 - i/2
		}
		edges = append(edges, [2]int{at, next})
		at = next
	}
	return edges
}

func random(rng *rand.Rand, games, n int) (edges [][2]int) {
	for range n {
		a := rng.IntN(games)
		edges = append(edges, [2]int{a, (a + 1 + rng.IntN(games-1)) % games})
	}
	return edges
}

// least is the least game that can be reached.
func least(linked map[int][]int, game int) int {
	seen, open := map[int]bool{game: true}, []int{game}
	for len(open) > 0 {
		at := open[0]
		open, game = open[1:], min(game, at)
		for _, to := range linked[at] {
			if !seen[to] {
				seen[to] = true
				open = append(open, to)
			}
		}
	}
	return game
}
