package sheet

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"text/template"

	"kifu/query"
)

// TestHeads: games that share a position, and those that hang together through others however many,
// have the least of them for their head, as a search of the graph finds it.
func TestHeads(t *testing.T) {
	db, err := query.Open(context.Background(), query.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rng := rand.New(rand.NewPCG(7, 1))
	for _, c := range []struct {
		name  string
		edges [][2]int
	}{
		{"a chain", chain(40)}, {"few", random(rng, 60, 40)}, {"many", random(rng, 60, 90)}, {"none", nil},
	} {
		var rows []string
		linked := map[int][]int{}
		for position, e := range c.edges {
			for k, game := range e {
				rows = append(rows, fmt.Sprintf("(%d, %d, 31)", game, position))
				linked[game] = append(linked[game], e[1-k])
			}
		}
		// Positions of one game, of another ply, and before ply 30 join nothing.
		rows = append(rows, "(0, 9001, 40)", "(1, 9001, 41)", "(2, 9002, 29)", "(3, 9002, 29)")
		h := Heads{Views: []HeadsOf{{View: "(SELECT * FROM (VALUES " + strings.Join(rows, ", ") + ") AS v(game_id, hash, ply))", Hashed: true}}}
		t1 := template.New("test")
		if err := parseHeads(t1); err != nil {
			t.Fatal(err)
		}
		var sql strings.Builder
		template.Must(t1.New("q").Parse(`WITH RECURSIVE {{template "heads" .}} SELECT game_id, head FROM heads ORDER BY game_id`))
		if err := t1.ExecuteTemplate(&sql, "q", h); err != nil {
			t.Fatal(err)
		}
		r, err := db.Query(context.Background(), sql.String())
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.All()
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(linked) {
			t.Errorf("%s: %d games hang together, want %d", c.name, len(got), len(linked))
		}
		for _, row := range got {
			f := Fields{Columns: r.Columns, Row: row}
			if game, head := int(f.Whole("game_id")), int(f.Whole("head")); head != least(linked, game) {
				t.Errorf("%s: game %d has the head %d, want %d", c.name, game, head, least(linked, game))
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
