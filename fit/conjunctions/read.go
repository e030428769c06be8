package conjunctions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/fit/computed"
	"kifu/fit/losses"
	"kifu/games"
	"kifu/internal/lists"
	"kifu/schemas"
)

// expressions holds the values of the expressions, by row.
type expressions struct {
	target, where []float64 // nil without one
	cuts          [][]float64
}

func (p Params) compute(ctx context.Context, dir *datasets.Dir, values computed.Reader) (x expressions, err error) {
	list := lists.Of(p.Cuts, func(c Cut) computed.Feature { return computed.Feature{Name: "cut", SQL: c.SQL} })
	if p.Target != "" {
		list = append(list, computed.Target("--target", p.Target))
	}
	if p.Where != "" {
		list = append(list, computed.Condition("--where", p.Where))
	}
	if len(list) == 0 {
		return x, nil
	}
	all, err := computed.Whole(ctx, dir, list, values)
	if err != nil {
		return x, err
	}
	x.cuts, all = all[:len(p.Cuts)], all[len(p.Cuts):]
	if p.Target != "" {
		x.target, all = all[0], all[1:]
	}
	if p.Where != "" {
		x.where = all[0]
	}
	return x, nil
}

// input holds the rows that were read.
type input struct {
	atoms       *Atoms
	train, held *Sample
	hashes      map[uint64]bool // of the positions to learn from
	known       int             // held-out positions that are among them
	counts      manifest.Counts
	copies      *bygame.Copies // of games to learn from, which are held out together
	noGames     bool           // the positions are of no known games
	memory      int64          // of the fit
}

// reader reads the positions of row groups as one worker.
type reader[P games.Position[P]] struct {
	p      Params
	rules  games.Rules[P]
	drawer games.Drawer[P]
	view   view
	atoms  *Atoms
	x      expressions
	held   bool // all of them are
	copies *bygame.Copies
	batch  *columns.Batch
	cells  []uint8
}

// columnsRead lists the columns that every reader reads.
var columnsRead = []string{"game_id", "first_to_move", "hash", "board", "result"}

// piece holds the rows of one row group.
type piece struct {
	atoms  []uint16 // of each position as many as there are groups
	y      []float64
	won    []bool
	game   []int64
	hash   []uint64
	held   []bool
	counts manifest.Counts
}

// read appends the positions of dir to in.
func read[P games.Position[P]](ctx context.Context, in *input, rules games.Rules[P], p Params, workers int, dir *datasets.Dir, held bool, values computed.Reader) error {
	if kind := dir.Table.Name; kind != "labels" && kind != "positions" {
		return fmt.Errorf("%s holds %s: want positions or labels", dir.Path, kind)
	}
	if dir.Table.Index("occurrences") >= 0 {
		return fmt.Errorf("%s holds distinct positions (transform --dedup), which represent many games: conjunctions need every position with its game", dir.Path)
	}
	for _, name := range columnsRead {
		if dir.Table.Index(name) < 0 {
			return fmt.Errorf("%s has no column %q: make it from positions (kifu transform, kifu label)", dir.Path, name)
		}
	}
	x, err := p.compute(ctx, dir, values)
	if err != nil {
		return err
	}
	drawer, _ := rules.(games.Drawer[P])
	if in.atoms == nil {
		if in.atoms, err = atomsOf(ctx, dir, rules, drawer, p); err != nil {
			return err
		}
		if err := p.bound(in.atoms, surely(p, dir), in.memory); err != nil {
			return fmt.Errorf("%s: %w", dir.Path, err)
		}
		in.train, in.held = newSample(len(in.atoms.List)), newSample(len(in.atoms.List))
	}
	if !held && (p.Holdout > 0 || p.grown()) {
		if in.copies, err = bygame.CopiesOf(ctx, dir, nil, "copies", bygame.CopiesMemory); err != nil {
			return err
		}
	}
	readers := make([]*reader[P], workers)
	for w := range readers {
		readers[w] = &reader[P]{p: p, rules: rules, drawer: drawer, atoms: in.atoms, x: x, held: held, copies: in.copies, batch: columns.NewBatch(dir.Table, columnsRead...)}
		if p.Board {
			readers[w].view = newView(in.atoms.board, drawer.Pieces())
		}
	}
	return datasets.Each(ctx, dir, workers, "read", "positions", func(worker int, g datasets.Group, emit func(piece) error) error {
		r := readers[worker]
		r.batch.Reset()
		if err := g.Read(r.batch); err != nil {
			return err
		}
		out, err := r.read(g.First)
		if err != nil {
			return fmt.Errorf("%s: %w", dir.Path, err)
		}
		return emit(out)
	}, in.appendPiece)
}

// appendPiece appends what a row group made.
func (in *input) appendPiece(x piece) error {
	groups := in.atoms.Groups()
	for i, y := range x.y {
		to := in.train
		if x.held[i] {
			to = in.held
			if in.hashes[x.hash[i]] {
				in.known++
			}
		} else {
			in.hashes[x.hash[i]] = true
		}
		to.add(x.atoms[i*groups:(i+1)*groups], x.game[i], y, x.won[i])
	}
	in.counts.Add(x.counts)
	return nil
}

// atomsOf returns the atoms of p, for the board of the first position of dir.
func atomsOf[P games.Position[P]](ctx context.Context, dir *datasets.Dir, rules games.Rules[P], drawer games.Drawer[P], p Params) (*Atoms, error) {
	if !p.Board {
		return newAtoms(nil, nil, p.Side, p.Cuts), nil
	}
	var board *games.Layout
	stop := errors.New("seen")
	err := datasets.Scan(ctx, dir, "", "", []string{"board"}, func(_ datasets.Group, b *columns.Batch) error {
		if b.Rows == 0 {
			return nil
		}
		position, err := rules.UnpackBoard(b.Col("board").Value(0))
		if err != nil {
			return err
		}
		board = drawer.Layout(position)
		return stop
	})
	if board == nil {
		if err == nil {
			err = errors.New("there are no positions")
		}
		return nil, fmt.Errorf("%s: %w", dir.Path, err)
	}
	a := newAtoms(board, drawer.Pieces(), p.Side, p.Cuts)
	if len(a.List) > math.MaxUint16 {
		return nil, fmt.Errorf("%d atoms: at most %d", len(a.List), math.MaxUint16)
	}
	return a, nil
}

// read returns the positions of the batch, of which the first is row first of the dataset.
func (r *reader[P]) read(first int64) (out piece, err error) {
	b := r.batch
	game, turn, hash, boards, result := b.Col("game_id"), b.Col("first_to_move"), b.Col("hash"), b.Col("board"), b.Col("result")
	out.counts.Read = int64(b.Rows)
	for i := range b.Rows {
		at := first + int64(i)
		y, why := r.target(at, schemas.OutcomeOf(result.Value(i)), turn.Bool[i])
		if why != "" {
			out.counts.Reject(why, 1)
			continue
		}
		if out.atoms, err = r.appendAtoms(out.atoms, at, boards.Value(i), turn.Bool[i]); err != nil {
			return out, fmt.Errorf("game %d, row %d: %w", game.Int64[i], at, err)
		}
		out.y, out.game, out.hash = append(out.y, y), append(out.game, game.Int64[i]), append(out.hash, hash.Uint64[i])
		even := 0.5
		if r.p.Method == losses.Value {
			even = 0
		}
		out.won = append(out.won, y > even)
		out.held = append(out.held, r.held || r.copies.Held(game.Int64[i], r.p.Holdout, r.p.Seed))
	}
	return out, nil
}

// target returns what row at is to be fitted to, or why not.
func (r *reader[P]) target(at int64, result schemas.Outcome, firstToMove bool) (y float64, why string) {
	if r.x.where != nil && r.x.where[at] == 0 {
		return 0, bygame.Unwanted
	}
	sign := 1.0
	if r.p.Side == sideMover && !firstToMove {
		sign = -1
	}
	if r.x.target != nil {
		y = r.x.target[at]
		if y == computed.Absent {
			return 0, bygame.NoTarget
		}
	} else {
		points, ok := result.Halves()
		if !ok {
			return 0, bygame.NoResult
		}
		y = float64(points - 1)
	}
	y *= sign
	switch {
	case r.p.Method == losses.Value:
		return y, ""
	case y > 0:
		return 1, ""
	case y < 0:
		return 0, ""
	case r.p.Draws == drawsExclude:
		return 0, bygame.DrawnGame
	}
	return 0.5, ""
}

// appendAtoms appends the atoms that are true in a row, one a group.
func (r *reader[P]) appendAtoms(dst []uint16, at int64, board []byte, firstToMove bool) ([]uint16, error) {
	group := 0
	if r.p.Board {
		p, err := r.rules.UnpackBoard(board)
		if err != nil {
			return dst, err
		}
		if l := r.drawer.Layout(p); l != r.atoms.board && (l.Columns != r.atoms.board.Columns || l.Rows != r.atoms.board.Rows) {
			return dst, fmt.Errorf("a board of %d×%d among boards of %d×%d: choose one size with --where or in transform", l.Columns, l.Rows, r.atoms.board.Columns, r.atoms.board.Rows)
		}
		r.cells = r.drawer.AppendCells(r.cells[:0], p)
		turned := r.p.Side == sideMover && !firstToMove
		for _, cell := range r.atoms.cells {
			content := r.cells[cell]
			if turned {
				content = r.view.other[r.cells[r.view.cell[cell]]]
			}
			dst = append(dst, uint16(r.atoms.first[group]+int(content)))
			group++
		}
	}
	for i, c := range r.atoms.cuts {
		dst = append(dst, uint16(r.atoms.first[group]+c.part(r.x.cuts[i][at])))
		group++
	}
	return dst, nil
}

// view turns the second player's board into the first one's.
type view struct {
	cell  []int   // where the contents of that cell are
	other []uint8 // the same piece of the other side
}

func newView(l *games.Layout, pieces []games.Piece) view {
	v := view{other: make([]uint8, len(pieces))}
	for c := range l.Columns * l.Rows {
		x, y := c%l.Columns, c/l.Columns
		switch l.Exchange {
		case games.UpsideDown:
			y = l.Rows - 1 - y
		case games.HalfTurned:
			x, y = l.Columns-1-x, l.Rows-1-y
		}
		v.cell = append(v.cell, y*l.Columns+x)
	}
	half := (len(pieces) - 1) / 2
	for i := range half {
		v.other[1+i], v.other[1+half+i] = uint8(1+half+i), uint8(1+i)
	}
	return v
}

// nothingLeft is the error of positions of which none is left.
func (in *input) nothingLeft(dir *datasets.Dir) error {
	why := ""
	for _, reason := range slices.Sorted(maps.Keys(in.counts.Rejected)) {
		why += fmt.Sprintf(", %d %s", in.counts.Rejected[reason], reason)
	}
	return fmt.Errorf("%s: none of %d positions is left to learn from%s: want won and lost games, a smaller --holdout, or another --where or --target", dir.Path, in.counts.Read, why)
}
