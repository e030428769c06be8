package jkf

import (
	"maps"
	"slices"
	"strings"

	"kifu/ingest/record"
)

// presets are the handicaps by their names in records.
var presets = map[string]string{
	"KY": "香落ち", "KY_R": "右香落ち", "KA": "角落ち", "HI": "飛車落ち", "HIKY": "飛香落ち", "2": "二枚落ち", "3": "三枚落ち", "4": "四枚落ち",
	"5": "五枚落ち", "5_L": "左五枚落ち", "6": "六枚落ち", "7_L": "左七枚落ち", "7_R": "右七枚落ち", "8": "八枚落ち", "10": "十枚落ち",
}

// PresetOf returns the preset of a handicap by its name in records.
func PresetOf(japanese string) (preset string, known bool) {
	for preset, name := range presets {
		if name == japanese {
			return preset, true
		}
	}
	return "", false
}

// tagOf are the names of the header that become tags; others keep their names, but for 手合割,
// which the start says.
var tagOf = map[string]string{
	"先手": record.TagBlack, "下手": record.TagBlack, "後手": record.TagWhite, "上手": record.TagWhite,
	"棋戦": record.TagEvent, "場所": record.TagSite, "戦型": record.TagOpening, "開始日時": record.TagDate, "対局日": record.TagDate, "終了日時": "END_TIME",
}

// tags notes the header, in the order of its names.
func (read *game) tags(g *record.Game) {
	for _, name := range slices.Sorted(maps.Keys(read.Header)) {
		value := strings.TrimSpace(read.Header[name])
		if tag, known := tagOf[name]; known {
			name = tag
		}
		switch {
		case value == "" || name == "手合割":
			continue
		case name == record.TagDate:
			date, time, _ := strings.Cut(value, " ")
			value = strings.ReplaceAll(date, "/", ".")
			if time != "" {
				g.Tags = append(g.Tags, record.Tag{Name: []byte(record.TagTime), Value: []byte(time)})
			}
		}
		g.Tags = append(g.Tags, record.Tag{Name: []byte(name), Value: []byte(value)})
	}
}

// endings are the endings of CSA: who wins, 1 the side to move, -1 the other, 0 nobody, 2 nothing is
// said; and why.
var endings = map[string]struct {
	wins int
	why  string
}{
	"TORYO": {-1, record.Resignation}, "TIME_UP": {-1, record.TimeForfeit}, "ILLEGAL_MOVE": {-1, "illegal move"}, "TSUMI": {-1, "checkmate"},
	"ILLEGAL_ACTION": {1, "illegal move"}, "KACHI": {1, "declaration"}, "SENNICHITE": {0, "repetition"}, "JISHOGI": {0, "impasse"}, "HIKIWAKE": {0, "draw"},
	"MAX_MOVES": {0, "length limit"}, "CHUDAN": {2, record.Abandoned}, "FUZUMI": {2, "no mate"}, "MATTA": {2, "a move taken back"}, "ERROR": {2, "error"},
}

// end notes the ending of a game in which Black, or else White, is to move.
func end(g *record.Game, special string, black bool) {
	e, known := endings[strings.TrimLeft(special, "+-")]
	if !known {
		e.wins, e.why = 2, special
	}
	if special[0] == '+' || special[0] == '-' { // the foul of that side, whoever is to move
		e.wins, black = -1, special[0] == '+'
	}
	switch {
	case e.wins == 2:
		g.Result = []byte("*")
	case e.wins == 0:
		g.Result = []byte(record.Drawn)
	case (e.wins > 0) == black:
		g.Result = []byte(record.FirstWins)
	default:
		g.Result = []byte(record.SecondWins)
	}
	g.Tags = append(g.Tags, record.Tag{Name: []byte(record.TagTermination), Value: []byte(e.why)})
}
