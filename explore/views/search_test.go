package views

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"kifu/explore/parts"
	"kifu/explore/site"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/kit/sample"
	"kifu/query"
	"kifu/query/boards"
)

// TestSearch: a search in stretches finds page by page what a statement over all rows finds, whether its time
// is over after each stretch or never.
func TestSearch(t *testing.T) {
	ctx := query.With(context.Background(), boards.Of([]board.Game{board.Of(chess.Rules{})}))
	d := &site.Set{Name: "positions", Dir: sample.Positions(t.TempDir())}
	s := New([]*site.Set{d}, map[string]site.Game{"chess": {Boards: board.Of(chess.Rules{})}}, nil, Limits{})
	var err error
	if s.db, err = query.Open(ctx, query.Options{Threads: 2, TempDir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	defer s.db.Close()
	if err := s.db.Attach(ctx, d.Name, d.Dir); err != nil {
		t.Fatal(err)
	}
	c := &call{ctx: ctx, site: s, db: s.db, here: parts.HereOf("positions", url.Values{})}
	const condition = "san(board, move) LIKE 'Qx%'"
	places := func(items []item) (all []string) {
		for _, i := range items {
			all = append(all, fmt.Sprintf("%d:%d", i.Game, i.Ply))
		}
		return all
	}
	whole, err := c.list(d, listOf{Where: condition, Order: "game_id * 1000 + ply", Most: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	want := places(whole.Items)
	for _, o := range []listOf{{Most: 7, Stretch: 300}, {Most: 40, Stretch: 90, Time: time.Hour}, {Most: 100_000, Stretch: 1e9}} {
		o.Where = condition
		var got []string
		after, full := "", 0
		for pages := 0; ; pages++ {
			l, err := c.search(d, o, after)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, places(l.Items)...)
			if l.Search.Next != "" {
				full++
			}
			next := l.Search.Next + l.Search.Further
			if next == "" {
				break
			}
			at, err := url.Parse(next)
			if err != nil || pages > 10_000 {
				t.Fatal(next, err)
			}
			after = at.Query().Get("after")
		}
		if !slices.Equal(got, want) || len(want) < 50 || full == 0 && o.Most < 1000 {
			t.Errorf("%+v: %d positions on %d full pages, want %d", o, len(got), full, len(want))
		}
	}
	if _, err := c.search(d, listOf{Where: condition, Most: 1, Stretch: 1}, "x"); err == nil {
		t.Error("a place that is none is taken")
	}
}
