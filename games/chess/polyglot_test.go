package chess

import (
	"strings"
	"testing"

	"kifu/games"
)

// TestBookKeys has the keys that the page of Polyglot's book format prints.
func TestBookKeys(t *testing.T) {
	for moves, want := range map[string]uint64{
		"":                        0x463b96181691fc9c,
		"e4":                      0x823c9b50fd114196,
		"e4 d5":                   0x0756b94461c50fb0,
		"e4 d5 e5":                0x662fafb965db29d4,
		"e4 d5 e5 f5":             0x22a48b5a8e47ff78, // exf6 in passing
		"e4 d5 e5 f5 Ke2":         0x652a607ca3f242c1,
		"e4 d5 e5 f5 Ke2 Kf7":     0x00fdd303c946bdd9,
		"a4 b5 h4 b4 c4":          0x3c8123ea7b067637, // bxc3 in passing
		"a4 b5 h4 b4 c4 bxc3 Ra3": 0x5c3f9b829b279560, // White has the short side left
	} {
		p := Start()
		for _, text := range strings.Fields(moves) {
			m, err := Rules{}.ParseMove(p, []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			p = p.Play(m)
		}
		if key := (Rules{}).BookKey(p); key != want {
			t.Errorf("%q: key %016x, want %016x", moves, key, want)
		}
	}
}

// TestBookMoves has codes by the same page: the king takes the rook, promotions count from the knight.
func TestBookMoves(t *testing.T) {
	for _, c := range []struct {
		position, move string
		want           uint16
	}{
		{StartFEN, "e4", 4 | 3<<3 | 4<<6 | 1<<9},
		{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", 7 | 4<<6},
		{"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O", 4 << 6},
		{"8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8=N", 7<<3 | 6<<9 | 1<<12},
		{"8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", 7<<3 | 6<<9 | 4<<12},
	} {
		p, err := ParseFEN(c.position)
		var m games.Move
		if err == nil {
			m, err = Rules{}.ParseMove(p, []byte(c.move))
		}
		if err != nil {
			t.Fatal(err)
		}
		if code := (Rules{}).BookMove(m); code != c.want {
			t.Errorf("%s: %o, want %o", c.move, code, c.want)
		}
	}
}
