package shogi

import (
	"encoding/binary"

	"kifu/export"
	"kifu/games"
	"kifu/internal/hcp"
)

// HCPE writes games as training data of engines of Shogi: a packed position, value, move and
// result for each move, in the 38 bytes of Apery or, with PSV, in the 40 of YaneuraOu's
// PackedSfenValue.
type HCPE struct{ PSV bool }

// Name is "hcpe" or "psv".
func (f HCPE) Name() string {
	if f.PSV {
		return "psv"
	}
	return "hcpe"
}

// Drops is what the format leaves out of games.
func (HCPE) Drops() string {
	return "players, events, dates, times, ratings, why a game ended, and the value 0 of a game that has no other"
}

const (
	noMoves   games.Reason = "no moves"
	noFullSet games.Reason = "pieces are missing, as in a handicap"
)

// Check implements export.Checker.
func (HCPE) Check(g *export.Game) error {
	start, err := startOf(g)
	switch {
	case err != nil:
		return err
	case g.Result == games.Undecided:
		return export.NoResult
	case len(g.Moves) == 0:
		return noMoves
	}
	if _, err := hcp.Apery.Append(nil, &start); err != nil {
		return noFullSet
	}
	return nil
}

// startOf returns the position that g begins with.
func startOf(g *export.Game) (hcp.Position, error) {
	if g.From == nil {
		return hcp.ParseSFEN([]byte(hcp.Start))
	}
	return hcp.ParseSFEN(g.From)
}

// code returns the code of the positions.
func (f HCPE) code() *hcp.Code {
	if f.PSV {
		return hcp.YaneuraOu
	}
	return hcp.Apery
}

// Append appends a game, which Check accepts.
func (f HCPE) Append(dst []byte, g *export.Game) []byte {
	p, _ := startOf(g)
	for i := range g.Moves {
		m, _ := hcp.ParseUSI(g.Moves[i].Text)
		value := g.Moves[i].Value
		if p.White {
			value = -value
		}
		dst, _ = f.appendRecord(dst, &p, m, value, i+1, g.Result) // Check has found a full set
		p.Play(m)
	}
	return dst
}

// appendRecord appends a position with the move, the value of the side to move, the number of
// the move and the result. The error is that its pieces are no full set.
func (f HCPE) appendRecord(dst []byte, p *hcp.Position, m hcp.Move, value int32, number int, result games.Outcome) ([]byte, error) {
	code := f.code()
	dst, err := code.Append(dst, p)
	if err != nil {
		return dst, noFullSet
	}
	dst = binary.LittleEndian.AppendUint16(dst, uint16(int16(max(-32767, min(32767, value)))))
	dst = binary.LittleEndian.AppendUint16(dst, code.Pack(m))
	if f.PSV {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(number))
		dst = append(dst, psvResult(result, p.White))
	} else {
		dst = append(dst, byte(result)%3) // a draw is 0
	}
	return append(dst, 0), nil
}

// psvResult is 1 if the side to move wins, -1 if it loses.
func psvResult(o games.Outcome, white bool) byte {
	switch {
	case o == games.Drawn:
		return 0
	case (o == games.SecondWins) == white:
		return 1
	}
	return 0xff
}
