package transform

import (
	"encoding/binary"
	"math/bits"
	"os"
	"sync"

	"kifu/games"
)

// place is where a position stood, and the result of the game:
// game_id<<22 | ply<<2 | outcome. Places sort by game and ply.
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

// spill is one scratch file with many buckets, each a list of chunks: one open file,
// however many buckets there are.
type spill struct {
	file *os.File

	mu     sync.Mutex
	end    int64
	chunks [][]chunk // by bucket
}

type chunk struct {
	offset int64
	length int
}

func newSpill(path string, buckets int) (*spill, error) {
	f, err := os.Create(path)
	return &spill{file: f, chunks: make([][]chunk, buckets)}, err
}

// close frees the disk space. It may be called again.
func (s *spill) close() {
	s.file.Close()
	os.Remove(s.file.Name())
}

// put adds a chunk to a bucket and returns where it lies.
func (s *spill) put(bucket int, data []byte) (offset int64, err error) {
	s.mu.Lock()
	offset = s.end
	s.end += int64(len(data))
	s.chunks[bucket] = append(s.chunks[bucket], chunk{offset, len(data)})
	s.mu.Unlock()
	_, err = s.file.WriteAt(data, offset)
	return offset, err
}

// read returns a bucket's chunks end to end, in buf if it is large enough. Nobody may
// write meanwhile.
func (s *spill) read(bucket int, buf []byte) ([]byte, error) {
	size := 0
	for _, c := range s.chunks[bucket] {
		size += c.length
	}
	if cap(buf) < size {
		buf = make([]byte, size)
	}
	buf = buf[:0]
	for _, c := range s.chunks[bucket] {
		at := len(buf)
		buf = buf[:at+c.length]
		if _, err := s.file.ReadAt(buf[at:], c.offset); err != nil {
			return nil, err
		}
	}
	return buf, nil
}

// scatterBuffer collects one worker's positions by bucket.
type scatterBuffer struct {
	to      *spill
	shift   int
	buckets [][]byte
}

const (
	placeSize  = 16 // hash, place
	chunkBytes = 512 * placeSize
)

func newScatterBuffer(to *spill) *scatterBuffer {
	n := len(to.chunks)
	return &scatterBuffer{to: to, shift: 64 - bits.Len(uint(n-1)), buckets: make([][]byte, n)}
}

func (s *scatterBuffer) put(hash uint64, p place) error {
	bucket := int(mix(hash) >> s.shift)
	b := s.buckets[bucket]
	if b == nil {
		b = make([]byte, 0, chunkBytes)
	}
	b = binary.LittleEndian.AppendUint64(b, hash)
	b = binary.LittleEndian.AppendUint64(b, uint64(p))
	s.buckets[bucket] = b
	if len(b) < chunkBytes {
		return nil
	}
	return s.flush(bucket)
}

func (s *scatterBuffer) flush(bucket int) error {
	_, err := s.to.put(bucket, s.buckets[bucket])
	s.buckets[bucket] = s.buckets[bucket][:0]
	return err
}

func (s *scatterBuffer) flushAll() error {
	for bucket, b := range s.buckets {
		if len(b) == 0 {
			continue
		}
		if err := s.flush(bucket); err != nil {
			return err
		}
	}
	return nil
}
