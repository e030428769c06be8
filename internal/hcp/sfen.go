package hcp

import (
	"bytes"
	"errors"
	"strconv"
)

// Start is the usual start.
const Start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

// handOrder is the order of SFEN's hands, in Kinds.
var handOrder = [7]int{6, 5, 4, 3, 2, 1, 0}

// AppendSFEN appends p as SFEN, as move 1.
func (p *Position) AppendSFEN(dst []byte) []byte {
	for rank := range 9 {
		if rank > 0 {
			dst = append(dst, '/')
		}
		empty := 0
		for file := 8; file >= 0; file-- {
			piece := p.Squares[9*file+rank]
			if piece == 0 {
				empty++
				continue
			}
			if empty > 0 {
				dst, empty = append(dst, byte('0'+empty)), 0
			}
			if piece&Promoted != 0 {
				dst = append(dst, '+')
			}
			dst = append(dst, piece&^Promoted)
		}
		if empty > 0 {
			dst = append(dst, byte('0'+empty))
		}
	}
	dst = append(dst, ' ', "bw"[one(p.White)], ' ')
	from := len(dst)
	for side := range p.Hands {
		for _, k := range handOrder {
			n := p.Hands[side][k]
			if n > 1 {
				dst = strconv.AppendUint(dst, uint64(n), 10)
			}
			if n > 0 {
				dst = append(dst, Kinds[k]|byte(side)<<5)
			}
		}
	}
	if len(dst) == from {
		dst = append(dst, '-')
	}
	return append(dst, " 1"...)
}

var errSFEN = errors.New("unreadable SFEN")

// ParseSFEN reads an SFEN, with or without the number of the move.
func ParseSFEN(text []byte) (p Position, err error) {
	fields := bytes.Fields(text)
	if len(fields) < 3 || string(fields[1]) != "b" && string(fields[1]) != "w" {
		return p, errSFEN
	}
	p.White = fields[1][0] == 'w'
	file, rank, promoted := 8, 0, byte(0)
	for _, ch := range fields[0] {
		switch {
		case ch == '/':
			file, rank = 8, rank+1
		case ch == '+':
			promoted = Promoted
		case ch >= '1' && ch <= '9':
			file -= int(ch - '0')
		case file < 0 || rank > 8 || kind(ch) < 0 && ch&^32 != 'K':
			return p, errSFEN
		default:
			p.Squares[9*file+rank] = ch | promoted
			file, promoted = file-1, 0
		}
	}
	n := 0
	for _, ch := range fields[2] {
		switch k := kind(ch); {
		case ch == '-':
		case ch >= '0' && ch <= '9':
			n = min(10*n+int(ch-'0'), 99)
		case k < 0:
			return p, errSFEN
		default:
			p.Hands[ch>>5&1][k] += uint8(max(n, 1))
			n = 0
		}
	}
	return p, nil
}
