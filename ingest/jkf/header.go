package jkf

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"kifu/ingest/record"
	shogi "kifu/ingest/record/japanese"
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

// tagOf are the names of the header that become tags; others keep their names, except 手合割, which the start
// replaces. 持ち時間 also makes a TimeControl and a Byoyomi, as in KIF.
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
		case name == "持ち時間":
			read.clocks = shogi.Limit([]byte(value))
			read.limit(g)
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

// limit notes the time given, unless the header names it.
func (read *game) limit(g *record.Game) {
	if c := &read.clocks; c.Running && read.Header[record.TagTimeControl] == "" {
		g.Tags = append(g.Tags, record.Tag{Name: []byte(record.TagTimeControl), Value: c.AppendControl(nil)})
		if _, named := read.Header["Byoyomi"]; c.Byoyomi > 0 && !named {
			g.Tags = append(g.Tags, record.Tag{Name: []byte("Byoyomi"), Value: strconv.AppendInt(nil, c.Byoyomi/1000, 10)})
		}
	}
}

// end notes the ending, entry at of the moves, of a game in which White, or else Black, moves
// first; false if it is none.
func (read *game) end(g *record.Game, at int, white bool) (known bool) {
	n := 0
	for _, m := range read.Moves[:at] {
		if m.Move != nil {
			n++
		}
	}
	e, black, known := shogi.EndingOf([]byte(read.Moves[at].Special), (n%2 == 0) != white)
	if known {
		g.Result = shogi.Result(e.Wins, black)
		g.Tags = append(g.Tags, record.Tag{Name: []byte(record.TagTermination), Value: e.Why})
	}
	return known
}
