package report

import (
	"context"
	"fmt"

	"kifu/query"
)

// mostViewed is the number of labels up to which the page has other views. They read
// the labels once more.
const mostViewed = 2_000_000

// The widths of bins to choose from, in those of the report.
var viewWidths = []int64{1, 2, 4}

// views are the curves with draws counted in either way and with wider bins, all from one
// query: the intervals of a wide bin do not follow from those of narrow ones. The first
// is what the picture shows. Where one cannot be (no wide bin has enough positions) or
// its lines are not those of the first there is no choice.
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
	draws := []string{c.Params.Draws}
	switch c.Params.Draws {
	case DrawsExclude:
		draws = append(draws, DrawsHalf)
	case DrawsHalf:
		draws = append(draws, DrawsExclude)
	}
	others, err := c.others(ctx, db, draws)
	if err != nil {
		return nil, err
	}
	all := []view{first.view(c.drawsChoice(), c.binChoice())}
	for _, other := range others {
		if err := other.take(); err != nil {
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
	return all, nil
}

// others are the curves in every width and way of counting draws but those of c, with
// the rows from which to take them.
func (c *curves) others(ctx context.Context, db *query.DB, draws []string) ([]*curves, error) {
	q := c.query
	q.Widths, q.Ways = viewWidths, waysOf(draws)
	sql, err := q.views()
	if err != nil {
		return nil, err
	}
	result, err := db.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	rows, err := result.All()
	if err != nil {
		return nil, err
	}
	var all []*curves
	for _, d := range draws {
		for _, w := range viewWidths {
			if d == c.Params.Draws && w == 1 {
				continue
			}
			other := *c
			other.Params.Draws, other.Bin, other.Curves = d, c.Bin*float64(w), nil
			var some [][]any
			for _, row := range rows {
				if f := (fields{result.Columns, row}); f.text("way") == d && f.whole("width") == w {
					some = append(some, row)
				}
			}
			other.Rows = query.NewResult(result.Columns, some)
			all = append(all, &other)
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
