package export

import (
	"io"
	"maps"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
)

// Rows is a choice of a dataset's rows by their numbers, which count from 0 over all parts.
type Rows struct {
	wanted map[int64]int // rank of each row; only with ranked
	has    []uint64      // a bit for each row
	ranked bool
}

// NewRows chooses these rows, each named once. With ranks they are written in the order of these, among the
// rows of all sources of Run, which keeps their texts in memory; else in the order of the dataset.
func NewRows(rows []int64, ranks []int) *Rows {
	r := &Rows{ranked: ranks != nil}
	if r.ranked {
		r.wanted = make(map[int64]int, len(rows))
	}
	for i, row := range rows {
		for int64(len(r.has)) <= row>>6 {
			r.has = append(r.has, make([]uint64, max(len(r.has), 64))...)
		}
		r.has[row>>6] |= 1 << (row & 63)
		if r.ranked {
			r.wanted[row] = ranks[i]
		}
	}
	return r
}

// Has reports whether the row is chosen; every row is if r is nil.
func (r *Rows) Has(row int64) bool {
	return r == nil || row>>6 < int64(len(r.has)) && r.has[row>>6]>>(row&63)&1 != 0
}

// any reports whether one of n rows from the first on is chosen.
func (r *Rows) any(first, n int64) bool {
	for row := first; row < first+n; row++ {
		if r.Has(row) {
			return true
		}
	}
	return false
}

// ranking keeps texts until all are there, to write them by rank.
type ranking map[int][]byte

// add keeps the rows of a piece.
func (r ranking) add(t text) {
	from := 0
	for i, end := range t.ends {
		r[t.ranks[i]] = t.data[from:end]
		from = end
	}
}

// write writes the texts in the order of their ranks.
func (r ranking) write(w io.Writer) error {
	for _, i := range slices.Sorted(maps.Keys(r)) {
		if _, err := w.Write(r[i]); err != nil {
			return err
		}
	}
	return nil
}

// worker turns row groups into text.
type worker struct {
	write   rowWriter
	games   func(id int64) bool // nil: all
	rows    *Rows
	from    *Starts
	whole   [1]start
	ids, in *columns.Batch
}

// starts returns where the texts of a row begin.
func (w *worker) starts(row, game int64) []start {
	if w.from != nil {
		return w.from.byGame[game]
	}
	if w.ranked() {
		w.whole[0].rank = w.rows.wanted[row]
	}
	return w.whole[:]
}

// ranked reports whether texts are written by rank.
func (w *worker) ranked() bool {
	if w.from != nil {
		return !w.from.sorted
	}
	return w.rows != nil && w.rows.ranked
}

// text is a row group, or a piece of it, as text.
type text struct {
	data        []byte
	ends, ranks []int // of each row in data, where rows are ranked
	counts      manifest.Counts
}

// chunk is about how much text is handed over at once.
const chunk = 1 << 20

// rowGroup turns a row group into text, handed over piece by piece.
func (w *worker) rowGroup(group datasets.Group, emit func(text) error) error {
	wanted, err := w.wants(group)
	if err != nil || !wanted {
		return err
	}
	if err := group.Read(w.in); err != nil {
		return err
	}
	id := w.in.Col("game_id")
	t := text{}
	for i := range w.in.Rows {
		row, game := group.First+int64(i), int64(0)
		if id != nil {
			game = id.Int64[i]
		}
		if !w.rows.Has(row) || w.games != nil && !w.games(game) {
			continue
		}
		for _, s := range w.starts(row, game) {
			w.append(&t, i, s)
			if len(t.data) < chunk {
				continue
			}
			if err := emit(t); err != nil {
				return err
			}
			t = text{data: make([]byte, 0, chunk+chunk/4)}
		}
	}
	return emit(t)
}

// append adds row i to t.
func (w *worker) append(t *text, i int, s start) {
	t.counts.Read++
	data, err := w.write(t.data, w.in, i, s, &t.counts)
	if err != nil {
		t.counts.Reject(reasonOf(err), 1)
		return
	}
	t.data = data
	if w.ranked() {
		t.ends, t.ranks = append(t.ends, len(data)), append(t.ranks, s.rank)
	}
}

// wants reports whether rows of the group are wanted, before more than their ids is read.
func (w *worker) wants(group datasets.Group) (bool, error) {
	if w.rows != nil && !w.rows.any(group.First, group.Rows) {
		return false, nil
	}
	if w.games == nil {
		return true, nil
	}
	if err := group.Read(w.ids); err != nil {
		return false, err
	}
	return slices.ContainsFunc(w.ids.Col("game_id").Int64, w.games), nil
}
