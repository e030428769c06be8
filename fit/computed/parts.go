package computed

import (
	"context"
	"sync/atomic"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/fit/rows"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/schemas"
)

// Piece is a row group.
type Piece struct {
	Part     *datasets.Part
	RowGroup int
	First    int64 // number of its first row in the dataset
	Of       int   // the part's number
	Skipped  int   // rows of the part before it
}

// ReadPieces calls decode with every row group of the dataset on several workers, and take in their order on the
// worker that decoded one, before it decodes the next. The first error in that order ends all.
func (x *Labels) ReadPieces(ctx context.Context, workers int, decode func(w int, p Piece) error, take func(w int) error) (err error) {
	pieces, total, closeAll, err := piecesOf(x.dir)
	defer closeAll()
	if err != nil {
		return err
	}
	for _, p := range pieces {
		x.Expect(p.Of, 1)
	}
	bar := progress.Start(ctx, "fit: read", total, "positions")
	defer bar.Done()
	errs := make([]error, workers)
	var failed atomic.Bool
	ordered.Merge(workers, len(pieces), func(w, i int) {
		if !failed.Load() {
			errs[w] = decode(w, pieces[i])
		}
		x.Done(pieces[i].Of)
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
		bar.Add(pieces[i].Part.Rows(pieces[i].RowGroup))
	})
	return err
}

// piecesOf returns the row groups of a dataset and the number of their rows. The parts
// are open until closeAll is called.
func piecesOf(dir *datasets.Dir) (pieces []Piece, total int64, closeAll func(), err error) {
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
			pieces = append(pieces, Piece{part, g, total, i, int(total - start)})
			total += part.Rows(g)
		}
	}
	return pieces, total, closeAll, nil
}

// Why a row is left out, and what is noted of one.
const (
	ForcedWin = "forced win"
	HeldOut   = "held out"
)

// ResultOf returns the results of the games of row i.
func ResultOf(i int, result, firstWins, draws, secondWins *columns.Vec) rows.Results {
	if firstWins != nil {
		return rows.Results{First: float64(firstWins.Int32[i]), Draws: float64(draws.Int32[i]), Second: float64(secondWins.Int32[i])}
	}
	if result == nil {
		return rows.Results{}
	}
	switch schemas.OutcomeOf(result.Value(i)) {
	case schemas.FirstWon:
		return rows.Results{First: 1}
	case schemas.Drawn:
		return rows.Results{Draws: 1}
	case schemas.SecondWon:
		return rows.Results{Second: 1}
	}
	return rows.Results{}
}
