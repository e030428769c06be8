package chess

import (
	"kifu/games"
	"kifu/games/chess/written"
)

// parseCastlingMove reads O-O and O-O-O.
func (p *Position) parseCastlingMove(text []byte) (games.Move, error) {
	wings := 0
	for _, c := range text {
		switch c {
		case 'O', '0', 'o':
			wings++
		case '-':
		default:
			return p.parseUnusual(text)
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

// castling returns the legal castling move to the h-side or the a-side.
func (p *Position) castling(east bool) (games.Move, error) {
	king := p.King(p.side)
	for rooks := p.castle & backRank(p.side); rooks != 0; rooks = rooks.Rest() {
		rook := rooks.First()
		if rook > king != east {
			continue
		}
		var c constraints
		if p.constrain(&c); c.checkers == 0 && p.canCastle(&c, rook) {
			return newMove(King, flagCastle, king, rook, NoKind), nil
		}
	}
	return 0, games.IllegalMove
}

// resolve finds the legal move that w means.
func (p *Position) resolve(w *written.Move) (games.Move, error) {
	to, own := Square(w.To), p.Side(p.side)
	kind := w.Piece
	if kind == NoKind {
		kind = Pawn
		if w.File >= 0 && w.Rank >= 0 {
			kind = p.KindAt(SquareAt(int(w.File), int(w.Rank)))
		}
	}
	var from Bitboard
	occ := p.Occupied()
	switch kind {
	case Pawn:
		return p.resolvePawn(w, own)
	case Knight:
		from = knightAttacks[to&63] & p.Knights()
	case Bishop:
		from = BishopAttacks(to, occ) & p.Bishops()
	case Rook:
		from = RookAttacks(to, occ) & p.Rooks()
	case Queen:
		from = QueenAttacks(to, occ) & p.Queens()
	case King:
		return p.resolveKing(w, own)
	}
	from &= own
	if w.File >= 0 {
		from &= FileOf(int(w.File))
	}
	if w.Rank >= 0 {
		from &= RankOf(int(w.Rank))
	}
	if from == 0 || own.Has(to) || w.Promotion != NoKind {
		return 0, games.IllegalMove
	}
	var found games.Move
	for ; from != 0; from = from.Rest() {
		s := from.First()
		if !p.keepsKingSafe(s, to) {
			continue
		}
		if found != 0 {
			return 0, games.AmbiguousMove
		}
		found = newMove(kind, flagPlain, s, to, NoKind)
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

func (p *Position) resolvePawn(w *written.Move, own Bitboard) (games.Move, error) {
	to, us := Square(w.To), p.side&1
	ahead := Square(8) // from a pawn to the square in front; wraps for Black
	home := 1
	if us == Black {
		ahead, home = ^Square(8)+1, 6
	}
	pawns, occ := p.Pawns()&own, p.Occupied()
	from, flag := to-ahead, flagPlain
	if from >= NoSquare {
		return 0, games.IllegalMove
	}
	switch file := int(w.File) - to.File(); {
	case w.File < 0 && w.Takes:
		return p.resolvePawnByTarget(w, own)
	case w.File < 0 || file == 0:
		if occ.Has(to) {
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
	if !pawns.Has(from) || w.Rank >= 0 && int(w.Rank) != from.Rank() {
		return 0, games.IllegalMove
	}
	safe := false
	switch {
	case flag != flagTakeEast && flag != flagTakeWest || occ.Has(to) && !own.Has(to):
		safe = p.keepsKingSafe(from, to)
	case p.ep != 0 && to == p.ep:
		flag = flagPassing
		safe = p.passingLegal(from, to)
	}
	promo := w.Promotion
	if last := to.Bit()&(Rank1|Rank8) != 0; last && promo == NoKind {
		promo = Queen
	} else if !last && promo != NoKind {
		safe = false
	}
	if !safe {
		return 0, games.IllegalMove
	}
	return newMove(Pawn, flag, from, to, promo), nil
}

// resolvePawnByTarget finds the pawn that takes when its file is not said ("xd5").
func (p *Position) resolvePawnByTarget(w *written.Move, own Bitboard) (games.Move, error) {
	var found games.Move
	takers := pawnAttacks[p.side&1^1][w.To&63] & p.Pawns() & own
	for ; takers != 0; takers = takers.Rest() {
		one := *w
		one.File = int8(takers.First().File())
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

func (p *Position) resolveKing(w *written.Move, own Bitboard) (games.Move, error) {
	from, to := p.King(p.side), Square(w.To)
	if w.File >= 0 && int(w.File) != from.File() || w.Rank >= 0 && int(w.Rank) != from.Rank() || w.Promotion != NoKind {
		return 0, games.IllegalMove
	}
	if p.castle.Has(to) && own.Has(to) {
		return p.castling(to > from)
	}
	if !kingAttacks[from&63].Has(to) {
		// Two squares along the first rank is how the king castles in UCI.
		if east := to.File() == 6; to.Rank() == from.Rank() && (east || to.File() == 2) {
			return p.castling(east)
		}
		return 0, games.IllegalMove
	}
	if own.Has(to) || p.Attackers(to, p.Occupied()&^from.Bit())&p.Side(p.side^1) != 0 {
		return 0, games.IllegalMove
	}
	return newMove(King, flagPlain, from, to, NoKind), nil
}
