package fit

import (
	"context"
	"sync/atomic"

	"kifu/datasets"
	"kifu/internal/ordered"
	"kifu/internal/progress"
)

// piece is a row group.
type piece struct {
	part     *datasets.Part
	rowGroup int
	first    int64 // number of its first row in the dataset
	of       int   // the part's number
	skipped  int   // rows of the part before it
}

// readPieces calls decode with every row group of the dataset on several workers, and take in their order on the
// worker that decoded one, before it decodes the next. The first error in that order ends all.
func (x *computed) readPieces(ctx context.Context, workers int, decode func(w int, p piece) error, take func(w int) error) (err error) {
	pieces, total, closeAll, err := piecesOf(x.dir)
	defer closeAll()
	if err != nil {
		return err
	}
	for _, p := range pieces {
		x.expect(p.of, 1)
	}
	bar := progress.Start(ctx, "fit: read", total, "positions")
	defer bar.Done()
	errs := make([]error, workers)
	var failed atomic.Bool
	ordered.Merge(workers, len(pieces), func(w, i int) {
		if !failed.Load() {
			errs[w] = decode(w, pieces[i])
		}
		x.done(pieces[i].of)
		if errs[w] != nil {
			failed.Store(true)
		}
	}, func(w, i int) {
		if err == nil {
			err = errs[w]
		}
		if err == nil && !failed.Load() {
			err = take(w)
		}
		if err != nil {
			failed.Store(true)
		}
		bar.Add(pieces[i].part.Rows(pieces[i].rowGroup))
	})
	return err
}

// piecesOf returns the row groups of a dataset and the number of their rows. The parts
// are open until closeAll is called.
func piecesOf(dir *datasets.Dir) (pieces []piece, total int64, closeAll func(), err error) {
	var parts []*datasets.Part
	closeAll = func() {
		for _, p := range parts {
			p.Close()
		}
	}
	for i := range dir.NumParts() {
		part, err := dir.OpenPart(i)
		if err != nil {
			return nil, 0, closeAll, err
		}
		parts = append(parts, part)
		for start, g := total, 0; g < part.RowGroups(); g++ {
			pieces = append(pieces, piece{part, g, total, i, int(total - start)})
			total += part.Rows(g)
		}
	}
	return pieces, total, closeAll, nil
}
