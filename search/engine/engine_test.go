package engine

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"kifu/kit/slow"
)

func keep(t *testing.T, c Config) *Keeper {
	t.Helper()
	k := Keep(func(ctx context.Context) (Engine, error) { return StartUCI(ctx, c) })
	t.Cleanup(k.Close)
	return k
}

func TestUCI(t *testing.T) {
	c := fakeConfig(t, "slow")
	c.Options = []Option{{"hash", "32"}}
	ctx := context.Background()
	e, err := StartUCI(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if e.Name() != "Fake 1.0" {
		t.Errorf("name %q", e.Name())
	}
	for position, want := range map[string]Value{
		"k7/8 w": {Score: 6, Depth: 3, Best: "a1a2"}, "mate 4": {Mate: 4, Depth: 9, Best: "a1a2"}, "mate -2": {Mate: -2, Depth: 9, Best: "a1a2"},
	} {
		if v, err := e.Search(ctx, position); err != nil || v != want {
			t.Errorf("%s: %+v, %v; want %+v", position, v, err, want)
		}
	}
	if s, ok, err := e.Static(ctx, "k7/8 b"); s != 6 || !ok || err != nil {
		t.Errorf("static value %v, %v, %v", s, ok, err)
	}
	if err := e.NewGame(ctx); err != nil {
		t.Error(err)
	}
}

// A program that fails is started again and answers.
func TestKeeper(t *testing.T) {
	slow.Test(t, "waits for programs that hang")
	for _, odd := range []string{"dies", "hangs", "babbles", "floods"} {
		c := fakeConfig(t, "slow:"+odd)
		if odd == "hangs" {
			c.Patience = 4 * time.Second // a start takes 0.3 s and what the machine is busy with
		}
		k := keep(t, c)
		for _, position := range []string{"before", odd, "behind"} {
			v, err := k.Search(context.Background(), position)
			if err != nil || v.Score != float64(len(position)) {
				t.Errorf("an engine that %s, %s: %+v, %v", odd, position, v, err)
			}
		}
		if k.Restarts() != 1 {
			t.Errorf("an engine that %s was started again %d times", odd, k.Restarts())
		}
	}
}

func TestErrors(t *testing.T) {
	fails := func(c Config, want string) {
		t.Helper()
		e, err := StartUCI(context.Background(), c)
		if err == nil {
			e.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	c := fakeConfig(t, "well")
	fails(Config{Command: c.Command}, "needs a limit")
	fails(Config{Limits: Limits{Depth: 1}}, "no engine command")
	fails(Config{Command: []string{"/no/such/engine"}, Limits: Limits{Depth: 1}}, "no such file or directory (give its full path)")
	fails(Config{Command: []string{t.TempDir()}, Limits: Limits{Depth: 1}}, "permission denied (it must be a program that you may run: chmod +x)")
	c.Options = []Option{{"Hush", "1"}}
	fails(c, `Fake 1.0 has no option "Hush"`)
	fails(fakeConfig(t, "nameless"), "does not report its name")

	// A persistent failure is reported, with the program's last words.
	e, err := StartUCI(context.Background(), fakeConfig(t, "dies"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Search(context.Background(), "dies"); err == nil || !strings.Contains(err.Error(), "out of memory") {
		t.Errorf("a dying engine: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := keep(t, fakeConfig(t, "well")).Search(ctx, "x"); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func TestParseOption(t *testing.T) {
	if o, err := ParseOption("Clear Hash= "); err != nil || o != (Option{"Clear Hash", ""}) {
		t.Errorf("%+v, %v", o, err)
	}
	for _, bad := range []string{"Hash", "=1", "Hash=1\nquit"} {
		if o, err := ParseOption(bad); err == nil {
			t.Errorf("%q: %+v", bad, o)
		}
	}
}

func TestGoCommand(t *testing.T) {
	if s := goCommand("", "movetime", Limits{Depth: 2, Nodes: 3, MoveTime: 40 * time.Millisecond}); s != "go depth 2 nodes 3 movetime 40" {
		t.Error(s)
	}
}

// Stockfish, where it is installed: mates it cannot miss and a symmetrical evaluation.
func TestStockfish(t *testing.T) {
	path, err := exec.LookPath("stockfish")
	if err != nil {
		if path, err = exec.LookPath("/usr/games/stockfish"); err != nil {
			t.Skip("no stockfish")
		}
	}
	ctx := context.Background()
	e, err := StartUCI(ctx, Config{Command: []string{path}, Options: []Option{{"Hash", "1"}}, Limits: Limits{Depth: 8}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if !strings.HasPrefix(e.Name(), "Stockfish") {
		t.Errorf("name %q", e.Name())
	}
	for fen, want := range map[string]int{
		"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1": 1,  // Ra8#
		"6k1/1R6/R7/8/8/8/8/6K1 b - - 0 1":  -1, // any move, then Ra8#
		"7k/8/8/1R6/R7/8/8/6K1 w - - 0 1":   2,  // two rooks
	} {
		v, err := e.Search(ctx, fen)
		if err != nil || v.Mate != want {
			t.Errorf("%s: %+v, %v; want mate in %d", fen, v, err, want)
		}
	}
	a, ok, err := e.Static(ctx, "4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1")
	if ok || err != nil {
		t.Errorf("in check: %v %v %v", a, ok, err)
	}
	if a, ok, err = e.Static(ctx, "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1"); !ok || err != nil || a < 300 {
		t.Errorf("a queen up: %v %v %v", a, ok, err)
	}
}
