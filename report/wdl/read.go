package wdl

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"maps"
	"math"
	"slices"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/columns"
	"kifu/internal/dyads"
	"kifu/internal/lists"
	"kifu/internal/splitmix"
	"kifu/query"
	"kifu/report/sheet"
	"kifu/schemas"
)

// cell counts the results of positions that have a value and m: wins, draws and losses.
type cell struct {
	x float64
	m int32
	n [results]int32
}

// results is how many results a game can have: 0 is a win, 1 a draw, 2 a loss.
const results = 3

func (c cell) positions() float64 { return float64(c.n[0]) + float64(c.n[1]) + float64(c.n[2]) }

// compare orders cells by m and x.
func (c cell) compare(with cell) int {
	return cmp.Or(cmp.Compare(c.m, with.m), cmp.Compare(c.x, with.x))
}

// numbering numbers cells as they come.
type numbering struct {
	cells []cell
	slots []slot // a power of two of them; a cell is at the first free one from its hash on
}

// slot is a cell and one more than its number; 0: free.
type slot struct {
	x       float64
	m, cell int32
}

// at returns the number of a cell.
func (n *numbering) at(m int32, x float64) int32 {
	if 2*len(n.cells) >= len(n.slots) {
		n.slots = make([]slot, max(1<<10, 2*len(n.slots)))
		for k, c := range n.cells {
			*n.slot(c.m, c.x) = slot{c.x, c.m, int32(k + 1)}
		}
	}
	s := n.slot(m, x)
	if s.cell == 0 {
		n.cells = append(n.cells, cell{m: m, x: x})
		*s = slot{x, m, int32(len(n.cells))}
	}
	return s.cell - 1
}

// slot returns the slot of a cell, or the free one where it belongs.
func (n *numbering) slot(m int32, x float64) *slot {
	at := splitmix.Mix(math.Float64bits(x+0) + uint64(m)*splitmix.Golden) // +0: -0 is equal to it
	for {
		at &= uint64(len(n.slots) - 1)
		if s := &n.slots[at]; s.cell == 0 || s.m == m && s.x == x {
			return s
		}
		at++
	}
}

// add adds the positions of a cell to that of an m and x, and returns its number.
func (n *numbering) add(m int32, x float64, of cell) int32 {
	at := n.at(m, x)
	for result, k := range of.n {
		n.cells[at].n[result] += k
	}
	return at
}

// ordered returns the cells by ascending m and x, and where each has gone.
func (n *numbering) ordered() (cells []cell, to []int32) {
	from := lists.N(len(n.cells), func(i int) int32 { return int32(i) })
	slices.SortFunc(from, func(a, b int32) int { return n.cells[a].compare(n.cells[b]) })
	cells, to = make([]cell, len(from)), make([]int32, len(from))
	for i, k := range from {
		cells[i], to[k] = n.cells[k], int32(i)
	}
	return cells, to
}

// sample is games with the cells of their positions.
type sample struct {
	cells []cell // by ascending m and x, of all games
	games []game
}

// game holds a game's positions and its players.
type game struct {
	positions []position // ascending
	who       dyads.Pair // dyads.Nobody if a name is unknown, or if errors are by game
	held      bool       // out of what is judged
}

// position is the number of a position's cell, and the result of its game.
type position int32

func positionOf(cell int32, result int) position { return position(cell)*results + position(result) }

func (p position) cell() int32 { return int32(p / results) }
func (p position) result() int { return int(p % results) }

// order numbers the cells by m and x, and has each count the positions of all games.
func (s *sample) order(n *numbering) {
	cells, to := n.ordered()
	s.cells = cells
	for _, g := range s.games {
		for i, p := range g.positions {
			g.positions[i] = positionOf(to[p.cell()], p.result())
			cells[to[p.cell()]].n[p.result()]++
		}
		slices.Sort(g.positions)
	}
}

// without returns the cells of the games that are not held out.
func (s *sample) without() (cells []cell) {
	all := slices.Clone(s.cells)
	for _, g := range s.games {
		if g.held {
			for _, p := range g.positions {
				all[p.cell()].n[p.result()]--
			}
		}
	}
	return slices.DeleteFunc(all, func(c cell) bool { return c.n == [results]int32{} })
}

// byM returns a function that returns the games which have positions in the cells before a number, those of the call before
// left out, each with its positions there. The numbers that it gets ascend.
func byM(games []game) func(next int) []game {
	done := make([]int, len(games)) // positions of each game
	return func(next int) (some []game) {
		for g, of := range games {
			from := done[g]
			to := from
			for to < len(of.positions) && int(of.positions[to].cell()) < next {
				to++
			}
			if done[g] = to; to > from {
				some = append(some, game{positions: of.positions[from:to], who: of.who})
			}
		}
		return some
	}
}

// source has the columns of positions: stored ones, or of a table that the database has made.
type source struct {
	dir   *datasets.Dir
	value string
	scale
}

// scale is what values mean by, as a sum of columns.
type scale struct {
	columns []string
	weights []int32
	divide  int32 // the sum, which is no negative number, by this
	plus    int32
}

// compute computes m of the rows of a batch; known is false for a row with a null.
func (s *scale) compute(b *columns.Batch, m []int32, known []bool) ([]int32, []bool) {
	m, known = append(m[:0], make([]int32, b.Rows)...), append(known[:0], make([]bool, b.Rows)...)
	for row := range known {
		known[row] = true
	}
	for i, name := range s.columns {
		v, weight := b.Col(name), s.weights[i]
		for row, x := range v.Int32 {
			m[row] += weight * x
		}
		if v.Column.Nullable {
			for row, valid := range v.Valid {
				known[row] = known[row] && valid
			}
		}
	}
	if s.divide != 1 || s.plus != 0 {
		for row := range m {
			m[row] = m[row]/s.divide + s.plus
		}
	}
	return m, known
}

// stored reports whether a dataset has all columns that are read.
func (q *querySQL) stored(in *datasets.Dir) bool {
	return len(q.columns) > 0 && !slices.ContainsFunc(slices.Concat(q.columns, []string{"game_id", "result", q.Of.Column}), func(name string) bool { return in.Table.Index(name) < 0 })
}

// computed is the table of what values mean by, where no sum of columns has it.
var computed = schemas.Table{Name: "positions", Columns: []schemas.Column{{Name: "game_id", Type: schemas.Int64}, {Name: "mom", Type: schemas.Int32, Nullable: true},
	{Name: "value", Type: schemas.Float64, Nullable: true}, {Name: "result", Type: schemas.String, Nullable: true}}}

// source returns where the positions of a dataset are read.
func (q *querySQL) source(ctx context.Context, db *query.DB, in *datasets.Dir) (source, error) {
	if q.stored(in) {
		return source{in, q.Of.Column, q.scale}, nil
	}
	rows, err := db.Table(ctx, fmt.Sprintf("SELECT game_id, (%s\n\t)::INTEGER AS mom, %s::DOUBLE AS value, result FROM %s", q.MOM, q.Of.Value, q.Of.View), computed)
	return source{rows, "value", scale{columns: []string{"mom"}, weights: []int32{1}, divide: 1}}, err
}

// read reads the results of all games of a dataset. who has the players of the games that are known.
func (r *report) read(ctx context.Context, db *query.DB, q *querySQL, in *datasets.Dir, who *bygame.Players) error {
	from, err := q.source(ctx, db, in)
	if err != nil {
		return err
	}
	cells := &numbering{}
	games, err := q.collect(ctx, from, cells)
	if err != nil {
		return err
	}
	if len(cells.cells) == 0 {
		return sheet.Errorf("%s: no position of a finished game has a value in %s", q.Source, q.Of.Column)
	}
	ms := lists.Of(cells.cells, func(c cell) int64 { return int64(c.m) })
	q.Least, q.Most = slices.Min(ms), slices.Max(ms) // beyond the positions the cubics may be anything
	outside := q.Target < float64(q.Least) || q.Target > float64(q.Most)
	if outside && !q.Usual {
		return sheet.Errorf("--target %v: %s of %s is %d to %d", q.Target, q.By, q.Source, q.Least, q.Most)
	}
	var copies *bygame.Copies
	if q.Holdout > 0 {
		if copies, err = bygame.CopiesOf(ctx, in, nil, "wdl: copies", bygame.CopiesMemory); err != nil {
			return err
		}
	}
	var pairs []dyads.Pair // of all games, as far as they are known
	for _, id := range slices.Sorted(maps.Keys(games)) {
		pair := who.Of(id)
		if pairs = append(pairs, pair); len(games[id]) > 0 {
			r.games = append(r.games, game{games[id], pair, copies.Held(id, q.Holdout, q.Seed)})
		}
	}
	r.played = dyads.Count(pairs)
	r.order(cells)
	if q.Usual && (q.Target == 0 || r.rare(q.Target)) {
		q.Target = math.Max(1, math.Round(lists.Sum(r.cells, func(c cell) float64 { return c.positions() * float64(c.m) })/r.positions()))
	}
	return nil
}

func (r *report) positions() float64 { return lists.Sum(r.cells, cell.positions) }

// rare reports whether less than a twentieth of the positions are on one side of a target, where little is known of the cubics.
func (r *report) rare(target float64) bool {
	below := lists.Sum(r.cells, func(c cell) float64 {
		if float64(c.m) <= target {
			return c.positions()
		}
		return 0
	})
	return min(below, r.positions()-below) < r.positions()/20
}

// collect returns the positions of finished games that have a value by the ids of all games. Those of a game are usually together.
func (q *querySQL) collect(ctx context.Context, from source, cells *numbering) (map[int64][]position, error) {
	games := map[int64][]position{}
	names := append([]string{"game_id", "result", from.value}, from.columns...)
	var m []int32
	var known []bool
	return games, datasets.Scan(ctx, from.dir, "wdl", "positions", names, func(_ datasets.Group, b *columns.Batch) error {
		ids, values, outcomes := b.Col("game_id").Int64, b.Col(from.value), b.Col("result")
		m, known = from.compute(b, m, known)
		for at, to := 0, 0; at < len(ids); at = to {
			for to = at + 1; to < len(ids) && ids[to] == ids[at]; to++ {
			}
			positions := games[ids[at]]
			for row := at; row < to; row++ {
				if x := values.Number(row); known[row] && q.within(m[row], x) {
					if result := resultOf(outcomes, row); result >= 0 {
						positions = append(positions, positionOf(cells.at(m[row], x), result))
					}
				}
			}
			games[ids[at]] = positions
		}
		return nil
	})
}

// within reports whether a position is looked at, as wdl.sql has it.
func (q *querySQL) within(m int32, x float64) bool {
	x = math.Abs(x)
	return x <= schemas.Decided && (q.Within == 0 || x <= q.Within) && (q.Unbounded || q.Least <= int64(m) && int64(m) <= q.Most)
}

// resultOf is the result in a row; -1: none.
func resultOf(v *columns.Vec, row int) int {
	if v.IsNull(row) {
		return -1
	}
	switch schemas.OutcomeOf(v.Value(row)) {
	case schemas.FirstWon:
		return 0
	case schemas.Drawn:
		return 1
	case schemas.SecondWon:
		return 2
	}
	return -1
}
