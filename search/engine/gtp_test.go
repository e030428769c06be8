package engine

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"kifu/kit/slow"
)

// The fake's score is Black's stones less White's, or the other way about where it counts
// territory, less the komi; its bounds are two points on either side of it.
func TestGTP(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		mode, position string
		want           float64
	}{
		{"area", "9/2X6/X8/9/9/9/9/6O2/9 b - 0 0:0 7.5 chinese", 1 - 7.5},
		{"area", "9/2X6/X8/9/9/9/9/6O2/9 w - 0 0:0 7.5 chinese", 7.5 - 1},
		{"area", "9/2X6/X8/9/9/9/9/6O2/9 b - 0 3:1 7.5 chinese", 1 - 7.5},
		{"territory", "9/2X6/X8/9/9/9/9/6O2/9 b - 0 3:1 7.5 chinese", -1 - 7.5 + 2},
		{"territory", "5/5/OO3/5/5 b", 2},
		{"area", "5/5/5/5/5 b D4 0 0:0 -0.25 -", 0.25},
		{"area", "5/5/5/5/5 b - 0 0:0 0 -", 0},
		{"bounds", "5/5/5/5/5 b - 0 0:0 1.5 -", 2 - 1.5},
		{"bounds", "5/5/5/5/5 w - 0 0:0 1.5 -", 2 + 1.5},
	} {
		e, err := StartGTP(ctx, fakeGTP(t, c.mode), EstimateScore)
		if err != nil {
			t.Fatal(err)
		}
		if e.Name() != "Fake Go 1.2" {
			t.Errorf("name %q", e.Name())
		}
		for range 2 { // the second time the board is not empty
			if v, err := e.Search(ctx, c.position); err != nil || v != (Value{Score: c.want}) {
				t.Errorf("%s, %s: %+v, %v; want %v", c.mode, c.position, v, err, c.want)
			}
		}
		if _, ok, err := e.Static(ctx, c.position); ok || err != nil {
			t.Errorf("a static value: %v, %v", ok, err)
		}
		e.Close()
	}
}

// A program that fails is started again and answers.
func TestGTPKeeper(t *testing.T) {
	slow.Test(t, "waits for programs that hang")
	for odd, komi := range map[string]string{"dies": "101", "hangs": "102", "babbles": "103", "refuses": "104"} {
		c := fakeGTP(t, "area")
		if odd == "hangs" {
			c.Patience = 4 * time.Second
		}
		k := Keep(func(ctx context.Context) (Engine, error) { return StartGTP(ctx, c, EstimateScore) })
		for _, komi := range []string{"1", komi, "2"} {
			v, err := k.Search(context.Background(), "5/5/5/5/5 w - 0 0:0 "+komi)
			if err != nil || v.Score < 1 {
				t.Errorf("an engine that %s, komi %s: %+v, %v", odd, komi, v, err)
			}
		}
		if k.Restarts() != 1 {
			t.Errorf("an engine that %s was started again %d times", odd, k.Restarts())
		}
		k.Close()
	}
}

func TestGTPErrors(t *testing.T) {
	ctx := context.Background()
	fails := func(c Config, scoring, want string) {
		t.Helper()
		e, err := StartGTP(ctx, c, scoring)
		if err == nil {
			e.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	c := fakeGTP(t, "area")
	fails(Config{}, EstimateScore, "no engine command")
	fails(c, "final_score", `Fake Go 1.2 has no command "final_score"`)
	fails(c, "level 3", `level 3: "" is not a score`)
	c.Limits.Depth = 1
	fails(c, EstimateScore, "take no depth")
	c = fakeGTP(t, "area")
	c.Options = []Option{{"levle", "1"}}
	fails(c, EstimateScore, `has no command "levle"`)
	c.Options = []Option{{"level", "x"}}
	fails(c, EstimateScore, "level x: not a number")
	fails(fakeGTP(t, "nameless"), EstimateScore, "does not report its name")

	e, err := StartGTP(ctx, fakeGTP(t, "area"), EstimateScore)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for position, want := range map[string]string{
		"2/2 b":                     "boardsize 2: unacceptable size",
		"8/8/8/8/8/8/8/8 w - - 0 1": "is not a position of Go",
		"k7/8/8/8/8/8/8/8 w - - 0":  "is not a position of Go",
		"5/5/5/5/5 b - 0 1":         "is not a position of Go",
		"5/5/5/5/5 b - 0 0:0 half":  "is not a position of Go",
		"":                          "is not a position of Go",
	} {
		if _, err := e.Search(ctx, position); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", position, err, want)
		}
	}
}

// Stones are named as GTP names points: columns without I, rows from the bottom.
func TestBoardCommands(t *testing.T) {
	rows := "18X/8O10/" + strings.Repeat("19/", 16) + "X6.X10"
	b, err := parseBoard(rows + " w - 0 2:5 6.5 japanese")
	if err != nil {
		t.Fatal(err)
	}
	const stones = ",play black T19,play white J18,play black A1,play black J1"
	if got, want := strings.Join(b.commands(false), ","), "boardsize 19,clear_board,komi 6.5"+stones; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := strings.Join(b.commands(true), ","), "boardsize 19,clear_board,komi 9.5"+stones; got != want {
		t.Errorf("with prisoners %s, want %s", got, want)
	}
}

// A ko is opened by the last move: Black took at C3 from D3.
func TestKoCommands(t *testing.T) {
	const rows = "5/2XO1/1X.XO/2XO1/5"
	for _, c := range []struct{ position, want string }{
		{rows + " w C3 0 3:1 6.5", "komi 5.5,play black C4,play white D4,play black B3,play white C3,play white E3,play black C2,play white D2,play black D3"},
		{rows + " w - 0 3:1 6.5", "komi 4.5,play black C4,play white D4,play black B3,play black D3,play white E3,play black C2,play white D2"},
		{"O.X2/XX3/5/5/5 b B5 0 0:1 0", "komi 0,play black B5,play black C5,play black A4,play black B4,play white A5"},
		{"O.X2/XX3/5/5/5 w B5 0 0:1 0", "komi 1,play white A5,play black C5,play black A4,play black B4"},
	} {
		b, err := parseBoard(c.position)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Join(b.commands(true), ","), "boardsize 5,clear_board,"+c.want; got != want {
			t.Errorf("%s:\n%s, want\n%s", c.position, got, want)
		}
	}
}

func TestParseScore(t *testing.T) {
	const estimate = "B+5.2 (upper bound: 0.8, lower: -11.3)"
	for _, c := range []struct {
		text         string
		black, white float64 // Black's lead when that side is to move
	}{
		{estimate, 11.3, -0.8}, {"W+0.0 (upper bound: 0.0, lower: 0.0)", 0, 0},
		{"B+3.4", 3.4, 3.4}, {"W+7.5", -7.5, -7.5}, {"0", 0, 0}, {"b+12", 12, 12},
	} {
		for side, want := range []float64{c.black, c.white} {
			if v, ok := parseScore(strings.Fields(c.text), side == 1); !ok || v != want {
				t.Errorf("%s, side %d: %v, %v; want %v", c.text, side, v, ok, want)
			}
		}
	}
	for _, text := range []string{"", "B+R", "W+Resign", "7.5", "-3", "B+-3", "W+nan", "B+Inf", "Jigo+1", "cannot score",
		"B+5.2 (upper bound: x, lower: y)", "B+5.2 (upper bound: nan, lower: nan)"} {
		for _, white := range []bool{false, true} {
			if v, ok := parseScore(strings.Fields(text), white); ok {
				t.Errorf("%s: %v", text, v)
			}
		}
	}
}

// gnuGo returns the path of GNU Go; without it the test is skipped.
func gnuGo(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("gnugo")
	if err != nil {
		if path, err = exec.LookPath("/usr/games/gnugo"); err != nil {
			t.Skip("no gnugo")
		}
	}
	return path
}

// GNU Go, where it is installed: boards that it counts exactly.
func TestGNUGo(t *testing.T) {
	path := gnuGo(t)
	ctx := context.Background()
	// Black has surrounded 27 points and White 27; Black has put stones on three of his and
	// has taken five stones, White one. By area each has 36.
	const walls = "1X1X1O3/3X1O3/3X1O3/3X1O3/1X1X1O3/3X1O3/3X1O3/3X1O3/1X1X1O3 "
	for _, c := range []struct {
		rules, scoring string
		want           float64
	}{
		{"--japanese-rules", EstimateScore, 24 + 5 - 27 - 1 - 0.5},
		{"--japanese-rules", "final_score", 24 + 5 - 27 - 1 - 0.5},
		{"--chinese-rules", EstimateScore, -0.5},
	} {
		e, err := StartGTP(ctx, Config{Command: []string{path, "--mode", "gtp", c.rules}, Options: []Option{{"level", "1"}}}, c.scoring)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(e.Name(), "GNU Go 3") {
			t.Errorf("name %q", e.Name())
		}
		for ko, legal := range map[string]string{"C3": "0", "-": "1"} {
			if _, err := e.Search(ctx, "5/2XO1/1X.XO/2XO1/5 w "+ko+" 0 1:0 0.5 -"); err != nil {
				t.Error(err)
			}
			if answer, err := e.(*gtp).ask(ctx, "is_legal white C3"); err != nil || strings.Join(answer, "") != legal {
				t.Errorf("ko %s: white C3 is legal: %v, %v; want %s", ko, answer, err, legal)
			}
		}
		for side, sign := range map[string]float64{"b": 1, "w": -1} {
			if v, err := e.Search(ctx, walls+side+" - 0 5:1 0.5 -"); err != nil || v.Score != sign*c.want {
				t.Errorf("%s, %s, %s to move: %+v, %v; want %v", c.rules, c.scoring, side, v, err, sign*c.want)
			}
		}
		e.Close()
	}
}
