package fens

import (
	"bytes"
	"strconv"

	"kifu/ingest/record"
)

// result is the outcome of the game that a position is of.
type result uint8

const (
	unknown result = iota
	drawn
	white
	black
	between // a number between 0 and 1 that is none of these
)

func (r result) other() result {
	switch r {
	case white:
		return black
	case black:
		return white
	}
	return r
}

// facts holds the statements of a line about its position.
type facts struct {
	result        result
	expected      float32 // of a result between, in the same eyes
	soft          bool    // such results are taken
	value         int32
	hasValue      bool
	mover         bool   // the value is the side to move's, like the opcode ce
	move          []byte // that was played
	clock, number []byte // of the opcodes hmvc and fmvn
	boards        bool   // moves are squares
	best, avoid   []byte // moves of the opcodes bm and am
	id            []byte
}

const (
	noResult   = "not a result"
	soft       = "a result between win, draw and loss (--soft takes it)"
	twoResults = "two results that differ"
	noValue    = "not a value"
	twoValues  = "two values"
)

var fringe = lettersOf("| \t\r") // what may be around fields parted by bars

// columns reads fields parted by bars: the result is last, before it the value, before that a
// move.
func (f *facts) columns(rest []byte) (reason string) {
	for len(rest) > 0 && fringe[rest[0]] {
		rest = rest[1:]
	}
	for len(rest) > 0 && fringe[rest[len(rest)-1]] {
		rest = rest[:len(rest)-1]
	}
	for last := true; len(rest) > 0; last = false {
		i := bytes.LastIndexByte(rest, '|')
		field := bytes.TrimSpace(rest[i+1:])
		rest = rest[:max(i, 0)]
		switch {
		case len(field) == 0:
		case last:
			if reason = f.setResult(field); reason != "" {
				return reason
			}
		case isMove(field) && f.move == nil:
			f.move = field
		default:
			if reason = f.setValue(field); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// blanks separate words, which may be in quotes.
const blanks = " \t\r,;\"'"

// cutWord cuts off the first word, and what parts it from the next.
func cutWord(rest []byte) (word, after []byte) {
	rest = bytes.TrimLeft(rest, blanks)
	end := bytes.IndexAny(rest, " \t,;")
	if end < 0 {
		end = len(rest)
	}
	return bytes.TrimRight(rest[:end], blanks), bytes.TrimLeft(rest[end:], blanks)
}

// words reads words parted by blanks, commas and semicolons: one result, and one number that
// is no result, the value. lastIsResult decides whether a last word of 0 or 1 is a result.
func (f *facts) words(rest []byte, lastIsResult func() bool) (reason string) {
	for len(rest) > 0 {
		var word []byte
		if word, rest = cutWord(rest); len(word) == 0 {
			continue
		}
		switch {
		case len(rest) == 0 && len(word) == 1 && word[0]&^1 == '0' && lastIsResult():
			reason = f.setResult(word)
		case isMove(word) && f.move == nil:
			f.move = word
		case isInteger(word) || word[0] == '#':
			reason = f.setValue(word)
		default:
			reason = f.setResult(word)
		}
		if reason != "" {
			return reason
		}
	}
	return ""
}

// opcodes reads the operations of an EPD. The result is an operand that has the form of one,
// whatever its opcode; c0 is the move that was played if it looks like one.
func (f *facts) opcodes(rest []byte) (reason string) {
	for len(rest) > 0 {
		var operation []byte
		operation, rest = cutOperation(rest)
		opcode, operand, _ := bytes.Cut(bytes.TrimSpace(operation), []byte(" "))
		operand = bytes.Trim(bytes.TrimSpace(operand), "\"")
		switch {
		case f.boards && len(opcode) > 3 && opcode[2] == ':' && isPlace(opcode[:2]):
			f.score(opcode[:2], opcode[3:])
		case string(opcode) == "ce":
			if reason = f.setValue(operand); reason == "" {
				f.mover, f.value = true, fromPlies(f.value)
			}
		case string(opcode) == "hmvc" && isInteger(operand):
			f.clock = operand
		case string(opcode) == "fmvn" && isInteger(operand):
			f.number = operand
		case string(opcode) == "c0" && (isMove(operand) || f.boards && (isPlace(operand) || string(operand) == "pass")):
			f.move = operand
		case string(opcode) == record.TagBestMoves:
			f.best = operand
		case string(opcode) == record.TagAvoid:
			f.avoid = operand
		case string(opcode) == record.TagID:
			f.id = operand
		case len(opcode) == 2 && opcode[0] == 'c' || bytes.HasPrefix(opcode, []byte("res")):
			if _, _, not := parseResult(operand); not == "" {
				reason = f.setResult(operand)
			}
		}
		if reason != "" {
			return reason
		}
	}
	return ""
}

// score notes the score of a move in discs, the mover's: the position is worth what its best move is.
func (f *facts) score(move, discs []byte) {
	v, err := strconv.Atoi(string(bytes.TrimPrefix(discs, []byte("+"))))
	if err != nil || v < -64 || v > 64 || f.hasValue && int32(100*v) <= f.value {
		return
	}
	f.value, f.hasValue, f.mover, f.best = int32(100*v), true, true, move
}

// isPlace reports whether a word is a square.
func isPlace(w []byte) bool {
	return len(w) == 2 && w[0]|0x20 >= 'a' && w[0]|0x20 <= 'h' && w[1] >= '1' && w[1] <= '8'
}

// cutOperation cuts after a semicolon that is not in quotes.
func cutOperation(rest []byte) (operation, after []byte) {
	quoted := false
	for i, c := range rest {
		switch {
		case c == '"':
			quoted = !quoted
		case c == ';' && !quoted:
			return rest[:i], bytes.TrimLeft(rest[i+1:], " \t")
		}
	}
	return rest, nil
}

func (f *facts) setResult(word []byte) (reason string) {
	r, expected, reason := parseResult(word)
	switch {
	case reason != "":
		return reason
	case r == between && !f.soft:
		return soft
	case f.result != unknown && (r != f.result || expected != f.expected):
		return twoResults
	}
	f.result, f.expected = r, expected
	return ""
}

// parseResult reads a result, in White's or the mover's eyes: 1-0, 1/2-1/2, [1.0], 0.5, 0, and
// with its number one between: 0.6.
func parseResult(word []byte) (r result, expected float32, reason string) {
	if len(word) > 2 && word[0] == '[' && word[len(word)-1] == ']' {
		word = word[1 : len(word)-1]
	}
	switch string(word) {
	case "1-0", "1.0", "1":
		return white, 0, ""
	case "0-1", "0.0", "0":
		return black, 0, ""
	case "1/2-1/2", "1/2", "0.5":
		return drawn, 0, ""
	case "*", "?":
		return unknown, 0, ""
	}
	p, err := strconv.ParseFloat(string(word), 64)
	switch {
	case err != nil || !(p >= 0 && p <= 1):
		return unknown, 0, noResult
	case p == 1:
		return white, 0, ""
	case p == 0:
		return black, 0, ""
	case p == 0.5:
		return drawn, 0, ""
	}
	return between, float32(p), ""
}

// setValue reads a value in hundredths, or a mate in so many moves (#3, #-3).
func (f *facts) setValue(word []byte) (reason string) {
	if f.hasValue {
		return twoValues
	}
	text, mate := bytes.CutPrefix(word, []byte("#"))
	v, err := strconv.Atoi(string(bytes.TrimPrefix(text, []byte("+"))))
	if err != nil || v > record.MateValue<<1 || -v > record.MateValue<<1 {
		return noValue
	}
	if mate && v >= 0 {
		v = record.MateValue - v
	} else if mate {
		v = -record.MateValue - v
	}
	f.value, f.hasValue = int32(v), true
	return ""
}

// fromPlies turns the value of a ce, in which a mate in n plies is ±(32767-n), into one of
// comments, which count moves.
func fromPlies(v int32) int32 {
	const win = 32767
	switch {
	case v > win-1000:
		return record.MateValue - (win-v+1)/2
	case v < 1000-win:
		return (win+v+1)/2 - record.MateValue
	}
	return v
}

// isMove reports whether a word is a move in coordinates.
func isMove(w []byte) bool {
	square := func(i int) bool { return w[i] >= 'a' && w[i] <= 'h' && w[i+1] >= '1' && w[i+1] <= '8' }
	return (len(w) == 4 || len(w) == 5 && bytes.IndexByte([]byte("nbrq"), w[4]|0x20) >= 0) && square(0) && square(2)
}

func isInteger(w []byte) bool {
	if len(w) > 1 && (w[0] == '+' || w[0] == '-') {
		w = w[1:]
	}
	return len(w) > 0 && only(w, &digits)
}
