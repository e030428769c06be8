package chess

import (
	"kifu/games"
	"kifu/games/chess/written"
)

// ParseMove resolves a move written in SAN, long algebraic notation or UCI. It accepts what
// programs write: any marks of check, mate and annotation; castling with zeros, lower-case
// letters or as a move of the king by two squares or to its rook; e8Q, e8(Q), e8/Q, e.p.;
// figurines, lower-case pieces, long dashes and redundant origins. Missing origins are resolved
// by the legal moves. A promotion without a piece is to a queen. The error is a games.Reason.
func (Rules) ParseMove(p Position, text []byte) (games.Move, error) {
	text = written.TrimMarks(text)
	if len(text) < 2 {
		return 0, games.UnreadableMove
	}
	switch text[0] {
	case 'O', '0', 'o':
		return p.parseCastlingMove(text)
	case '-', 'Z', '@', '<', 'n', 'p':
		if written.IsNull(text) {
			return 0, games.NullMove
		}
	}
	w, ok := written.ScanMove(text)
	if !ok {
		return p.parseUnusual(text)
	}
	m, err := p.resolve(&w)
	if err != nil && text[0] == 'b' && w.Piece == NoKind {
		// A bishop in lower case looks like a pawn of the b-file.
		if w, ok := written.ScanMove(text[1:]); ok && w.Piece == NoKind {
			w.Piece = Bishop
			if b, err := p.resolve(&w); err == nil {
				return b, nil
			}
		}
	}
	return m, err
}

// DescriptiveNotation is the Reason for moves such as P-K4, which name squares by the
// pieces that start on their files.
const DescriptiveNotation games.Reason = "descriptive notation"

// parseUnusual reads a move with typographic dashes or in the numbers of ICCF, and
// distinguishes descriptive notation from text that is no move.
func (p Position) parseUnusual(text []byte) (games.Move, error) {
	if coordinates, ok := written.FromNumbers(text); ok {
		return Rules{}.ParseMove(p, coordinates)
	}
	if written.IsDescriptive(text) {
		return 0, DescriptiveNotation
	}
	if plain, ok := written.Undashed(text); ok {
		return Rules{}.ParseMove(p, plain)
	}
	return 0, games.UnreadableMove
}

var _ games.Dialects = Rules{}

// Dialects returns languages, with their encoding unless it is UTF-8.
func (Rules) Dialects() []string { return written.Dialects() }

// Translate implements games.Dialects.
func (Rules) Translate(dst []byte, i int, text []byte) (translated []byte, foreign bool) {
	return written.Translate(dst, i, text)
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

// appendOrigin appends as much of from as is needed to distinguish m from other legal moves
// of the kind.
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
// move (e1g1) from the usual squares, and the king taking its rook (f1h1) elsewhere.
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
