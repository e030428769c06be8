package csa

import (
	"strings"
	"testing"

	"kifu/kit/recordtest"
)

var tested = recordtest.NewFormat(Format())

// TestVectors reads the files of testdata/vectors, one habit of writers or fault each.
func TestVectors(t *testing.T) { tested.Run(t) }

// long is a game of n moves, n even.
func long(n int) string {
	return "V2.2\nN+a\nN-b\n$EVENT:wdoor+floodgate-900-0+a+b+1\nPI\n+\n" + strings.Repeat("+7776FU\nT12\n'** 130\n-3334FU\nT1\n'** -30000\n", n/2) + "%TORYO\n"
}

// TestGamesDoNotAllocate: a reader that has read a game takes no memory for the next, but for words in comments.
func TestGamesDoNotAllocate(t *testing.T) {
	if n := tested.Allocations(t, long(60), 60); n != 0 {
		t.Errorf("%v allocations a game: want none", n)
	}
}

// TestKeep: a game that is not kept has its tags and no moves; the next one is whole.
func TestKeep(t *testing.T) {
	tested.Keep(t, "V2\nN+no\n+7776FU\n%TORYO\n/\nV2\nN+yes\n+7776FU\n/\nV2\nN+no\n", recordtest.Skipped, 1, recordtest.Skipped)
}

// TestLongGames: a game longer than the limit is given up, whatever the blocks; the next
// one is not.
func TestLongGames(t *testing.T) {
	recordtest.LongGames(t, []byte(long(2)+"V2.2\n'"+strings.Repeat("abcd \n'", 200)+"\n"+long(4)), initial, "V2.2", 14)
}

// TestStreamFailure: a stream that fails gives the games before the failure, then what
// was cut, then the failure again and again.
func TestStreamFailure(t *testing.T) {
	tested.StreamFailure(t, long(2)+long(4), long(60)[:300], 0)
}

func TestRecognize(t *testing.T) {
	for head, want := range map[string]bool{
		"V2.2\nN+": true, "'comment\r\n\r\nV3.0": true, "\uFEFF'CSA encoding=UTF-8\nV3.0\n": true, "N+a\nN-b\n": true, "PI\n+\n": true,
		"'only a comment\n": false, "[Event \"x\"]\n": false, "": false, "手合割：平手\n": false, "Vienna, 1903\n": false,
	} {
		if got := recognize([]byte(head)); got != want {
			t.Errorf("%q: %t", head, got)
		}
	}
}

// FuzzReader: whatever is read, games lie in the stream in their order and do not depend
// on where it is cut; and whatever stands between two games, they are read as ever.
func FuzzReader(f *testing.F) {
	tested.FuzzBetween(f, long(2)+"/\n", "\n/\n"+long(4), len("\n/\n"))
}

// BenchmarkRead reads games with values and times, as one block, from memory.
func BenchmarkRead(b *testing.B) { tested.Read(b, []byte(strings.Repeat(long(100), 1000))) }
