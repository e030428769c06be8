package sgf

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// eastAsian is an encoding of mostly two bytes a character.
type eastAsian struct {
	encoding encoding.Encoding
	// pair says how much two bytes speak for the encoding: they are a character of
	// everyday use (1 or 2), a sign (0), a rare character (less), or none at all (wrong).
	pair func(lead, trail byte) int
	// usual are characters of names, titles and results, which speak for it most.
	usual string
}

// wrong is what bytes say that the encoding has not, and usualScore a usual character.
const (
	wrong      = -8
	usualScore = 4
)

// eastAsians are the encodings that are told apart, the most usual in records first.
var eastAsians = []eastAsian{
	{simplifiedchinese.GB18030, gbPair, "段黑白胜中盘目半子棋围国杯赛第局年月日贴对电脑业余职王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎古聂常芮柯时连檀范江"},
	{traditionalchinese.Big5, big5Pair, "段黑白勝中盤目半子棋圍國盃賽第局年月日貼對電腦業餘職王李張劉陳楊趙黃周吳徐孫胡朱高林何郭馬羅梁宋鄭謝韓唐馮于董蕭程曹袁鄧許傅沈曾彭呂蘇盧蔣蔡賈丁魏薛葉聶常"},
	{japanese.ShiftJIS, sjisPair, "段本因坊戦名人碁聖黒白勝目中押半日年月局第一二三四五六七八九十棋院天元王座田山小林武宮藤沢石加橋大竹井上木谷高川片岡淡路羽根結城趙治勲初"},
	{korean.EUCKR, eucKRPair, "단김이박최정조강윤장임한국기흑백승불계집반전제년월일배수명인왕위천원훈현창호세돌유신서송목진석회리그"},
}

// guess is the encoding for which text speaks most, nil if it speaks for none.
func guess(text []byte) encoding.Encoding {
	const enough = 1
	var best encoding.Encoding
	most := enough
	for i := range eastAsians {
		if score := eastAsians[i].score(text); score >= most {
			best, most = eastAsians[i].encoding, score+1
		}
	}
	return best
}

// score is how much text speaks for e.
func (e *eastAsian) score(text []byte) (sum int) {
	decoder := e.encoding.NewDecoder()
	e.pairs(text, func(pair []byte, score int) {
		if score > wrong {
			var buf [8]byte
			decoder.Reset()
			n, _, err := decoder.Transform(buf[:], pair, true)
			if r, _ := utf8.DecodeRune(buf[:n]); err == nil && strings.ContainsRune(e.usual, r) {
				score = usualScore
			}
		}
		sum += score
	})
	return sum
}

// fits reports whether text has hardly a byte that e has not.
func (e *eastAsian) fits(text []byte) bool {
	good, bad := 0, 0
	e.pairs(text, func(_ []byte, score int) {
		if score == wrong {
			bad++
		} else {
			good++
		}
	})
	return good > 10*bad
}

// pairs calls f for every character of text beyond ASCII, with what it says. Of a long
// text the beginning is enough.
func (e *eastAsian) pairs(text []byte, f func(pair []byte, score int)) {
	const most = 2000
	for i, n := 0, 0; i < len(text) && n < most; n++ {
		if text[i] < utf8.RuneSelf {
			i++
			n--
			continue
		}
		score := wrong
		if i+1 < len(text) {
			score = e.pair(text[i], text[i+1])
		}
		length := 2
		switch {
		case score == half:
			score, length = -1, 1
		case score == wrong:
			length = 1
		}
		f(text[i:i+length], score)
		i += length
	}
}

// half is what a byte that is a character by itself says, in place of a pair.
const half = -100

func gbPair(lead, trail byte) int {
	switch {
	case lead < 0x81 || lead > 0xFE || trail < 0x40 || trail == 0x7F || trail > 0xFE:
		return wrong
	case trail < 0xA1 || lead < 0xA1: // beyond GB 2312
		return -1
	case lead <= 0xA9:
		return 0
	case lead >= 0xB0 && lead <= 0xD7:
		return 1
	case lead >= 0xD8 && lead <= 0xF7:
		return 0
	}
	return -3
}

func big5Pair(lead, trail byte) int {
	switch {
	case lead < 0xA1 || lead > 0xF9 || trail < 0x40 || trail > 0x7E && trail < 0xA1 || trail > 0xFE:
		return wrong
	case lead <= 0xA3:
		return 0
	case lead <= 0xC6:
		return 1
	}
	return -1
}

func sjisPair(lead, trail byte) int {
	switch {
	case lead >= 0xA1 && lead <= 0xDF:
		return half
	case lead < 0x81 || lead == 0xA0 || lead > 0xEA || trail < 0x40 || trail == 0x7F || trail > 0xFC:
		return wrong
	case lead == 0x81:
		return 0
	case lead == 0x82 || lead == 0x83:
		return 2
	case lead >= 0x88 && lead <= 0x97:
		return 1
	}
	return -1
}

func eucKRPair(lead, trail byte) int {
	switch {
	case lead < 0x81 || lead > 0xFE || trail < 0x41 || trail > 0xFE || lead == 0xC9:
		return wrong
	case trail < 0xA1 || lead < 0xA1: // beyond KS X 1001
		return -3
	case lead >= 0xB0 && lead <= 0xC8:
		return 2
	case lead < 0xB0:
		return 0
	}
	return -2
}
