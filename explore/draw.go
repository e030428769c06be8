package explore

import (
	"cmp"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/games"
	"kifu/games/board"
	"kifu/internal/lists"
)

// look is how the address wants boards to be drawn: flip, western.
type look struct{ flipped, western bool }

func (h here) look() look { return look{h.Get("flip") != "", h.Get("western") != ""} }

// lookLinks are the addresses of the same view with its boards drawn otherwise.
type lookLinks struct {
	Flip     string
	Western  string // "" where pieces bear no letters that could be Latin
	Westerly bool
}

func (h here) looks(g board.Game) lookLinks {
	other := func(name string, now bool) string {
		return h.With(name, map[bool]string{true: "", false: "1"}[now])
	}
	is := h.look()
	l := lookLinks{Flip: other("flip", is.flipped), Westerly: is.western}
	if pieces := g.Pieces(); len(pieces) > 1 && pieces[1].Western != "" {
		l.Western = other("western", is.western)
	}
	return l
}

// boardLink is the address of the picture of a packed board, with the cells of the move that
// led to it.
func boardLink(game string, packed []byte, last []int, as look) string {
	cells := lists.Of(last, strconv.Itoa)
	set := map[bool]string{true: "1"}
	return to("board", "of", game, "b", hex.EncodeToString(packed), "last", strings.Join(cells, ","), "flip", set[as.flipped], "western", set[as.western])
}

// Picture is the address of an item's board.
func (l *listing) Picture(i item) string {
	return boardLink(l.Set.Game(), i.Board, nil, l.look) + "&plain=1"
}

// drawBoard answers with a board as SVG: of, b (packed, hexadecimal), last (cells), flip,
// western, plain.
func (s *Site) drawBoard(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	g, ok := s.games[q.Get("of")]
	packed, err := hex.DecodeString(q.Get("b"))
	if !ok || err != nil || len(packed) != g.Boards.BoardSize() {
		http.Error(w, "no board", http.StatusBadRequest)
		return
	}
	b, err := g.Boards.Unpack(packed)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	d := board.Draw(g.Boards, b)
	for _, word := range strings.Split(q.Get("last"), ",") {
		if c, err := strconv.Atoi(word); err == nil && c >= 0 && c < len(d.Cells) {
			d.Last = append(d.Last, c)
		}
	}
	d.Flipped, d.Western, d.Plain = q.Get("flip") != "", q.Get("western") != "", q.Get("plain") != ""
	h := w.Header()
	h.Set("Content-Type", "image/svg+xml")
	// The picture has a style of its own; opened by itself it may do nothing else.
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	h.Set("Cache-Control", "private, max-age=86400")
	w.Write(d.AppendSVG(nil, false))
}

// step is a position of a game or a variation.
type step struct {
	Ply    int
	First  bool   // the first player made the move that led here
	Number string // before the move: "12."
	Move   string // as players write it; "" at the start
	Text   string // of the position
	Board  string // address of its picture
	Packed []byte
	Name   string // of the opening so far; may be empty
	Hash   uint64
	Shown  map[string]string // next to the board
}

// stepsOf plays moves, each found by next, from b on. It ends at the first that cannot be
// played, whose error is returned with the steps before it.
func stepsOf(game string, b board.Board, moves int, as look, next func(b board.Board, i int) (board.Move, error)) ([]step, error) {
	all := []step{stepAt(game, b, nil, as)}
	for i := range moves {
		m, err := next(b, i)
		if err != nil {
			return all, err
		}
		first, number := b.ToMove() == games.First, b.Layout().MoveNumber(i, b.ToMove())
		text := string(m.AppendShown(nil, as.western))
		b = m.Play()
		s := stepAt(game, b, m.Marks(), as)
		s.Ply, s.First, s.Number, s.Move, s.Name = i+1, first, number, text, cmp.Or(b.Opening(""), all[i].Name)
		all = append(all, s)
	}
	return all, nil
}

func stepAt(game string, b board.Board, last []int, as look) step {
	packed := b.Pack(nil)
	return step{Text: string(b.AppendText(nil)), Name: b.Opening(""), Board: boardLink(game, packed, last, as), Packed: packed, Hash: b.Hash(), Shown: map[string]string{}}
}

// judgeOf is the evaluator of a dataset: with the weights of labels, else the one that the game is
// played by.
func (s *Site) judgeOf(d *Set) (Judge, error) {
	g, ok := s.games[d.Game()]
	if !ok {
		return nil, errors.New("a dataset without a game has no evaluator")
	}
	key, labels := d.Game(), (*datasets.Dir)(nil)
	if d.Kind() == "labels" && d.Dir.HasFile(weightsFile) {
		key, labels = d.Name, d.Dir
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if j := s.judges[key]; j != nil {
		return j, nil
	}
	j, err := g.Judge(labels)
	if err == nil {
		s.judges[key] = j
	}
	return j, err
}
