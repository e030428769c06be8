package curve

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/shape"
	"kifu/report/sheet"
	"kifu/schemas"
)

// counting decides how draws count.
type counting struct {
	draws bool      // at all
	lines []scoring // the shares of a bin
	kinds bool      // games are counted by what they have in a bin, for a bootstrap
}

// scoring is a share and what it gives a draw.
type scoring struct {
	line string
	draw float64
}

// countingOf is the counting of c.
func (c *Report) counting() counting {
	all := counting{draws: c.Params.Draws != shape.DrawsExclude, lines: []scoring{{"score", 0.5}}, kinds: c.Params.Interval == IntervalBootstrap}
	if c.Params.Draws == shape.DrawsBands {
		all.lines = []scoring{{"won", 0}, {"score", 0.5}, {"not lost", 1}} // ascending, as the query has them
	}
	return all
}

// binSums are the columns of the table sums of curve.sql, of one curve and bin.
type binSums struct {
	positions, games, wins, draws, losses, unfinished int64
	ww, wn, nn, wd, dd, dn                            float64 // whole numbers, so that their order does not matter
	nnn, nnnn                                         uint64
	kinds                                             map[kind]int64 // games
}

// kind counts a game's positions in a bin.
type kind struct{ wins, draws, losses int32 }

// sums are a curve's sums.
type sums struct {
	bins    map[int32]*binSums
	games   int64                // with a position that counts
	players []map[int32]byPlayer // for each line the variances by player; nil: there are too few players
}

// add adds a game.
func (c *counting) add(to *sums, g played) {
	counts := false
	for i := range g.shares {
		x := &g.shares[i]
		b := to.bins[x.bin]
		if b == nil {
			b = &binSums{}
			to.bins[x.bin] = b
		}
		w, d, l := int64(x.n[won]), int64(x.n[drawn]), int64(x.n[lost])
		b.wins, b.draws, b.losses, b.unfinished = b.wins+w, b.draws+d, b.losses+l, b.unfinished+int64(x.n[unfinished])
		n := w + l
		if c.draws {
			n += d
			b.wd, b.dd, b.dn = b.wd+float64(w*d), b.dd+float64(d*d), b.dn+float64(d*n)
		}
		if n == 0 {
			continue
		}
		counts = true
		b.positions, b.games = b.positions+n, b.games+1
		b.ww, b.wn, b.nn = b.ww+float64(w*w), b.wn+float64(w*n), b.nn+float64(n*n)
		b.nnn, b.nnnn = b.nnn+uint64(n*n*n), b.nnnn+uint64(n*n*n)*uint64(n)
		if c.kinds && isBin(x.bin) {
			if b.kinds == nil {
				b.kinds = map[kind]int64{}
			}
			b.kinds[kind{x.n[won], x.n[drawn], x.n[lost]}]++
		}
	}
	if counts {
		to.games++
	}
}

// isBin reports whether a number belongs to a bin on the axis.
func isBin(bin int32) bool { return bin > forcedSecond && bin < forcedFirst }

// ordered returns the bins as the query has them: those on the axis, ascending, forced wins of the first and of the second player, none.
func (s *sums) ordered() (bins []int32) {
	for bin := range s.bins {
		bins = append(bins, bin)
	}
	slices.SortFunc(bins, func(a, b int32) int { return cmp.Or(cmp.Compare(kindOf(a), kindOf(b)), cmp.Compare(a, b)) })
	return bins
}

// sum reads the labels once, and returns the sums of each curve; each gets every game as well, and may be nil.
func (s *reading) sum(ctx context.Context, workers int, each func(curve int, g played)) ([]*sums, error) {
	out := lists.N(len(s.curves), func(int) *sums { return &sums{bins: map[int32]*binSums{}} })
	return out, s.read(ctx, workers, func(curve int, g played) {
		s.add(out[curve], g)
		if each != nil {
			each(curve, g)
		}
	})
}

// sumsOf returns the sums of curves of source i.
func (c *Report) sumsOf(ctx context.Context, db *query.DB, i int, curves []conditionSQL) ([]*sums, error) {
	s, source := c.reading(i, curves), c.query.Sources[i]
	var when []query.Named
	for _, k := range curves {
		if k.SQL != "" {
			when = append(when, query.Named{Name: k.Name, SQL: k.SQL})
		}
	}
	if !source.stored {
		if err := c.query.group(ctx, db, s, source); err != nil {
			return nil, err
		}
	} else if len(when) > 0 {
		var err error
		if s.holds, err = db.Bits(ctx, s.dir, when); err != nil {
			return nil, err
		}
	}
	all, err := s.sums(ctx, c.Params.Workers, mostEntries)
	if errors.Is(err, bygame.ErrApart) && !s.grouped {
		c.query.Sources[i].stored = false
		return c.sumsOf(ctx, db, i, curves)
	}
	return all, err
}

// reading prepares source i to be read.
func (c *Report) reading(i int, curves []conditionSQL) *reading {
	of, source := c.Sources[i], c.query.Sources[i]
	s := &reading{path: source.dir.Path, dir: source.dir, mixed: of.Dedup, column: of.Column, bin: c.Bin, curves: curves, counting: c.counting()}
	if c.query.Players.On() && !of.Dedup {
		s.known = source.known
	}
	return s
}

// isStored reports whether values are a column's, which need not be computed or counted.
func isStored(d *datasets.Dir, of sheet.Source, value string) bool {
	at := d.Table.Index(of.Column)
	return !of.Dedup && at >= 0 && d.Table.Columns[at].Type == schemas.Float32 && value == query.QuoteName(of.Column)
}
