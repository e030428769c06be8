package chess

import (
	"strings"

	"kifu/games"
)

// The men are drawn for this program and under its licence: a base, an outline for each
// kind, and details in a second colour, all in a box of 45 by 45.
const base = `<path d="M11 38.5v-2.6c0-1.2.9-2.1 2.1-2.1h18.8c1.2 0 2.1.9 2.1 2.1v2.6z"/>`

var outlines = [...]string{
	Pawn:   `<path d="M14.5 33.8c3.4-2.4 4.9-5.6 5-9.6h-3.6c-.6 0-.7-.7-.3-1.1 1-1.1 2.2-2 3.5-2.6a5.8 5.8 0 1 1 6.8 0c1.3.6 2.5 1.5 3.5 2.6.4.4.3 1.1-.3 1.1h-3.6c.1 4 1.6 7.2 5 9.6z"/>`,
	Knight: `<path d="M13.5 33.8c-.2-5.6 2.2-9.2 7.6-13.3-2.3 1.3-4.6 1.7-6.3 2.9-1.4 1-1.7 2.8-3.3 3.3-1.7.5-3.6-.9-4-2.6-.3-1.3.3-2.3 1-3.3l4.5-7.3c.2-1.7.9-3.1 2.2-4.2l-.3-4 3.9 2.6c9.2-.7 15.8 6.5 15.2 17.3-.2 3.2-.9 5.9-1.2 8.6z"/>`,
	Bishop: `<path d="M15 33.8c2.3-1.3 3.3-2.9 3.4-4.9h-2.5v-2.6h1.7c-3.3-2.1-4.6-5.1-3.9-8.3.7-3.2 3.5-5.7 6.9-8.7a2.9 2.9 0 1 1 3.8 0c3.4 3 6.2 5.5 6.9 8.7.7 3.2-.6 6.2-3.9 8.3h1.7v2.6h-2.5c.1 2 1.1 3.6 3.4 4.9z"/>`,
	Rook:   `<path d="M13.5 33.8c1.6-1.3 2.4-2.7 2.6-4.4l.7-10.2-3.9-3.3V8.7h4.6v2.9h2.9V8.7h4.2v2.9h2.9V8.7h4.6v7.2l-3.9 3.3.7 10.2c.2 1.7 1 3.1 2.6 4.4z"/>`,
	Queen:  `<path d="M13.2 33.8c.3-3-.4-5.3-1.3-7.9l-3.1-11.7 6.2 6.5 1-10.5 5 9.7 1.5-11 1.5 11 5-9.7 1 10.5 6.2-6.5-3.1 11.7c-.9 2.6-1.6 4.9-1.3 7.9z"/><circle cx="8.3" cy="12.8" r="2.1"/><circle cx="15.7" cy="8.5" r="2.1"/><circle cx="22.5" cy="7" r="2.1"/><circle cx="29.3" cy="8.5" r="2.1"/><circle cx="36.7" cy="12.8" r="2.1"/>`,
	King:   `<path d="M22.5 4.3v9M19.1 7.3h6.8" fill="none" stroke-width="2.2"/><path d="M13.6 33.8c-.2-2.8-.9-4.6-2.9-7.2-2.6-3.3-4-6.2-2.6-9.2 1.5-3.1 5.5-4.2 9.1-2.4.9.4 1.7 1 2.4 1.7.4-1.9 1.4-3.3 2.9-4.4 1.5 1.1 2.5 2.5 2.9 4.4.7-.7 1.5-1.3 2.4-1.7 3.6-1.8 7.6-.7 9.1 2.4 1.4 3 0 5.9-2.6 9.2-2 2.6-2.7 4.4-2.9 7.2z"/>`,
}

var details = [...]string{
	Pawn:   ``,
	Knight: `<circle cx="17" cy="15.6" r="1"/><path d="M25.5 12.5c4 3 5.7 7.5 5.3 13.5"/><circle cx="10.3" cy="23.5" r=".5"/>`,
	Bishop: `<path d="M17.6 26.3h9.8M18.4 28.9h8.2M22.5 14.2v6.6M19.4 17.3h6.2"/>`,
	Rook:   `<path d="M16.8 19.2h11.4M16.1 29.2h12.8"/>`,
	Queen:  `<path d="M12.2 27.1c6.6-1.9 14-1.9 20.6 0M13.2 30.6c6.2-1.5 12.4-1.5 18.6 0"/>`,
	King:   `<path d="M22.5 26V16.7M13 28.5c6.2-2.3 12.8-2.3 19 0M13.5 31.3c6-1.8 12-1.8 18 0"/>`,
}

var menNames = [...]string{Pawn: "pawn", Knight: "knight", Bishop: "bishop", Rook: "rook", Queen: "queen", King: "king"}

// pieces are the empty square, the white men by Kind, then the black ones.
var pieces = func() []games.Piece {
	all := []games.Piece{{}}
	symbols := [2][]rune{[]rune("♙♘♗♖♕♔"), []rune("♟♞♝♜♛♚")}
	letters := [2]string{"PNBRQK", "pnbrqk"}
	colours := [2][2]string{{"#fff", "#000"}, {"#222", "#ececec"}}
	for side, name := range layout.Sides {
		for k := Pawn; k <= King; k++ {
			all = append(all, games.Piece{
				Letter: letters[side][k-1 : k], Symbol: string(symbols[side][k-1]),
				Name: strings.ToLower(name) + " " + menNames[k], Side: games.Side(side),
				Drawing: `<g fill="` + colours[side][0] + `" stroke="#000" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round">` +
					outlines[k] + base + `<g fill="none" stroke="` + colours[side][1] + `" stroke-width="1.3">` + details[k] + `</g></g>`,
			})
		}
	}
	return all
}()
