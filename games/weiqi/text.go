package weiqi

import (
	"strconv"
	"strings"

	"kifu/games"
)

// Errors in the text of a position.
const (
	unreadableText games.Reason = "unreadable position: want rows of X, O and numbers of empty points, and the side to move"
	noLiberties    games.Reason = "stones without a liberty"
)

// ParsePosition reads a position:
//
//	9/2X6/9/9/9/9/6O2/9/9 b - 0 0:0 7.5 chinese
//
// The fields are
//
//	the rows from the top: X a black stone, O a white one, . an empty point, a number for a run
//	the side to move, b or w
//	the point of a ko that may not be retaken, or -
//	the passes in a row
//	the stones taken by Black and by White
//	the komi
//	the set of rules, or - for none
//
// Fields after the side to move may be missing from any field on. The error is a games.Reason.
func (Rules) ParsePosition(text string) (Position, error) {
	return parsePosition(text, Position{})
}

// parsePosition implements ParsePosition; fields that text leaves out are as in usual.
func parsePosition(text string, usual Position) (Position, error) {
	fields := strings.Fields(text)
	if len(fields) < 2 || len(fields) > 7 {
		return Position{}, unreadableText
	}
	rows := strings.Split(fields[0], "/")
	if len(rows) < MinSize || len(rows) > MaxSize {
		return Position{}, unreadableText
	}
	p := New(len(rows), usual.ruleset, int(usual.komi))
	for row, text := range rows {
		if !p.parseRow(row, text) {
			return Position{}, unreadableText
		}
	}
	switch fields[1] {
	case "b":
	case "w":
		p.side = White
	default:
		return Position{}, unreadableText
	}
	for i, parse := range [...]func(*Position, string) bool{
		(*Position).parseKo, (*Position).parsePasses, (*Position).parsePrisoners, (*Position).parseKomi, (*Position).parseRuleset,
	} {
		if i+2 < len(fields) && !parse(&p, fields[i+2]) {
			return Position{}, unreadableText
		}
	}
	return p, p.check()
}

// check reports stones without a liberty.
func (p *Position) check() error {
	empty := p.Empty()
	for side := range p.stones {
		stones := &p.stones[side]
		alive := stones.Fill(empty.Neighbours().And(stones))
		if alive != *stones {
			return noLiberties
		}
	}
	return nil
}

func (p *Position) parseRow(row int, text string) bool {
	column := 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == 'X' || c == 'O':
			if column >= int(p.size) {
				return false
			}
			side := Black
			if c == 'O' {
				side = White
			}
			p.put(side, PointAt(column, row))
			column++
			i++
		case c == '.':
			column++
			i++
		default:
			end := i
			for end < len(text) && text[end] >= '0' && text[end] <= '9' {
				end++
			}
			n, err := strconv.Atoi(text[i:end])
			if err != nil || n < 1 || n > int(p.size) {
				return false
			}
			column += n
			i = end
		}
	}
	return column == int(p.size)
}

func (p *Position) parseKo(text string) bool {
	if text == "-" {
		return true
	}
	column, row, ok := parsePoint([]byte(text), int(p.size))
	if !ok || column < 0 || column >= int(p.size) || row < 0 || row >= int(p.size) {
		return false
	}
	p.ko = PointAt(column, row)
	empty := p.Empty()
	return empty.Has(p.ko)
}

func (p *Position) parsePasses(text string) bool {
	n, err := strconv.Atoi(text)
	p.passes = uint8(n & 3)
	return err == nil && n >= 0 && n <= 2 && (n == 0 || p.ko == noPoint)
}

func (p *Position) parsePrisoners(text string) bool {
	black, white, _ := strings.Cut(text, ":")
	for side, text := range [2]string{black, white} {
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil {
			return false
		}
		p.taken[side] = uint16(n)
	}
	return true
}

func (p *Position) parseKomi(text string) bool {
	komi, ok := parseKomi(text)
	p.komi = komi
	return ok
}

func (p *Position) parseRuleset(text string) (ok bool) {
	if text == "-" {
		p.ruleset = Unnamed
		return true
	}
	p.ruleset, ok = parseRuleset(text)
	return ok && text != ""
}

// maxKomi is the largest komi that is read, in points.
const maxKomi = 320

// parseKomi reads points with at most two decimals, and returns hundredths.
func parseKomi(text string) (hundredths int16, ok bool) {
	digits := strings.TrimPrefix(text, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	fraction = (fraction + "00")[:max(2, len(fraction))]
	n, err := strconv.ParseUint(whole+fraction, 10, 16)
	if err != nil || whole == "" || len(fraction) > 2 || n > 100*maxKomi {
		return 0, false
	}
	if digits != text {
		return int16(-int(n)), true
	}
	return int16(n), true
}

// appendKomi appends hundredths in the shortest form that parseKomi reads.
func appendKomi(dst []byte, hundredths int16) []byte {
	return strconv.AppendFloat(dst, float64(hundredths)/100, 'f', -1, 64)
}

// AppendPosition appends the text that ParsePosition shows, with all its fields.
func (Rules) AppendPosition(dst []byte, p Position) []byte {
	for row := range int(p.size) {
		if row > 0 {
			dst = append(dst, '/')
		}
		dst = p.appendRow(dst, row)
	}
	dst = append(dst, ' ', "bw"[p.side&1], ' ')
	if p.ko == noPoint {
		dst = append(dst, '-')
	} else {
		dst = appendPoint(dst, p.ko, int(p.size))
	}
	dst = append(dst, ' ', '0'+p.passes, ' ')
	dst = strconv.AppendUint(dst, uint64(p.taken[Black]), 10)
	dst = append(dst, ':')
	dst = strconv.AppendUint(dst, uint64(p.taken[White]), 10)
	dst = append(dst, ' ')
	dst = appendKomi(dst, p.komi)
	dst = append(dst, ' ')
	if p.ruleset == Unnamed {
		return append(dst, '-')
	}
	return append(dst, p.ruleset.String()...)
}

func (p *Position) appendRow(dst []byte, row int) []byte {
	empty := 0
	flush := func() {
		if empty > 0 {
			dst = strconv.AppendInt(dst, int64(empty), 10)
			empty = 0
		}
	}
	for column := range int(p.size) {
		switch at := PointAt(column, row); {
		case p.stones[Black].Has(at):
			flush()
			dst = append(dst, 'X')
		case p.stones[White].Has(at):
			flush()
			dst = append(dst, 'O')
		default:
			empty++
		}
	}
	flush()
	return dst
}
