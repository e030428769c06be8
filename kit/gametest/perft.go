package gametest

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"kifu/games"
)

// A perft file has one position per line with the leaves by depth, and cites the source of
// the numbers in comments:
//
//	# chessprogramming.org/Perft_Results
//	8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 ;D1 14 ;D2 191 ;D3 2812
//
// The text before the first semicolon is for ParsePosition; "start" means the usual start.

// Perft counts the lines of a perft file. By default it leaves out depths of more than
// 200,000 leaves; with KIFU_PERFT=full it counts them all and logs the speed.
func Perft[P games.Position[P]](t *testing.T, r games.Rules[P], path string) {
	t.Helper()
	limit := uint64(200_000)
	full := os.Getenv("KIFU_PERFT") == "full"
	if full {
		limit = 1 << 62
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var leaves uint64
	start := time.Now()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		counted, err := perftLine(r, line, limit)
		if err != nil {
			t.Errorf("%s:%d: %v", path, n, err)
		}
		leaves += counted
	}
	if err := lines.Err(); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if leaves == 0 {
		t.Errorf("%s: nothing counted", path)
	}
	if full {
		t.Logf("%s: %d leaves, %.1f M/s", path, leaves, float64(leaves)/time.Since(start).Seconds()/1e6)
	}
}

func perftLine[P games.Position[P]](r games.Rules[P], line string, limit uint64) (leaves uint64, err error) {
	fields := strings.Split(line, ";")
	text := strings.TrimSpace(fields[0])
	var p P
	if text == "start" {
		p, _, err = r.Start("", "")
	} else {
		p, err = r.ParsePosition(text)
	}
	if err != nil {
		return 0, err
	}
	for _, field := range fields[1:] {
		var depth int
		var want uint64
		name, count, _ := strings.Cut(strings.TrimSpace(field), " ")
		if depth, err = strconv.Atoi(strings.TrimPrefix(name, "D")); err == nil {
			want, err = strconv.ParseUint(strings.TrimSpace(count), 10, 64)
		}
		if err != nil {
			return leaves, fmt.Errorf("field %q: want D<depth> <leaves>", field)
		}
		if want > limit {
			continue
		}
		got := games.Perft(r, p, depth)
		leaves += got
		if got != want {
			return leaves, fmt.Errorf("%s: %d leaves at depth %d, want %d", text, got, depth, want)
		}
	}
	return leaves, nil
}
