package nnue

import (
	"io"

	"kifu/games/chess/nnue"
	"kifu/ingest/record"
)

// Bullet returns the description of the boards of bullet, 32 bytes each. White is the side to
// move in all of them, whoever was.
func Bullet() *record.Format {
	return &record.Format{
		Name: "bullet", Extensions: []string{".bullet"},
		Recognize:   recognizeBullet,
		Holds:       record.Positions,
		NewSplitter: boards.Splitter,
		NewReader:   func(record.Options) record.BlockReader { return &bulletReader{} },
		VariantTag:  record.TagVariant,
	}
}

// recognizeBullet reports whether head begins with two boards, or one that is all of it: the
// squares of the kings are there twice, which chance does not make.
func recognizeBullet(head []byte) bool {
	if len(head) < nnue.BulletSize || len(head) > nnue.BulletSize && len(head) < 2*nnue.BulletSize {
		return false
	}
	for at := 0; at < min(len(head), 2*nnue.BulletSize); at += nnue.BulletSize {
		var b [boardSize]byte
		if _, _, err := nnue.ReadBullet(&b, head[at:]); err != nil {
			return false
		}
	}
	return true
}

// boards are the cuts of a stream between two boards. Lines are numbers of boards, from 1.
var boards = record.Cuts{
	Max: 2 << 20, Unit: nnue.BulletSize,
	Cut:  func(d []byte, _ bool) int { return len(d) / nnue.BulletSize * nnue.BulletSize },
	Next: func([]byte, bool) int { return 0 },
}

// bulletReader reads the boards of blocks.
type bulletReader struct {
	block record.Block
	at    int
	board [boardSize]byte
}

// Reset makes r read b.
func (r *bulletReader) Reset(b record.Block) { r.block, r.at = b, 0 }

// Read fills g with the next position.
func (r *bulletReader) Read(g *record.Game) error {
	g.Reset()
	rest := r.block.Data[r.at:]
	if len(rest) == 0 {
		return io.EOF
	}
	g.Offset = r.block.Offset + int64(r.at)
	g.Line = int(g.Offset/nnue.BulletSize) + 1
	if len(rest) < nnue.BulletSize {
		r.at = len(r.block.Data)
		return fault(g, "cut off in the middle of a board")
	}
	r.at += nnue.BulletSize
	value, result, err := nnue.ReadBullet(&r.board, rest)
	if err != nil {
		return fault(g, err.Error())
	}
	g.Board = r.board[:]
	g.Result = results[result+1]
	g.Moves = append(g.Moves, record.Move{Value: int32(value), HasValue: true})
	return nil
}
