package curve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/dyads"
	"kifu/query"
	"kifu/report/shape"
	"kifu/report/sheet"
	"kifu/schemas"
)

// Curves need no table of games and bins in the database: labels are read once, in the order of
// their games, and what each game has in each bin goes into the sums of curve.sql at once; of
// conditions the database tells, part by part, in which rows they hold. The query is asked with these
// in the place of its own sums, so that its numbers are the same. Memory does not grow with the
// number of positions.

// streamed is a source that is read so.
type streamed struct {
	dir    *datasets.Dir
	column string        // of the values
	bin    float64       // width
	counts bool          // draws count
	scores []scored      // the lines for which variances by player are asked
	games  *datasets.Dir // where players are; nil: by game alone
	names  []dyads.Alias
	known  *known
	when   *holding // nil: the total curve alone
}

// curves is the number of curves, the total first.
func (s *streamed) curves() int {
	if s.when == nil || s.when.only {
		return 1
	}
	return 1 + s.when.conditions
}

// holding tells in which rows conditions hold, of one part at a time.
type holding struct {
	conditions int
	only       bool // rows in which the one condition does not hold are left out
	ask        func(ctx context.Context, part int) ([]query.Bits, error)

	mu   sync.Mutex
	part int // whose bits these are
	bits []query.Bits
}

// of returns the bits of a part. What the database does not answer here is left to the query, which
// says what is wrong.
func (h *holding) of(ctx context.Context, part int) ([]query.Bits, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.bits == nil || h.part != part {
		bits, err := h.ask(ctx, part)
		if err != nil {
			return nil, cmp.Or(ctx.Err(), errApart)
		}
		h.part, h.bits = part, bits
	}
	return h.bits, nil
}

// scored is a line of a curve and what it gives a draw.
type scored struct {
	line string
	draw float64
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

// binSums are the sums of a bin, by the outcome of games: positions, games, and the sum of the
// powers of a game's positions.
type binSums struct {
	positions, games [outcomes]int64
	squares          [outcomes]float64 // whole numbers, so that their order does not matter
	cubes, fourths   [outcomes]uint64
}

// sums holds the sums of a source.
type sums struct {
	bins  map[int32]*binSums
	games int64 // with a position that counts
}

func (s *sums) bin(bin int32) *binSums {
	b := s.bins[bin]
	if b == nil {
		b = &binSums{}
		s.bins[bin] = b
	}
	return b
}

// share holds a game's contribution to a bin.
type share struct{ bin, positions int32 }

// played is a game, or the beginning or the end of one, in a row group.
type played struct {
	id      int64
	outcome uint8
	shares  []share
}

// errApart is returned for labels that a query has to group: games whose rows do not lie
// together in ascending order, or have several results.
var errApart = errors.New("the positions of a game do not lie together")

// read calls take with every game in the order of the labels, for the total curve and for that of
// each condition.
func (s *streamed) read(ctx context.Context, workers int, take func(curve int, g played) error) error {
	last := make([]played, s.curves()) // whose ends may be in the next row group
	batches := datasets.Batches(s.dir.Table, workers, "game_id", "result", s.column)
	err := datasets.Each(ctx, s.dir, workers, "curve: read", "positions", func(worker int, g datasets.Group, emit func([][]played) error) error {
		b := batches[worker]
		if err := g.Read(b); err != nil {
			return err
		}
		var bits []query.Bits
		if s.when != nil {
			var err error
			if bits, err = s.when.of(ctx, g.Part); err != nil {
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
			if err := last[curve].join(games[curve], func(g played) error { return take(curve, g) }); err != nil {
				return err
			}
		}
		return nil
	})
	for curve, g := range last {
		if err == nil && g.shares != nil {
			err = take(curve, g)
		}
	}
	return err
}

// join calls take with g, which may go on in games, and with all of these but the last, which is then
// in g.
func (g *played) join(games []played, take func(played) error) error {
	for _, next := range games {
		switch {
		case g.shares == nil:
		case next.id == g.id && next.outcome == g.outcome:
			for _, x := range next.shares {
				g.add(x)
			}
			continue
		case next.id <= g.id:
			return errApart
		default:
			if err := take(*g); err != nil {
				return err
			}
		}
		*g = next
	}
	return nil
}

// add adds to the share of a bin.
func (g *played) add(x share) { g.shares = addShare(g.shares, 0, x) }

// addShare adds to the share of a bin among those from first on. Evaluations of a game stay close,
// so that the bin is among the last.
func addShare(all []share, first int, x share) []share {
	for i := len(all) - 1; i >= first; i-- {
		if all[i].bin == x.bin {
			all[i].positions += x.positions
			return all
		}
	}
	return append(all, x)
}

// group lists the games of a row group, which begins at that row of its part: all, and for each
// condition those with rows in which it holds.
func (s *streamed) group(b *columns.Batch, when []query.Bits, at int) ([][]played, error) {
	ids, values, results := b.Col("game_id").Int64, b.Col(s.column), b.Col("result")
	var only []query.Bits
	if s.when != nil && s.when.only {
		only, when = when, nil
	}
	games := make([][]played, 1+len(when))
	all, ends := make([][]share, len(games)), make([][]int, len(games)) // of all games
	all[0] = make([]share, 0, len(ids)/4)
	firsts := make([]int, len(games))
	missing := values.Column.Nullable
	for from, to := 0, 0; from < len(ids); from = to {
		for to = from + 1; to < len(ids) && ids[to] == ids[from]; to++ {
		}
		if to < len(ids) && ids[to] < ids[from] || !constant(results, from, to) {
			return nil, errApart
		}
		for k := range all {
			firsts[k] = len(all[k])
		}
		for i := from; i < to; i++ {
			if only != nil && !only[0].Has(at+i) {
				continue
			}
			bin := int32(noBin)
			if !missing || values.Valid[i] {
				bin = s.binOf(values.Float32[i])
			}
			all[0] = addShare(all[0], firsts[0], share{bin, 1})
			for k, holds := range when {
				if holds.Has(at + i) {
					all[k+1] = addShare(all[k+1], firsts[k+1], share{bin, 1})
				}
			}
		}
		game := played{id: ids[from], outcome: uint8(schemas.OutcomeOf(results.Value(from)))}
		for k := range all {
			if len(all[k]) > firsts[k] {
				games[k], ends[k] = append(games[k], game), append(ends[k], len(all[k]))
			}
		}
	}
	for k := range games {
		from := 0
		for i, to := range ends[k] {
			games[k][i].shares = all[k][from:to:to]
			from = to
		}
	}
	return games, nil
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
func (s *streamed) binOf(v float32) int32 {
	switch {
	case v > schemas.Decided || v != v:
		return forcedFirst
	case v < -schemas.Decided:
		return forcedSecond
	}
	return int32(math.Floor(float64(v)/s.bin + 0.5))
}

// sum reads the labels, and returns the sums of each curve; each gets every game as well, and may be nil.
func (s *streamed) sum(ctx context.Context, workers int, each func(curve int, g played)) ([]*sums, error) {
	out := make([]*sums, s.curves())
	for i := range out {
		out[i] = &sums{bins: map[int32]*binSums{}}
	}
	return out, s.read(ctx, workers, func(curve int, g played) error {
		s.take(out[curve], g)
		if each != nil {
			each(curve, g)
		}
		return nil
	})
}

// take adds a game to the sums.
func (s *streamed) take(out *sums, g played) {
	for _, x := range g.shares {
		b, n := out.bin(x.bin), float64(x.positions)
		b.positions[g.outcome] += int64(x.positions)
		b.games[g.outcome]++
		b.squares[g.outcome] += n * n
		cube := uint64(x.positions) * uint64(x.positions) * uint64(x.positions)
		b.cubes[g.outcome] += cube
		b.fourths[g.outcome] += cube * uint64(x.positions)
	}
	if s.decides(g.outcome) {
		out.games++
	}
}

// decides reports whether positions of games that end so count.
func (s *streamed) decides(outcome uint8) bool {
	return outcome == won || outcome == lost || outcome == drawn && s.counts
}

// total returns the positions, wins and draws of a bin, all that count.
func (s *streamed) total(b *binSums) (positions, wins, draws float64) {
	wins = float64(b.positions[won])
	if s.counts {
		draws = float64(b.positions[drawn])
	}
	return wins + draws + float64(b.positions[lost]), wins, draws
}

// ordered returns the bins, ascending.
func (s *sums) ordered() []int32 {
	var bins []int32
	for bin := range s.bins {
		bins = append(bins, bin)
	}
	slices.Sort(bins)
	return bins
}

// rows writes the sums as rows of the table sums of curve.sql for a curve of source number source.
func (s *streamed) rows(source, curve int, of *sums) (rows []string) {
	for _, bin := range of.ordered() {
		b := of.bins[bin]
		positions, _, _ := s.total(b)
		games, nn := b.games[won]+b.games[lost], b.squares[won]+b.squares[lost]
		nnn, nnnn := b.cubes[won]+b.cubes[lost], b.fourths[won]+b.fourths[lost]
		if s.counts {
			games, nn = games+b.games[drawn], nn+b.squares[drawn]
			nnn, nnnn = nnn+b.cubes[drawn], nnnn+b.fourths[drawn]
		}
		row := fmt.Sprintf("(%d, %d, %s, %.0f::BIGINT, %d::BIGINT, %d::BIGINT, %d::BIGINT, %d::BIGINT, %d::BIGINT, %.0f::DOUBLE, %.0f::DOUBLE, %.0f::DOUBLE, %d::DOUBLE, %d::DOUBLE", source, curve, binText(bin), positions, games,
			b.positions[won], b.positions[drawn], b.positions[lost], b.positions[unfinished], b.squares[won], b.squares[won], nn, nnn, nnnn)
		if s.counts {
			row += fmt.Sprintf(", 0::DOUBLE, %.0f::DOUBLE, %.0f::DOUBLE", b.squares[drawn], b.squares[drawn])
		}
		rows = append(rows, row+")")
	}
	return rows
}

func binText(bin int32) string {
	if bin == noBin {
		return "NULL::INTEGER"
	}
	return fmt.Sprint(bin)
}

// streamedSQL is what stands in the place of the query's own sums: rows of VALUES.
type streamedSQL struct {
	Sums, Games, Players string
	Known                []sheet.Known // of the sources with names
}

// stream reads all sources so, and returns nil if one of them has to be asked by the query: of distinct
// positions, of values that are computed, or of games that lie apart.
func (c *Report) stream(ctx context.Context, db *query.DB) (*streamedSQL, error) {
	var rows, games, players []string
	var all []sheet.Known
	for i := range c.Sources {
		s, err := c.streamOf(ctx, db, i)
		if s == nil || err != nil {
			return nil, err
		}
		sums, squares, err := s.sums(ctx, c.Params.Workers, mostEntries)
		if errors.Is(err, errApart) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		for curve, sum := range sums {
			rows = append(rows, s.rows(i, curve, sum)...)
			games = append(games, fmt.Sprintf("(%d, %d, %d::BIGINT)", i, curve, sum.games))
			if squares != nil {
				players = append(players, s.variances(i, curve, sum, squares[curve])...)
			}
		}
		if s.games != nil {
			all = append(all, s.known.who)
		}
	}
	return &streamedSQL{strings.Join(rows, ",\n\t"), strings.Join(games, ", "), strings.Join(players, ",\n\t"), all}, nil
}

// streamOf prepares a source to be read so; nil if it cannot be.
func (c *Report) streamOf(ctx context.Context, db *query.DB, i int) (*streamed, error) {
	of := c.Sources[i]
	s := &streamed{dir: c.inputs[c.from[i]], column: of.Column, bin: c.Bin, counts: c.query.Counted, scores: []scored{{"score", 0.5}}}
	at := s.dir.Table.Index(of.Column)
	if of.Dedup || at < 0 || s.dir.Table.Columns[at].Type != schemas.Float32 || c.query.Sources[i].Value != query.QuoteName(of.Column) {
		return nil, nil
	}
	if c.Params.Draws == shape.DrawsBands {
		s.scores = append(s.scores, scored{"won", 0}, scored{"not lost", 1})
	}
	if s.known = c.known[s.dir]; s.known == nil {
		s.known = &known{}
		c.known[s.dir] = s.known
	}
	if c.query.Players.On() {
		if from := c.from[i]; from < len(c.Params.Names) && c.Params.Names[from] >= 0 {
			s.games, s.names = c.inputs[c.Params.Names[from]], c.Params.Aliases
		}
	}
	if len(c.Params.When) > 0 {
		ask, err := db.Bits(ctx, s.dir, c.Params.When)
		if err != nil {
			return nil, err
		}
		s.when = &holding{conditions: len(c.Params.When), ask: ask}
	}
	return s, nil
}
