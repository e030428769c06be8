package jkf

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// scan reads an object of JKF as programs write it, in a tenth of the time of encoding/json: keys of
// which the format knows, each once, and no string with an escape. It fails at everything else,
// damage included, which is then for encoding/json to read or to refuse, so that it knows
// no more of JSON than it needs. What it returns is valid until the next object.
type scan struct {
	d       []byte
	at      int
	bad     bool
	game    game
	squares []square
	played  []played
	yes, no bool
}

// read returns the object that d begins with, and its length; nil if it has to be read by
// encoding/json.
func (s *scan) read(d []byte) (read *game, n int) {
	s.d, s.at, s.bad, s.yes, s.no = d, 0, false, true, false
	s.squares, s.played = s.squares[:0], s.played[:0]
	s.game = game{Header: map[string]string{}, Moves: s.game.Moves[:0]}
	s.object(func(key []byte) (seen uint) {
		switch string(key) {
		case "header":
			s.object(s.header)
			return 1
		case "initial":
			s.game.Initial = &initial{}
			s.object(s.initial)
			return 2
		case "moves":
			s.array(func() { s.game.Moves = append(s.game.Moves, s.move()) })
			return 4
		}
		s.bad = true
		return 0
	})
	if s.bad {
		return nil, 0
	}
	return &s.game, s.at
}

func (s *scan) header(name []byte) uint {
	if _, twice := s.game.Header[string(name)]; twice {
		s.bad = true
	}
	s.game.Header[string(name)] = string(s.text())
	return 0
}

func (s *scan) initial(key []byte) uint {
	s.bad = s.bad || string(key) != "preset"
	s.game.Initial.Preset = string(s.text())
	return 1
}

// move reads an element of moves.
func (s *scan) move() (m move) {
	s.object(func(key []byte) (seen uint) {
		switch string(key) {
		case "move":
			m.Move = s.playing()
			return 1
		case "comments":
			s.array(func() { m.Comments = append(m.Comments, string(s.text())) })
			return 2
		case "special":
			m.Special = string(s.text())
			return 4
		case "time":
			s.skip(0)
			return 8
		case "forks":
			s.array(func() {
				s.skip(0)
				m.Forks = append(m.Forks, nil)
			})
			return 16
		}
		s.bad = true
		return 0
	})
	return m
}

// playing reads the value of move.
func (s *scan) playing() *played {
	s.played = append(s.played, played{})
	p := &s.played[len(s.played)-1]
	s.object(func(key []byte) (seen uint) {
		switch string(key) {
		case "from":
			p.From = s.square()
			return 1
		case "to":
			p.To = s.square()
			return 2
		case "piece":
			p.Piece = kindOf(s.text())
			return 4
		case "same":
			p.Same = s.boolean()
			return 8
		case "promote":
			if p.Promote = &s.no; s.boolean() {
				p.Promote = &s.yes
			}
			return 16
		case "relative":
			p.Relative = string(s.text())
			return 32
		case "color":
			s.number()
			return 64
		case "capture":
			s.text()
			return 128
		}
		s.bad = true
		return 0
	})
	return p
}

func (s *scan) square() *square {
	s.squares = append(s.squares, square{})
	at := &s.squares[len(s.squares)-1]
	s.object(func(key []byte) (seen uint) {
		switch string(key) {
		case "x":
			at.X = s.number()
			return 1
		case "y":
			at.Y = s.number()
			return 2
		}
		s.bad = true
		return 0
	})
	return at
}

// peek returns the next character that is no space, 0 at the end.
func (s *scan) peek() byte {
	for ; s.at < len(s.d); s.at++ {
		if c := s.d[s.at]; c > ' ' || c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
	}
	return 0
}

// next reports whether the next character is c, and passes it if so.
func (s *scan) next(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.at++
	return true
}

func (s *scan) must(c byte) { s.bad = !s.next(c) || s.bad }

// object reads an object; member reads the value of a key, and returns a bit of its own if the key
// may not come again.
func (s *scan) object(member func(key []byte) uint) {
	s.must('{')
	if s.bad || s.next('}') {
		return
	}
	for seen := uint(0); !s.bad; {
		key := s.text()
		if s.must(':'); s.bad {
			return
		}
		bit := member(key)
		s.bad = s.bad || seen&bit != 0
		if seen |= bit; !s.next(',') {
			s.must('}')
			return
		}
	}
}

func (s *scan) array(element func()) {
	s.must('[')
	if s.bad || s.next(']') {
		return
	}
	for !s.bad {
		if element(); !s.next(',') {
			s.must(']')
			return
		}
	}
}

// kindOf returns a text, that of a kind without an allocation.
func kindOf(text []byte) string {
	if i := strings.Index(pieces, string(text)); i >= 0 {
		return pieces[i : i+len(text)]
	}
	return string(text)
}

// text reads a string without an escape.
func (s *scan) text() []byte {
	s.must('"')
	ascii := true
	for i := s.at; !s.bad && i < len(s.d); i++ {
		switch c := s.d[i]; {
		case c == '"':
			b := s.d[s.at:i]
			s.at = i + 1
			s.bad = !ascii && !utf8.Valid(b)
			return b
		case c < ' ' || c == '\\':
			s.bad = true
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	s.bad = true
	return nil
}

// number reads a number of at most four digits.
func (s *scan) number() (n int) {
	s.peek()
	from := s.at
	for ; s.at < len(s.d) && s.d[s.at]-'0' <= 9; s.at++ {
		n = 10*n + int(s.d[s.at]-'0')
	}
	if digits := s.at - from; digits == 0 || digits > 4 || digits > 1 && s.d[from] == '0' {
		s.bad = true
	}
	return n
}

func (s *scan) boolean() bool {
	s.peek()
	switch rest := s.d[s.at:]; {
	case bytes.HasPrefix(rest, []byte("true")):
		s.at += 4
		return true
	case bytes.HasPrefix(rest, []byte("false")):
		s.at += 5
	default:
		s.bad = true
	}
	return false
}

// skip passes a value of any kind.
func (s *scan) skip(depth int) {
	switch c := s.peek(); {
	case s.bad || depth > 100:
		s.bad = true
	case c == '{':
		s.object(func([]byte) uint {
			s.skip(depth + 1)
			return 0
		})
	case c == '[':
		s.array(func() { s.skip(depth + 1) })
	case c == '"':
		s.text()
	case c == 't' || c == 'f':
		s.boolean()
	default:
		s.number()
	}
}
