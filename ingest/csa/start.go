package csa

import (
	"bytes"

	"kifu/ingest/record/japanese"
)

// position reads PI with its removals, a rank of the board, or pieces one by one.
func (r *BlockReader) position(at int, line []byte) error {
	b := &r.board
	first := !r.begun
	r.begun, r.placed = true, true
	switch c := line[1]; {
	case c == 'I':
		b.SetUp()
		for s := line[2:]; len(s) > 0; s = s[4:] {
			k, file, rank, ok := piece(s)
			if !ok || !b.Take(k, file, rank) {
				return r.places.Fault(at, "not a piece of the start", line)
			}
		}
	case c >= '1' && c <= '9':
		if first {
			b.Clear()
		}
		return r.rank(at, line)
	case c == '+', c == '-':
		if first {
			b.Clear()
		}
		return r.pieces(at, line)
	default:
		return r.places.Fault(at, "not a statement of CSA", line)
	}
	return nil
}

// rank reads P1-KY-KE …: nine squares from file 9 on, of three characters each. Blanks of empty squares may
// be lost: a star is always one square.
func (r *BlockReader) rank(at int, line []byte) error {
	rank := int(line[1] - '0')
	s, file := line[2:], 9
	for len(s) > 0 {
		switch {
		case s[0] == ' ', s[0] == '.':
			s = s[1:]
		case s[0] == '*' && file > 0:
			s, file = s[1:], file-1
		case (s[0] == '+' || s[0] == '-') && len(s) >= 3:
			k := kinds[string(s[1:3])]
			if k == 0 || !r.board.Put(s[0] == '-', k, file, rank) {
				return r.places.Fault(at, "not a rank of the board", line)
			}
			s, file = s[3:], file-1
		default:
			return r.places.Fault(at, "not a rank of the board", line)
		}
	}
	return nil
}

// pieces reads P+59OU00FU or P-00AL: squares and pieces, square 00 being the hand.
func (r *BlockReader) pieces(at int, line []byte) error {
	white := line[1] == '-'
	for s := line[2:]; len(s) > 0; s = s[4:] {
		if bytes.Equal(s, []byte("00AL")) {
			r.board.GiveRest(white)
			return nil
		}
		k, file, rank, ok := piece(s)
		switch {
		case !ok:
		case file == 0 && rank == 0:
			ok = r.board.Give(white, k, 1)
		default:
			ok = r.board.Put(white, k, file, rank)
		}
		if !ok {
			return r.places.Fault(at, "not a piece and its square", line)
		}
	}
	return nil
}

// piece reads 82HI.
func piece(s []byte) (k japanese.Kind, file, rank int, ok bool) {
	if len(s) < 4 {
		return 0, 0, 0, false
	}
	file, rank = int(s[0])-'0', int(s[1])-'0'
	k = kinds[string(s[2:4])]
	return k, file, rank, k != 0 && file >= 0 && file <= 9 && rank >= 0 && rank <= 9
}

// kinds are the kinds of the pieces by their two letters.
var kinds = map[string]japanese.Kind{
	"FU": 'P', "KY": 'L', "KE": 'N', "GI": 'S', "KI": 'G', "KA": 'B', "HI": 'R', "OU": 'K',
	"TO": 'P' | japanese.Promoted, "NY": 'L' | japanese.Promoted, "NK": 'N' | japanese.Promoted,
	"NG": 'S' | japanese.Promoted, "UM": 'B' | japanese.Promoted, "RY": 'R' | japanese.Promoted,
}
