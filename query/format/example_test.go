package format_test

import (
	"context"
	"os"

	"kifu/kit/sample"
	"kifu/query"
	"kifu/query/format"
)

// A question in SQL over two datasets.
func ExampleWrite() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	db, err := query.Open(ctx, query.Options{})
	if err != nil {
		panic(err)
	}
	defer db.Close()
	labels := sample.Labels(dir)
	if err := db.Attach(ctx, "l", labels); err != nil {
		panic(err)
	}
	if err := db.Attach(ctx, "g", sample.Games(dir)); err != nil {
		panic(err)
	}
	const text = `select g.result, count(distinct l.game_id) games, count(*) positions,
		cast(round(avg(l.quiescence_value)) as int) mean_value
		from l join g using (game_id) group by 1 order by 1`
	if err := format.Write(ctx, db, text, "table", os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// result  games  positions  mean_value
	// ──────  ─────  ─────────  ──────────
	// draw       25       2054          39
	// first      50       3061         257
	// second     25       1707        -202
}
