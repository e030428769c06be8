package baduk

import (
	"bytes"
	"kifu/internal/pattern"
	"strconv"
)

// convertGIB reads a record of Tygem. \HS … \HE encloses settings as \[NAME=VALUE\], of which the last
// three hold codes; \GS … \GE encloses INI with the handicap and STO with the moves.
func convertGIB(w *writer, text []byte) (reason string) {
	var result, said, date []byte
	begun := false
	reason = lines(text, func(_ int, line []byte) string {
		if inside, ok := bytes.CutPrefix(line, []byte(`\[`)); ok {
			name, value, _ := bytes.Cut(bytes.TrimSuffix(inside, []byte(`\]`)), []byte("="))
			switch string(name) {
			case "GAMEBLACKNAME", "GAMEWHITENAME":
				player, rank, _ := bytes.Cut(bytes.TrimSuffix(value, []byte(")")), []byte("("))
				w.player(string(name[4]), player, rank)
			case "GAMEPLACE":
				w.property("PC", value)
			case "GAMENAME":
				w.property("GN", value)
			case "GAMEDATE":
				date = dateOf(value)
			case "GAMEINFOMAIN":
				w.property("KM", tenths(code(value, "GONGJE:")))
				result = gibResult(code(value, "GRLT:"), code(value, "ZIPSU:"))
				seconds, overtime, _ := bytes.Cut(code(value, "GTIME:"), []byte("-"))
				w.property("TM", seconds)
				w.property("OT", overtime)
			case "GAMETAG": // C2016:03:26:17:29, which no language of a server changes
				if at := coded().FindSubmatch(value); at != nil {
					date = bytes.ReplaceAll(at[1], []byte(":"), []byte("-"))
				}
			case "GAMERESULT":
				said = value
			}
			return ""
		}
		f := bytes.Fields(line)
		switch {
		case len(f) > 3 && string(f[0]) == "INI":
			n, err := strconv.Atoi(string(f[3]))
			if begun = true; err != nil {
				return "not a handicap"
			}
			w.handicap(n)
		case len(f) > 5 && string(f[0]) == "STO":
			x, errX := strconv.Atoi(string(f[4]))
			y, errY := strconv.Atoi(string(f[5]))
			colour := bytes.IndexByte([]byte("12"), f[3][0])
			if errX != nil || errY != nil || colour < 0 {
				return "not a move"
			}
			w.move("BW"[colour], x, y)
		}
		return ""
	})
	if len(result) == 0 {
		result = said
	}
	w.property("RE", result)
	w.property("DT", date)
	if reason == "" && !begun {
		return "a game without its moves"
	}
	return reason
}

var coded = pattern.Of(`\bC(\d{4}:\d\d:\d\d)`)

// code returns what is between a name and the next comma.
func code(text []byte, name string) []byte {
	_, after, _ := bytes.Cut(text, []byte(name))
	value, _, _ := bytes.Cut(after, []byte(","))
	return value
}

// tenths returns a number of tenths as a decimal number.
func tenths(text []byte) []byte {
	n, err := strconv.Atoi(string(text))
	if err != nil {
		return nil
	}
	return strconv.AppendFloat(nil, float64(n)/10, 'f', -1, 64)
}

// gibResult returns the result for a code and tenths of points.
func gibResult(kind, margin []byte) []byte {
	result := map[string]string{"0": "B+", "1": "W+", "2": "0", "3": "B+R", "4": "W+R", "7": "B+T", "8": "W+T"}[string(kind)]
	if len(result) == 2 {
		result += string(tenths(margin))
	}
	return []byte(result)
}

// dateOf makes a date of 2016- 3-26-17-29-25, 2016/03/26,17:29 and 20160326: of the first eight digits; a
// month or day may lack one.
func dateOf(text []byte) []byte {
	if len(text) >= 8 && len(bytes.TrimLeft(text[:8], "0123456789")) == 0 {
		return append(append(append(append(append([]byte(nil), text[:4]...), '-'), text[4:6]...), '-'), text[6:8]...)
	}
	parts := bytes.FieldsFunc(text, func(r rune) bool { return r == '-' || r == '/' || r == ',' || r == ' ' || r == ':' })
	if len(parts) < 3 || len(parts[0]) != 4 {
		return nil
	}
	date := append([]byte(nil), parts[0]...)
	for _, p := range parts[1:3] {
		if date = append(date, '-'); len(p) == 1 {
			date = append(date, '0')
		}
		date = append(date, p...)
	}
	return date
}
