package engine

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fakeMode makes the test binary a UCI engine: a colon-separated list of its oddities, each
// once per run of the test (see once).
const fakeMode, fakeState = "KIFU_FAKE_UCI", "KIFU_FAKE_STATE"

func TestMain(m *testing.M) {
	if os.Getenv(ownerMode) != "" {
		os.Unsetenv(ownerMode)
		os.Setenv(hostileMode, "stubborn")
		own()
	}
	if mode := os.Getenv(hostileMode); mode != "" {
		hostile(mode)
		return
	}
	if mode := os.Getenv(fakeGTPMode); mode != "" {
		(&fakeGo{mode: mode}).run()
		return
	}
	if mode := os.Getenv(fakeHubMode); mode != "" {
		fakeHub(mode)
		return
	}
	if mode := os.Getenv(fakeUSIMode); mode != "" {
		fakeUSI(mode)
		return
	}
	if mode := os.Getenv(fakeMode); mode != "" {
		fake(mode)
		return
	}
	os.Exit(m.Run())
}

// fakeConfig returns the Config of this test binary as an engine with the oddities of mode.
func fakeConfig(t *testing.T, mode string) Config {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(fakeMode, mode)
	t.Setenv(fakeState, t.TempDir())
	return Config{Command: []string{self}, Limits: Limits{Depth: 3}, Patience: time.Minute}
}

// fake answers with the length of the position as its value. A position whose text is
// one of the mode's words brings that oddity about, the first time it comes.
func fake(mode string) {
	has := func(word string) bool { return strings.Contains(":"+mode+":", ":"+word+":") }
	in := bufio.NewScanner(os.Stdin)
	position := ""
	for in.Scan() {
		command, rest, _ := strings.Cut(in.Text(), " ")
		switch command {
		case "uci":
			if has("slow") {
				time.Sleep(300 * time.Millisecond)
			}
			if !has("nameless") {
				fmt.Println("id name Fake 1.0")
			}
			fmt.Println("option name Hash type spin default 16 min 1 max 1024\r\noption name Clear Hash type button\nuciok")
		case "isready":
			fmt.Println("readyok")
		case "position":
			position = strings.TrimPrefix(rest, "fen ")
		case "eval":
			if !has("noeval") {
				fmt.Printf("Final evaluation       %+.2f (white side) [scaled]\n", float64(len(position))/100)
			}
		case "go":
			if has(position) && once(position) {
				odd(position)
			}
			search(position, rest)
		case "quit":
			return
		}
	}
}

// once returns true the first time that a word is given, over all processes of a test.
func once(word string) bool {
	f, err := os.OpenFile(filepath.Join(os.Getenv(fakeState), word), os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		f.Close()
	}
	return err == nil
}

func odd(position string) {
	switch position {
	case "dies":
		fmt.Println("info depth 1 score cp 77")
		fmt.Fprintln(os.Stderr, "out of memory")
		os.Exit(3)
	case "hangs":
		fmt.Println("info depth 1 score cp 77")
		time.Sleep(time.Hour)
	case "babbles":
		fmt.Println("Segmentation fault? info score\ninfo score cp\ninfo depth x score cp y\n\xff\xfe\nbestmove")
	case "floods":
		fmt.Println(strings.Repeat("x", 2*maxLine))
	}
}

func search(position, limits string) {
	if strings.HasPrefix(position, "mate ") {
		fmt.Printf("info depth 9 score %s nodes 5 pv a1a2\nbestmove a1a2\n", position)
		return
	}
	if position == "policy" {
		fmt.Println("info string e2e4  (322 ) N:       0 (+ 0) (P: 50.00%) (WL:  -.-----) (D: -.---) (Q:  0.01)\ninfo string d2d4  (293 ) N:       0 (+ 0) (P: 25.00%) (V:  -.----)")
		fmt.Println("info string node  (  20) N:       1 (+ 0) (P:  100.0%)\ninfo string a2a3 (P: 101%)\ninfo string b2b3 (P: NaN%)\ninfo string c2c3 (P: 3\ninfo string (P: x%)\ninfo string")
	}
	fmt.Printf("info depth 1 seldepth 2 multipv 1 score cp -5 nodes 3 pv a1a2\n")
	fmt.Printf("info depth 3 multipv 1 score cp %d nodes 9 pv score cp 1\n", len(position))
	fmt.Printf("info depth 3 multipv 2 score cp 999\ninfo depth 4 score cp 888 lowerbound nodes 3\ninfo string score cp 1 of %s\n", limits)
	fmt.Println("bestmove a1a2 ponder a2a3")
}
