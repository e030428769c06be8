package curve_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"kifu/datasets"
	"kifu/kit/sample"
	"kifu/query"
	"kifu/report/curve"
	"kifu/report/page"
)

// The evaluation curve of a labels dataset, and the one of the positions in which the
// first player's king is the safer one.
func ExampleMake() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	params := curve.Params{Bin: 200, MinCount: 100, When: []query.Named{{Name: "safe", SQL: "king_safety >= 30"}}, Sources: []string{"labels"}}
	pages := sample.Build(filepath.Join(dir, "curve"), datasets.Step{
		Stage: "report curve", Output: "report/v1", Params: params, Inputs: []string{sample.Labels(dir).Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return curve.Make(ctx, params, in, page.Alone(out))
		},
	})
	table, err := pages.ReadFile("curve.csv")
	if err != nil {
		panic(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		panic(err)
	}
	bin, shown, positions, share := slices.Index(rows[0], "bin"), slices.Index(rows[0], "shown"), slices.Index(rows[0], "positions"), slices.Index(rows[0], "win_probability")

	for _, r := range rows[1:] {
		if r[shown] == "true" {
			fmt.Printf("%s %s: %s positions, %.4s\n", r[slices.Index(rows[0], "curve")], r[bin], r[positions], r[share])
		}
	}
	// Output:
	// total -400: 328 positions, 0.03
	// total -200: 626 positions, 0.31
	// total 0: 1910 positions, 0.64
	// total 200: 1236 positions, 0.86
	// total 400: 411 positions, 0.97
	// safe 0: 509 positions, 0.76
	// safe 200: 630 positions, 0.87
	// safe 400: 194 positions, 0.95
}
