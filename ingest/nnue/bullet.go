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
		Recognize: recognizeBullet,
		Holds:     record.Positions,
		NewSplitter: func(r io.Reader, size int, from record.Start) record.Splitter {
			return newBulletSplitter(r, size, from.Offset)
		},
		NewReader:  func(record.Options) record.BlockReader { return &bulletReader{} },
		VariantTag: record.TagVariant,
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

// bulletSplitter cuts a stream between two boards.
type bulletSplitter struct {
	record.Carry
	cuts record.Cuts
}

func newBulletSplitter(r io.Reader, size int, offset int64) *bulletSplitter {
	if size <= 0 {
		size = 1 << 20
	}
	size = max(1, size/nnue.BulletSize) * nnue.BulletSize
	s := &bulletSplitter{Carry: record.NewCarry(r, size, offset, 1)}
	s.cuts = record.Cuts{Max: size, Cut: s.cut, Drop: s.drop, Skip: func() bool { return true }}
	return s
}

// Next implements record.Splitter. Lines are numbers of boards, from 1.
func (s *bulletSplitter) Next(b *record.Block) error {
	err := s.Carry.Next(b, &s.cuts)
	if err == nil {
		b.Line, b.EndLine = boardNumber(b.Offset), boardNumber(b.Offset+int64(len(b.Data)))
	}
	return err
}

func (s *bulletSplitter) cut() int { return len(s.Data) / nnue.BulletSize * nnue.BulletSize }

func (s *bulletSplitter) drop(n int, reason string) error {
	err := &record.SyntaxError{Offset: s.Offset, Line: boardNumber(s.Offset), Reason: reason}
	s.Pass(n)
	return err
}

func boardNumber(offset int64) int { return int(offset/nnue.BulletSize) + 1 }

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
	g.Line = boardNumber(g.Offset)
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
