package report

import (
	"context"
	"fmt"

	"kifu/query"
)

// mostViewed is the number of labels up to which the page has other views: each is the
// query once more. A bootstrap would be, too, and takes longer than that.
const mostViewed = 2_000_000

// The widths of bins to choose from, in those of the report.
var viewWidths = []float64{1, 2, 4}

// views are the curves with draws counted in either way and with wider bins, each asked
// of the labels: the intervals of a wide bin do not follow from those of narrow ones.
// The first is what the picture shows. A view that cannot be (no wide bin has enough
// positions, no draws) or whose lines are not those of the first is left out, and
// without a second one there is no choice.
func (c *curves) views(ctx context.Context, db *query.DB) ([]view, error) {
	var rows int64
	for _, s := range c.Sources {
		rows += s.Rows
	}
	if rows > mostViewed || c.Params.Interval == IntervalBootstrap {
		return nil, nil
	}
	first := c.chart()
	if len(first.Areas) > 0 {
		return nil, nil // the script redraws lines alone
	}
	all := []view{first.view(c.drawsChoice(), c.binChoice())}
	draws := []string{c.Params.Draws}
	switch c.Params.Draws {
	case DrawsExclude:
		draws = append(draws, DrawsHalf)
	case DrawsHalf:
		draws = append(draws, DrawsExclude)
	}
	for _, d := range draws {
		for _, w := range viewWidths {
			if d == c.Params.Draws && w == 1 {
				continue
			}
			other := *c
			other.Params.Draws, other.Bin, other.Curves = d, c.Bin*w, nil
			if err := other.ask(ctx, db); err != nil {
				if ctx.Err() != nil {
					return nil, err
				}
				return nil, nil
			}
			picture := other.chart()
			picture.XMin, picture.XMax = first.XMin, first.XMax
			v := picture.view(other.drawsChoice(), other.binChoice())
			if !v.fits(all[0]) {
				return nil, nil
			}
			all = append(all, v)
		}
	}
	return all, nil
}

// fits reports whether v has lines where w has some.
func (v view) fits(w view) bool {
	if len(v.Series) != len(w.Series) {
		return false
	}
	for i := range v.Series {
		if (len(v.Series[i]) == 0) != (len(w.Series[i]) == 0) {
			return false
		}
	}
	return true
}

func (c *curves) drawsChoice() string {
	return map[string]string{DrawsExclude: "left out", DrawsHalf: "half a win", DrawsBands: "as a band"}[c.Params.Draws]
}

func (c *curves) binChoice() string { return fmt.Sprintf("%s %s", plainNumber(c.Bin), c.Unit) }
