package shogi

import "kifu/games"

// Why a written move is not played, in addition to games.IllegalMove.
const (
	noSuchPiece  games.Reason = "no such piece there"
	notInHand    games.Reason = "drop of a piece that is not in hand"
	occupied     games.Reason = "drop on an occupied square"
	secondPawn   games.Reason = "second pawn on a file"
	pawnDropMate games.Reason = "mate by a pawn drop"
	noWayOn      games.Reason = "the piece could never move again"
	noPromotion  games.Reason = "illegal promotion"
	kingInCheck  games.Reason = "king left in check"
)

// fault returns what forbids m in p; nil when it is legal. m may be any move of
// boardMove or Drop with squares on the board.
func (p *Position) fault(m games.Move) error {
	var c constraints
	p.constrain(&c)
	if IsDrop(m) {
		return p.dropFault(m, &c)
	}
	from, to := From(m), To(m)
	k := p.KindAt(from)
	switch {
	case k == NoKind || !c.own.Has(from) || classOf(k) != m>>classShift:
		return noSuchPiece
	case c.own.Has(to) || !Attacks(k, p.side, from, c.occ).Has(to):
		return games.IllegalMove
	case Promotes(m) && !(k.CanPromote() && (zones[p.side].Has(to) || zones[p.side].Has(from))):
		return noPromotion
	case !Promotes(m) && (k <= Lance && stuck[p.side][0].Has(to) || k == Knight && stuck[p.side][1].Has(to)):
		return noWayOn
	}
	safe := c.evade.Has(to) && !c.alongPin(from, to.Bit()).Empty()
	if k == King {
		safe = !p.attacked(to, c.their, c.occ.Without(from.Bit()))
	}
	if !safe {
		return kingInCheck
	}
	return nil
}

func (p *Position) dropFault(m games.Move, c *constraints) error {
	k, to := Dropped(m), To(m)
	switch {
	case p.hands[p.side].Count(k) == 0:
		return notInHand
	case c.occ.Has(to):
		return occupied
	case k <= Lance && stuck[p.side][0].Has(to) || k == Knight && stuck[p.side][1].Has(to):
		return noWayOn
	case k == Pawn && p.Pawns().And(c.own).files().Has(to):
		return secondPawn
	case !c.evade.Has(to):
		return kingInCheck
	case k == Pawn && p.pawnDrops(c, to.Bit()).Empty():
		return pawnDropMate
	}
	return nil
}

// legal returns m, or what forbids it.
func (p *Position) legal(m games.Move) (games.Move, error) {
	if err := p.fault(m); err != nil {
		return 0, err
	}
	return m, nil
}

// movers returns the squares of side-to-move's pieces of kind k that can legally move to s.
func (p *Position) movers(k Kind, s Square) Bitboard {
	var c constraints
	p.constrain(&c)
	if c.own.Has(s) || k == NoKind {
		return Bitboard{}
	}
	var set Bitboard
	for b := p.Kind(k).And(c.own); !b.Empty(); b = b.Rest() {
		from := b.First()
		if !Attacks(k, p.side, from, c.occ).Has(s) {
			continue
		}
		if k == King && !p.attacked(s, c.their, c.occ.Without(from.Bit())) ||
			k != King && c.evade.Has(s) && !c.alongPin(from, s.Bit()).Empty() {
			set = set.Or(from.Bit())
		}
	}
	return set
}

// mayPromote reports whether a piece of kind k may promote between the squares.
func (p *Position) mayPromote(k Kind, from, to Square) bool {
	return k.CanPromote() && zones[p.side&1].Meets(from.Bit().Or(to.Bit()))
}
