package sgf

import (
	"bytes"
	"slices"
	"strconv"

	"kifu/ingest/record"
)

// maxSize is the largest board on which stones are set up.
const maxSize = 19

// setup has the stones of AB, AW and AE, in their order.
type setup struct {
	stones []stones
	points [maxSize][maxSize]byte // by row and column: B, W, or 0
}

// stones are a point, or a rectangle of points, as written.
type stones struct {
	colour byte // B, W, or E
	text   []byte
}

// add takes a value of AB, AW or AE.
func (s *setup) add(k name, text []byte) {
	s.stones = append(s.stones, stones{byte(k), bytes.TrimSpace(text)})
}

// place puts the stones on a board of size lines, and returns how many it has then.
func (s *setup) place(size int) (n int, f *fault) {
	for _, one := range s.stones {
		from, to, list := bytes.Cut(one.text, []byte(":"))
		left, top, ok := point(from, size)
		right, bottom := left, top
		if list && ok {
			right, bottom, ok = point(to, size)
		}
		if !ok {
			return 0, &fault{reason: "a stone set up off the board", detail: one.text}
		}
		colour := one.colour
		if colour == 'E' {
			colour = 0
		}
		for row := min(top, bottom); row <= max(top, bottom); row++ {
			for column := min(left, right); column <= max(left, right); column++ {
				s.points[row][column] = colour
			}
		}
	}
	for row := range size {
		for _, c := range s.points[row][:size] {
			if c != 0 {
				n++
			}
		}
	}
	return n, nil
}

// point reads a point: pd from the top left, as Go has it, or f5, as Othello has it.
func point(text []byte, size int) (column, row int, ok bool) {
	text = bytes.TrimSpace(text)
	if len(text) != 2 {
		return 0, 0, false
	}
	column, row = int(text[0]|0x20)-'a', int(text[1]|0x20)-'a'
	if text[1] >= '1' && text[1] <= '8' {
		row = int(text[1] - '1')
	}
	return column, row, column >= 0 && column < size && row >= 0 && row < size
}

// finish makes the tags Variant and FEN, and puts in the passes of whoever did not move
// between two moves of the other.
func (t *tree) finish() *fault {
	width, height := t.info.width, t.info.height
	if width == 0 {
		if width = 19; t.info.game == 2 {
			width = 8
		}
		height = width
	}
	usual := width == height && width >= 1 && width <= maxSize
	fixed, stones := 0, 0
	if usual {
		fixed = t.freeHandicap()
	}
	if len(t.setup.stones) > 0 {
		if !usual {
			return &fault{reason: "stones set up on an odd board"}
		}
		var f *fault
		if stones, f = t.setup.place(width); f != nil {
			return f
		}
	}
	slices.SortStableFunc(t.g.Annotations, func(a, b record.Annotation) int { return int(a.Ply - b.Ply) })
	first := t.first()
	t.variant(width, height, fixed)
	if stones > 0 || first == 'W' && fixed == 0 && usual {
		t.position(width, first)
	}
	t.passes(first)
	return nil
}

// freeHandicap makes stones of the moves that are handicap stones, as many of Black's in a row at the
// beginning as HA requires. Without such moves and stones set up, and with White to move first, the stones
// are implied: fixed is their number.
func (t *tree) freeHandicap() (fixed int) {
	n := t.info.handicap
	if n < 2 || len(t.setup.stones) > 0 || t.info.game == 2 {
		return 0
	}
	run := 0
	for run < len(t.colours) && t.colours[run] == 'B' {
		run++
	}
	switch {
	case run == 0 && t.first() == 'W':
		return n
	case run == n:
		for _, m := range t.g.Moves[:n] {
			t.setup.add(ab, m.Text)
		}
		t.g.Moves = append(t.g.Moves[:0], t.g.Moves[n:]...)
		for i := range t.g.Annotations {
			t.g.Annotations[i].Ply = max(t.g.Annotations[i].Ply-int32(n), 0)
		}
		t.colours = append(t.colours[:0], t.colours[n:]...)
		t.info.toMove = 'W'
	}
	return 0
}

// first returns the side that begins: of the first move, or of PL, or White after handicap stones.
func (t *tree) first() byte {
	switch {
	case len(t.colours) > 0:
		return t.colours[0]
	case t.info.toMove != 0:
		return t.info.toMove
	case t.info.handicap >= 2:
		return 'W'
	}
	return 'B'
}

// passes puts an empty move between two of the same colour.
func (t *tree) passes(next byte) {
	missing, first := 0, next
	for _, c := range t.colours {
		if c != next {
			missing++
			next = c
		}
		next ^= 'B' ^ 'W'
	}
	if missing == 0 {
		return
	}
	for i := len(t.colours) - 1; i > 0; i-- {
		if t.colours[i] == t.colours[i-1] {
			t.g.Shift(i)
		}
	}
	if len(t.colours) > 0 && t.colours[0] != first {
		t.g.Shift(0)
	}
	from := len(t.g.Moves)
	for range missing {
		t.g.Moves = append(t.g.Moves, record.Move{})
	}
	to := len(t.g.Moves)
	for from < to {
		from, to = from-1, to-1
		t.g.Moves[to] = t.g.Moves[from]
		if from > 0 && t.colours[from] == t.colours[from-1] {
			to--
			t.g.Moves[to] = record.Move{}
		}
	}
}

// variant makes the tag Variant, as the rules of the game have it: "8" for Othello, and
// for Go the board, the rules, fixed handicap stones and the komi.
func (t *tree) variant(width, height, fixed int) {
	at := len(t.texts)
	t.texts = strconv.AppendInt(t.texts, int64(width), 10)
	if t.info.game != 2 || width != height {
		t.texts = append(t.texts, 'x')
		t.texts = strconv.AppendInt(t.texts, int64(height), 10)
	}
	if t.info.game != 2 {
		if t.info.rules != "" {
			t.texts = append(append(t.texts, ' '), t.info.rules...)
		}
		if fixed > 0 {
			t.texts = append(t.texts, " handicap "...)
			t.texts = strconv.AppendInt(t.texts, int64(fixed), 10)
		}
		if t.info.hasKomi && t.info.komi != 0 {
			t.texts = append(t.texts, " komi "...)
			t.texts = strconv.AppendFloat(t.texts, float64(t.info.komi)/100, 'f', -1, 64)
		}
	}
	t.tag(record.TagVariant, t.texts[at:len(t.texts):len(t.texts)])
}

// position makes the tag FEN:
//
//	Go       the rows from the top with / between them (X black, O white, numbers of empty points),
//	         the side to move (b or w), and the point of a ko
//	Othello  the squares in one row (X, O, and - for empty), and the side to move (X or O)
func (t *tree) position(size int, first byte) {
	at := len(t.texts)
	othello := t.info.game == 2
	for row := range size {
		if row > 0 && !othello {
			t.texts = append(t.texts, '/')
		}
		empty := 0
		for column := range size {
			switch c := t.setup.points[row][column]; {
			case c != 0:
				t.emptyPoints(&empty)
				t.texts = append(t.texts, letter(c))
			case othello:
				t.texts = append(t.texts, '-')
			default:
				empty++
			}
		}
		t.emptyPoints(&empty)
	}
	t.texts = append(t.texts, ' ')
	if othello {
		t.texts = append(t.texts, letter(first))
	} else {
		t.texts = append(t.texts, first|0x20)
		if len(t.info.ko) > 0 {
			t.texts = append(append(t.texts, ' '), t.info.ko...)
		}
	}
	t.tag(record.TagFEN, t.texts[at:len(t.texts):len(t.texts)])
}

func (t *tree) emptyPoints(n *int) {
	if *n > 0 {
		t.texts = strconv.AppendInt(t.texts, int64(*n), 10)
		*n = 0
	}
}

func letter(colour byte) byte {
	if colour == 'B' {
		return 'X'
	}
	return 'O'
}
