package explore_test

import (
	"context"
	"html"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/explore"
	"kifu/explore/site"
	"kifu/kit/sample"
	"kifu/players/population"
	"kifu/schemas"
)

// TestPeople: with a model of human moves, a position shows what people choose in it, and the move played, by rating.
func TestPeople(t *testing.T) {
	sets := data(t)
	p := population.Params{Holdout: 0.3, MinPlayed: 3, Depth: 1, Decisions: 400, Tested: 50, Pull: 1, Seed: 1, Shapes: 0.3}
	human := sample.Build(filepath.Join(folder, "human"), datasets.Step{Stage: "human", Output: schemas.Predictions().ID(), Params: p, Inputs: []string{sets[0].Dir.Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return population.Run(ctx, sample.Chess, p, 2, in[0], out)
		}})
	address := serve(t, append(sets, &site.Set{Name: "human", Path: "human", Dir: human}), explore.Options{})
	_, page := get(t, address+"position", "on", "labels", "game", "3", "ply", "30")
	if !strings.Contains(page, "Moves that people choose here, predicted by human") {
		t.Fatalf("no table of what people choose:\n%s", page)
	}
	rows := regexp.MustCompile(`<tr><th>(<b>)?[^<]+(</b>)?</th><td class="n">[0-9.]+.%</td><td>[a-z][^<]* [+−][0-9.]+, [^<]+</td>`).FindAllString(html.UnescapeString(page), -1)
	if len(rows) < 8 || strings.Count(strings.Join(rows, ""), "<b>") != 1 {
		t.Errorf("%d moves, want eight and the one played among them:\n%s", len(rows), strings.Join(rows, "\n"))
	}
}
