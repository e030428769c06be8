package views

import (
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/explore/models"
	"kifu/explore/parts"
	"kifu/explore/site"
	"kifu/games/board"
)

// Picture is the address of an item's board.
func (l *listing) Picture(i item) string {
	return parts.BoardLink(l.Set.Game(), i.Board, nil, l.look) + "&plain=1"
}

// DrawBoard answers with a board as SVG: of, b (packed, hexadecimal), last (cells), flip,
// western, plain.
func (s *Pages) DrawBoard(w http.ResponseWriter, r *http.Request) {
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

// judgeOf is the evaluator of a dataset: with the weights of labels, else the one that the game is
// played by.
func (s *Pages) judgeOf(d *site.Set) (models.Judge, error) {
	g, ok := s.games[d.Game()]
	if !ok {
		return nil, errors.New("a dataset without a game has no evaluator")
	}
	key, labels := d.Game(), (*datasets.Dir)(nil)
	if d.Kind() == "labels" && d.Dir.HasFile(models.WeightsFile) {
		key, labels = d.Name, d.Dir
	}
	return kept(s, s.judges, key, func() (models.Judge, error) { return g.Judge(labels) })
}
