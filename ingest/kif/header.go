package kif

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"kifu/ingest/record"
	"kifu/ingest/record/japanese"
)

// tagOf are the lines of a header that become tags of other names:
//
//	先手, 下手, 後手, 上手     Black, Black, White, White
//	棋戦, 場所, 戦型           Event, Site, Opening
//	開始日時, 対局日           Date and, when there is more, Time
//	終了日時                   END_TIME
//	持ち時間                   TimeControl, in seconds, and Byoyomi; it stays a tag, too
//	手合割                     Variant, unless a board is given
//	a board, hands, 後手番     FEN
//
// The ending is the tag Termination, with the result that it means; a summary with a different ending is
// the tag Summary. Other lines keep their names.
var tagOf = []struct{ name, tag []byte }{
	{[]byte("先手"), []byte(record.TagBlack)}, {[]byte("下手"), []byte(record.TagBlack)},
	{[]byte("後手"), []byte(record.TagWhite)}, {[]byte("上手"), []byte(record.TagWhite)},
	{[]byte("棋戦"), []byte(record.TagEvent)}, {[]byte("場所"), []byte(record.TagSite)},
	{[]byte("戦型"), []byte(record.TagOpening)},
	{[]byte("開始日時"), []byte(record.TagDate)}, {[]byte("対局日"), []byte(record.TagDate)},
	{[]byte("終了日時"), []byte("END_TIME")},
}

var (
	tagTime        = []byte(record.TagTime)
	tagVariant     = []byte(record.TagVariant)
	tagFEN         = []byte(record.TagFEN)
	tagTimeControl = []byte(record.TagTimeControl)
	tagTermination = []byte(record.TagTermination)
	tagByoyomi     = []byte("Byoyomi")
	tagSummary     = []byte("Summary")
	tagValuesOf    = []byte("ValuesOf")
)

// cutName cuts a line at its colon, wide or, after a name that is not ASCII, narrow.
func cutName(line []byte) (name, value []byte, found bool) {
	name, value, found = bytes.Cut(line, []byte("："))
	if !found {
		if name, value, found = bytes.Cut(line, []byte(":")); !found || len(name) == 0 || name[0] < utf8.RuneSelf {
			return nil, nil, false
		}
	}
	name = trim(name)
	const longest = 60 // bytes; a sentence is no name
	return name, trim(value), len(name) > 0 && len(name) <= longest
}

// head reads a line of the header.
func (r *BlockReader) head(g *record.Game, line []byte) {
	switch string(line) {
	case "後手番", "上手番":
		r.white, r.turn = true, true
		return
	case "先手番", "下手番":
		r.white, r.turn = false, true
		return
	}
	name, value, found := cutName(line)
	if !found {
		return
	}
	r.begin(g)
	switch string(name) {
	case "先手の持駒", "下手の持駒", "先手の持ち駒", "下手の持ち駒":
		r.hand(false, value)
		return
	case "後手の持駒", "上手の持駒", "後手の持ち駒", "上手の持ち駒":
		r.hand(true, value)
		return
	case "手合割":
		value, _, _ = bytes.Cut(value, []byte("#")) // a remark
		r.variant = trim(value)
		return
	case "持ち時間":
		r.clocks = japanese.Limit(value)
	case "開始日時", "対局日":
		r.date(g, value)
		return
	}
	for i := range tagOf {
		if bytes.Equal(name, tagOf[i].name) {
			name = tagOf[i].tag
			break
		}
	}
	add(g, name, value)
}

func add(g *record.Game, name, value []byte) {
	if len(value) > 0 {
		g.Tags = append(g.Tags, record.Tag{Name: name, Value: value})
	}
}

// date reads 2008/12/20(土) and 2014/09/13 14：59.
func (r *BlockReader) date(g *record.Game, value []byte) {
	n := 0
	for n < len(value) && (value[n] >= '0' && value[n] <= '9' || value[n] == '/' || value[n] == '-' || value[n] == '.') {
		n++
	}
	if n == 0 || bytes.HasPrefix(value[n:], []byte("年")) {
		n = len(value)
	}
	add(g, []byte(record.TagDate), value[:n])
	rest := value[n:]
	if len(rest) > 0 && rest[0] == '(' {
		if i := bytes.IndexByte(rest, ')'); i >= 0 {
			rest = rest[i+1:]
		}
	}
	if rest = trim(bytes.TrimPrefix(rest, []byte("T"))); len(rest) > 0 {
		from := len(r.made)
		r.made = append(r.made, bytes.ReplaceAll(rest, []byte("："), []byte(":"))...)
		add(g, tagTime, r.made[from:])
	}
}

// rank reads a rank of the board, v香 ・ 歩 …|一: nine squares from file 9 on.
func (r *BlockReader) rank(line []byte) {
	if r.moving || r.ranks == 9 {
		return
	}
	r.place9()
	r.ranks++
	white := false
	for file := 9; file > 0 && len(line) > 0; {
		c, n := utf8.DecodeRune(line)
		line = line[n:]
		switch c {
		case ' ', '^':
			white = false
			continue
		case 'v', 'V', 'ｖ':
			white = true
			continue
		case '|':
			return
		}
		if k := kinds[c]; k != 0 {
			r.board.Put(white, k, file, r.ranks)
		}
		file--
		white = false
	}
}

// place9 makes the board empty when the first thing is put there.
func (r *BlockReader) place9() {
	if !r.placed {
		r.placed = true
		r.board.Clear()
	}
}

// hand reads 飛二　角　歩十七, with wide or narrow blanks or none; なし is none.
func (r *BlockReader) hand(white bool, value []byte) {
	r.place9()
	var kind japanese.Kind
	n := 0
	give := func() {
		if kind != 0 {
			r.board.Give(white, kind, max(n, 1))
		}
		kind, n = 0, 0
	}
	for len(value) > 0 {
		c, size := utf8.DecodeRune(value)
		value = value[size:]
		switch d := japanese.Numeral(c); {
		case c == '十':
			n = max(n, 1) * 10
		case d > 0 && n%10 == 0 && n > 0, d > 0 && n == 0:
			n += d
		case d > 0:
			n = 10*n + d
		default:
			if k := kinds[c]; k != 0 {
				give()
				kind = k
			}
		}
	}
	give()
}

// kinds are the kinds of the pieces on a board.
var kinds = map[rune]japanese.Kind{
	'歩': 'P', '香': 'L', '桂': 'N', '銀': 'S', '金': 'G', '角': 'B', '飛': 'R', '玉': 'K', '王': 'K',
	'と': 'P' | japanese.Promoted, '杏': 'L' | japanese.Promoted, '仝': 'L' | japanese.Promoted, '圭': 'N' | japanese.Promoted, '今': 'N' | japanese.Promoted,
	'全': 'S' | japanese.Promoted, '馬': 'B' | japanese.Promoted, '龍': 'R' | japanese.Promoted, '竜': 'R' | japanese.Promoted,
}

// close ends the header and lets keep see g, once.
func (r *BlockReader) close(g *record.Game) {
	if r.moving {
		return
	}
	r.moving = true
	even := len(r.variant) == 0 || bytes.Equal(r.variant, []byte("平手")) || bytes.Equal(r.variant, []byte("その他"))
	if !r.turn {
		r.white = !even
	}
	if r.placed {
		r.board.White = r.white
		if !r.board.Usual() {
			from := len(r.made)
			r.made = r.board.AppendSFEN(r.made)
			add(g, tagFEN, r.made[from:])
		}
	} else if !even {
		add(g, tagVariant, r.variant)
	}
	if r.clocks.Running {
		from := len(r.made)
		r.made = r.clocks.AppendControl(r.made)
		add(g, tagTimeControl, r.made[from:])
		if r.clocks.Byoyomi > 0 {
			from = len(r.made)
			r.made = strconv.AppendInt(r.made, r.clocks.Byoyomi/1000, 10)
			add(g, tagByoyomi, r.made[from:])
		}
	}
	if r.keep != nil {
		g.Skipped = !r.keep(g)
	}
}
