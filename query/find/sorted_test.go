package find_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/kit/sample"
	"kifu/query/find"
	"kifu/transform"
	"kifu/transform/order"
)

// TestSorted: of positions sorted by hash the same is found as by replaying the games, and nothing
// of positions in another order.
func TestSorted(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	in := sample.Games(dir)
	positions := sample.Build(filepath.Join(dir, "all"), datasets.Step{Stage: "transform", Output: "positions/v1", Params: transform.Params{}, Inputs: []string{in.Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return transform.Run(ctx, chess.Rules{}, transform.Params{}, transform.Options{}, in[0], out)
		}})
	p := order.Params{By: "hash"}
	sorted := sample.Build(filepath.Join(dir, "by-hash"), datasets.Step{Stage: "sort", Output: positions.Table.ID(), Params: p, Inputs: []string{positions.Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return order.Run(ctx, p, 2, in[0], out)
		}})
	g, batch, kept := board.Of(chess.Rules{}), columns.NewBatch(sorted.Table, "hash"), 0
	var wanted []uint64
	for _, err := range sorted.Groups(batch) {
		if err != nil {
			t.Fatal(err)
		}
		all := batch.Col("hash").Uint64
		wanted = append(wanted, all[0], all[len(all)/2], all[len(all)-1])
	}
	start, err := g.Start("", "")
	if err != nil {
		t.Fatal(err)
	}
	wanted = append(wanted, start.Hash(), start.Hash()+1)
	for _, hash := range wanted {
		var got, want []find.Hit
		ok, err := find.Sorted(ctx, g, []uint64{hash}, sorted, func(h find.Hit) error { got = append(got, h); return nil })
		if err != nil || !ok {
			t.Fatalf("%d: %v, %v", hash, ok, err)
		}
		if _, err := find.Run(ctx, chess.Rules{}, nil, find.Query{Hashes: []uint64{hash}}, 2, in, func(h find.Hit) error { want = append(want, h); return nil }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d: found %v, want %v", hash, got, want)
		}
		kept += len(want)
	}
	if kept < 100 {
		t.Errorf("%d games in all: the start alone has as many", kept)
	}
	hash := start.Hash()
	if ok, err := find.Sorted(ctx, g, []uint64{hash}, positions, func(find.Hit) error { t.Error("a row is taken"); return nil }); ok || err != nil {
		t.Errorf("positions in another order: %v, %v", ok, err)
	}
}
