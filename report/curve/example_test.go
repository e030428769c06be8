package curve_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"kifu/datasets"
	"kifu/internal/sample"
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
	for _, f := range pages.Manifest.Files {
		fmt.Println(f.Name)
	}
	table, err := pages.ReadFile("curve.md")
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s", table)
	// Output:
	// index.html
	// curve.svg
	// curve.pdf
	// curve.png
	// curve.csv
	// curve.md
	// curve.tex
	// curve.sql
	// # Evaluation curves of chess: labels
	//
	// The share of games that the first player won against the evaluation of the position. The curve is monotone: each of its 4 steps from bin to bin goes up.
	//
	// **The curves**
	//
	// | curve | positions | games | bins | at 0 | sigmoid's scale | steps down | beyond error | left out, positions | in bins | forced wins, positions | won |
	// | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
	// | total | 4,511 | 75 | 5 | 64.5 % | 133 | 0 of 4 | 0 | 242 | 11 | 15 | 100.0 % |
	// | safe (king_safety ≥ 30) | 1,333 | 70 | 3 | 76.8 % | – | 0 of 2 | 0 | 215 | 8 | 7 | 100.0 % |
	//
	// **How far the conditioned curves are from the total**
	//
	// | curve | positions | games | gap at 25 % | gap at 50 % | gap at 75 % | mean gap | largest gap | at | area | signed |
	// | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
	// | safe (king_safety ≥ 30) | 1,333 | 70 | – | – | – | +63 | +111 | 0 | 5.5 % | +5.1 |
	//
	// **The bins: win probability, its 95 % interval by game, positions**
	//
	// | value | total | interval | positions | safe (king_safety ≥ 30) | interval | positions |
	// | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
	// | −400 | 3.0 % | 1.1–8.0 | 328 |  |  |  |
	// | −200 | 31.9 % | 18.1–49.9 | 626 |  |  |  |
	// | 0 | 64.5 % | 51.4–75.8 | 1,910 | 76.8 % | 58.7–88.6 | 509 |
	// | 200 | 86.7 % | 73.6–93.8 | 1,236 | 87.9 % | 75.4–94.5 | 630 |
	// | 400 | 97.3 % | 91.2–99.2 | 411 | 95.9 % | 86.3–98.8 | 194 |
	//
	// - A bin holds the positions whose quiescence value lies in [v − 100, v + 100) around its centre v, a multiple of 200. Its win probability is wins / (wins + losses), each position with the result of its game (Takeuchi, Kaneko, Yamaguchi and Kawai 2007, equations 1 and 2).
	// - Bins of fewer than 100 positions are left out.
	// - labels: 2,054 positions of drawn games are left out.
	// - Positions of one game are not independent, so intervals are clustered by game: the variance of a bin's share is that of the ratio of its games' sums (linearised), and the band is Wilson's 95 % interval at the number of independent positions that would vary as much. The plain Wilson interval, which is too narrow, is in the CSV as wilson_low and wilson_high.
	// - Positions that the search has seen to be a forced win for either side have no place on the axis; the table says how many there are and how many of them were won.
	// - Sigmoid of labels: 1/(1+exp(−w0·v)) fitted to the bins drawn by maximum likelihood, w0 = 0.007534 per centipawn, scale 1/w0 = 133 centipawns.
	// - A curve is called not monotone when a step down is beyond its error at 5 % over all the steps of the curve together (one-sided, Bonferroni).
	// - A gap is read horizontally, in centipawns at equal win probability: + means that such positions are worth so much more to the first player than their value says. The mean and the largest are over the bins where the condition's win probability is between 10 % and 90 % (farther out the curves are flat); the area is the mean vertical distance over all. A curve that is not monotone is made so first (isotonic regression).
}
