package board

import "strings"

// Words returns the moves in a text as people write and copy it, for play from b on: without their numbers (12.Nf3, 3 Q16), and
// apart where no space is between them: points (f5d6c3), and Japanese moves that begin with a mark (▲７六歩△３四歩).
func Words(b Board, text string) (moves []string) {
	for _, word := range strings.Fields(apart.Replace(text)) {
		if word = withoutNumber(word); word == "" {
			continue
		}
		m, err := b.Find(word)
		if err == nil {
			b, moves = m.Play(), append(moves, word)
			continue
		}
		points := pointsOf(word)
		end, played := playPoints(b, points)
		switch {
		case played:
			b, moves = end, append(moves, points...)
		case len(word) > 3 || strings.Trim(word, "0123456789") != "": // no number of a move
			moves = append(moves, word)
		}
	}
	return moves
}

// apart separates Japanese moves from each other; the space in 同　歩 is part of a move.
var apart = strings.NewReplacer("▲", " ▲", "△", " △", "▼", " ▼", "▽", " ▽", "☗", " ☗", "☖", " ☖", "同　", "同", "同 ", "同")

// withoutNumber returns a word without the number before a move: "1.", "12...".
func withoutNumber(word string) string {
	if rest := strings.TrimLeft(word, "0123456789"); rest != word && strings.HasPrefix(rest, ".") {
		word = rest
	}
	return strings.TrimLeft(word, ".")
}

// pointsOf returns the points that a word consists of, each a letter and one or two digits; nil if it has anything else.
func pointsOf(word string) (points []string) {
	for word != "" {
		n := 1
		for n < 3 && n < len(word) && word[n] >= '0' && word[n] <= '9' {
			n++
		}
		if c := word[0] | 0x20; c < 'a' || c > 'z' || n == 1 {
			return nil
		}
		points, word = append(points, word[:n]), word[n:]
	}
	return points
}

// playPoints plays moves that are a point each: e4 of chess, which has a square to come from, is
// none of these.
func playPoints(b Board, points []string) (end Board, whole bool) {
	for _, p := range points {
		m, err := b.Find(p)
		if err != nil || len(m.Marks()) != 1 {
			return nil, false
		}
		b = m.Play()
	}
	return b, len(points) > 1
}
