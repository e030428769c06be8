// Package syzygy reads endgame tables of win, draw and loss in the format of Ronald de Man's
// Syzygy (.rtbw, github.com/syzygy1/tb): who wins a position of few men with best play, the
// rule of fifty moves included. It returns the value of a position; distances (.rtbz) are not
// read.
//
// A table has the values of all positions of its men in two halves, one for each side to move.
// They are packed by Huffman codes of recursive pairs. If a capture is as good as any move, the
// stored value is arbitrary, so captures are looked up first.
package syzygy

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"kifu/games"
	"kifu/games/chess"
)

// Values of positions for the side to move. Those between draw and win are drawn by the rule of
// fifty moves alone.
const (
	Loss        = -2
	BlessedLoss = -1
	Draw        = 0
	CursedWin   = 1
	Win         = 2
)

// Tables are the tables in directories. They are opened when a position asks for them.
type Tables struct {
	paths map[string]string // by name: KQvKR
	most  int               // men of the largest

	mu   sync.Mutex
	open map[string]*table
}

// Open finds the tables in directories, whose names are parted as paths are in the environment.
func Open(dirs string) (*Tables, error) {
	t := &Tables{paths: map[string]string{}, open: map[string]*table{}}
	for _, dir := range filepath.SplitList(dirs) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if name, ok := strings.CutSuffix(e.Name(), ".rtbw"); ok && validName(name) {
				t.paths[name] = filepath.Join(dir, e.Name())
				t.most = max(t.most, len(name)-1)
			}
		}
	}
	if len(t.paths) == 0 {
		return nil, fmt.Errorf("%s: no tables (.rtbw): %w", dirs, fs.ErrNotExist)
	}
	return t, nil
}

// Names returns the names of the tables, in order: KQvKR.
func (t *Tables) Names() []string { return slices.Sorted(maps.Keys(t.paths)) }

// Outcome returns how the position of a packed board of package chess ends with best play; false if
// it has more men than any table, a side may castle, or a table is missing or cannot be read.
func (t *Tables) Outcome(board []byte) (games.Outcome, bool) {
	p, err := chess.UnpackBoard(board)
	if err != nil || p.Occupied().Count() > t.most {
		return games.Undecided, false
	}
	v, err := t.Probe(p)
	switch {
	case err != nil:
		return games.Undecided, false
	case v == Win:
		return games.WinFor(p.ToMove()), true
	case v == Loss:
		return games.WinFor(p.ToMove().Other()), true
	}
	return games.Drawn, true
}

func validName(name string) bool {
	white, black, ok := strings.Cut(name, "v")
	return ok && len(name) <= maxMen+1 && validSide(white) && validSide(black)
}

func validSide(text string) bool {
	return strings.HasPrefix(text, "K") && strings.Trim(text[1:], "QRBNP") == ""
}

// errMissing is wrapped by Probe where there is no table for a position or for one that a capture
// leads to.
var errMissing = errors.New("no table")

// Probe returns the value of p for the side to move, as if the last move had been a capture or
// a pawn's. Neither side may castle. It may be used by many goroutines.
func (t *Tables) Probe(p chess.Position) (int, error) {
	if p.CastlingRooks() != 0 {
		return 0, fmt.Errorf("%w of positions with castling", errMissing)
	}
	v, err := t.search(p, Loss, Win)
	if err != nil || p.EnPassant() == chess.NoSquare {
		return v, err
	}
	return t.passing(p, v)
}

// search returns the larger of the values of the captures and of that in the table.
func (t *Tables) search(p chess.Position, alpha, beta int) (int, error) {
	var buffer [128]games.Move
	for _, m := range p.AppendMoves(buffer[:0]) {
		if !p.IsCapture(m) || chess.IsPassing(m) {
			continue
		}
		v, err := t.search(p.Play(m), -beta, -alpha)
		if err != nil {
			return 0, err
		}
		if -v > alpha {
			if alpha = -v; alpha >= beta {
				return alpha, nil
			}
		}
	}
	v, err := t.look(&p)
	return max(v, alpha), err
}

// passing takes captures in passing, of which tables know nothing, into account: v is the value
// without them.
func (t *Tables) passing(p chess.Position, v int) (int, error) {
	best, others := Loss-1, false
	var buffer [128]games.Move
	for _, m := range p.AppendMoves(buffer[:0]) {
		if !chess.IsPassing(m) {
			others = true
			continue
		}
		w, err := t.search(p.Play(m), Loss, Win)
		if err != nil {
			return 0, err
		}
		best = max(best, -w)
	}
	if best >= v || best > Loss-1 && !others {
		return best, nil
	}
	return v, nil
}

// look returns the value that a table has.
func (t *Tables) look(p *chess.Position) (int, error) {
	if p.Occupied().Count() == 2 {
		return Draw, nil
	}
	white, black := sideName(p, games.First), sideName(p, games.Second)
	tb, err := t.table(white + "v" + black)
	swapped := false
	if errors.Is(err, errMissing) && white != black {
		swapped = true
		if other, err2 := t.table(black + "v" + white); !errors.Is(err2, errMissing) {
			tb, err = other, err2
		}
	}
	if err != nil {
		return 0, err
	}
	return tb.probe(p, swapped)
}

const kinds = "PNBRQK"

// sideName names the men of a side: KQP.
func sideName(p *chess.Position, side games.Side) string {
	var name []byte
	for k := chess.King; k >= chess.Pawn; k-- {
		for range (p.Kind(k) & p.Side(side)).Count() {
			name = append(name, kinds[k-chess.Pawn])
		}
	}
	return string(name)
}

func (t *Tables) table(name string) (*table, error) {
	path, ok := t.paths[name]
	if !ok {
		return nil, fmt.Errorf("%w %s", errMissing, name)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if tb := t.open[name]; tb != nil {
		return tb, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	tb, err := read(name, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t.open[name] = tb
	return tb, nil
}
