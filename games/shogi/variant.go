package shogi

import (
	"strings"

	"kifu/games"
)

// Handicap is a way to give pieces: the giver is White, and moves first.
type Handicap struct {
	Name     string // here: "standard", "handicap-lance", …
	Japanese string // in 手合割
	Board    string // of the SFEN
	Side     games.Side
}

// Handicaps are the starts with a name, the usual one first.
var Handicaps = []Handicap{
	{"standard", "平手", "lnsgkgsnl/1r5b1/", Black},
	{"handicap-lance", "香落ち", "lnsgkgsn1/1r5b1/", White},
	{"handicap-right-lance", "右香落ち", "1nsgkgsnl/1r5b1/", White},
	{"handicap-bishop", "角落ち", "lnsgkgsnl/1r7/", White},
	{"handicap-rook", "飛車落ち", "lnsgkgsnl/7b1/", White},
	{"handicap-rook-lance", "飛香落ち", "lnsgkgsn1/7b1/", White},
	{"handicap-2", "二枚落ち", "lnsgkgsnl/9/", White},
	{"handicap-3", "三枚落ち", "lnsgkgsn1/9/", White},
	{"handicap-4", "四枚落ち", "1nsgkgsn1/9/", White},
	{"handicap-5", "五枚落ち", "2sgkgsn1/9/", White},
	{"handicap-5-left", "左五枚落ち", "1nsgkgs2/9/", White},
	{"handicap-6", "六枚落ち", "2sgkgs2/9/", White},
	{"handicap-7-left", "左七枚落ち", "2sgkg3/9/", White},
	{"handicap-7-right", "右七枚落ち", "3gkgs2/9/", White},
	{"handicap-8", "八枚落ち", "3gkg3/9/", White},
	{"handicap-10", "十枚落ち", "4k4/9/", White},
}

// rest is the common end of all handicaps.
const rest = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"

// SFEN returns the start position.
func (h Handicap) SFEN() string { return h.Board + rest + " " + "bw"[h.Side:h.Side+1] + " - 1" }

// problem is the variant of all starts without a name.
const problem = "problem"

// handicapOf returns the handicap that begins with p.
func handicapOf(p *Position) (Handicap, bool) {
	text := p.String()
	board, more, _ := strings.Cut(text, " ")
	for _, h := range Handicaps {
		if board == h.Board+rest && more[0] == "bw"[h.Side] && strings.HasPrefix(more[2:], "- ") {
			return h, true
		}
	}
	return Handicap{}, false
}

// handicapNamed returns the handicap of a name in a record: its own, or the one in 手合割,
// which may lack its last syllables and be padded.
func handicapNamed(name string) (Handicap, bool) {
	name = strings.TrimFunc(name, func(r rune) bool { return r <= ' ' || r == '\u3000' })
	if name == "" {
		return Handicaps[0], true
	}
	for _, h := range Handicaps {
		if strings.EqualFold(name, h.Name) || name == h.Japanese || name+"ち" == h.Japanese || name+"落ち" == h.Japanese ||
			strings.ReplaceAll(name, "落", "落ち") == h.Japanese {
			return h, true
		}
	}
	switch name {
	case "左香落ち", "左香落":
		return Handicaps[1], true
	case "飛落ち", "飛落":
		return Handicaps[4], true
	case "右五枚落ち", "右五枚落":
		return Handicaps[9], true
	case "七枚落ち", "七枚落":
		return Handicaps[13], true
	}
	return Handicap{}, false
}

// Start plays handicaps by their names here or in 手合割, and any position. The variant
// of a position is the handicap that begins with it, else "problem"; of その他 without a
// position it is the usual start.
func (Rules) Start(variant, position string) (Position, string, error) {
	if position != "" {
		p, err := ParseSFEN(position)
		if err != nil {
			return Position{}, "", err
		}
		if h, ok := handicapOf(&p); ok {
			return p, h.Name, nil
		}
		return p, problem, nil
	}
	h, ok := handicapNamed(variant)
	if !ok {
		if name := strings.TrimSpace(variant); name != problem && name != "その他" {
			return Position{}, "", games.UnknownVariant(name)
		}
		h = Handicaps[0]
	}
	p, err := ParseSFEN(h.SFEN())
	return p, h.Name, err
}
