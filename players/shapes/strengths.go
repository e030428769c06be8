package shapes

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"kifu/games"
)

// Strengths are by how much shapes raise the log-odds of the moves that they are around: the chance of move i is
// exp(s_i) / Σ_j exp(s_j), with the strength of the largest shape kept around each move.
type Strengths struct {
	numbers  numbers
	sizes    int
	strength []float32 // by number
}

// Judge returns the strengths of moves. It must not be shared by goroutines.
type Judge[P games.Position[P]] struct {
	*Strengths
	shapes   games.Patterns[P]
	Largest  []float64 // of the moves judged last: the strength of the largest shape kept
	Smallest []float64 // and of the smallest
	Sizes    []int     // of the shapes kept, by move
}

// NewJudge returns a judge by strengths of a game's shapes.
func NewJudge[P games.Position[P]](of games.Patterns[P], s *Strengths) *Judge[P] {
	return &Judge[P]{Strengths: s, shapes: of}
}

// Judge fills Largest, Smallest and Sizes; a move without a shape that was kept has 0.
func (j *Judge[P]) Judge(p P, moves []games.Move) {
	j.Largest, j.Smallest, j.Sizes = j.Largest[:0], j.Smallest[:0], j.Sizes[:0]
	for range moves {
		j.Largest, j.Smallest, j.Sizes = append(j.Largest, 0), append(j.Smallest, 0), append(j.Sizes, 0)
	}
	eachKept(j.shapes, &j.numbers, j.sizes, p, moves, func(move int, n uint32) {
		j.Largest[move] = float64(j.strength[n])
		if j.Sizes[move]++; j.Sizes[move] == 1 {
			j.Smallest[move] = j.Largest[move]
		}
	})
}

// magic begins a file of strengths, with the version of its layout.
const magic = "kifu shapes 1\n"

// AppendBinary appends the strengths as a file holds them: after the magic the number of sizes in a byte; then of each shape
// its key in 64 bits and its strength as a float of 32, least first.
func (s *Strengths) AppendBinary(dst []byte) ([]byte, error) {
	dst = append(append(dst, magic...), byte(s.sizes))
	for i, key := range s.numbers.keys {
		dst = binary.LittleEndian.AppendUint64(dst, key)
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(s.strength[i]))
	}
	return dst, nil
}

// bytesAShape is the length of a shape in a file.
const bytesAShape = 12

// Read returns the strengths that a file holds.
func Read(data []byte) (*Strengths, error) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok || len(rest) == 0 {
		return nil, errors.New("no strengths of shapes")
	}
	s := &Strengths{sizes: int(rest[0])}
	if rest = rest[1:]; len(rest)%bytesAShape != 0 {
		return nil, fmt.Errorf("strengths of shapes are cut short after %d bytes", len(data))
	}
	for ; len(rest) > 0; rest = rest[bytesAShape:] {
		x := math.Float32frombits(binary.LittleEndian.Uint32(rest[8:]))
		if !(math.Abs(float64(x)) < 1e3) {
			return nil, fmt.Errorf("a shape has the strength %v", x)
		}
		s.numbers.add(binary.LittleEndian.Uint64(rest))
		s.strength = append(s.strength, x)
	}
	return s, nil
}
