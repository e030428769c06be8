package shogi

import (
	"strconv"

	"kifu/games"
)

var (
	_ games.Drawer[Position] = Rules{}
	_ games.Hands[Position]  = Rules{}
)

var layout = func() *games.Layout {
	l := &games.Layout{
		Columns: 9, Rows: 9, Grid: games.Boxed, Turns: true, NamesAbove: true,
		Colours: [3]string{"#f1d39b", "#f1d39b", "#5a4320"},
		Stars:   []int{},
		Sides:   [2]string{"Black", "White"},
		Light:   White, Bottom: Black, Exchange: games.HalfTurned,
	}
	for i, rank := range []rune("一二三四五六七八九") {
		l.Files = append(l.Files, strconv.Itoa(9-i))
		l.Ranks = append(l.Ranks, string(rank))
		l.LatinRanks = append(l.LatinRanks, string(rune('a'+i)))
	}
	for i := range 81 {
		l.Names = append(l.Names, string(appendSquare(nil, squareOf(i))))
	}
	return l
}()

// squareOf returns the square of a cell, cellOf the cell of a square: file 9 is on the left.
func squareOf(cell int) Square { return At(8-cell%9, cell/9) }
func cellOf(s Square) int      { return s.Rank()*9 + 8 - s.File() }

// pieces are the empty square, Black's by Kind, then White's.
var pieces = func() []games.Piece {
	names := [...]string{"pawn", "lance", "knight", "silver", "bishop", "rook", "gold", "king",
		"promoted pawn", "promoted lance", "promoted knight", "promoted silver", "horse", "dragon"}
	signs := []rune("歩香桂銀角飛金玉と杏圭全馬龍")
	all := []games.Piece{{}}
	for side, colour := range [2]string{"black ", "white "} {
		for i, name := range names {
			k := Kind(i + 1)
			letter := string(appendPiece(nil, k, games.Side(side)))
			western := string(appendPiece(nil, k, Black))
			symbol := " " + string(signs[i])
			if games.Side(side) == White {
				symbol = "v" + string(signs[i])
			}
			promoted := k > King
			all = append(all, games.Piece{Letter: letter, Symbol: symbol, Name: colour + name, Side: games.Side(side),
				Drawing: wooden(games.Side(side), promoted, string(signs[i]), 27),
				Western: wooden(games.Side(side), promoted, western, 28-5*len(western)),
			})
		}
	}
	return all
}()

// wooden draws a piece with a sign on it. White's point down; promoted ones are red,
// and their letters bear a plus or their kanji is another.
func wooden(side games.Side, promoted bool, sign string, size int) string {
	turn, ink := "", "#111"
	if side == White {
		turn = ` transform="rotate(180 22.5 22.5)"`
	}
	if promoted {
		ink = "#b3001b"
	}
	return `<g` + turn + `><path d="M22.5 3.5l11.5 5.5 4.5 32.5h-32L11 9z" fill="#fbe8bd" stroke="#4a3512" stroke-width="1.5" stroke-linejoin="round"/>` +
		`<text x="22.5" y="25" dy=".36em" text-anchor="middle" font-size="` + strconv.Itoa(size) + `" font-weight="bold" fill="` + ink +
		`" font-family="'Noto Serif CJK JP','Noto Serif JP','Hiragino Mincho ProN','Yu Mincho','MS Mincho',serif">` + sign + `</text></g>`
}

// Layout returns the board with Black below.
func (Rules) Layout(Position) *games.Layout { return layout }

// Pieces returns the empty square, Black's pieces by Kind, then White's.
func (Rules) Pieces() []games.Piece { return pieces }

// number returns the index of a piece in Pieces.
func number(k Kind, side games.Side) uint8 { return uint8(k) + uint8(side)*uint8(Dragon) }

// AppendCells appends the pieces on the board.
func (Rules) AppendCells(dst []uint8, p Position) []uint8 {
	for i := range 81 {
		s := squareOf(i)
		k := p.KindAt(s)
		if k == NoKind {
			dst = append(dst, 0)
			continue
		}
		dst = append(dst, number(k, p.SideAt(s)))
	}
	return dst
}

// AppendHand appends the pieces in hand, rooks first.
func (Rules) AppendHand(dst []uint8, p Position, side games.Side) []uint8 {
	hand := p.Hand(side)
	for _, k := range handOrder {
		for range hand.Count(k) {
			dst = append(dst, number(k, side))
		}
	}
	return dst
}

// AppendMarks appends where the piece comes from, unless it is dropped, and where it goes.
func (Rules) AppendMarks(dst []int, _ Position, m games.Move) []int {
	if !IsDrop(m) {
		dst = append(dst, cellOf(From(m)))
	}
	return append(dst, cellOf(To(m)))
}

var _ games.Placer[Position] = Rules{}

// Place returns the one position of these pieces.
func (Rules) Place(_ Position, cells []uint8, hands [2][]uint8, toMove games.Side) ([]Position, error) {
	if len(cells) != 81 {
		return nil, unreadableSFEN
	}
	p := Position{side: toMove, plies: uint16(toMove)}
	kind := func(piece uint8) (Kind, games.Side, bool) {
		if piece > 2*uint8(Dragon) {
			return NoKind, 0, false
		}
		return Kind((piece-1)%uint8(Dragon) + 1), pieces[piece].Side, true
	}
	for i, piece := range cells {
		if piece == 0 {
			continue
		}
		k, side, ok := kind(piece)
		if !ok {
			return nil, unreadableSFEN
		}
		p.put(k, side, squareOf(i).Bit())
	}
	for side, hand := range hands {
		for _, piece := range hand {
			k, of, ok := kind(piece)
			if !ok || of != games.Side(side) || k < Pawn || k > Gold {
				return nil, unreadableSFEN
			}
			if err := p.give(of, k, 1); err != nil {
				return nil, err
			}
		}
	}
	return []Position{p}, p.validate()
}

// Holdable returns the kinds that can be in hand, the strongest first.
func (Rules) Holdable(side games.Side) (all []uint8) {
	for _, k := range handOrder {
		all = append(all, number(k, side))
	}
	return all
}
