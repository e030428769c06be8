package weiqi

import (
	"strconv"
	"strings"

	"kifu/games"
)

// Errors for variants of Go that are not played here.
const (
	unknownSize games.Reason = "board of another size than 2×2 to 19×19"
	noHandicap  games.Reason = "handicap that has no fixed stones on this board"
	otherSize   games.Reason = "start position of another size than the variant"
)

// variant holds the parts of a variant's name:
//
//	19x19 japanese handicap 4 komi 0.5
//
// The size of the board, the set of rules, fixed handicap stones, and the komi. All but the
// size may be left out when unnamed, absent and 0, respectively.
type variant struct {
	size     int
	ruleset  Ruleset
	handicap int
	komi     int16
}

// parseVariant reads a variant; without a size it is of 19 lines.
func parseVariant(text string) (v variant, err error) {
	v.size = MaxSize
	unknown := games.UnknownVariant(strings.TrimSpace(text))
	fields := strings.Fields(strings.ToLower(text))
	if len(fields) > 0 && fields[0][0] >= '0' && fields[0][0] <= '9' {
		width, height, square := strings.Cut(fields[0], "x")
		v.size, err = strconv.Atoi(width)
		switch {
		case err != nil || square && height != width:
			return v, unknown
		case v.size < MinSize || v.size > MaxSize:
			return v, unknownSize
		}
		fields = fields[1:]
	}
	if len(fields)%2 != 0 {
		ok := false
		if v.ruleset, ok = parseRuleset(fields[0]); !ok {
			return v, unknown
		}
		fields = fields[1:]
	}
	for ; len(fields) > 0; fields = fields[2:] {
		ok := false
		switch fields[0] {
		case "handicap":
			v.handicap, err = strconv.Atoi(fields[1])
			ok = err == nil
		case "komi":
			v.komi, ok = parseKomi(fields[1])
		}
		if !ok {
			return v, unknown
		}
	}
	return v, nil
}

// String returns the canonical name.
func (v variant) String() string {
	size := strconv.Itoa(v.size)
	name := []byte(size + "x" + size)
	if v.ruleset != Unnamed {
		name = append(append(name, ' '), v.ruleset.String()...)
	}
	if v.handicap >= 2 {
		name = strconv.AppendInt(append(name, " handicap "...), int64(v.handicap), 10)
	}
	if v.komi != 0 {
		name = appendKomi(append(name, " komi "...), v.komi)
	}
	return string(name)
}

// start returns the position from which the variant is played. A handicap of one stone is
// Black's first move.
func (v variant) start() (Position, error) {
	p := New(v.size, v.ruleset, int(v.komi))
	if v.handicap < 2 {
		return p, nil
	}
	for _, at := range fixedHandicap(v.size, v.handicap) {
		p.put(Black, at)
		p.side = White
	}
	if p.side != White {
		return p, noHandicap
	}
	return p, nil
}

// handicap returns how many stones Black was given if p is the start of a handicap game, else 0.
func (p *Position) handicap() int {
	if p.side != White || p.ko != noPoint || p.passes > 0 || p.taken != [2]uint16{} || p.stones[White].Count() > 0 {
		return 0
	}
	return p.stones[Black].Count()
}

// OtherStart returns the start of a variant with six or seven handicap stones as the
// server Fox sets them: in addition to the corners the middle of the upper and the lower
// side, where GTP has the left and the right one. The middle of the board is its own mirror.
func (Rules) OtherStart(text string) (Position, bool) {
	v, err := parseVariant(text)
	if err != nil || v.handicap != 6 && v.handicap != 7 || fixedHandicap(v.size, v.handicap) == nil {
		return Position{}, false
	}
	p := New(v.size, v.ruleset, int(v.komi))
	for _, at := range fixedHandicap(v.size, v.handicap) {
		if at.Row() == v.size/2 {
			at = PointAt(v.size/2, v.size-1-at.Column())
		}
		p.put(Black, at)
	}
	p.side = White
	return p, true
}

// fixedHandicap returns the points of n handicap stones, none if there are none so placed
// (Go Text Protocol 2, draft 2, section 4.1.1).
func fixedHandicap(size, n int) (points []Point) {
	most := 9
	if size%2 == 0 || size == 7 {
		most = 4
	}
	if size < 7 || n < 2 || n > most {
		return nil
	}
	low := 2
	if size >= 13 {
		low = 3
	}
	high, middle := size-1-low, size/2
	corners := []Point{PointAt(low, high), PointAt(high, low), PointAt(low, low), PointAt(high, high)}
	points = append(points, corners[:min(n, 4)]...)
	if n >= 6 {
		points = append(points, PointAt(low, middle), PointAt(high, middle))
	}
	if n >= 8 {
		points = append(points, PointAt(middle, low), PointAt(middle, high))
	}
	if n >= 5 && n%2 != 0 {
		points = append(points, PointAt(middle, middle))
	}
	return points
}
