package duplicates

import (
	"cmp"
	"context"
	"encoding/binary"
	"hash/fnv"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
	"kifu/internal/spill"
)

// entry is a game in a bucket. Its texts and moves point into the bucket's memory.
type entry struct {
	id      int64
	start   uint64 // hash of the variant and the start position, without a set of rules
	players [2]name
	result  byte   // first letter, 0 when unknown
	date    []byte // as the column has it, empty when unknown
	moves   []byte // two bytes each
}

func (e *entry) plies() int { return len(e.moves) / 2 }

// rank orders games that hold the same moves, the original first: the game with more of players, date and
// result known, then the earlier one.
func (e *entry) rank(o *entry) int {
	return cmp.Or(cmp.Compare(o.told(), e.told()), cmp.Compare(e.id, o.id))
}

// told returns how many of players, date and result are known.
func (e *entry) told() (n int) {
	for _, known := range []bool{e.players[0][0] != 0, e.players[1][0] != 0, len(e.date) > 0, e.result != 0} {
		if known {
			n++
		}
	}
	return n
}

func (e *entry) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(e.id))
	dst = binary.LittleEndian.AppendUint64(dst, e.start)
	for _, n := range e.players {
		for _, word := range n {
			dst = binary.LittleEndian.AppendUint32(dst, word)
		}
	}
	dst = append(dst, e.result, byte(len(e.date)))
	dst = append(dst, e.date...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(e.moves)))
	return append(dst, e.moves...)
}

// read decodes an entry at the front of b.
func (e *entry) read(b []byte) (rest []byte) {
	e.id = int64(binary.LittleEndian.Uint64(b))
	e.start = binary.LittleEndian.Uint64(b[8:])
	b = b[16:]
	for i := range e.players {
		for k := range e.players[i] {
			e.players[i][k], b = binary.LittleEndian.Uint32(b), b[4:]
		}
	}
	e.result = b[0]
	n := int(b[1])
	e.date, b = b[2:2+n], b[2+n:]
	n = int(binary.LittleEndian.Uint32(b))
	e.moves, b = b[4:4+n], b[4+n:]
	return b
}

// sourceColumns are the columns read from the games.
var sourceColumns = []string{"game_id", "variant", "start_position", "moves", "first_player", "second_player", "date", "result"}

// chunkBytes is the number of bytes of a bucket that a worker collects before it writes
// them.
const chunkBytes = 16 << 10

// scatterer puts games into buckets. It must not be shared by goroutines.
type scatterer struct {
	rules  any
	params Params
	to     *spill.Writer
	batch  *columns.Batch
}

// scatter puts every game that has a move into the bucket of its start and its first
// moves.
func scatter(ctx context.Context, rules any, p Params, workers int, in *datasets.Dir, to *spill.File) error {
	all := make([]*scatterer, workers)
	for i := range all {
		all[i] = &scatterer{rules: rules, params: p, to: spill.NewWriter(to, chunkBytes), batch: columns.NewBatch(in.Table, sourceColumns...)}
	}
	err := datasets.Each(ctx, in, workers, "read games", "games", func(worker int, g datasets.Group, _ func(struct{}) error) error {
		if err := g.Read(all[worker].batch); err != nil {
			return err
		}
		return all[worker].put()
	}, nil)
	if err != nil {
		return err
	}
	for _, s := range all {
		if err := s.to.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// put scatters the games of the batch.
func (s *scatterer) put() error {
	b := s.batch
	id, variant, start, moves := b.Col("game_id"), b.Col("variant"), b.Col("start_position"), b.Col("moves")
	first, second, date, result := b.Col("first_player"), b.Col("second_player"), b.Col("date"), b.Col("result")
	for row := range b.Rows {
		e := entry{id: id.Int64[row], moves: moves.Value(row)}
		if len(e.moves) == 0 {
			continue
		}
		h := fnv.New64a()
		games.WriteStart(h, s.rules, variant.Value(row), start.Value(row))
		e.start = h.Sum64()
		e.players = [2]name{nameOf(first.Value(row)), nameOf(second.Value(row))}
		if v := result.Value(row); len(v) > 0 {
			e.result = v[0]
		}
		if v := date.Value(row); len(v) < 256 {
			e.date = v
		}
		h.Write(e.moves[:min(len(e.moves), 2*s.params.MinPrefix)])
		bucket := int(h.Sum64() % uint64(s.to.Buckets()))
		if err := s.to.Put(bucket, e.append(s.to.Pending(bucket))); err != nil {
			return err
		}
	}
	return nil
}
