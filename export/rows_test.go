package export

import (
	"bytes"
	"testing"

	"kifu/games"
)

// Rows of which some were left out come in the order of the list.
func TestRanking(t *testing.T) {
	r := NewRows([]int64{70, 5, 9000}, []int{0, 1, 2})
	for row, want := range map[int64]bool{5: true, 70: true, 9000: true, 0: false, 6: false, 9001: false, 1 << 40: false} {
		if r.Has(row) != want {
			t.Errorf("Has(%d) = %v", row, !want)
		}
	}
	if r.any(6, 64) || !r.any(6, 65) {
		t.Error("any: row 70 is the only one from 6 to 70")
	}
	kept := ranking{}
	kept.add(text{data: []byte("five seventy"), ends: []int{5, 12}, ranks: []int{r.wanted[5], r.wanted[70]}})
	var out bytes.Buffer
	if err := kept.write(&out); err != nil || out.String() != "seventyfive " {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// Mates as the EPD standard has them (16.2.5.6): 32767 less the plies.
func TestCentipawns(t *testing.T) {
	for _, c := range []struct {
		value int32
		moves bool
		mover games.Side
		want  int32
	}{
		{34, false, games.First, 34}, {34, false, games.Second, -34},
		{31997, false, games.First, 32764}, {31997, false, games.Second, -32764}, {-31998, false, games.First, -32765},
		{32000, false, games.Second, -32767},
		{31999, true, games.First, 32766}, {31998, true, games.First, 32764}, // mate in one, in two
		{31999, true, games.Second, -32765}, {-31998, true, games.Second, 32764}, {32000, true, games.Second, -32767},
	} {
		if got := centipawns(c.value, c.moves, c.mover); got != c.want {
			t.Errorf("centipawns(%d, %v, %v) = %d, want %d", c.value, c.moves, c.mover, got, c.want)
		}
	}
}
