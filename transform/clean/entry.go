package clean

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"strings"

	"kifu/datasets/columns"
	"kifu/games"
	"kifu/internal/person"
)

// player holds the parts of a name that are compared: hashes of the sounds of its surname, without spaces,
// and of its words. Missing parts are zero, and so is an unknown name.
type player struct {
	surname uint32
	other   uint32 // what may be the surname as well: of Tal Mikhail either word
	words   [4]uint32
}

func (p *player) known() bool { return p.words[0] != 0 }

// shares reports whether the names have a word in common.
func (p *player) shares(o *player) bool {
	if p.surname != 0 && p.surname == o.surname {
		return true
	}
	for _, a := range p.words {
		for _, b := range o.words {
			if a != 0 && a == b {
				return true
			}
		}
	}
	return false
}

// namer makes players of names, for one worker. It keeps those that it has seen.
type namer struct {
	canonical map[string]string
	seen      map[string]player
}

// keptNames is how many players a namer keeps.
const keptNames = 1 << 16

func (n *namer) player(text []byte) player {
	if p, seen := n.seen[string(text)]; seen {
		return p
	}
	name := string(text)
	if other, is := n.canonical[name]; is {
		name = other
	}
	if len(n.seen) >= keptNames {
		clear(n.seen)
	}
	p := playerOf(name)
	n.seen[string(text)] = p
	return p
}

// nameless are the words for unknown players.
var nameless = map[string]bool{"nn": true, "n n": true, "amateur": true, "anonymous": true, "unknown": true, "allies": true, "consultants": true}

// playerOf takes a surname's words and given names of three letters or more.
func playerOf(name string) (p player) {
	f, _ := person.Parse(name, nil)
	words := strings.Fields(f.Surname)
	if len(words) == 0 || nameless[f.Bare] {
		return p
	}
	p.surname = soundHash(strings.Join(words, ""))
	for _, g := range f.Given {
		if len(g) > 2 {
			words = append(words, g)
			if !f.Comma && p.other == 0 {
				p.other = soundHash(g)
			}
		}
	}
	for i := range min(len(words), len(p.words)) {
		p.words[i] = soundHash(words[i])
	}
	return p
}

func soundHash(word string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(person.Sound(word)))
	return max(h.Sum32(), 1)
}

// entry is a game in a bucket. Date and moves point into the bucket's memory.
type entry struct {
	id      int64
	start   uint64 // hash of the variant and the start position, without a set of rules
	players [2]player
	result  byte // first letter, 0 when unknown
	known   byte // how much the header has
	date    []byte
	moves   []byte // two bytes each
}

func (e *entry) plies() int { return len(e.moves) / 2 }

// fuller orders games that may be one, the fullest first: more moves, then more of the header, then the
// earlier one.
func (e *entry) fuller(o *entry) int {
	return cmp.Or(cmp.Compare(len(o.moves), len(e.moves)), cmp.Compare(o.known, e.known), cmp.Compare(e.id, o.id))
}

// entryOf makes the entry of a row. It points into the batch.
func entryOf(rules any, b *columns.Batch, row int, names *namer) entry {
	h := fnv.New64a()
	games.WriteStart(h, rules, b.Col("variant").Value(row), b.Col("start_position").Value(row))
	e := entry{start: h.Sum64(), moves: b.Col("moves").Value(row)}
	for side, name := range []string{"first_player", "second_player"} {
		if v := b.Col(name); !v.IsNull(row) {
			e.players[side] = names.player(v.Value(row))
			e.known += 2
		}
	}
	if v := b.Col("result"); !v.IsNull(row) {
		e.result, e.known = v.Value(row)[0], e.known+2
	}
	if v := b.Col("date").Value(row); len(v) <= len("1950-07-15") {
		e.date = v
		e.known += byte(len(v) / 4 * 2) // 1950, 1950-07, 1950-07-15
	}
	for _, name := range []string{"event", "site", "round", "first_elo", "second_elo", "evals"} {
		if !b.Col(name).IsNull(row) {
			e.known++
		}
	}
	return e
}

func (e *entry) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(e.id))
	dst = binary.LittleEndian.AppendUint64(dst, e.start)
	for _, p := range e.players {
		dst = binary.LittleEndian.AppendUint32(dst, p.surname)
		dst = binary.LittleEndian.AppendUint32(dst, p.other)
		for _, w := range p.words {
			dst = binary.LittleEndian.AppendUint32(dst, w)
		}
	}
	dst = append(dst, e.result, e.known, byte(len(e.date)))
	dst = append(dst, e.date...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(e.moves)))
	return append(dst, e.moves...)
}

// read decodes an entry at the front of b.
func (e *entry) read(b []byte) (rest []byte) {
	e.id, e.start, b = int64(binary.LittleEndian.Uint64(b)), binary.LittleEndian.Uint64(b[8:]), b[16:]
	word := func() (w uint32) {
		w, b = binary.LittleEndian.Uint32(b), b[4:]
		return w
	}
	for i := range e.players {
		e.players[i].surname, e.players[i].other = word(), word()
		for k := range e.players[i].words {
			e.players[i].words[k] = word()
		}
	}
	e.result, e.known = b[0], b[1]
	n := int(b[2])
	e.date, b = b[3:3+n], b[3+n:]
	n = int(word())
	e.moves, b = b[:n], b[n:]
	return b
}

// dates compares the dates of two games: they agree as far as both are known, are within a year of each
// other, or farther apart.
type dates int

const (
	agree dates = iota
	near
	far
)

func datesOf(a, b *entry) dates {
	if bytes.HasPrefix(a.date, b.date) || bytes.HasPrefix(b.date, a.date) {
		return agree
	}
	if d := year(a.date) - year(b.date); d >= -1 && d <= 1 {
		return near
	}
	return far
}

func year(date []byte) (n int) {
	for i := 0; i < 4 && i < len(date); i++ {
		n = 10*n + int(date[i]-'0')
	}
	return n
}
