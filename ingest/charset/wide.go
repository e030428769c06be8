package charset

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
)

// wide is an encoding of East Asia, of mostly two bytes a character.
type wide struct {
	encoding encoding.Encoding
	// pair reports how much two bytes speak for the encoding: 2 to 6 for a character of
	// everyday use, 0 for a sign, less for a rare character, wrong if they are no character,
	// and half if the first one is a character by itself.
	pair func(lead, trail byte) int
	// usual are characters of names, titles and results, which speak for it most.
	usual func(lead, trail byte) bool
}

// pairsOf returns the function that reports whether two bytes are one of the characters in e.
func pairsOf(e encoding.Encoding, characters string) func(lead, trail byte) bool {
	set := sync.OnceValue(func() map[[2]byte]bool {
		pairs := map[[2]byte]bool{}
		for _, r := range characters {
			if b, err := e.NewEncoder().Bytes([]byte(string(r))); err == nil && len(b) == 2 {
				pairs[[2]byte(b)] = true
			}
		}
		return pairs
	})
	return func(lead, trail byte) bool { return set()[[2]byte{lead, trail}] }
}

// The evidence of bytes that the encoding lacks, of one character, and of a usual character.
const (
	wrong      = -16
	half       = -100
	usualScore = 8
	kana       = 6
)

const (
	usualChinese     = "段黑白胜中盘目半子棋围国杯赛第局年月日贴对电脑业余职王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎古聂常芮柯时连檀范江"
	usualTraditional = "段黑白勝中盤目半子棋圍國盃賽第局年月日貼對電腦業餘職王李張劉陳楊趙黃周吳徐孫胡朱高林何郭馬羅梁宋鄭謝韓唐馮于董蕭程曹袁鄧許傅沈曾彭呂蘇盧蔣蔡賈丁魏薛葉聶常"
	usualJapanese    = "段本因坊戦名人碁聖黒白勝目中押半日年月局第一二三四五六七八九十棋院天元王座田山小林武宮藤沢石加橋大竹井上木谷高川片岡淡路羽根結城趙治勲初"
	usualKorean      = "단김이박최정조강윤장임한국기흑백승불계집반전제년월일배수명인왕위천원훈현창호세돌유신서송목진석회리그"
)

// cost returns how unlikely text is in w, in units of -2 ln p. A character costs more than
// its two bytes would as letters of the right eight-bit encoding: there are more of them.
// It stops beyond limit.
func (w *wide) cost(text []byte, limit int) (sum int) {
	const sign, step = 48, 4
	w.pairs(text, func(at, length, score int) bool {
		if score > wrong && length == 2 && w.usual(text[at], text[at+1]) {
			score = usualScore
		}
		sum += sign - step*score
		return sum <= limit
	})
	return sum
}

// fits reports whether text has hardly a byte that w lacks.
func (w *wide) fits(text []byte) bool {
	good, bad := 0, 0
	w.pairs(sample(text), func(_, _, score int) bool {
		if score == wrong {
			bad++
		} else {
			good++
		}
		return true
	})
	return good > 10*bad
}

// pairs calls f for every character of text beyond ASCII, with its place, length and evidence, until f
// returns false.
func (w *wide) pairs(text []byte, f func(at, length, score int) bool) {
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		score := wrong
		if i+1 < len(text) {
			score = w.pair(text[i], text[i+1])
		}
		length := 2
		switch {
		case score == half:
			score, length = -2, 1
		case score == wrong:
			length = 1
		}
		if !f(i, length, score) {
			return
		}
		i += length
	}
}

func gbPair(lead, trail byte) int {
	switch {
	case lead < 0x81 || lead > 0xFE || trail < 0x40 || trail == 0x7F || trail > 0xFE:
		return wrong
	case trail < 0xA1 || lead < 0xA1: // beyond GB 2312
		return -2
	case lead <= 0xA9:
		return 0
	case lead >= 0xB0 && lead <= 0xD7:
		return 2
	case lead >= 0xD8 && lead <= 0xF7:
		return 0
	}
	return -6
}

func big5Pair(lead, trail byte) int {
	switch {
	case lead < 0xA1 || lead > 0xF9 || trail < 0x40 || trail > 0x7E && trail < 0xA1 || trail > 0xFE:
		return wrong
	case lead <= 0xA3:
		return 0
	case lead <= 0xC6:
		return 2
	}
	return -2
}

// eucJPPair: the kana of lead bytes A4 and A5 distinguish Japanese from the others.
func eucJPPair(lead, trail byte) int {
	switch {
	case lead == 0x8E && trail >= 0xA1 && trail <= 0xDF: // a kana of half width
		return -2
	case lead < 0xA1 || lead > 0xF4 || trail < 0xA1 || trail > 0xFE || lead > 0xA8 && lead < 0xB0:
		return wrong
	case lead == 0xA4 || lead == 0xA5:
		return kana
	case lead <= 0xA8:
		return 0
	case lead <= 0xCF:
		return 2
	}
	return -2
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
		return kana
	case lead >= 0x88 && lead <= 0x97:
		return 2
	}
	return -2
}

func eucKRPair(lead, trail byte) int {
	switch {
	case lead < 0x81 || lead > 0xFE || trail < 0x41 || trail > 0xFE || lead == 0xC9:
		return wrong
	case trail < 0xA1 || lead < 0xA1: // beyond KS X 1001
		return -6
	case lead >= 0xB0 && lead <= 0xC8:
		return 3
	case lead < 0xB0:
		return 0
	}
	return -4
}
