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

// readParts decodes the row groups on several workers and adds their rows in order.
func (in *input) readParts(ctx context.Context, p choices, workers int, s source) error {
	pieces, total, closeAll, err := piecesOf(s.dir)
	defer closeAll()
	if err != nil {
		return err
	}
	bar := progress.Start(ctx, "fit: read", total, "positions")
	defer bar.Done()
	decoders := make([]*decoder, workers)
	for w := range decoders {
		var err error
		if decoders[w], err = newDecoder(in, p, s); err != nil {
			return err
		}
	}
	for _, piece := range pieces {
		s.computed.expect(piece.of, 1)
	}
	var failed atomic.Bool
	var firstErr error
	ordered.Merge(workers, len(pieces), func(w, i int) {
		if failed.Load() {
			return
		}
		d := decoders[w]
		d.err = d.decode(ctx, pieces[i])
		s.computed.done(pieces[i].of)
		if d.err != nil {
			failed.Store(true)
		}
	}, func(w, i int) {
		d := decoders[w]
		switch {
		case firstErr != nil:
		case d.err != nil:
			firstErr = d.err
		case !failed.Load():
			d.deliver(in)
			in.train.build.Cut()
			in.held.build.Cut()
			bar.Add(int64(d.batch.Rows))
		}
	})
	return firstErr
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
