package chunks

import (
	"kifu/games"
	"kifu/internal/splitmix"
)

// window is a square part of the board.
type window struct{ row, column, rows, columns int }

// sides are the widths of windows; the whole board is one more.
var sides = [...]int{3, 4, 5}

// frame is the windows of a board of one size.
type frame struct {
	rows, columns int
	windows       []window
	over          [][]uint16 // windows with a cell, by cell
}

func newFrame(l *games.Layout) *frame {
	f := &frame{rows: l.Rows, columns: l.Columns, over: make([][]uint16, l.Rows*l.Columns)}
	add := func(w window) {
		for r := w.row; r < w.row+w.rows; r++ {
			for c := w.column; c < w.column+w.columns; c++ {
				f.over[r*f.columns+c] = append(f.over[r*f.columns+c], uint16(len(f.windows)))
			}
		}
		f.windows = append(f.windows, w)
	}
	for _, side := range sides {
		for r := 0; r+side <= l.Rows; r++ {
			for c := 0; c+side <= l.Columns; c++ {
				if side < l.Rows || side < l.Columns {
					add(window{r, c, side, side})
				}
			}
		}
	}
	add(window{0, 0, l.Rows, l.Columns})
	return f
}

// men holds the squares of one side's pieces, with the number and a hash of the pieces in every
// rectangle from the top left corner.
type men struct {
	cells  []uint8 // 0 where no piece of the side is
	hashes []uint64
	counts []int32
}

// read takes the pieces of a side from cells; own returns the owner of a kind of piece.
func (m *men) read(f *frame, cells []uint8, own []bool) {
	m.cells = m.cells[:0]
	for _, piece := range cells {
		if !own[piece] {
			piece = 0
		}
		m.cells = append(m.cells, piece)
	}
	width := f.columns + 1
	if len(m.hashes) != width*(f.rows+1) {
		m.hashes, m.counts = make([]uint64, width*(f.rows+1)), make([]int32, width*(f.rows+1))
	}
	for r := range f.rows {
		hash, count := uint64(0), int32(0)
		for c := range f.columns {
			if piece := m.cells[r*f.columns+c]; piece != 0 {
				hash += splitmix.Mix(uint64(r*f.columns+c)<<8 + uint64(piece) + splitmix.Golden)
				count++
			}
			at := (r+1)*width + c + 1
			m.hashes[at], m.counts[at] = m.hashes[at-width]+hash, m.counts[at-width]+count
		}
	}
}

// in returns a hash of the side's pieces in a window, and their number.
func (m *men) in(f *frame, w window) (hash uint64, count int32) {
	width := f.columns + 1
	a, b := w.row*width+w.column, w.row*width+w.column+w.columns
	c, d := a+w.rows*width, b+w.rows*width
	return m.hashes[d] - m.hashes[b] - m.hashes[c] + m.hashes[a], m.counts[d] - m.counts[b] - m.counts[c] + m.counts[a]
}

// chunk is a pattern of pieces of one side in a window.
type chunk struct {
	key    uint64
	pieces int32
	window uint16
}

// watcher finds the chunks that moves complete.
type watcher[P games.Position[P]] struct {
	drawer games.Drawer[P]
	own    [2][]bool // by side, then kind of piece
	frames map[*games.Layout]*frame
	cells  []uint8
	before men
	after  men
	seen   []bool // windows of the move
	found  []chunk
}

func newWatcher[P games.Position[P]](d games.Drawer[P]) *watcher[P] {
	w := &watcher[P]{drawer: d, frames: map[*games.Layout]*frame{}}
	for side := range w.own {
		for i, piece := range d.Pieces() {
			w.own[side] = append(w.own[side], i > 0 && int(piece.Side) == side)
		}
	}
	return w
}

// frame returns the windows of p's board.
func (w *watcher[P]) frame(p P) *frame {
	l := w.drawer.Layout(p)
	f := w.frames[l]
	if f == nil {
		f = newFrame(l)
		w.frames[l] = f
	}
	return f
}

// begin takes the position whose moves are watched.
func (w *watcher[P]) begin(p P) *frame {
	f := w.frame(p)
	w.cells = w.drawer.AppendCells(w.cells[:0], p)
	w.before.read(f, w.cells, w.own[p.ToMove()&1])
	return f
}

// leastPieces is the number of pieces of the smallest chunk.
const leastPieces = 3

// completed returns the new chunks on the board after the move from p, each with a piece that the move has
// placed. p was passed to begin. They are valid until the next call.
func (w *watcher[P]) completed(f *frame, p P, m games.Move) []chunk {
	side := int(p.ToMove() & 1)
	w.cells = w.drawer.AppendCells(w.cells[:0], p.Play(m))
	w.after.read(f, w.cells, w.own[side])
	w.found = w.found[:0]
	if len(w.seen) < len(f.windows) {
		w.seen = make([]bool, len(f.windows))
	}
	for cell, piece := range w.after.cells {
		if piece == 0 || piece == w.before.cells[cell] {
			continue
		}
		for _, i := range f.over[cell] {
			if w.seen[i] {
				continue
			}
			w.seen[i] = true
			hash, n := w.after.in(f, f.windows[i])
			if n < leastPieces {
				continue
			}
			w.found = append(w.found, chunk{splitmix.Mix(hash ^ splitmix.Mix(uint64(i)<<1|uint64(side))), n, i})
		}
	}
	clear(w.seen)
	return w.found
}

// text returns the contents of a window after the last move watched: piece and square, in the order of the
// cells.
func (w *watcher[P]) text(f *frame, l *games.Layout, at window) string {
	text := ""
	for r := at.row; r < at.row+at.rows; r++ {
		for c := at.column; c < at.column+at.columns; c++ {
			if piece := w.after.cells[r*f.columns+c]; piece != 0 {
				if text != "" {
					text += " "
				}
				text += w.drawer.Pieces()[piece].Letter + l.Names[r*f.columns+c]
			}
		}
	}
	return text
}
