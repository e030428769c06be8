package opening

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"kifu/games/board"
	"kifu/internal/human"
	"kifu/internal/pattern"
	"kifu/report/page"
)

// candidate is a move that the book weighs, from the mover's side.
type candidate struct {
	text  string // as records write it
	edge  *edge  // nil: no game has it
	value float64
	worth float64 // value and what the games add to it
}

// clock are the counters at the end of a FEN, which EPD leaves out.
var clock = pattern.Of(`^((?:\S+ ){3}\S+) \d+ \d+$`)

// writeBook writes the book of the tree, for both sides: book.epd (a position a line, with its
// moves in bm, the best first, and the reasons in c0) and lines of moves: book.txt or, where programs share books,
// book.pgn with book.bin.
//
// A move's worth is the value that the tree backs up (Buro 1999), plus at most Params.Bonus for
// its games' evidence, as in Deep Blue's extended book (Campbell 1999). Moves within the bonus
// of the best are in the book, the best unplayed one among them.
func (o *report) writeBook(out page.Files) error {
	if o.Rules == nil {
		return nil // moves have no texts
	}
	var text strings.Builder
	var entries []entry
	seen := map[string]bool{} // positions that lines of other lengths come to
	for _, at := range slices.SortedFunc(maps.Keys(o.Nodes), spot.compare) {
		n := o.Nodes[at]
		position := clock().ReplaceAllString(n.Position, "$1")
		if seen[position] {
			continue
		}
		seen[position] = true
		var moves, reasons []string
		list := n.candidates(o.Params.Bonus)
		for _, c := range list {
			moves, reasons = append(moves, c.text), append(reasons, c.reason())
		}
		fmt.Fprintf(&text, "%s bm %s; c0 \"%s\";\n", position, strings.Join(moves, " "), strings.Join(reasons, "; "))
		found, err := o.entries(n, list)
		if err != nil {
			return fmt.Errorf("book, %s: %w", position, err)
		}
		entries = append(entries, found...)
	}
	if err := out.AddFile("book.epd", []byte(text.String())); err != nil {
		return err
	}
	if len(entries) == 0 {
		return out.AddFile("book.txt", o.bookLines(func(line []string) string { return strings.Join(line, " ") + "\n" }))
	}
	start, err := o.Rules.Start("", "")
	if err != nil {
		return err
	}
	pgn := o.bookLines(func(line []string) string {
		return "[Result \"*\"]\n\n" + board.Line(start, 0, line, true) + " *\n\n"
	})
	if err := out.AddFile("book.pgn", pgn); err != nil {
		return err
	}
	return out.AddFile("book.bin", polyglot(entries))
}

// candidates are the moves of the book, the best first.
func (n *node) candidates(bonus float64) (all []candidate) {
	side := 1.0
	if !n.First {
		side = -1
	}
	mean := n.means()
	for _, e := range n.Edges {
		c := candidate{text: e.Text, edge: e, value: side * e.Backed()}
		c.worth = bonus * e.evidence(mean)
		if !math.IsNaN(c.value) {
			c.worth += c.value
		}
		all = append(all, c)
	}
	if n.UnplayedText != "" && !math.IsNaN(n.UnplayedValue) {
		all = append(all, candidate{text: n.UnplayedText, value: side * n.UnplayedValue, worth: side*n.UnplayedValue - bonus})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.worth, a.worth) })
	return slices.DeleteFunc(all, func(c candidate) bool { return c.worth < all[0].worth-bonus })
}

// means are the averages over the moves of a position, by game; unknown ones are NaN.
type means struct{ score, rating, year float64 }

func (n *node) means() means {
	mean := func(of func(*edge) (x, weight float64)) float64 {
		sum, weights := 0.0, 0.0
		for _, e := range n.Edges {
			if x, w := of(e); !math.IsNaN(x) {
				sum, weights = sum+x*w, weights+w
			}
		}
		return sum / weights
	}
	return means{
		score:  mean(func(e *edge) (x, weight float64) { return e.Score, float64(e.results()) }),
		rating: mean(func(e *edge) (x, weight float64) { return e.Rating, float64(e.Games) }),
		year:   mean(func(e *edge) (x, weight float64) { return e.MeanYear, float64(e.Games) }),
	}
}

// What counts in full: a score of 25 points a hundred games above the mean of the position's moves, players 200
// rating points above, games 20 years later. Five games at the mean are added to each score.
const (
	fullScore, fullRating, fullYears = 0.25, 200, 20
	addedGames                       = 5
)

// evidence scores a move by its games, from -1 to 1: the mean of the known ones of score, frequency, strength of
// the players and recency, each compared with the other moves of the position.
func (e *edge) evidence(m means) float64 {
	sum, n, decided := 0.0, 0.0, float64(e.results())
	for _, x := range []float64{decided / (decided + addedGames) * (e.Score - m.score) / fullScore, 2*e.Share - 1, (e.Rating - m.rating) / fullRating, (e.MeanYear - m.year) / fullYears} {
		if !math.IsNaN(x) {
			sum, n = sum+max(-1, min(1, x)), n+1
		}
	}
	return sum / n // the share is always known
}

// reason is the evidence of a move in words.
func (c candidate) reason() string {
	text := c.text + " unplayed"
	if e := c.edge; e != nil {
		text = c.text + " " + human.Plural(e.Games, "game", "games")
		if !math.IsNaN(e.Score) {
			text += fmt.Sprintf(", score %.1f %%", 100*e.Score)
		}
	}
	if !math.IsNaN(c.value) {
		text += fmt.Sprintf(", value %+.0f", c.value)
	}
	return text
}

// bookLines are the moves of the book from the usual start, a line each time it branches; a position that several lines
// come to is continued once.
func (o *report) bookLines(write func(line []string) string) []byte {
	var text strings.Builder
	seen := map[*node]bool{}
	var walk func(n *node, line []string)
	walk = func(n *node, line []string) {
		seen[n] = true
		for _, c := range n.candidates(o.Params.Bonus) {
			longer := append(slices.Clone(line), c.text)
			if c.edge != nil && c.edge.To != nil && !seen[c.edge.To] {
				walk(c.edge.To, longer)
			} else {
				text.WriteString(write(longer))
			}
		}
	}
	walk(o.Roots[0], nil)
	return []byte(text.String())
}

// entry is a move of a book of Polyglot.
type entry struct {
	key          uint64
	move, weight uint16
}

// entries are the moves of a position, weighed from 1 (a bonus less than the best) to 65535 (the best).
func (o *report) entries(n *node, list []candidate) (all []entry, err error) {
	b, err := o.Rules.Start("", n.Position)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		m, err := b.Find(c.text)
		if err != nil {
			return nil, err
		}
		if key, code, known := m.Book(); known {
			less := 0.0
			if o.Params.Bonus > 0 {
				less = (list[0].worth - c.worth) / o.Params.Bonus
			}
			all = append(all, entry{key, code, uint16(math.MaxUint16 - math.Round(less*(math.MaxUint16-1)))})
		}
	}
	return all, nil
}

// polyglot is the file of entries: by key, each 16 bytes, the highest first.
func polyglot(all []entry) (file []byte) {
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	for _, e := range all {
		file = binary.BigEndian.AppendUint64(file, e.key)
		file = binary.BigEndian.AppendUint16(file, e.move)
		file = binary.BigEndian.AppendUint16(file, e.weight)
		file = append(file, 0, 0, 0, 0) // what programs learn
	}
	return file
}
