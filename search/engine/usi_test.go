package engine

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// fakeUSIMode makes the test binary a program that speaks USI: plain, resigns, declares,
// book (moves without a score), or mateless (it has no search for mates).
const fakeUSIMode = "KIFU_FAKE_USI"

// fakeUSIConfig returns the Config of this test binary as a program that speaks USI.
func fakeUSIConfig(t *testing.T, mode string) Config {
	t.Helper()
	c := fakeConfig(t, "")
	t.Setenv(fakeUSIMode, mode)
	return c
}

// fakeUSI ends at a command that USI has not, or that comes out of turn. It moves as the
// options, the time and the position tell.
func fakeUSI(mode string) {
	in := bufio.NewScanner(os.Stdin)
	var options []string
	position, playing := "", false
	for in.Scan() {
		command, rest, _ := strings.Cut(in.Text(), " ")
		switch {
		case command == "usi":
			fmt.Println("id name Fake Shogi 3\nid author No One\noption name Clear Book type button\noption name Skill Level type spin default 20 min 0 max 20\nusiok")
		case command == "setoption":
			options = append(options, strings.TrimPrefix(rest, "name "))
		case command == "isready":
			playing = false
			fmt.Println("info string reading the book\nreadyok")
		case command == "usinewgame":
			playing = true
		case command == "position" && playing && strings.HasPrefix(rest, "sfen "):
			position = strings.TrimPrefix(rest, "sfen ")
		case command == "go" && strings.HasPrefix(rest, "mate ") && playing:
			switch {
			case mode == "mateless":
				fmt.Println("checkmate notimplemented")
			case position == "mate":
				fmt.Println("info depth 3 score mate 3\ncheckmate G*5b 5a4a R*4b")
			default:
				fmt.Println("checkmate " + position)
			}
		case command == "go" && playing:
			fmt.Println(fakeUSIMove(mode, position, options, rest))
		case command == "quit":
			return
		default:
			fmt.Fprintf(os.Stderr, "what is %q?\n", in.Text())
			os.Exit(1)
		}
	}
}

func fakeUSIMove(mode, position string, options []string, limits string) string {
	switch {
	case mode == "resigns":
		return "bestmove resign"
	case mode == "declares":
		return "bestmove win"
	case mode == "book":
		return "bestmove 7g7f"
	case strings.HasPrefix(position, "mate "):
		return "info depth 9 score " + position + " nodes 5 pv 7g7f\nbestmove 7g7f"
	}
	return fmt.Sprintf("info depth 4 score cp 12 pv 7g7f\nbestmove %s/%s/%s ponder 3c3d", strings.ReplaceAll(strings.Join(options, "+"), " ", "_"), strings.ReplaceAll(limits, " ", "_"), strings.ReplaceAll(position, " ", "_"))
}

func startUSI(t *testing.T, c Config) *usi {
	t.Helper()
	e, err := StartUSI(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e.(*usi)
}

// TestUSI: commands come as the protocol has them, and values are read as it writes them.
func TestUSI(t *testing.T) {
	c := fakeUSIConfig(t, "plain")
	c.Options = []Option{{"USI_Hash", "64"}, {"clear book", ""}, {"Skill Level", "3"}}
	c.Limits = Limits{Depth: 5, MoveTime: 250 * time.Millisecond}
	e := startUSI(t, c)
	ctx := context.Background()
	a, err := e.Move(ctx, "9/9 b - 1", []string{"7g7f", "P*5e"})
	want := Answer{Value: Value{Score: 12, Depth: 4, Best: "USI_Hash_value_64+clear_book+Skill_Level_value_3/depth_5_btime_0_wtime_0_byoyomi_250/9/9_b_-_1_moves_7g7f_P*5e"}, Scored: true}
	if err != nil || !reflect.DeepEqual(a, want) || e.Name() != "Fake Shogi 3" {
		t.Errorf("%s: %+v, %v; want %+v", e.Name(), a, err, want)
	}
	if err := e.NewGame(ctx); err != nil {
		t.Error(err)
	}
	// Mates are in plies: 3 of the side to move are two of its moves, 2 of the other one.
	for position, want := range map[string]Value{
		"mate 1": {Mate: 1}, "mate 3": {Mate: 2}, "mate 8": {Mate: 4}, "mate -2": {Mate: -1}, "mate -1": {Mate: -1}, "mate -8": {Mate: -4},
		"mate +": {Score: certain}, "mate -": {Score: -certain}, "mate 0": {Score: -certain},
	} {
		want.Depth, want.Best = 9, "7g7f"
		if v, err := e.Search(ctx, position); err != nil || v != want {
			t.Errorf("%s: %+v, %v; want %+v", position, v, err, want)
		}
	}
	c.Options = []Option{{"Skil Level", "3"}}
	if _, err := StartUSI(ctx, c); err == nil || !strings.Contains(err.Error(), `Fake Shogi 3 has no option "Skil Level"`) {
		t.Error(err)
	}
}

// TestUSIEnds: a program that resigns or declares has a value, one that plays by its book
// has none.
func TestUSIEnds(t *testing.T) {
	ctx := context.Background()
	for mode, want := range map[string]Answer{"resigns": {Resigned: true}, "declares": {Declared: true}, "book": {Value: Value{Best: "7g7f"}}} {
		e := startUSI(t, fakeUSIConfig(t, mode))
		if a, err := e.Move(ctx, "x", nil); err != nil || !reflect.DeepEqual(a, want) {
			t.Errorf("%s: %+v, %v; want %+v", mode, a, err, want)
		}
		switch v, err := e.Search(ctx, "x"); mode {
		case "resigns":
			if err != nil || v.Score != -certain {
				t.Errorf("%+v, %v", v, err)
			}
		case "declares":
			if err != nil || v.Score != certain {
				t.Errorf("%+v, %v", v, err)
			}
		default:
			if err == nil || !strings.Contains(err.Error(), "book?") {
				t.Errorf("%+v, %v", v, err)
			}
		}
	}
}

// TestUSIMates: the four answers to go mate, and a program that has none.
func TestUSIMates(t *testing.T) {
	e := startUSI(t, fakeUSIConfig(t, "plain"))
	for position, want := range map[string]FoundMate{"mate": {true, []string{"G*5b", "5a4a", "R*4b"}}, "nomate": {Known: true}, "timeout": {}} {
		m, err := e.FindMate(context.Background(), position, time.Second)
		if err != nil || m.Known != want.Known || !slices.Equal(m.Line, want.Line) {
			t.Errorf("%s: %+v, %v; want %+v", position, m, err, want)
		}
	}
	e = startUSI(t, fakeUSIConfig(t, "mateless"))
	if _, err := e.FindMate(context.Background(), "mate", time.Second); err == nil || !strings.Contains(err.Error(), "no search for mates") {
		t.Error(err)
	}
	c := fakeConfig(t, "plain")
	k := Keep(func(ctx context.Context) (Engine, error) { return StartUCI(ctx, c) })
	defer k.Close()
	t.Setenv(fakeUSIMode, "")
	if _, err := k.FindMate(context.Background(), "x", time.Second); err == nil || !strings.Contains(err.Error(), "cannot search for mates") {
		t.Error(err)
	}
}

// installed returns the path of a program, in the games' folder of Debian too, or skips.
func installed(t *testing.T, name string) string {
	t.Helper()
	for _, path := range []string{name, "/usr/games/" + name} {
		if path, err := exec.LookPath(path); err == nil {
			return path
		}
	}
	t.Skip("no " + name)
	return ""
}

// TestRealUSI: Fairy-Stockfish and GPS Shogi, where they are installed, see a mate in one
// and move in a handicap game, in which the second player begins.
func TestRealUSI(t *testing.T) {
	const (
		mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1" // a gold before the king
		two  = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
	)
	for name, c := range map[string]Config{
		"fairy-stockfish": {Limits: Limits{Depth: 4}, Options: []Option{{"USI_Hash", "16"}, {"Threads", "1"}}},
		"gpsusi":          {Limits: Limits{MoveTime: time.Second}, Options: []Option{{"LimitDepth", "4"}, {"BookDepth", "0"}, {"Thread", "1"}}},
	} {
		t.Run(name, func(t *testing.T) {
			c.Command = []string{installed(t, name)}
			e := startUSI(t, c)
			ctx := context.Background()
			if v, err := e.Search(ctx, mate); err != nil || v.Best != "G*5b" || v.Mate != 1 && v.Score < 10_000 {
				t.Errorf("%s: %+v, %v", e.Name(), v, err)
			}
			if a, err := e.Move(ctx, two, []string{"7a6b", "7g7f"}); err != nil || !strings.ContainsAny(a.Best[1:2], "abcd") {
				t.Errorf("%s: %+v, %v; want a move of the second player", e.Name(), a, err)
			}
			if name == "gpsusi" {
				if m, err := e.FindMate(ctx, mate, time.Second); err != nil || len(m.Line) != 1 {
					t.Errorf("%+v, %v", m, err)
				}
			}
		})
	}
}
