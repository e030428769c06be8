package engine

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// fakeGTPMode makes the test binary a program that speaks GTP, in one of the modes area and
// territory, which say how it counts; bounds, area with bounds as GNU Go has them;
// nameless; or plays, by genmove, regards, by reg_genmove, and resigns.
const fakeGTPMode = "KIFU_FAKE_GTP"

// fakeGTP returns the Config of this test binary as a program that speaks GTP.
func fakeGTP(t *testing.T, mode string) Config {
	t.Helper()
	c := fakeConfig(t, "")
	c.Limits = Limits{}
	t.Setenv(fakeGTPMode, mode)
	return c
}

// fakeGo answers as the mode says; a komi above 100 brings an oddity about, the first
// time it comes.
type fakeGo struct {
	mode   string
	komi   float64
	stones float64 // Black's less White's
	told   int     // commands that played a move
}

func (f *fakeGo) run() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		words := strings.Fields(in.Text())
		answer, ok := f.answer(words[1], words[2:])
		mark := "="
		if !ok {
			mark = "?"
		}
		fmt.Printf("%s%s %s\n\n", mark, words[0], answer)
		if words[1] == "quit" {
			return
		}
	}
}

func (f *fakeGo) answer(command string, words []string) (text string, ok bool) {
	switch command {
	case "name":
		if f.mode == "nameless" {
			return "", true
		}
		return "Fake Go", true
	case "version":
		return "1.2", true
	case "list_commands":
		return "\nname\nversion\nlist_commands\nboardsize\nclear_board\nkomi\nplay\nlevel\nestimate_score\nquit\n" + map[string]string{"plays": "genmove", "regards": "reg_genmove", "resigns": "genmove"}[f.mode], true
	case "boardsize":
		if words[0] == "2" {
			return "unacceptable size", false
		}
	case "clear_board":
		f.stones = 0
	case "komi":
		f.komi, _ = strconv.ParseFloat(words[0], 64)
	case "level":
		if _, err := strconv.Atoi(words[0]); err != nil {
			return "not a number", false
		}
	case "genmove", "reg_genmove":
		// Its score is the number of moves it received, and the side.
		if f.mode == "resigns" {
			return "Resign", true
		}
		if command == "genmove" {
			f.told++
		}
		return fmt.Sprintf("%c%d", words[0][0], f.told), true
	case "play":
		f.told++
		if words[0] == "black" {
			f.stones++
		} else {
			f.stones--
		}
	case "estimate_score":
		if f.komi > 100 && once(fmt.Sprint(f.komi)) {
			return f.odd()
		}
		return f.score(), true
	case "quit":
	default:
		return "unknown command", false
	}
	return "", true
}

func (f *fakeGo) score() string {
	lead := f.stones - f.komi
	if f.mode == "territory" {
		lead = -f.stones - f.komi
	}
	text := fmt.Sprintf("W+%.2f", -lead)
	if lead > 0 {
		text = fmt.Sprintf("B+%.2f", lead)
	}
	if f.mode == "bounds" {
		text += fmt.Sprintf(" (upper bound: %.2f, lower: %.2f)", 2-lead, -2-lead)
	}
	return text
}

func (f *fakeGo) odd() (text string, ok bool) {
	switch f.komi {
	case 101:
		fmt.Fprintln(os.Stderr, "out of memory")
		os.Exit(3)
	case 102:
		time.Sleep(time.Hour)
	case 103:
		return "B+Resign", true
	}
	return "cannot score", false
}
