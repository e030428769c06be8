package order

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"kifu/datasets/columns"
	"kifu/schemas"
)

// order is a sort order of games.
type order struct {
	name    string
	columns []string // that key reads
	sorted  []string // columns by which the outcome ascends
	// key appends to dst the sort key of row i of b: compared as bytes, nulls last.
	key func(dst []byte, b *columns.Batch, i int) []byte
}

// newOrder returns the order with that name: date, player, elo, or a column of t.
func newOrder(name string, t schemas.Table, busy *busy) (order, error) {
	switch ofGames := t.Name == schemas.Games.Name; {
	case name == "player" && ofGames:
		return order{name, []string{"first_player", "second_player", "date"}, nil, busy.key}, nil
	case name == "elo":
		return order{name, []string{"first_elo", "second_elo"}, nil, eloKey}, nil
	}
	at := t.Index(name)
	if at < 0 {
		return order{}, fmt.Errorf("no order %q: want %s", name, strings.Join(orders(t), ", "))
	}
	o := order{name: name, columns: []string{name}, sorted: []string{name}}
	switch t.Columns[at].Type {
	case schemas.String:
		o.key = func(dst []byte, b *columns.Batch, i int) []byte { return textKey(dst, &b.Cols[0], i) }
	case schemas.Int16, schemas.Int32:
		o.key = func(dst []byte, b *columns.Batch, i int) []byte {
			if v := &b.Cols[0]; !v.IsNull(i) {
				return numberKey(dst, v.Int32[i])
			}
			return append(dst, last)
		}
	case schemas.Int64:
		o.key = func(dst []byte, b *columns.Batch, i int) []byte {
			if v := &b.Cols[0]; !v.IsNull(i) {
				return binary.BigEndian.AppendUint64(append(dst, present), uint64(v.Int64[i])^1<<63)
			}
			return append(dst, last)
		}
	case schemas.Uint64:
		o.key = func(dst []byte, b *columns.Batch, i int) []byte {
			if v := &b.Cols[0]; !v.IsNull(i) {
				return binary.BigEndian.AppendUint64(append(dst, present), v.Uint64[i])
			}
			return append(dst, last)
		}
	case schemas.Float32:
		o.key = func(dst []byte, b *columns.Batch, i int) []byte {
			if v := &b.Cols[0]; !v.IsNull(i) {
				return binary.BigEndian.AppendUint32(append(dst, present), ordinal(v.Float32[i]))
			}
			return append(dst, last)
		}
	default:
		return o, fmt.Errorf("%s cannot be sorted by %s, which is %s: want %s", t.Name, name, t.Columns[at].Type, strings.Join(orders(t), ", "))
	}
	return o, nil
}

// orders lists the names that Params.By takes: the most useful ones, then the columns.
func orders(t schemas.Table) []string {
	names := []string{"date", "player", "elo"}
	if t.Name != schemas.Games.Name {
		names = []string{"elo"}
	}
	for _, c := range t.Columns {
		switch c.Type {
		case schemas.String, schemas.Int16, schemas.Int32, schemas.Uint64, schemas.Float32:
			if c.Name != "date" {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

const (
	present byte = 1
	last    byte = 2
)

// textKey compares as the text does; a terminating zero sorts a prefix first.
func textKey(dst []byte, v *columns.Vec, i int) []byte {
	if v.IsNull(i) {
		return append(dst, last)
	}
	dst = append(append(dst, present), v.Value(i)...)
	return append(dst, 0)
}

func numberKey(dst []byte, x int32) []byte {
	return binary.BigEndian.AppendUint32(append(dst, present), uint32(x)^1<<31)
}

// ordinal returns a number that compares as x does.
func ordinal(x float32) uint32 {
	b := math.Float32bits(x)
	if b>>31 != 0 {
		return ^b
	}
	return b | 1<<31
}

// eloKey sorts by the better of the known ratings, then by the other. So in a row group whose best player is
// below a limit, the bounds of both ratings are below it.
func eloKey(dst []byte, b *columns.Batch, i int) []byte {
	rating := func(name string) int32 {
		if v := b.Col(name); !v.IsNull(i) {
			return v.Int32[i]
		}
		return 0
	}
	first, second := rating("first_elo"), rating("second_elo")
	if max(first, second) == 0 {
		return append(dst, last)
	}
	return numberKey(numberKey(dst, max(first, second)), min(first, second))
}
