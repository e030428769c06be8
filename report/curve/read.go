package curve

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strconv"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/columns"
	"kifu/query"
	"kifu/report/sheet"
	"kifu/schemas"
)

// Labels are read once, in the order of their games; the database finds, part by part, the rows in which conditions hold. What
// cannot be read in order is grouped by the database first, by game and bin, and then read in the order of games: distinct positions, values
// that are computed, and labels in another order. Memory does not grow with the number of positions.

// reading is a source that is read.
type reading struct {
	path    string        // for errors
	dir     *datasets.Dir // labels, or what the database has grouped of them
	grouped bool
	mixed   bool // distinct positions: a game has positions of several results
	column  string
	bin     float64 // width
	curves  []conditionSQL
	holds   func(ctx context.Context, part int) ([]query.Bits, error) // the rows of each condition; nil: no curve is of one, or dir is grouped
	known   *known                                                    // where players are; nil: by game alone
	counting
}

// Numbers of bins that are none, as curve.sql has them.
const (
	forcedFirst  = math.MaxInt32
	forcedSecond = -math.MaxInt32
	noBin        = math.MinInt32 // null
)

// The outcomes of games.
const (
	won        = uint8(schemas.FirstWon)
	lost       = uint8(schemas.SecondWon)
	drawn      = uint8(schemas.Drawn)
	unfinished = uint8(schemas.Unfinished)
	outcomes   = uint8(schemas.Outcomes)
)

// share holds a game's positions in a bin, by outcome.
type share struct {
	bin int32
	n   [outcomes]int32
}

// played is a game, or the beginning or the end of one, in a row group.
type played struct {
	id     int64
	from   int // of the shares of all games
	shares []share
}

// read calls take with every game in the order of the labels, for each curve that it has positions in.
func (s *reading) read(ctx context.Context, workers int, take func(curve int, g played)) error {
	names := []string{"game_id", "result", s.column}
	if s.grouped {
		names = nil // all
	}
	last := make([]played, len(s.curves)) // whose ends may be in the next row group
	batches := datasets.Batches(s.dir.Table, workers, names...)
	err := datasets.Each(ctx, s.dir, workers, "curve: read", "positions", func(worker int, g datasets.Group, emit func([][]played) error) error {
		b := batches[worker]
		if err := g.Read(b); err != nil {
			return err
		}
		if s.grouped {
			return emit(s.shares(b))
		}
		var bits []query.Bits
		if s.holds != nil {
			var err error
			if bits, err = s.holds(ctx, g.Part); err != nil {
				return err
			}
		}
		games, err := s.group(b, bits, g.At)
		if err != nil {
			return err
		}
		return emit(games)
	}, func(games [][]played) error {
		for curve := range games {
			if err := s.join(&last[curve], games[curve], func(g played) { take(curve, g) }); err != nil {
				return err
			}
		}
		return nil
	})
	for curve, g := range last {
		if err == nil && g.shares != nil {
			if err = s.check(g); err == nil {
				take(curve, g)
			}
		}
	}
	return err
}

// join calls take with g, which may go on in games, and with all of these but the last, which is then
// in g.
func (s *reading) join(g *played, games []played, take func(played)) error {
	for _, next := range games {
		switch {
		case g.shares == nil:
		case next.id == g.id:
			for _, x := range next.shares {
				g.add(x)
			}
			continue
		case next.id < g.id:
			return bygame.ErrApart
		default:
			if err := s.check(*g); err != nil {
				return err
			}
			take(*g)
		}
		*g = next
	}
	return nil
}

// check returns an error for a game with positions of several results.
func (s *reading) check(g played) error {
	if s.mixed {
		return nil
	}
	result := -1
	for i := range g.shares {
		for outcome, n := range g.shares[i].n {
			if n > 0 && result >= 0 && outcome != result {
				return sheet.Errorf("%s: game %d has several results: make the labels again (--force)", s.path, g.id)
			} else if n > 0 {
				result = outcome
			}
		}
	}
	return nil
}

// add adds a share.
func (g *played) add(x share) {
	i := slices.IndexFunc(g.shares, func(y share) bool { return x.bin == y.bin })
	if i < 0 {
		g.shares = append(g.shares, x)
		return
	}
	for outcome, n := range x.n {
		g.shares[i].n[outcome] += n
	}
}

// gather collects the games that have positions in a curve.
type gather struct {
	shares []share // of all games
	games  []played
}

// at returns the share of a game in a bin. Evaluations of a game stay close, so that the bin is among the last.
func (g *gather) at(id int64, bin int32) *share {
	if n := len(g.games); n == 0 || g.games[n-1].id != id {
		g.games = append(g.games, played{id: id, from: len(g.shares)})
	}
	for i, first := len(g.shares)-1, g.games[len(g.games)-1].from; i >= first; i-- {
		if g.shares[i].bin == bin {
			return &g.shares[i]
		}
	}
	g.shares = append(g.shares, share{bin: bin})
	return &g.shares[len(g.shares)-1]
}

// gathered returns the games of each curve.
func gathered(all []gather) [][]played {
	games := make([][]played, len(all))
	for k, of := range all {
		to := len(of.shares)
		for i := len(of.games) - 1; i >= 0; i-- {
			g := &of.games[i]
			g.shares, to = of.shares[g.from:to:to], g.from
		}
		games[k] = of.games
	}
	return games
}

// group lists the games of a row group of labels, which begins at that row of its part.
func (s *reading) group(b *columns.Batch, bits []query.Bits, at int) ([][]played, error) {
	ids, values, results := b.Col("game_id").Int64, b.Col(s.column), b.Col("result")
	missing, all := values.Column.Nullable, make([]gather, len(s.curves))
	all[0].shares = make([]share, 0, len(ids)/4)
	for from, to := 0, 0; from < len(ids); from = to {
		for to = from + 1; to < len(ids) && ids[to] == ids[from]; to++ {
		}
		if to < len(ids) && ids[to] < ids[from] {
			return nil, bygame.ErrApart
		}
		if !constant(results, from, to) {
			return nil, sheet.Errorf("%s: game %d has several results: make the labels again (--force)", s.path, ids[from])
		}
		outcome := schemas.OutcomeOf(results.Value(from))
		for i := from; i < to; i++ {
			bin := int32(noBin)
			if !missing || values.Valid[i] {
				bin = s.binOf(values.Float32[i])
			}
			next := 0 // of bits
			for k := range s.curves {
				if s.curves[k].SQL != "" {
					if next++; !bits[next-1].Has(at + i) {
						continue
					}
				}
				all[k].at(ids[i], bin).n[outcome]++
			}
		}
	}
	return gathered(all), nil
}

// constant reports whether a column of texts has one value in the rows from from to to, or null in all.
func constant(v *columns.Vec, from, to int) bool {
	text := v.Value(from)
	for i := from + 1; i < to; i++ {
		if int(v.Ends[i]-v.Ends[i-1]) != len(text) || v.IsNull(i) != v.IsNull(from) {
			return false
		}
	}
	run := v.Bytes[int(v.Ends[from])-len(text) : v.Ends[to-1]]
	return bytes.Equal(run[len(text):], run[:len(run)-len(text)])
}

// binOf is the template "bin" of games.sql; there a NaN is above all numbers.
func (s *reading) binOf(v float32) int32 {
	switch {
	case v > schemas.Decided || v != v:
		return forcedFirst
	case v < -schemas.Decided:
		return forcedSecond
	}
	return int32(math.Floor(float64(v)/s.bin + 0.5))
}

// shares lists the games of a row group of what the database has grouped: after game and bin four counts a curve.
func (s *reading) shares(b *columns.Batch) [][]played {
	ids, bins, all := b.Col("game_id").Int64, b.Col("bin"), make([]gather, len(s.curves))
	for row, id := range ids {
		bin := int32(noBin)
		if !bins.IsNull(row) {
			bin = bins.Int32[row]
		}
		for k := range s.curves {
			for i, outcome := range []uint8{won, drawn, lost, unfinished} {
				if n := b.Cols[2+4*k+i].Int32[row]; n > 0 || s.curves[k].SQL == "" {
					all[k].at(id, bin).n[outcome] += n
				}
			}
		}
	}
	return gathered(all)
}

// group lets the database group the labels of s, in the order of games.
func (q querySQL) group(ctx context.Context, db *query.DB, s *reading, source sourceSQL) error {
	q.Sources, q.Curves = []sourceSQL{source}, nil
	t := schemas.Table{Name: "shares", Version: 1, Columns: []schemas.Column{{Name: "game_id", Type: schemas.Int64}, {Name: "bin", Type: schemas.Int32, Nullable: true}}}
	for i, c := range s.curves {
		c.Index = i
		q.Curves = append(q.Curves, c)
		for _, name := range []string{"wins", "draws", "losses", "unfinished"} {
			t.Columns = append(t.Columns, schemas.Column{Name: name + strconv.Itoa(i), Type: schemas.Int32})
		}
	}
	text, err := q.fill("grouped.sql", `{{template "by_game" .}} SELECT * EXCLUDE (source) FROM by_game ORDER BY game_id`)
	if err != nil {
		return err
	}
	s.grouped, s.holds = true, nil
	s.dir, err = db.Table(ctx, text, t)
	return err
}
