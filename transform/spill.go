package transform

import (
	"encoding/binary"
	"math/bits"

	"kifu/games"
	"kifu/internal/spill"
	"kifu/internal/splitmix"
)

// place is the occurrence of a position, with the result of its game: game_id<<22 | ply<<2
// | outcome. Places sort by game and ply.
type place uint64

const (
	plyBits   = 20
	gameShift = plyBits + 2

	maxPlies = 1<<plyBits - 1
)

func newPlace(gameID int64, ply int, o games.Outcome) place {
	return place(gameID)<<gameShift | place(ply)<<2 | place(o)
}

func (p place) gameID() int64          { return int64(p >> gameShift) }
func (p place) ply() int               { return int(p >> 2 & maxPlies) }
func (p place) outcome() games.Outcome { return games.Outcome(p & 3) }

// scatterBuffer collects one worker's positions by bucket.
type scatterBuffer struct {
	*spill.Writer
	shift int
}

const (
	placeSize  = 16 // hash, place
	chunkBytes = 512 * placeSize
)

func newScatterBuffer(to *spill.File) *scatterBuffer {
	return &scatterBuffer{Writer: spill.NewWriter(to, chunkBytes), shift: 64 - bits.Len(uint(to.Buckets()-1))}
}

func (s *scatterBuffer) put(hash uint64, p place) error {
	bucket := int(splitmix.Mix(hash) >> s.shift)
	b := binary.LittleEndian.AppendUint64(s.Pending(bucket), hash)
	return s.Put(bucket, binary.LittleEndian.AppendUint64(b, uint64(p)))
}
