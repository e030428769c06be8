package baduk

import (
	"bytes"
	"strconv"
)

// convertUGF reads a record of PandaNet: sections [Header] with lines NAME=VALUE, [Data] with moves, and a
// review's, of which comments and variations are counted. A move QP,B1,12,0 has a column from A on, a row
// from A at the bottom, the side, its number, and seconds; number 0 is a stone that was set up.
func convertUGF(w *writer, text []byte) (reason string) {
	section := ""
	reason = lines(text, func(_ int, line []byte) string {
		switch {
		case len(line) > 2 && line[0] == '[' && line[len(line)-1] == ']':
			section = string(line[1 : len(line)-1])
		case section == "Header":
			name, value, _ := bytes.Cut(line, []byte("="))
			return w.ugfHeader(string(name), value)
		case section == "Data" && len(line) > 0:
			return w.ugfMove(line)
		case section == "ReviewNode" && bytes.HasPrefix(line, []byte("VARIATION,")):
			w.variations++
		case section == "ReviewComment" && bytes.HasPrefix(line, []byte(".Comment,")):
			w.comments++
		}
		return ""
	})
	return reason
}

func (w *writer) ugfHeader(name string, value []byte) (reason string) {
	fields := bytes.Split(value, []byte(","))
	field := func(i int) []byte {
		if i < len(fields) {
			return fields[i]
		}
		return nil
	}
	switch name {
	case "PlayerB", "PlayerW":
		w.player(name[6:], field(0), field(1))
	case "Size":
		n, err := strconv.Atoi(string(value))
		if w.size = n; err != nil || n < 2 || n > 19 {
			return "not a board"
		}
	case "Hdcp":
		if n, err := strconv.Atoi(string(field(0))); err == nil && n >= 2 {
			w.property("HA", field(0))
		}
		w.property("KM", field(1))
	case "Rule":
		w.property("RU", value)
	case "Date":
		w.property("DT", dateOf(value))
	case "Place":
		w.property("PC", value)
	case "Title":
		w.property("EV", bytes.Trim(value, ","))
	case "Copyright":
		w.property("CP", value)
	case "Winner":
		switch winner, by := field(0), field(1); string(winner) {
		case "B", "W":
			w.property("RE", append(append(append([]byte(nil), winner...), '+'), by...))
		case "D":
			w.property("RE", []byte("0"))
		}
	case "CoordinateType":
		if string(value) != "IGS" {
			return "coordinates of another type than IGS"
		}
	}
	return ""
}

func (w *writer) ugfMove(line []byte) (reason string) {
	fields := bytes.Split(line, []byte(","))
	if len(fields) < 3 || len(fields[0]) != 2 || len(fields[1]) == 0 || fields[1][0] != 'B' && fields[1][0] != 'W' {
		return "not a move"
	}
	colour := fields[1][0]
	x, y := int(fields[0][0])-'A', w.size-1-(int(fields[0][1])-'A')
	if string(fields[2]) == "0" {
		w.sgf = w.point(append(w.sgf, 'A', colour), x, y)
		return ""
	}
	w.move(colour, x, y)
	return ""
}
