package wdl

import (
	"cmp"
	"context"
	_ "embed"
	"maps"
	"math"
	"slices"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/columns"
	"kifu/internal/dyads"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/sheet"
	"kifu/schemas"
)

// cell counts the results of positions that have a value and m.
type cell struct {
	x                      float64
	m, wins, draws, losses int32
}

func (c cell) positions() float64 { return float64(c.wins) + float64(c.draws) + float64(c.losses) }

// counts are the wins, draws and losses.
func (c cell) counts() [3]float64 {
	return [3]float64{float64(c.wins), float64(c.draws), float64(c.losses)}
}

// add adds the counts of a cell.
func (c *cell) add(of cell) {
	c.wins, c.draws, c.losses = c.wins+of.wins, c.draws+of.draws, c.losses+of.losses
}

// compare orders cells by m and x.
func (c cell) compare(with cell) int {
	return cmp.Or(cmp.Compare(c.m, with.m), cmp.Compare(c.x, with.x))
}

// game holds the counts of one game's positions by ascending m and x, and its players.
type game struct {
	cells []cell
	who   dyads.Pair // dyads.Nobody if a name is unknown, or if errors are by game
	held  bool       // out of what is judged
}

// positions is how many positions the game has.
func (g game) positions() float64 { return lists.Sum(g.cells, cell.positions) }

// positionsTemplate is the query of the results of each game's positions.
//
//go:embed positions.sql
var positionsTemplate string

// positions are its columns.
var positions = schemas.Table{Name: "positions", Columns: []schemas.Column{{Name: "game_id", Type: schemas.Int64}, {Name: "mom", Type: schemas.Int32},
	{Name: "value", Type: schemas.Float64}, {Name: "result", Type: schemas.String}}}

// copiesMemory is the memory for what shows which games are copies, in bytes: more is in a file.
const copiesMemory = 64 << 20

// read reads the results of all games of a dataset. who has the players of the games that are known.
func (r *report) read(ctx context.Context, db *query.DB, q *querySQL, in *datasets.Dir, who *bygame.Players) error {
	sql, err := sheet.Fill("positions.sql", positionsTemplate, *q)
	if err != nil {
		return err
	}
	rows, err := db.Table(ctx, sql, positions)
	if err != nil {
		return err
	}
	if rows.Rows() == 0 {
		return sheet.Errorf("%s: no position of a finished game has a value in %s", q.Source, q.Of.Column)
	}
	games, err := collect(ctx, rows)
	if err != nil {
		return err
	}
	var copies *bygame.Copies
	if q.Holdout > 0 {
		if copies, err = bygame.CopiesOf(ctx, in, nil, "wdl: copies", copiesMemory); err != nil {
			return err
		}
	}
	least, most, sum := int32(math.MaxInt32), int32(math.MinInt32), 0.0
	for _, id := range slices.Sorted(maps.Keys(games)) {
		g := game{merged(games[id]), who.Of(id), copies.Held(id, q.Holdout, q.Seed)}
		r.Games, least, most = append(r.Games, g), min(least, g.cells[0].m), max(most, g.cells[len(g.cells)-1].m)
		for _, c := range g.cells {
			sum += c.positions() * float64(c.m)
		}
	}
	if q.Unbounded {
		q.Least, q.Most = int64(least), int64(most)
	}
	if q.Target == 0 {
		q.Target = math.Max(1, math.Round(sum/float64(rows.Rows())))
	}
	return nil
}

// collect returns the positions of positions.sql by their games' ids. Those of a game are usually together.
func collect(ctx context.Context, rows *datasets.Dir) (map[int64][]cell, error) {
	games := map[int64][]cell{}
	return games, datasets.Scan(ctx, rows, "wdl", "positions", nil, func(_ datasets.Group, b *columns.Batch) error {
		ids := b.Col("game_id").Int64
		for from, to := 0, 0; from < len(ids); from = to {
			for to = from + 1; to < len(ids) && ids[to] == ids[from]; to++ {
			}
			cells := slices.Grow(games[ids[from]], to-from)
			for row := from; row < to; row++ {
				cells = append(cells, cellOf(b, row))
			}
			games[ids[from]] = cells
		}
		return nil
	})
}

// cellOf is a row of positions.sql.
func cellOf(b *columns.Batch, row int) cell {
	c := cell{m: b.Col("mom").Int32[row], x: b.Col("value").Float64[row]}
	switch schemas.OutcomeOf(b.Col("result").Value(row)) {
	case schemas.FirstWon:
		c.wins = 1
	case schemas.Drawn:
		c.draws = 1
	default:
		c.losses = 1
	}
	return c
}

// merged counts cells of the same m and x as one, in their memory, by ascending m and x.
func merged(all []cell) []cell {
	slices.SortFunc(all, cell.compare)
	sum := all[:0]
	for _, c := range all {
		if n := len(sum); n > 0 && sum[n-1].compare(c) == 0 {
			sum[n-1].add(c)
		} else {
			sum = append(sum, c)
		}
	}
	return sum
}

// gather counts the cells of all games, by ascending m and x. Its memory is that of the cells that differ.
func gather(games []game) (sum []cell) {
	most := 1 << 18
	for _, g := range games {
		if sum = append(sum, g.cells...); len(sum) > most {
			sum = merged(sum)
			most = max(most, 2*len(sum))
		}
	}
	return merged(sum)
}

// byM returns a function that returns the games which have an m, each with its cells there. The m that it gets ascend.
func byM(games []game) func(m int32) []game {
	next := make([]int, len(games)) // cell of each game
	return func(m int32) (some []game) {
		for g, of := range games {
			from := next[g]
			for from < len(of.cells) && of.cells[from].m < m {
				from++
			}
			to := from
			for to < len(of.cells) && of.cells[to].m == m {
				to++
			}
			if next[g] = to; to > from {
				some = append(some, game{cells: of.cells[from:to], who: of.who})
			}
		}
		return some
	}
}
