package legal

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"kifu/ingest/record"
	"kifu/ingest/rows"
)

// line has the playable part of the moves of a record.
type line[P any] struct {
	codes   []byte // of the moves, packed
	end     P      // the position after them
	err     error  // of the next move, or nil
	foreign bool   // a move had a letter that only its dialect has
	passes  []int  // plies of passes that the record leaves out
	opening string // where the record has none: the code of the last listed position, or the name that most positions show
}

// Plies of the positions whose names of openings are counted, in games whose openings are shown by positions alone.
const firstShown, lastShown = 16, 40

// usualNotation is the number of the game's own notation among its dialects.
const usualNotation = -1

// play plays moves written in a dialect, and puts their codes after codes.
func (p *player[P]) play(dialect int, pos P, moves []record.Move, codes []byte) line[P] {
	l := line[P]{}
	clear(p.shown)
	for i := range moves {
		text := moves[i].Text
		if dialect != usualNotation {
			var foreign bool
			p.text, foreign = p.dialects.Translate(p.text[:0], dialect, text)
			text, l.foreign = p.text, l.foreign || foreign
		}
		m, err := p.rules.ParseMove(pos, text)
		if err != nil && p.passer != nil {
			if pass, forced := p.passer.ForcedPass(pos); forced {
				l.passes = append(l.passes, len(codes)/2)
				codes = binary.LittleEndian.AppendUint16(codes, p.rules.PackMove(pos, pass))
				pos = pos.Play(pass)
				m, err = p.rules.ParseMove(pos, text)
			}
		}
		if err != nil {
			l.err = err
			break
		}
		codes = binary.LittleEndian.AppendUint16(codes, p.rules.PackMove(pos, m))
		pos = pos.Play(m)
		if p.coding {
			l.opening = p.openingAt(i+1, pos, l.opening)
		}
	}
	l.codes, l.end = codes, pos
	return l
}

// openingAt returns the opening of a game that has come to pos, before which it was another.
func (p *player[P]) openingAt(ply int, pos P, before string) string {
	if p.listed != nil {
		return cmp.Or(p.listed.OpeningCode(pos), before)
	}
	if ply < firstShown || ply > lastShown {
		return before
	}
	name := p.openings.OpeningName(pos)
	if name == "" {
		return before
	}
	if p.shown[name]++; p.shown[name] > p.shown[before] {
		return name
	}
	return before
}

// playForeign plays moves in all dialects, after the usual notation came no further than usual.
// It returns the line that goes furthest; names are the dialects that go so far, the one of
// this line first. Dialects that agree with it are not named. A dialect counts only if a letter
// is its own and it comes further than the usual notation. Unless it reads all moves, it must
// be the only one.
func (p *player[P]) playForeign(start P, moves []record.Move, usual line[P]) (best line[P], names []string) {
	best = usual
	for i, name := range p.dialects.Dialects() {
		l := p.play(i, start, moves, nil)
		switch {
		case !l.foreign || len(l.codes) < len(best.codes) || len(l.codes) == len(usual.codes):
		case len(l.codes) > len(best.codes):
			best, names = l, append(names[:0], name)
		case !bytes.Equal(l.codes, best.codes):
			names = append(names, name)
		}
	}
	if len(names) > 1 && best.err != nil {
		return usual, nil
	}
	return best, names
}

// playOther plays moves that fail after usual from the other start of the variant, and
// fills r with that start if they all are legal there.
func (p *player[P]) playOther(g *record.Game, h rows.Header, r *rows.Row, usual line[P]) line[P] {
	variant := string(rows.TagValue(g, h.Variant))
	start, ok := p.others.OtherStart(variant)
	if !ok {
		return usual
	}
	l := p.play(usualNotation, start, g.Moves, nil)
	if l.err != nil {
		return usual
	}
	text := p.rules.AppendPosition(nil, start)
	_, canonical, err := p.rules.Start(variant, string(text))
	if err != nil {
		return usual
	}
	r.Variant, r.Start, r.Other = canonical, append(r.Start[:0], text...), true
	return l
}

// putPasses writes into g the passes that its record leaves out.
func putPasses(g *record.Game, plies []int) {
	for _, ply := range plies {
		g.Moves = slices.Insert(g.Moves, min(ply, len(g.Moves)), record.Move{Text: []byte("pass")})
		g.Shift(ply)
	}
}
