package curve

import (
	"context"
	"fmt"

	"kifu/internal/human"
	"kifu/query"
	"kifu/report/chart"
	"kifu/report/shape"
)

// mostViewed is the number of labels up to which the page has other views. They read
// the labels again.
const mostViewed = 2_000_000

// The widths of bins to choose from, as multiples of the report's.
var viewWidths = []int{1, 2, 4}

// views are the curves with draws counted in either way and with wider bins: the intervals of a wide
// bin do not follow from narrow ones'. The first is the picture's. There is no choice if one cannot be
// drawn (no wide bin has enough positions) or has other lines than the first.
func (c *Report) views(ctx context.Context, db *query.DB) ([]chart.View, error) {
	if c.Sources.Read() > mostViewed || c.Params.Interval == IntervalBootstrap {
		return nil, nil
	}
	first := c.Chart()
	if len(first.Areas) > 0 {
		return nil, nil // the script redraws lines alone
	}
	draws := []string{c.Params.Draws}
	switch c.Params.Draws {
	case shape.DrawsExclude:
		draws = append(draws, shape.DrawsHalf)
	case shape.DrawsHalf:
		draws = append(draws, shape.DrawsExclude)
	}
	others, err := c.others(ctx, db, draws)
	if err != nil {
		return nil, err
	}
	all := []chart.View{first.View(c.drawsChoice(), c.binChoice())}
	for _, other := range others {
		if err := other.fill(); err != nil {
			return nil, nil
		}
		picture := other.Chart()
		picture.XMin, picture.XMax = first.XMin, first.XMax
		v := picture.View(other.drawsChoice(), other.binChoice())
		if !v.Fits(all[0]) {
			return nil, nil
		}
		all = append(all, v)
	}
	return all, nil
}

// others are the curves in every other width and way of counting draws, with their rows, each as a
// separate report has them.
func (c *Report) others(ctx context.Context, db *query.DB, draws []string) (all []*Report, err error) {
	for _, d := range draws {
		for _, w := range viewWidths {
			if d == c.Params.Draws && w == 1 {
				continue
			}
			other := *c
			other.Params.Draws, other.Bin, other.Curves = d, c.Bin*float64(w), nil
			other.ways()
			if err := other.sum(ctx, db); err != nil {
				return nil, err
			}
			all = append(all, &other)
		}
	}
	return all, nil
}

func (c *Report) drawsChoice() string {
	return map[string]string{shape.DrawsExclude: "left out", shape.DrawsHalf: "half a win", shape.DrawsBands: "as a band"}[c.Params.Draws]
}

func (c *Report) binChoice() string { return fmt.Sprintf("%s %s", human.Number(c.Bin), c.Unit) }
