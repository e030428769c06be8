// Package nnue writes positions of chess as training data of networks: plain and binpack of
// Stockfish's tools, and what bullet reads. How they are packed is known to games/chess/nnue.
package nnue

import (
	"errors"
	"fmt"
	"io"
	"math"

	"kifu/export"
	"kifu/games"
	"kifu/games/chess/nnue"
)

const (
	noValue games.Reason = "no value"
	tooLate games.Reason = "a ply of 16384 or more"
)

// entry makes an entry of p. Positions without a value have the one that trainers pass over.
func entry(p *export.Position) (nnue.Entry, error) {
	e, err := nnue.NewEntry(p.Board, p.Move)
	if err != nil {
		return e, games.Reason(err.Error())
	}
	if p.Ply > nnue.MaxPly {
		return e, tooLate
	}
	e.Value, e.Result, e.Ply, e.Clock = nnue.NoValue, int8(p.Outcome()), uint16(p.Ply), uint8(min(p.Clock, math.MaxUint8))
	if p.Scored {
		e.Value = int16(max(-math.MaxInt16, min(math.MaxInt16, p.Score)))
	}
	return e, nil
}

// Plain writes positions of chess as the text of Stockfish's tools.
type Plain struct{}

// Name returns "plain".
func (Plain) Name() string { return "plain" }

// Pack implements Training.
func (Plain) Pack(dst []byte, p *export.Position) ([]byte, error) {
	if p.Move == nil {
		return dst, export.NoMove
	}
	e, err := entry(p)
	if err != nil {
		return dst, err
	}
	return e.AppendPlain(dst), nil
}

// Append implements Line.
func (f Plain) Append(dst []byte, p *export.Position) []byte { return export.AppendPacked(f, dst, p) }

// Binpack writes positions of chess in the format of Stockfish's tools in which those that
// follow each other take two or three bytes.
type Binpack struct{}

// Name returns "binpack".
func (Binpack) Name() string { return "binpack" }

// Pack implements Training: entries, which NewStream makes chains of.
func (Binpack) Pack(dst []byte, p *export.Position) ([]byte, error) {
	if p.Move == nil {
		return dst, export.NoMove
	}
	e, err := entry(p)
	if err != nil {
		return dst, err
	}
	return nnue.AppendEntry(dst, &e), nil
}

// Append implements Line.
func (f Binpack) Append(dst []byte, p *export.Position) []byte { return export.AppendPacked(f, dst, p) }

// NewStream implements Stream.
func (Binpack) NewStream(w io.Writer) io.WriteCloser { return &binpack{w: w} }

// binpack makes chunks of entries.
type binpack struct {
	w      io.Writer
	chains nnue.ChainWriter
}

func (b *binpack) Write(entries []byte) (n int, err error) {
	for ; n < len(entries); n += nnue.EntrySize {
		chunk, err := b.chains.Add(entries[n : n+nnue.EntrySize])
		if err != nil {
			return n, fmt.Errorf("binpack: %w", err)
		}
		if chunk == nil {
			continue
		}
		if _, err := b.w.Write(chunk); err != nil {
			return n, err
		}
	}
	return n, nil
}

// Close writes the last chunk.
func (b *binpack) Close() error {
	_, err := b.w.Write(b.chains.Close())
	return err
}

// Bullet writes positions of chess as the trainer bullet reads them: in 32 bytes or, with Text,
// as lines of FEN, value and result, of which it makes these.
type Bullet struct{ Text bool }

// Name returns "bullet" or "bullet-text".
func (f Bullet) Name() string {
	if f.Text {
		return "bullet-text"
	}
	return "bullet"
}

// TakesSoft reports whether the text may have results between win, draw and loss.
func (f Bullet) TakesSoft() bool { return f.Text }

// Pack implements Training. A position without a value is left out: the format has no mark for a
// missing one.
func (f Bullet) Pack(dst []byte, p *export.Position) ([]byte, error) {
	if !p.Scored {
		return dst, noValue
	}
	e, err := nnue.NewEntry(p.Board, nil)
	if err != nil && !errors.Is(err, nnue.ErrCastling) {
		return dst, games.Reason(err.Error())
	}
	e.Value, e.Result, e.Ply, e.Clock = int16(max(-math.MaxInt16, min(math.MaxInt16, p.Score))), int8(p.Outcome()), uint16(p.Ply), uint8(min(p.Clock, math.MaxUint8))
	if f.Text {
		expected := p.Expected
		if !p.Soft {
			expected = float32(1+int32(e.Result)*p.ToMove.Sign()) / 2
		}
		return e.AppendBar(dst, expected), nil
	}
	return nnue.AppendBullet(dst, &e.Position, e.Value, e.Result), nil
}

// Append implements Line.
func (f Bullet) Append(dst []byte, p *export.Position) []byte { return export.AppendPacked(f, dst, p) }
