package baduk

import (
	"bytes"
	"strconv"
)

// convertNGF reads a record of WBaduk. Twelve lines have title, board, White, Black, server,
// handicap, a number, komi, date, minutes, result and number of moves. Each line PM has a move:
// its number in two letters, its side, column and row, of which B is the first.
func convertNGF(w *writer, text []byte) (reason string) {
	handicap, begun := 0, false
	reason = lines(text, func(i int, line []byte) string {
		n, err := strconv.Atoi(string(line))
		switch {
		case len(line) >= 7 && bytes.HasPrefix(line, []byte("PM")):
			if line[4] != 'B' && line[4] != 'W' {
				return "not a move"
			}
			begun = true
			w.move(line[4], int(line[5])-'B', int(line[6])-'B')
		case begun:
		case i == 0:
			w.property("EV", line)
		case (i == 1 || i == 5 || i == 7) && err != nil:
			return "not a header of NGF"
		case i == 1:
			if w.size = n; n < 2 || n > 19 {
				return "not a board"
			}
		case i == 2 || i == 3:
			at := bytes.LastIndexAny(line, " \t") + 1
			w.player("WB"[i-2:i-1], line[:max(at, 0)], line[at:])
		case i == 4:
			w.property("PC", line)
		case i == 5:
			handicap = n
			w.handicap(n)
		case i == 7:
			komi := strconv.AppendInt(nil, int64(n), 10)
			if handicap == 0 { // the half point of komi is implied
				komi = append(komi, ".5"...)
			}
			w.property("KM", komi)
		case i == 8:
			w.property("DT", dateOf(line))
		case i == 10:
			w.property("RE", line)
		}
		return ""
	})
	return reason
}
