package shogi

import (
	"unicode/utf8"

	"kifu/games"
)

// Words of a Japanese move after the piece.
const (
	wordPromote  = 1 << iota // 成
	wordDecline              // 不成
	wordDrop                 // 打
	wordRight                // 右
	wordLeft                 // 左
	wordStraight             // 直: straight ahead
	wordUp                   // 上, 行, 入: forward
	wordAside                // 寄: along the rank
	wordBack                 // 引
)

const wordsOfSource = wordRight | wordLeft | wordStraight | wordUp | wordAside | wordBack

// japaneseMove is a written move taken apart.
type japaneseMove struct {
	to    Square // NoSquare for 同
	kind  Kind
	words int
	from  Square // NoSquare when it is not written; for a drop, too
	drop  bool   // the source is written as (00)
}

// parseJapanese reads ７六歩(77) as KIF has it and ▲同銀右成 as KI2 has it.
func (p *Position) parseJapanese(text []byte) (games.Move, error) {
	var j japaneseMove
	if !j.scan(text) {
		return 0, games.UnreadableMove
	}
	if j.to == NoSquare {
		if j.to = p.LastTo(); j.to == NoSquare {
			return 0, games.UnreadableMove
		}
	}
	switch {
	case j.drop || j.words&wordDrop != 0:
		if j.kind > Gold || j.kind == King {
			return 0, games.UnreadableMove
		}
		return p.legal(Drop(j.kind, j.to))
	case j.from != NoSquare:
		if p.KindAt(j.from) != j.kind {
			return 0, noSuchPiece
		}
		return p.legal(boardMove(j.kind, j.from, j.to, j.words&wordPromote != 0))
	}
	from := p.source(&j)
	switch {
	case from.Empty():
		if j.kind <= Gold && j.words&wordsOfSource == 0 {
			return p.legal(Drop(j.kind, j.to))
		}
		return 0, games.IllegalMove
	case !from.One():
		return 0, games.AmbiguousMove
	}
	return p.legal(boardMove(j.kind, from.First(), j.to, j.words&wordPromote != 0))
}

// source returns the squares of the pieces that j may mean. The words of the movement
// come before the words for the side, which choose the outermost of what is left.
func (p *Position) source(j *japaneseMove) Bitboard {
	set := p.movers(j.kind, j.to)
	if j.words&wordsOfSource == 0 || set.One() {
		return set
	}
	for b := set; !b.Empty(); b = b.Rest() {
		s := b.First()
		forward := (s.Rank() - j.to.Rank()) * int(p.side.Sign())
		if j.words&wordUp != 0 && forward <= 0 || j.words&wordBack != 0 && forward >= 0 ||
			j.words&wordAside != 0 && forward != 0 ||
			j.words&wordStraight != 0 && (forward <= 0 || s.File() != j.to.File()) {
			set = set.Xor(s.Bit())
		}
	}
	if set.Empty() || j.words&(wordRight|wordLeft) == 0 {
		return set
	}
	// Black's right is White's left.
	lowest := (j.words&wordRight != 0) == (p.side == Black)
	file := set.First().File()
	if !lowest {
		for b := set; !b.Empty(); b = b.Rest() {
			file = b.First().File()
		}
	}
	return set.And(FileOf(file))
}

// scan takes a text apart, without a position.
func (j *japaneseMove) scan(text []byte) bool {
	*j = japaneseMove{from: NoSquare}
	r, text := next(text)
	switch r {
	case '▲', '△', '▼', '▽', '☗', '☖':
		r, text = next(text)
	}
	if r == '同' {
		j.to = NoSquare
		r, text = next(text)
		for r == '\u3000' || r == ' ' {
			r, text = next(text)
		}
	} else {
		file, rank := digit(r), 0
		r, text = next(text)
		if rank = digit(r); file < 1 || rank < 1 {
			return false
		}
		j.to = At(file-1, rank-1)
		r, text = next(text)
		for r == '\u3000' || r == ' ' {
			r, text = next(text)
		}
	}
	promoted := r == '成'
	if promoted {
		r, text = next(text)
	}
	if j.kind = japaneseKinds[r]; j.kind == NoKind {
		return false
	}
	if promoted {
		if !j.kind.CanPromote() {
			return false
		}
		j.kind += Promoted
	}
	return j.scanWords(text)
}

// scanWords reads what follows the piece.
func (j *japaneseMove) scanWords(text []byte) bool {
	for len(text) > 0 {
		var r rune
		r, text = next(text)
		switch r {
		case '成':
			j.words |= wordPromote
		case '不', '生':
			if after, more := next(text); after == '成' {
				text = more
			}
			j.words |= wordDecline
		case '打':
			j.words |= wordDrop
		case '右':
			j.words |= wordRight
		case '左':
			j.words |= wordLeft
		case '直':
			j.words |= wordStraight
		case '上', '行', '入':
			j.words |= wordUp
		case '寄':
			j.words |= wordAside
		case '引', '下':
			j.words |= wordBack
		case '\u3000', ' ':
		case '(', '（':
			return j.scanSource(text)
		default:
			return false
		}
	}
	return true
}

// scanSource reads 77) or 00).
func (j *japaneseMove) scanSource(text []byte) bool {
	a, text := next(text)
	b, text := next(text)
	end, text := next(text)
	if end != ')' && end != '）' || len(text) > 0 {
		return false
	}
	if a == '0' && b == '0' {
		j.drop = true
		return true
	}
	file, rank := digit(a), digit(b)
	if file < 1 || rank < 1 {
		return false
	}
	j.from = At(file-1, rank-1)
	return true
}

// next cuts the first character off; 0 at the end.
func next(text []byte) (rune, []byte) {
	if len(text) == 0 {
		return 0, nil
	}
	r, n := utf8.DecodeRune(text)
	return r, text[n:]
}

// digit returns the value of a digit, half or full width or Chinese; 0 for another character.
func digit(r rune) int {
	switch {
	case r >= '1' && r <= '9':
		return int(r - '0')
	case r >= '１' && r <= '９':
		return int(r-'１') + 1
	}
	return chineseNumbers[r]
}

var chineseNumbers = map[rune]int{'一': 1, '二': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}

// japaneseKinds are the kinds of the pieces in one character.
var japaneseKinds = map[rune]Kind{
	'歩': Pawn, '香': Lance, '桂': Knight, '銀': Silver, '角': Bishop, '飛': Rook, '金': Gold, '玉': King, '王': King,
	'と': Tokin, '个': Tokin, '杏': PromotedLance, '仝': PromotedLance, '圭': PromotedKnight, '今': PromotedKnight, '全': PromotedSilver,
	'馬': Horse, '龍': Dragon, '竜': Dragon,
}

// The written names of pieces, digits and words, by Kind and by number.
var (
	japaneseNames = [...]string{NoKind: "", Pawn: "歩", Lance: "香", Knight: "桂", Silver: "銀", Bishop: "角", Rook: "飛", Gold: "金", King: "玉",
		Tokin: "と", PromotedLance: "成香", PromotedKnight: "成桂", PromotedSilver: "成銀", Horse: "馬", Dragon: "龍"}
	fullDigits    = [...]string{"１", "２", "３", "４", "５", "６", "７", "８", "９"}
	chineseDigits = [...]string{"一", "二", "三", "四", "五", "六", "七", "八", "九"}
)

// AppendKIF appends m, legal in p, as KIF has it: ７六歩(77), 同　銀成(31), ５五角打.
func AppendKIF(dst []byte, p Position, m games.Move) []byte {
	dst = appendTarget(dst, &p, m, "同　")
	dst = append(dst, japaneseNames[p.Moved(m)]...)
	if IsDrop(m) {
		return append(dst, "打"...)
	}
	if Promotes(m) {
		dst = append(dst, "成"...)
	}
	return append(appendNumbers(append(dst, '('), From(m)), ')')
}

// appendTarget appends m's target, or same when the last move went there.
func appendTarget(dst []byte, p *Position, m games.Move, same string) []byte {
	to := To(m)
	if to == p.LastTo() {
		return append(dst, same...)
	}
	return append(append(dst, fullDigits[to.File()]...), chineseDigits[to.Rank()]...)
}

// AppendKI2 appends m, legal in p, in the form for people and KI2: ▲７六歩,
// △同銀右, ▲５五角打. The words that distinguish pieces are as few as possible, in the
// order of the Japan Shogi Association: the movement, 直, the side, side and movement.
func AppendKI2(dst []byte, p Position, m games.Move) []byte {
	dst = append(dst, [...]string{"▲", "△"}[p.side&1]...)
	dst = appendTarget(dst, &p, m, "同")
	k, to := p.Moved(m), To(m)
	dst = append(dst, japaneseNames[k]...)
	if IsDrop(m) {
		if !p.movers(k, to).Empty() {
			dst = append(dst, "打"...)
		}
		return dst
	}
	dst = p.appendWords(dst, k, From(m), to)
	switch {
	case Promotes(m):
		dst = append(dst, "成"...)
	case p.mayPromote(k, From(m), to):
		dst = append(dst, "不成"...)
	}
	return dst
}

// appendWords appends what distinguishes the piece on from from others that can go to to.
func (p *Position) appendWords(dst []byte, k Kind, from, to Square) []byte {
	if p.movers(k, to).One() {
		return dst
	}
	movement, name := wordAside, "寄"
	switch forward := (from.Rank() - to.Rank()) * int(p.side.Sign()); {
	case forward > 0 && k.Base() >= Bishop && k.Base() <= Rook:
		movement, name = wordUp, "行"
	case forward > 0:
		movement, name = wordUp, "上"
	case forward < 0:
		movement, name = wordBack, "引"
	}
	tries := []struct {
		words int
		text  string
	}{{movement, name}, {wordStraight, "直"}, {wordRight, "右"}, {wordLeft, "左"}, {wordRight | movement, "右" + name}, {wordLeft | movement, "左" + name}}
	for _, t := range tries {
		if t.words == wordStraight && k.Base() >= Bishop && k.Base() <= Rook {
			continue
		}
		j := japaneseMove{to: to, kind: k, words: t.words}
		if p.source(&j) == from.Bit() {
			return append(dst, t.text...)
		}
	}
	return append(appendNumbers(append(dst, '('), from), ')')
}
