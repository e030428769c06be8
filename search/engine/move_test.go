package engine

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// move asks for a move, of a program that is killed if it fails.
func move(t *testing.T, k *Keeper, start string, moves ...string) (Answer, error) {
	t.Helper()
	return k.Move(context.Background(), start, moves)
}

// TestUCIMove: the fake's score is the length of its input.
func TestUCIMove(t *testing.T) {
	k := keep(t, fakeConfig(t, "plain"))
	want := Answer{Value: Value{Score: float64(len("k7/8 w moves a1a2 b1b2")), Depth: 3, Best: "a1a2"}, Scored: true}
	if a, err := move(t, k, "k7/8 w", "a1a2", "b1b2"); err != nil || !reflect.DeepEqual(a, want) {
		t.Errorf("%+v, %v; want %+v", a, err, want)
	}
	if a, err := move(t, k, "k7/8 w"); err != nil || a.Score != float64(len("k7/8 w")) {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestPolicy: the chances that lc0 prints are read; other strings, and what is no chance, are not.
func TestPolicy(t *testing.T) {
	k := keep(t, fakeConfig(t, "plain"))
	a, err := move(t, k, "policy")
	if want := map[string]float64{"e2e4": 0.5, "d2d4": 0.25, "node": 1}; err != nil || !reflect.DeepEqual(a.Policy, want) {
		t.Errorf("%v, %v; want %v", a.Policy, err, want)
	}
	if a, err := move(t, k, "k7/8 w"); err != nil || a.Policy != nil {
		t.Errorf("a program without: %v, %v", a.Policy, err)
	}
}

// TestGTPMove: a program receives only the new moves, and all of a game that is another
// one. Its score is the number of moves it received, over all boards.
func TestGTPMove(t *testing.T) {
	const start = "9/2X6/9/9/9/9/6O2/9/9 b - 0 0:0 7.5 chinese" // two stones, which are played, too
	for mode, want := range map[string][]string{
		"regards": {"b2", "b4", "b4", "b8"},
		"plays":   {"b3", "w6", "w12", "b17"}, // a move of its own that was not played makes it begin anew
	} {
		c := fakeGTP(t, mode)
		k := Keep(func(ctx context.Context) (Engine, error) { return StartGTP(ctx, c, "") })
		defer k.Close()
		games := [][]string{{}, {"b3", "w1", "b5"}, {"b3", "w1", "b5"}, {"c3", "w1"}}
		if mode == "regards" {
			games[1], games[2] = []string{"b3", "w1"}, []string{"b3", "w1"}
		}
		var got []string
		for _, moves := range games {
			a, err := move(t, k, start, moves...)
			if err != nil || a.Scored || a.Resigned {
				t.Errorf("%s: %+v, %v", mode, a, err)
			}
			got = append(got, a.Best)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", mode, got, want)
		}
	}
	c := fakeGTP(t, "resigns")
	k := Keep(func(ctx context.Context) (Engine, error) { return StartGTP(ctx, c, "") })
	defer k.Close()
	if a, err := move(t, k, start); err != nil || !a.Resigned {
		t.Errorf("%+v, %v; want it to resign", a, err)
	}
	if _, err := StartGTP(context.Background(), fakeGTP(t, "area"), ""); err == nil || !strings.Contains(err.Error(), `no command "genmove"`) {
		t.Errorf("a program that cannot play: %v", err)
	}
}

// TestGNUGoMove: a program that was not written here answers in turn, on empty points.
func TestGNUGoMove(t *testing.T) {
	ctx := context.Background()
	e, err := StartGTP(ctx, Config{Command: []string{gnuGo(t), "--mode", "gtp", "--chinese-rules", "--level", "1"}}, "")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	const empty = "9/9/9/9/9/9/9/9/9 b - 0 0:0 7.5 chinese"
	var moves []string
	for range 8 {
		a, err := e.(Mover).Move(ctx, empty, moves)
		again, fault := e.(Mover).Move(ctx, empty, moves)
		if err != nil || fault != nil || !reflect.DeepEqual(a, again) || len(a.Best) != 2 || slices.Contains(moves, a.Best) {
			t.Fatalf("after %v: %+v, %v; once more %+v, %v", moves, a, err, again, fault)
		}
		moves = append(moves, a.Best)
	}
}

func TestHub(t *testing.T) {
	ctx := context.Background()
	c := fakeHubConfig(t, "plain")
	c.Options = []Option{{"variant", "killer"}}
	e, err := StartHub(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if e.Name() != "Fake Hub 3" {
		t.Errorf("name %q", e.Name())
	}
	if err := e.NewGame(ctx); err != nil {
		t.Error(err)
	}
	// hub, set-param, init, new-game, ping, pos, level, go.
	a, err := e.(Mover).Move(ctx, "B:W31-50,K7:BK1,2-4", []string{"32-28", "17x8x12"})
	if want := (Answer{Value: Value{Score: 8, Depth: 7, Best: "20x2x4x12x30"}, Scored: true}); err != nil || !reflect.DeepEqual(a, want) {
		t.Errorf("%+v, %v; want %+v", a, err, want)
	}
	if v, err := e.Search(ctx, "W:W31:B1"); err != nil || v != (Value{Score: 3, Depth: 7, Best: "1x0x4x12x30"}) {
		t.Errorf("%+v, %v", v, err)
	}
	if _, err := e.(Mover).Move(ctx, "W:W51:B1", nil); err == nil || !strings.Contains(err.Error(), "not a FEN of draughts") {
		t.Errorf("a board that is too big: %v", err)
	}
	if _, ok, err := e.Static(ctx, "W:W31:B1"); ok || err != nil {
		t.Errorf("a static value: %v, %v", ok, err)
	}
}

func TestHubErrors(t *testing.T) {
	ctx := context.Background()
	fails := func(c Config, want string) {
		t.Helper()
		e, err := StartHub(ctx, c)
		if err == nil {
			_, err = e.Search(ctx, "W:W31:B1")
			e.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	fails(fakeHubConfig(t, "nameless"), "does not report its name")
	fails(fakeHubConfig(t, "silent"), "without a score")
	fails(fakeHubConfig(t, "errs"), "no such square")
	c := fakeHubConfig(t, "plain")
	c.Options = []Option{{"book", "false"}}
	fails(c, `no parameter "book"`)
	c = fakeHubConfig(t, "plain")
	c.Limits = Limits{Nodes: 5}
	fails(c, "not by nodes")
	c.Limits = Limits{}
	fails(c, "limit")
	if text := levelCommand(Limits{Depth: 4, MoveTime: 1500 * time.Millisecond}); text != "level depth=4 move-time=1.5" {
		t.Error(text)
	}
}

func TestHubPosition(t *testing.T) {
	for fen, want := range map[string]string{
		"W:W31-50:B1-20":  "W" + strings.Repeat("b", 20) + strings.Repeat("e", 10) + strings.Repeat("w", 20),
		"B:WK50,49:BK1.":  "BB" + strings.Repeat("e", 47) + "wW",
		"W:W:B":           "W" + strings.Repeat("e", 50),
		"W:W31-50":        "",
		"X:W1:B2":         "",
		"W:W1-51:B2":      "",
		"W:Wa1:B2":        "",
		"W:W50-x:B2":      "",
		"W:W-3:B2":        "",
		"W:Q3:B2":         "",
		"k7/8/8/8/8/8 w ": "",
	} {
		if got, err := hubPosition(fen); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v; want %q", fen, got, err, want)
		}
	}
}
