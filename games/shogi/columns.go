package shogi

import "kifu/games"

// MaxPhase is the phase late in the game.
const MaxPhase = sixteenth

// Values of the kinds in 128ths of a pawn, promoted ones too, on the board and in hand:
// OpenShogiLib's.
var Values = [16]int{
	Pawn: 128, Lance: 512, Knight: 512, Silver: 704, Gold: 768, Bishop: 1024, Rook: 1216,
	Tokin: 768, PromotedLance: 768, PromotedKnight: 768, PromotedSilver: 768, Horse: 1472, Dragon: 1664,
}

var columns = []games.Column{
	{Name: "phase", Doc: "progress of the game by the attacks on both kings, from 0 (opening) to 15 (late)"},
	{Name: "unsafety_black", Doc: "strength of the attack on Black's king, in sixteenths, 0 to 15"},
	{Name: "unsafety_white", Doc: "strength of the attack on White's king, in sixteenths, 0 to 15"},
	{Name: "unsafety_difference", Doc: "unsafety_black minus unsafety_white"},
	{Name: "defence_black", Doc: "defence of Black's king by the pieces around it, in sixteenths, 0 to 15"},
	{Name: "defence_white", Doc: "defence of White's king by the pieces around it, in sixteenths, 0 to 15"},
	{Name: "defence_difference", Doc: "defence_black minus defence_white"},
	{Name: "four_golds", Doc: "1 when Black has all four golds, on the board or in hand, -1 when White has them, else 0"},
	{Name: "material_difference", Doc: "Black's material minus White's, pieces in hand included, in 128ths of a pawn"},
	{Name: "black_hand", Doc: "number of pieces in Black's hand"},
	{Name: "white_hand", Doc: "number of pieces in White's hand"},
	{Name: "entered_kings", Doc: "1 when Black's king is in White's camp, plus 2 when White's king is in Black's camp"},
	{Name: "declarable", Doc: "1 when the side to move may declare a win by the 27-point rule"},
	{Name: "in_check", Doc: "1 when the side to move is in check"},
}

// Columns are the condition columns of Shogi.
func (Rules) Columns() []games.Column { return columns }

// AppendColumns appends their values.
func (Rules) AppendColumns(dst []int16, p Position) []int16 {
	x := p.Pressure()
	unsafe := [2]int{x.Unsafety(Black), x.Unsafety(White)}
	cover := [2]int{x.Cover(Black), x.Cover(White)}
	check := p.InCheck()
	for _, n := range [...]int{
		x.Progress(), unsafe[Black], unsafe[White], unsafe[Black] - unsafe[White],
		cover[Black], cover[White], cover[Black] - cover[White],
		p.FourGolds(), p.Material(), p.inHand(Black), p.inHand(White),
		flag(p.entered(Black)) + 2*flag(p.entered(White)),
		flag(Rules{}.MayDeclare(p)), flag(check),
	} {
		dst = append(dst, int16(n))
	}
	return dst
}

// MayDeclare reports whether the side to move may declare a win by 27 points.
func (Rules) MayDeclare(p Position) bool { return !p.InCheck() && p.points().enough(p.side) }

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Material returns Black's pieces less White's, on the board and in hand, in Values.
func (p *Position) Material() int {
	n := 0
	for k := Pawn; k <= Dragon; k++ {
		if k == King {
			continue
		}
		set := p.Kind(k)
		n += Values[k] * (set.Without(p.white).Count() - set.And(p.white).Count())
	}
	for k := Pawn; k <= Gold; k++ {
		n += Values[k] * (p.hands[Black].Count(k) - p.hands[White].Count(k))
	}
	return n
}

// Count returns how many pieces of kind k side has on the board.
func (p *Position) Count(k Kind, side games.Side) int { return p.Kind(k).And(p.colour(side)).Count() }

// FourGolds is 1 when Black has all four golds, on the board or in hand, -1 when White has.
func (p *Position) FourGolds() int {
	for side := Black; side <= White; side++ {
		if p.Count(Gold, side)+p.hands[side].Count(Gold) == total[Gold] {
			return int(side.Sign())
		}
	}
	return 0
}

func (p *Position) inHand(side games.Side) int {
	n := 0
	for k := Pawn; k <= Gold; k++ {
		n += p.hands[side].Count(k)
	}
	return n
}

func (p *Position) entered(side games.Side) bool {
	return p.Kings().And(p.colour(side)).Meets(zones[side])
}

// declaration returns the counts for a declaration of the side to move.
type declaration struct {
	entered bool // the king is in the enemy's camp
	camp    int  // other pieces there
	points  int  // of those and of the hand
}

// points counts a declaration of the side to move.
func (p *Position) points() declaration {
	own := p.Side(p.side).And(zones[p.side]).Without(p.Kings())
	d := declaration{entered: p.entered(p.side), camp: own.Count()}
	big := p.Diagonal().Or(p.Straight())
	d.points = own.Count() + 4*own.And(big).Count()
	hand := p.hands[p.side]
	d.points += p.inHand(p.side) + 4*(hand.Count(Bishop)+hand.Count(Rook))
	if p.side == White {
		d.points += p.given()
	}
	return d
}

// given returns the points of the pieces that are missing: a handicap, whose giver is
// White and counts them as White's.
func (p *Position) given() int {
	n := 0
	for k := Pawn; k <= Gold; k++ {
		missing := total[k] - p.Kind(k).Count() - p.hands[Black].Count(k) - p.hands[White].Count(k)
		if k != Gold {
			missing -= p.Kind(k + Promoted).Count()
		}
		if k == Bishop || k == Rook {
			missing *= 5
		}
		n += missing
	}
	return n
}

// enough reports whether side may declare, if it is not in check: king and ten other
// pieces in the enemy's camp, 28 points for Black, 27 for White (Computer Shogi
// Association).
func (d declaration) enough(side games.Side) bool {
	return d.entered && d.camp >= 10 && d.points >= 28-int(side)
}
