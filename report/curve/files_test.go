package curve

import (
	"context"
	"fmt"
	"regexp"
	"testing"

	"kifu/datasets"
	"kifu/internal/human"
	"kifu/kit/reporttest"
	"kifu/report/page"
	"kifu/report/shape"
)

func TestCurveFiles(t *testing.T) {
	d := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), map[string]string{"zeroed": "king_safety"})
	files := example.Files(t)
	for _, name := range []string{"curve.csv", "curve.md", "curve.tex", "curve.sql"} {
		reporttest.CheckGolden(t, name, files[name])
	}
	reporttest.CheckPicture(t, files, "curve")

	c := mustAsk(t, curveAsked, d)
	var numbers []string
	for _, k := range c.Curves {
		numbers = append(numbers, human.Grouped(k.Positions()), human.Grouped(k.Games))
		for _, b := range k.Bins {
			numbers = append(numbers, human.Percent(b.P, 1), fmt.Sprintf("%.1f–%.1f", 100*b.Low, 100*b.High), human.Grouped(b.Positions), human.Number(b.V))
		}
	}
	reporttest.CheckPage(t, files["index.html"], append(numbers, "king_safety ≥ 30", "king_safety ≤ −30", "scale "+shape.ScaleText(c.Curves[0].Sigmoid), "without king_safety")...)
	if n := len(regexp.MustCompile(`<circle class="dot"`).FindAllString(string(files["index.html"]), -1)); n != 2*(len(c.Curves[0].Bins)+len(c.Curves[1].Bins)+len(c.Curves[2].Bins)) {
		t.Errorf("%d dots in the page's two pictures", n)
	}
}

var example = &reporttest.Example{
	Name: "curve",
	Page: reporttest.Numbers{Column: "positions", Where: "shown", Is: "true", Write: reporttest.Whole},
	Make: func(t *testing.T, workers int, out page.Output) error {
		p := curveAsked
		p.Workers = workers
		return Make(context.Background(), p, []*datasets.Dir{reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), map[string]string{"zeroed": "king_safety"})}, out)
	},
}

func TestCurveExample(t *testing.T) {
	example.Check(t)
}

// curveAsked holds the parameters of the example of a curve.
var curveAsked = Params{When: reporttest.When, MinCount: 30, Sources: []string{"labels"}}
