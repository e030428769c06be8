package shogi

import "kifu/games"

// castle is a way to put the king into safety (囲い): all of its pieces are on these squares.
type castle struct {
	name, japanese string
	pieces         []placedKind // the king first
	mirrored       bool         // also on the other wing
}

// placedKind is a piece on a square in its side's own counting, by file from its right and rank from the far end.
type placedKind struct {
	Kind
	file, rank int
}

// castles are the castles that relations know, by the pieces without which players would not call them so.
var castles = []castle{
	{"yagura", "矢倉", []placedKind{{King, 8, 8}, {Gold, 7, 8}, {Silver, 7, 7}, {Gold, 6, 7}}, false},
	{"mino", "美濃", []placedKind{{King, 2, 8}, {Silver, 3, 8}, {Gold, 4, 9}}, true},
	{"high_mino", "高美濃", []placedKind{{King, 2, 8}, {Silver, 3, 8}, {Gold, 4, 9}, {Gold, 4, 7}}, true},
	{"silver_crown", "銀冠", []placedKind{{King, 2, 8}, {Silver, 2, 7}, {Gold, 3, 8}}, true},
	{"anaguma", "穴熊", []placedKind{{King, 1, 9}, {Lance, 1, 8}, {Silver, 2, 8}}, true},
	{"boat", "舟囲い", []placedKind{{King, 7, 8}, {Silver, 7, 9}, {Gold, 6, 9}, {Gold, 5, 8}}, false},
	{"crab", "カニ囲い", []placedKind{{King, 6, 9}, {Gold, 7, 8}, {Silver, 6, 8}, {Gold, 5, 8}}, false},
}

func castleRelations() (all []games.Relation[Position]) {
	for _, c := range castles {
		all = append(all, c.relation())
	}
	return all
}

// relation counts the chosen kings that are in the castle.
func (c castle) relation() games.Relation[Position] {
	return games.Relation[Position]{Name: c.name, Params: []string{"men"}, Doc: "kings in " + c.japanese + ": " + c.text(),
		Count: func(p Position, a []games.Selection) int {
			chosen, n := p.selected(&a[0]), 0
			for side := Black; side <= White; side++ {
				if of := (camp{&p, side}); chosen.Has(p.King(side)) && (c.holds(of, false) || c.mirrored && c.holds(of, true)) {
					n++
				}
			}
			return n
		}}
}

// holds reports whether all pieces are on their squares, or on the mirrored ones.
func (c castle) holds(of camp, mirrored bool) bool {
	for _, piece := range c.pieces {
		file := piece.file
		if mirrored {
			file = 10 - file
		}
		if !of.at(piece.Kind, file, piece.rank) {
			return false
		}
	}
	return true
}

// text names the pieces as Black has them: K8h, G7h.
func (c castle) text() string {
	text := ""
	for i, piece := range c.pieces {
		if i > 0 {
			text += ", "
		}
		text += pieces[number(piece.Kind, Black)].Letter + string(byte('0'+piece.file)) + string(byte('a'-1+piece.rank))
	}
	if c.mirrored {
		text += ", or mirrored"
	}
	return text
}
