package tree

import (
	"encoding/binary"

	"kifu/games"
	"kifu/schemas"
)

// entry is a position of a game with the move that was played in it.
type entry struct {
	hash uint64
	game int64  // id
	move uint32 // number of its text, 0 for none
	facts
}

// facts are an entry's data about its game, in 56 bits.
type facts uint64

// The fields of facts.
const (
	dateBits    = 21 // year, 12 bits; month, 4; day, 5; 0 where unknown
	eloBits     = 15 // 0: not known
	resultBits  = 2
	resultShift = dateBits + 2*eloBits
	speedShift  = resultShift + resultBits
)

func factsOf(date uint32, elo [2]int32, result games.Outcome, speed int) facts {
	return facts(date) | facts(elo[0])<<dateBits | facts(elo[1])<<(dateBits+eloBits) | facts(result)<<resultShift | facts(speed)<<speedShift
}

func (f facts) date() uint32 { return uint32(f & (1<<dateBits - 1)) }

func (f facts) elo(side int) int32 {
	return int32(f >> (dateBits + side*eloBits) & (1<<eloBits - 1))
}

func (f facts) result() games.Outcome { return games.Outcome(f >> resultShift & (1<<resultBits - 1)) }

func (f facts) speed() int { return int(f >> speedShift) }

// entryBytes is the length of an entry on disk. A game_id has 40 bits there, the number of a text 24.
const (
	entryBytes = 24
	gameBits   = 40
)

func (e *entry) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, e.hash)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(e.game)|uint64(e.move)<<gameBits)
	return binary.LittleEndian.AppendUint64(dst, uint64(e.facts))
}

func (e *entry) read(b []byte) {
	e.hash = binary.LittleEndian.Uint64(b)
	word := binary.LittleEndian.Uint64(b[8:])
	e.game, e.move = int64(word&(1<<gameBits-1)), uint32(word>>gameBits)
	e.facts = facts(binary.LittleEndian.Uint64(b[16:]))
}

// dateOf reads a date of the games as year, month and day, the missing ones 0; ok is false if it is none.
func dateOf(text []byte) (date uint32, ok bool) {
	if len(text) == 0 {
		return 0, true
	}
	d, ok := schemas.DateOf(text)
	year, month, day := uint32(d.Year()), uint32(max(0, d.Month())), uint32(max(0, d.Day()))
	return year<<9 | month<<5 | day, ok && year < 1<<12 && month <= 12 && day <= 31
}

// appendDate is the inverse of dateOf.
func appendDate(dst []byte, date uint32) []byte {
	known := func(n uint32) int64 {
		if n == 0 {
			return -1
		}
		return int64(n)
	}
	return schemas.AppendDate(dst, int64(date>>9), known(date>>5&15), known(date&31))
}

// speedOf returns the number of a time control in schemas.Speeds, from 1, by its time for 40 moves in ms.
func speedOf(base, increment int32) int {
	ms := int64(base) + 40*int64(increment)
	i := len(schemas.SpeedsFrom)
	for i > 1 && ms < schemas.SpeedsFrom[i-1] {
		i--
	}
	return i
}
