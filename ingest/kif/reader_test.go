package kif

import (
	"fmt"
	"strings"
	"testing"

	"kifu/kit/recordtest"
)

var tested = recordtest.NewFormat(Format())

// TestVectors reads the files of testdata/vectors, one habit of writers or fault each.
func TestVectors(t *testing.T) { tested.Run(t) }

// long is a game of n moves, n even.
func long(n int) string {
	text := "#KIF version=2.0 encoding=UTF-8\n先手：a\n持ち時間：15分+60秒\n手合割：平手\n手数----指手---------消費時間--\n"
	for i := 1; i < n; i += 2 {
		text += fmt.Sprintf("%4d ７六歩(77)   ( 0:10/00:00:10)\n%4d 同　歩(33)   ( 0:01/00:00:03)\n", i, i+1)
	}
	return text + fmt.Sprintf("%4d 投了\n", n+1)
}

// TestMovesDoNotAllocate: a game of many moves takes no more memory than one of few.
func TestMovesDoNotAllocate(t *testing.T) {
	if few, many := tested.Allocations(t, long(4), 4), tested.Allocations(t, long(400), 400); many > few || many > 4 {
		t.Errorf("%v allocations for 400 moves, %v for 4", many, few)
	}
}

// TestKeep: a game that is not kept has its tags and no moves; the next one is whole.
func TestKeep(t *testing.T) {
	tested.Keep(t, "#KIF 1\n先手：no\n1 ７六歩(77)\n2 投了\n#KIF 1\n先手：yes\n1 ７六歩(77)\n#KIF 1\n先手：no\n", recordtest.Skipped, 1, recordtest.Skipped)
}

// TestLongGames: a game longer than the limit is given up, whatever the blocks; the next
// one is not.
func TestLongGames(t *testing.T) {
	recordtest.LongGames(t, []byte(long(2)+"#KIF 1\n*"+strings.Repeat("abcd \n*", 200)+"\n"+long(4)), initial, "#KIF", 9)
}

// TestStreamFailure: a stream that fails gives the games before the failure, then what
// was cut, then the failure again and again.
func TestStreamFailure(t *testing.T) {
	tested.StreamFailure(t, long(2)+long(4), long(60)[:900], 0)
}

// FuzzReader: whatever is read, games lie in the stream in their order and do not depend
// on where it is cut; and whatever stands between two games, they are read as ever.
func FuzzReader(f *testing.F) {
	tested.FuzzBetween(f, long(2)+"#KIF 1\n", "\n"+long(4), len("\n#KIF version=2.0 encoding=UTF-8\n"))
}

// BenchmarkRead reads games with values and times, as one block, from memory.
func BenchmarkRead(b *testing.B) { tested.Read(b, []byte(strings.Repeat(long(100), 1000))) }
