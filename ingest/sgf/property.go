package sgf

import (
	"bytes"
	"strconv"

	"kifu/ingest/record"
)

// info has the properties before the first move that determine the start position and the variant.
type info struct {
	game          int // GM; 0 when absent
	width, height int // SZ; 0 when absent
	handicap      int
	komi          int // hundredths
	hasKomi       bool
	rules         string
	toMove        byte // PL: B, W, or 0
	ko            []byte
}

// root takes a property of the nodes before the first move. Tags have the names that
// other formats have for them:
//
//	PB, PW   Black, White
//	BR, WR   BlackElo, WhiteElo when they are numbers, else BR and WR ("9d")
//	EV, RO   Event, Round; TE, of some Japanese programs, is Event too
//	PC, AN   Site, Annotator
//	DT       Date: the first one; DT too if there are more. RD is Date too
//	TM       TimeControl, in seconds
//	CUT      Cut, why the moves end early, of kifu export
//	END      Termination, where RE does not state it, of kifu export
//	KOAT     the point of a ko that may not be retaken at the start, of kifu export
//	RE       the game's result; Score (Black's points minus White's) and Termination
//	         when it has them; RE too when it is none of those forms
//
// Variant and FEN are made of GM, SZ, RU, HA, KM, PL, KOAT and the stones (setup.go). GN, BT,
// WT, KM, HA, RU, OT, AP, SO, US, CP, ON and GC keep their names; all else is passed over.
func (t *tree) root(k name, raw []byte) *fault {
	switch k {
	case gm, sz, pl, ha, km, ru, koAt:
		return t.board(k, raw)
	}
	if k != gc && bytes.IndexByte(raw, '[') > 0 && (bytes.Contains(raw, []byte(";B[")) || bytes.Contains(raw, []byte(";W["))) {
		return &fault{reason: "a value without its end", detail: raw}
	}
	text := t.plain(raw)
	switch k {
	case pb, pw:
		t.players = true
	case br, wr:
		t.rank(k, text)
	case te:
		if string(text) != "1" && string(text) != "2" { // which is tesuji, a judgement of a move
			t.tag(record.TagEvent, text)
		}
	case dt, rd:
		t.date(text)
	case re:
		t.result(text)
	}
	if of, is := tags[k]; is {
		t.tag(of, text)
	}
	return nil
}

// tags are the tags that have the text of a property unchanged.
var tags = map[name]string{
	pb: record.TagBlack, pw: record.TagWhite, ev: record.TagEvent, ro: record.TagRound, pc: record.TagSite, an: record.TagAnnotator,
	tm: record.TagTimeControl, cutShort: record.TagCut, ended: record.TagTermination,
	gn: "GN", bt: "BT", wt: "WT", ot: "OT", ap: "AP", so: "SO", us: "US", cp: "CP", on: "ON", gc: "GC",
}

// board takes a property that the start position or the variant is made of.
func (t *tree) board(k name, raw []byte) *fault {
	text := t.plain(raw)
	switch k {
	case gm:
		if t.info.game, _ = strconv.Atoi(string(text)); t.info.game > 2 {
			return &fault{reason: gameName(t.info.game) + " is not played here"}
		}
	case sz:
		width, height, two := bytes.Cut(text, []byte(":"))
		t.info.width, _ = strconv.Atoi(string(bytes.TrimSpace(width)))
		if t.info.height = t.info.width; two {
			t.info.height, _ = strconv.Atoi(string(bytes.TrimSpace(height)))
		}
	case pl:
		t.info.toMove = sideOf(text)
	case koAt:
		t.info.ko = text
	case ha:
		t.info.handicap = handicap(text)
		t.tag("HA", text)
	case km:
		t.info.komi, t.info.hasKomi = komi(text)
		t.tag("KM", text)
	case ru:
		t.info.rules = rules(t.lower(text))
		t.tag("RU", text)
	}
	return nil
}

// sideOf reads PL: B, W, black, white, and 1 or 2 of old programs.
func sideOf(text []byte) byte {
	if len(text) == 0 {
		return 0
	}
	switch text[0] | 0x20 {
	case 'b', '1' | 0x20:
		return 'B'
	case 'w', '2' | 0x20:
		return 'W'
	}
	return 0
}

// gameNames are the games of GM from 3 on, as the definition of FF[4] lists them.
var gameNames = [...]string{3: "chess", 4: "gomoku", 5: "nine men's morris", 6: "backgammon", 7: "xiangqi", 8: "shogi",
	9: "lines of action", 10: "ataxx", 11: "hex", 12: "jungle", 13: "neutron", 14: "philosopher's football", 15: "quadrature",
	16: "trax", 17: "tantrix", 18: "amazons", 19: "octi", 20: "gess", 21: "twixt", 22: "zertz", 23: "plateau", 24: "yinsh",
	25: "punct", 26: "gobblet", 27: "hive", 28: "exxit", 29: "hnefatafl", 30: "kuba", 31: "tripples", 32: "chase",
	33: "tumbling down", 34: "sahara", 35: "byte", 36: "focus", 37: "dvonn", 38: "tamsk", 39: "gipf", 40: "kropki"}

func gameName(n int) string {
	if n >= 3 && n < len(gameNames) {
		return gameNames[n]
	}
	return "game type " + strconv.Itoa(n)
}

// tag appends a tag, unless its value is empty.
func (t *tree) tag(name string, value []byte) {
	if len(value) > 0 {
		t.g.Tags = append(t.g.Tags, record.Tag{Name: t.constant(name), Value: value})
	}
}

// constant is the bytes of a tag's name.
func (t *tree) constant(text string) []byte {
	at := len(t.texts)
	t.texts = append(t.texts, text...)
	return t.texts[at:len(t.texts):len(t.texts)]
}

// rank takes a player's strength.
func (t *tree) rank(k name, text []byte) {
	for _, c := range text {
		if c < '0' || c > '9' {
			t.tag(string([]byte{byte(k >> 8), byte(k)}), text)
			return
		}
	}
	if k == br {
		t.tag(record.TagBlackElo, text)
	} else {
		t.tag(record.TagWhiteElo, text)
	}
}

// date takes the first date of a list.
func (t *tree) date(text []byte) {
	one, _, more := bytes.Cut(text, []byte(","))
	t.tag(record.TagDate, bytes.TrimSpace(one))
	if more {
		t.tag("DT", text)
	}
}

// plain returns what a value means: escapes are resolved, a line break after one is nothing,
// and line breaks are blanks.
func (t *tree) plain(raw []byte) []byte { return t.text(raw, ' ') }

// text is plain with such a byte for a line break.
func (t *tree) text(raw []byte, lineBreak byte) []byte {
	raw = bytes.TrimSpace(raw)
	if bytes.IndexByte(raw, '\\') < 0 && bytes.IndexByte(raw, '\r') < 0 && bytes.IndexByte(raw, '\n') < 0 {
		return raw
	}
	at := len(t.texts)
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		escaped := c == '\\' && i+1 < len(raw)
		if escaped {
			i++
			c = raw[i]
		}
		if c == '\r' || c == '\n' {
			if i+1 < len(raw) && raw[i+1] == '\r'+'\n'-c {
				i++
			}
			if escaped {
				continue
			}
			c = lineBreak
		}
		t.texts = append(t.texts, c)
	}
	return t.texts[at:len(t.texts):len(t.texts)]
}
