package search

import (
	"context"

	"kifu/datasets"
	"kifu/internal/lists"
	"kifu/internal/ordered"
	"kifu/internal/splitmix"
	"kifu/report/sheet"
	"kifu/schemas"
)

// survey is the result of the first pass: the evaluations with their results, and a sample
// of the rows to set thresholds by.
type survey struct {
	values     map[int32]*[2]outcomes // by fineOf, for each side
	sides      [2]SideCount
	forced     int64
	unfinished int64
	noValue    int64
	types      []schemas.Type // of the columns
	sample     [][]float64    // by column; nil once splits are looked for
	rows       []int          // numbers of the rows in the sample
	at         []int32        // their values, as fineOf has them
	won        []uint8        // their results, as a block has them
	games      []gameRows     // of one row group
	given      []bitset       // the reader's
}

const sampleRows = 200_000

// survey reads all rows once.
func (r *reader) survey(ctx context.Context) (*survey, error) {
	v := &survey{values: map[int32]*[2]outcomes{}, given: r.given}
	// A power of two of rows to one that is taken.
	every := uint64(1)
	for r.dir.Rows()/int64(every) > sampleRows {
		every *= 2
	}
	for _, name := range r.columns {
		v.types = append(v.types, r.dir.Table.Columns[r.dir.Table.Index(name)].Type)
		v.sample = append(v.sample, make([]float64, 0, r.dir.Rows()/int64(every)))
	}
	workers := ordered.Workers(r.params.Workers)
	blocks := lists.N(workers, func(int) *rowBlock { return r.block() })
	var seen idSet
	last := int64(-1)
	err := datasets.Each(ctx, r.dir, workers, "splits: survey", "positions", func(w int, g datasets.Group, emit func(*survey) error) error {
		b := blocks[w]
		if err := r.read(g, b); err != nil {
			return err
		}
		return emit(b.survey(r.bin, len(r.columns), every))
	}, func(part *survey) error {
		for f, cells := range part.values {
			sum := v.values[f]
			if sum == nil {
				sum = &[2]outcomes{}
				v.values[f] = sum
			}
			for side, c := range cells {
				sum[side].n, sum[side].won = sum[side].n+c.n, sum[side].won+c.won
			}
		}
		for _, g := range part.games {
			if g.id == last {
				v.sides[g.side].Positions += int64(g.to - g.from)
				continue
			}
			if !seen.add(g.id) {
				return sheet.Errorf("%s: the positions of game %d are not together, but tests go game by game: write the positions of each game together", r.dir.Path, g.id)
			}
			last = g.id
			v.sides[g.side].Games++
			v.sides[g.side].Positions += int64(g.to - g.from)
		}
		v.forced, v.unfinished, v.noValue = v.forced+part.forced, v.unfinished+part.unfinished, v.noValue+part.noValue
		v.rows, v.at = append(v.rows, part.rows...), append(v.at, part.at...)
		v.won = append(v.won, part.won...)
		for k := range v.sample {
			v.sample[k] = append(v.sample[k], part.sample[k]...)
		}
		return nil
	})
	return v, err
}

// idSet holds numbers of games, as bits of their 64ths: games numbered in order take little of it.
type idSet map[int64]uint64

// add reports whether id is a new one.
func (s *idSet) add(id int64) bool {
	if *s == nil {
		*s = idSet{}
	}
	old := (*s)[id>>6]
	bit := uint64(1) << (id & 63)
	(*s)[id>>6] = old | bit
	return old&bit == 0
}

// survey is the survey of one row group of so many columns. Rows are sampled by their number, one of every.
func (b *rowBlock) survey(bin float64, columns int, every uint64) *survey {
	v := &survey{values: map[int32]*[2]outcomes{}, sample: make([][]float64, columns), forced: b.forced, unfinished: b.unfinished, noValue: b.noValue}
	v.games = append(v.games, b.games...)
	var number [1]float64
	for _, g := range b.games {
		for i := g.from; i < g.to; i++ {
			f := fineOf(b.value[i], bin)
			cells := v.values[f]
			if cells == nil {
				cells = &[2]outcomes{}
				v.values[f] = cells
			}
			cells[g.side].n++
			cells[g.side].won += uint32(b.won[i])
			if splitmix.Hash(0, int64(b.number[i]))%every == 0 {
				v.rows, v.at = append(v.rows, b.number[i]), append(v.at, f)
				v.won = append(v.won, b.won[i])
				for k := range v.sample {
					v.sample[k] = append(v.sample[k], b.column(number[:0], k, i, i+1)...)
				}
			}
		}
	}
	return v
}
