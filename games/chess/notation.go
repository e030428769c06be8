package chess

import (
	"bytes"

	"kifu/games"
)

// written is a move as a text says it, before the position is looked at.
type written struct {
	kind       Kind // NoKind when no letter says it
	file, rank int8 // of the origin, -1 when not said
	to         Square
	promo      Kind
	takes      bool
}

// ParseMove resolves a move written in SAN, long algebraic notation or UCI. It takes
// what programs write: any check, mate and annotation marks behind it, zeros or
// lower-case letters in castling, e8Q, e8(Q), e8/Q, e.p., figurines, lower-case
// pieces, origin squares that are not needed, castling as the king taking his rook or
// going two squares. Origins that are missing are resolved by the legal moves. A
// promotion that says nothing is to a queen. The error is a games.Reason.
func (Rules) ParseMove(p Position, text []byte) (games.Move, error) {
	text = trimMarks(text)
	if len(text) < 2 {
		return 0, games.UnreadableMove
	}
	switch text[0] {
	case 'O', '0', 'o':
		return p.parseCastlingMove(text)
	case '-', 'Z', '@', '<', 'n', 'p':
		if isNull(text) {
			return 0, games.NullMove
		}
	}
	w, ok := scanMove(text)
	if !ok {
		return 0, games.UnreadableMove
	}
	m, err := p.resolve(&w)
	if err != nil && text[0] == 'b' && w.kind == NoKind {
		// A bishop in lower case looks like a pawn of the b-file.
		if w, ok := scanMove(text[1:]); ok && w.kind == NoKind {
			w.kind = Bishop
			if b, err := p.resolve(&w); err == nil {
				return b, nil
			}
		}
	}
	return m, err
}

// trimMarks takes off what may stand behind a move.
func trimMarks(text []byte) []byte {
	for n := len(text); n > 0; n = len(text) {
		switch c := text[n-1]; {
		case c >= '1' && c <= '8':
			return text
		case c == '+' || c == '#' || c == '!' || c == '?' || c == ' ' || c == '=' || c == '.':
			text = text[:n-1]
		case c == 'p' && n > 4 && (bytes.HasSuffix(text, []byte("e.p")) || bytes.HasSuffix(text, []byte("ep"))):
			text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("e.p")), []byte("ep"))
		default:
			return text
		}
	}
	return text
}

func isNull(text []byte) bool {
	switch string(text) {
	case "--", "Z0", "@@@@", "<>", "null", "pass":
		return true
	}
	return false
}

// scanMove reads [piece] [file] [rank] [x or -] file rank [promotion].
func scanMove(text []byte) (written, bool) {
	w := written{file: -1, rank: -1}
	w.kind, text = scanPiece(text)
	var coordinate [4]byte
	n := 0
	i := 0
scan:
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c >= 'a' && c <= 'h', c >= '1' && c <= '8':
			if n == 4 || c == 'b' && n >= 2 && i == len(text)-1 {
				break scan
			}
			coordinate[n] = c
			n++
		case c == 'x' || c == ':' || c == 'X':
			w.takes = true
		case c == '-':
		default:
			break scan
		}
	}
	var ok bool
	if w.promo, ok = scanPromotion(text[i:]); !ok || n < 2 {
		return w, false
	}
	file, rank := coordinate[n-2], coordinate[n-1]
	if file < 'a' || rank > '8' {
		return w, false
	}
	w.to = SquareAt(int(file-'a'), int(rank-'1'))
	switch n {
	case 3:
		if c := coordinate[0]; c >= 'a' {
			w.file = int8(c - 'a')
		} else {
			w.rank = int8(c - '1')
		}
	case 4:
		if coordinate[0] < 'a' || coordinate[1] > '8' {
			return w, false
		}
		w.file, w.rank = int8(coordinate[0]-'a'), int8(coordinate[1]-'1')
	}
	return w, true
}

// scanPiece reads the letter or figurine of a piece, if there is one.
func scanPiece(text []byte) (Kind, []byte) {
	switch text[0] {
	case 'N', 'n':
		return Knight, text[1:]
	case 'B':
		return Bishop, text[1:]
	case 'R', 'r':
		return Rook, text[1:]
	case 'Q', 'q':
		return Queen, text[1:]
	case 'K', 'k':
		return King, text[1:]
	case 'P', 'p':
		return Pawn, text[1:]
	case 0xe2: // U+2654 white king … U+265F black pawn
		if len(text) > 3 && text[1] == 0x99 && text[2] >= 0x94 && text[2] <= 0x9f {
			return King - Kind((text[2]-0x94)%6), text[3:]
		}
	}
	return NoKind, text
}

// scanPromotion reads "", Q, =Q, (Q), /Q in either case. What is left must be nothing
// else.
func scanPromotion(text []byte) (Kind, bool) {
	if len(text) == 0 {
		return NoKind, true
	}
	if text[0] == '=' || text[0] == '(' || text[0] == '/' {
		text = text[1:]
	}
	if len(text) == 2 && text[1] == ')' {
		text = text[:1]
	}
	if len(text) != 1 {
		return NoKind, false
	}
	switch text[0] {
	case 'N', 'n':
		return Knight, true
	case 'B', 'b':
		return Bishop, true
	case 'R', 'r':
		return Rook, true
	case 'Q', 'q':
		return Queen, true
	}
	return NoKind, false
}

// parseCastlingMove reads O-O and O-O-O.
func (p *Position) parseCastlingMove(text []byte) (games.Move, error) {
	wings := 0
	for _, c := range text {
		switch c {
		case 'O', '0', 'o':
			wings++
		case '-':
		default:
			return 0, games.UnreadableMove
		}
	}
	switch {
	case string(text) == "0000":
		return 0, games.NullMove
	case wings == 2:
		return p.castling(true)
	case wings == 3:
		return p.castling(false)
	}
	return 0, games.UnreadableMove
}

// castling is the legal castling move to the h-side or the a-side.
func (p *Position) castling(east bool) (games.Move, error) {
	king := p.King(p.side)
	for rooks := p.castle & backRank(p.side); rooks != 0; rooks = rooks.Rest() {
		rook := rooks.First()
		if rook > king != east {
			continue
		}
		if c := p.constraints(); c.checkers == 0 && p.canCastle(&c, rook) {
			return newMove(King, flagCastle, king, rook, NoKind), nil
		}
	}
	return 0, games.IllegalMove
}

// resolve finds the legal move that w means.
func (p *Position) resolve(w *written) (games.Move, error) {
	own := p.Side(p.side)
	kind := w.kind
	if kind == NoKind {
		kind = Pawn
		if w.file >= 0 && w.rank >= 0 {
			kind = p.KindAt(SquareAt(int(w.file), int(w.rank)))
		}
	}
	var from Bitboard
	occ := p.Occupied()
	switch kind {
	case Pawn:
		return p.resolvePawn(w, own)
	case Knight:
		from = knightAttacks[w.to&63] & p.Knights()
	case Bishop:
		from = BishopAttacks(w.to, occ) & p.Bishops()
	case Rook:
		from = RookAttacks(w.to, occ) & p.Rooks()
	case Queen:
		from = QueenAttacks(w.to, occ) & p.Queens()
	case King:
		return p.resolveKing(w, own)
	}
	from &= own
	if w.file >= 0 {
		from &= FileOf(int(w.file))
	}
	if w.rank >= 0 {
		from &= RankOf(int(w.rank))
	}
	if from == 0 || own.Has(w.to) || w.promo != NoKind {
		return 0, games.IllegalMove
	}
	var found games.Move
	for ; from != 0; from = from.Rest() {
		s := from.First()
		if !p.keepsKingSafe(s, w.to) {
			continue
		}
		if found != 0 {
			return 0, games.AmbiguousMove
		}
		found = newMove(kind, flagPlain, s, w.to, NoKind)
	}
	if found == 0 {
		return 0, games.IllegalMove
	}
	return found, nil
}

// keepsKingSafe reports whether the king is not attacked after a man other than the
// king has gone from one square to another.
func (p *Position) keepsKingSafe(from, to Square) bool {
	us := p.side & 1
	king := p.King(us)
	their := p.Side(us^1) &^ to.Bit()
	occ := p.Occupied()&^from.Bit() | to.Bit()
	if pawnAttacks[us][king&63]&p.Pawns()&their|knightAttacks[king&63]&p.Knights()&their != 0 {
		return false
	}
	diagonal, straight := p.Diagonal()&their, p.Straight()&their
	return (bishopRays[king&63]&diagonal == 0 || BishopAttacks(king, occ)&diagonal == 0) &&
		(rookRays[king&63]&straight == 0 || RookAttacks(king, occ)&straight == 0)
}

func (p *Position) resolvePawn(w *written, own Bitboard) (games.Move, error) {
	us := p.side & 1
	ahead := Square(8) // from a pawn to the square in front; wraps for Black
	home := 1
	if us == Black {
		ahead, home = ^Square(8)+1, 6
	}
	pawns, occ := p.Pawns()&own, p.Occupied()
	from, flag := w.to-ahead, flagPlain
	if from >= NoSquare {
		return 0, games.IllegalMove
	}
	switch file := int(w.file) - w.to.File(); {
	case w.file < 0 && w.takes:
		return p.resolvePawnByTarget(w, own)
	case w.file < 0 || file == 0:
		if occ.Has(w.to) {
			return 0, games.IllegalMove
		}
		if !occ.Has(from) && (from-ahead).Rank() == home {
			from, flag = from-ahead, flagDouble
		}
	case file == -1:
		from, flag = from-1, flagTakeEast
	case file == 1:
		from, flag = from+1, flagTakeWest
	default:
		return 0, games.IllegalMove
	}
	if !pawns.Has(from) || w.rank >= 0 && int(w.rank) != from.Rank() {
		return 0, games.IllegalMove
	}
	safe := false
	switch {
	case flag != flagTakeEast && flag != flagTakeWest || occ.Has(w.to) && !own.Has(w.to):
		safe = p.keepsKingSafe(from, w.to)
	case p.ep != 0 && w.to == p.ep:
		flag = flagPassing
		safe = p.passingLegal(from, w.to)
	}
	promo := w.promo
	if last := w.to.Bit()&(Rank1|Rank8) != 0; last && promo == NoKind {
		promo = Queen
	} else if !last && promo != NoKind {
		safe = false
	}
	if !safe {
		return 0, games.IllegalMove
	}
	return newMove(Pawn, flag, from, w.to, promo), nil
}

// resolvePawnByTarget finds the pawn that takes when its file is not said ("xd5").
func (p *Position) resolvePawnByTarget(w *written, own Bitboard) (games.Move, error) {
	var found games.Move
	takers := pawnAttacks[p.side&1^1][w.to&63] & p.Pawns() & own
	for ; takers != 0; takers = takers.Rest() {
		one := *w
		one.file = int8(takers.First().File())
		m, err := p.resolvePawn(&one, own)
		if err != nil {
			continue
		}
		if found != 0 {
			return 0, games.AmbiguousMove
		}
		found = m
	}
	if found == 0 {
		return 0, games.IllegalMove
	}
	return found, nil
}

func (p *Position) resolveKing(w *written, own Bitboard) (games.Move, error) {
	from := p.King(p.side)
	if w.file >= 0 && int(w.file) != from.File() || w.rank >= 0 && int(w.rank) != from.Rank() || w.promo != NoKind {
		return 0, games.IllegalMove
	}
	if p.castle.Has(w.to) && own.Has(w.to) {
		return p.castling(w.to > from)
	}
	if !kingAttacks[from&63].Has(w.to) {
		// Two squares along the first rank is how the king castles in UCI.
		if east := w.to.File() == 6; w.to.Rank() == from.Rank() && (east || w.to.File() == 2) {
			return p.castling(east)
		}
		return 0, games.IllegalMove
	}
	if own.Has(w.to) || p.Attackers(w.to, p.Occupied()&^from.Bit())&p.Side(p.side^1) != 0 {
		return 0, games.IllegalMove
	}
	return newMove(King, flagPlain, from, w.to, NoKind), nil
}

// AppendMove appends m in SAN as the PGN standard has it.
func (Rules) AppendMove(dst []byte, p Position, m games.Move) []byte {
	kind, from, to := KindOf(m), From(m), To(m)
	switch {
	case IsCastling(m) && to > from:
		dst = append(dst, "O-O"...)
	case IsCastling(m):
		dst = append(dst, "O-O-O"...)
	default:
		if kind != Pawn {
			dst = append(dst, kindLetters[kind])
			dst = p.appendOrigin(dst, kind, from, to)
		}
		if p.IsCapture(m) {
			if kind == Pawn {
				dst = append(dst, 'a'+byte(from.File()))
			}
			dst = append(dst, 'x')
		}
		dst = append(dst, to.String()...)
		if promo := Promotion(m); promo != NoKind {
			dst = append(dst, '=', kindLetters[promo])
		}
	}
	switch next := p.Play(m); {
	case !next.InCheck():
	case next.CanMove():
		dst = append(dst, '+')
	default:
		dst = append(dst, '#')
	}
	return dst
}

// appendOrigin appends as much of from as other legal moves of the kind make needful.
func (p *Position) appendOrigin(dst []byte, kind Kind, from, to Square) []byte {
	var others Bitboard
	switch occ := p.Occupied(); kind {
	case Knight:
		others = knightAttacks[to&63] & p.Knights()
	case Bishop:
		others = BishopAttacks(to, occ) & p.Bishops()
	case Rook:
		others = RookAttacks(to, occ) & p.Rooks()
	case Queen:
		others = QueenAttacks(to, occ) & p.Queens()
	}
	others &= p.Side(p.side) &^ from.Bit()
	var rivals Bitboard
	for ; others != 0; others = others.Rest() {
		if s := others.First(); p.keepsKingSafe(s, to) {
			rivals |= s.Bit()
		}
	}
	square := from.String()
	switch {
	case rivals == 0:
	case rivals&FileOf(from.File()) == 0:
		dst = append(dst, square[0])
	case rivals&RankOf(from.Rank()) == 0:
		dst = append(dst, square[1])
	default:
		dst = append(dst, square...)
	}
	return dst
}

// AppendCoordinates appends m in UCI: e2e4, e7e8q. Castling is the king's two-square
// move (e1g1) from the usual squares, and the king taking his rook (f1h1) elsewhere.
func (Rules) AppendCoordinates(dst []byte, p Position, m games.Move) []byte {
	from, to := From(m), To(m)
	if IsCastling(m) && p.classicalRook(to) {
		to, _ = castlingTargets(from, to)
	}
	dst = append(dst, 'a'+byte(from&7), '1'+byte(from>>3), 'a'+byte(to&7), '1'+byte(to>>3))
	if promo := Promotion(m); promo != NoKind {
		dst = append(dst, kindLetters[promo]|0x20)
	}
	return dst
}
