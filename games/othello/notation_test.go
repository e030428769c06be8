package othello

import (
	"slices"
	"strings"
	"testing"

	"kifu/games"
)

func read(t testing.TB, text string) Position {
	t.Helper()
	p, err := Rules{}.ParsePosition(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return p
}

func TestParseMove(t *testing.T) {
	start, pass, end := Start(), read(t, "-OXXXXXX"+strings.Repeat("-", 56)+" O"), read(t, "XX"+strings.Repeat("-", 62)+" O")
	for _, c := range []struct {
		p    Position
		text string
		want games.Move
		err  error
	}{
		{start, "f5", Move(SquareAt(5, 4)), nil},
		{start, "D3", Move(SquareAt(3, 2)), nil},
		{start, "a1", 0, games.IllegalMove},
		{start, "e4", 0, games.IllegalMove},
		{start, "f9", 0, games.UnreadableMove},
		{start, "i5", 0, games.UnreadableMove},
		{start, "f55", 0, games.UnreadableMove},
		{start, "f", 0, games.UnreadableMove},
		{start, "pass", 0, earlyPass},
		{pass, "pass", Pass, nil},
		{pass, "PASS", Pass, nil},
		{pass, "pa", Pass, nil},
		{pass, "PA", Pass, nil},
		{pass, "PS", Pass, nil},
		{pass, "--", Pass, nil},
		{pass, "-", Pass, nil},
		{pass, "@@", Pass, nil},
		{pass, "", Pass, nil},
		{pass, "a1", 0, games.IllegalMove},
		{end, "PA", 0, movesAfterTheEnd},
		{end, "c1", 0, movesAfterTheEnd},
	} {
		if got, err := (Rules{}).ParseMove(c.p, []byte(c.text)); got != c.want || err != c.err {
			t.Errorf("%q: %#x, %v; want %#x, %v", c.text, got, err, c.want, c.err)
		}
	}
	if m, forced := (Rules{}).ForcedPass(pass); m != Pass || !forced {
		t.Error("the forced pass is not found")
	}
	for _, p := range []Position{start, end} {
		if _, forced := (Rules{}).ForcedPass(p); forced {
			t.Errorf("a forced pass in %+v", p)
		}
	}
}

func TestParsePosition(t *testing.T) {
	for _, text := range []string{
		"---------------------------OX------XO--------------------------- X",
		"8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *",
		"........\n........\n........\n...WB...\n...bw...\n........\n........\n........\nB",
		"___________________________ox______xo___________________________x; d3:0 c4:0",
	} {
		if p := read(t, text); p != Start() {
			t.Errorf("%q is %+v", text, p)
		}
	}
	for _, text := range []string{
		"", "X", strings.Repeat("-", 63) + " X", strings.Repeat("-", 64), strings.Repeat("-", 65) + " X", strings.Repeat("-", 64) + " X X",
		strings.Repeat("-", 64) + " -", "10 " + strings.Repeat("-", 64) + " X", strings.Repeat("-", 63) + "? X",
	} {
		if p, err := (Rules{}).ParsePosition(text); err == nil {
			t.Errorf("%q is read as %+v", text, p)
		}
	}
}

// A packed board with a disc on an empty square, or with a third side, is none.
func TestUnpackBoardRefuses(t *testing.T) {
	good := Rules{}.AppendBoard(nil, Start())
	if p, err := (Rules{}).UnpackBoard(good); p != Start() || err != nil {
		t.Fatalf("%+v, %v", p, err)
	}
	for _, i := range []int{8, 16} {
		bad := slices.Clone(good)
		bad[i] = 2
		if p, err := (Rules{}).UnpackBoard(bad); err != unreadableBoard {
			t.Errorf("%x is unpacked as %+v, %v", bad, p, err)
		}
	}
}

func TestVariants(t *testing.T) {
	for _, name := range []string{"", "Othello", "standard", "8", "8r18", "s8r20", "8w", "8b", "XOT"} {
		if p, canonical, err := (Rules{}).Start(name, ""); p != Start() || canonical != "standard" || err != nil {
			t.Errorf("%q: %q, %v", name, canonical, err)
		}
	}
	for _, name := range []string{"10", "s10r20", "6", "8a", "8k", "88", "8r18a", "anti", "chess", "s"} {
		if _, _, err := (Rules{}).Start(name, ""); err != games.UnknownVariant(name) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestTactics: corners are followed, passes forced, and a game that is over has nothing
// left to do.
func TestTactics(t *testing.T) {
	corner := read(t, "-OX-----"+strings.Repeat("-", 8)+"--XO----"+strings.Repeat("-", 40)+" X")
	for _, c := range []struct {
		p      Position
		want   []games.Move
		forced bool
	}{
		{Start(), nil, false},
		{corner, []games.Move{Move(0)}, false},
		{read(t, "-OXXXXXX"+strings.Repeat("-", 56)+" O"), []games.Move{Pass}, true},
		{Position{}, nil, true},
	} {
		if got, forced := c.p.AppendTactics(nil); !slices.Equal(got, c.want) || forced != c.forced {
			t.Errorf("%s: tactics %v, forced %t; want %v, %t", Rules{}.AppendPosition(nil, c.p), got, forced, c.want, c.forced)
		}
	}
	if n := len(corner.AppendMoves(nil)); n < 2 {
		t.Errorf("the corner is the only one of %d moves", n)
	}
}

// FuzzPosition: a position that is read is written so that it is read as the same one,
// its moves keep what must stay, and whatever is resolved is legal.
func FuzzPosition(f *testing.F) {
	f.Add(string(Rules{}.AppendPosition(nil, Start())), []byte("f5"))
	f.Add("8 --**O--- --**---- --*OO--- ****OO-- ---O*--- --O-*--- -------- -------- *", []byte("pa"))
	f.Add("-OXXXXXX"+strings.Repeat("-", 56)+" O", []byte("--"))
	f.Fuzz(func(t *testing.T, text string, move []byte) {
		p, err := Rules{}.ParsePosition(text)
		if err != nil {
			return
		}
		if again := read(t, string(Rules{}.AppendPosition(nil, p))); again != p || again.Hash() != p.Hash() {
			t.Fatalf("%q: %+v is read back as %+v", text, p, again)
		}
		moves := p.AppendMoves(nil)
		for _, m := range moves {
			q := p.Play(m)
			if q.own&q.opp != 0 || q.ToMove() == p.ToMove() || m != Pass && q.Phase() != p.Phase()+1 {
				t.Fatalf("%q: after %v it is %+v", text, m, q)
			}
		}
		if m, err := (Rules{}).ParseMove(p, move); err == nil && !slices.Contains(moves, m) || err != nil && m != 0 {
			t.Fatalf("%q: %q is resolved to %v, %v", text, move, m, err)
		}
	})
}
