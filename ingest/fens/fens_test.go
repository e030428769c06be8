package fens

import (
	"slices"
	"strings"
	"testing"

	"kifu/ingest/record"
	"kifu/kit/recordtest"
)

var tested = recordtest.NewFormat(Format())

// TestVectors reads the files of testdata/vectors.
func TestVectors(t *testing.T) { tested.Run(t) }

// TestMover: with Options.Mover results and values of positions with Black to move change sides.
func TestMover(t *testing.T) {
	const text = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1 [1.0] 35\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 [1.0] 35\n4k3/8/8/8/8/8/4P3/4K3 b - - ce 35; c9 \"1-0\";\n"
	got, err := recordtest.ReadAll(record.NewStream(Format(), strings.NewReader(text), record.Options{Mover: true}))
	if err != nil || len(got) != 3 {
		t.Fatal(got, err)
	}
	for i, want := range []string{`-{-35} => "0-1"`, `-{35} => "1-0"`, `-{-35} => "0-1"`} {
		if !strings.HasSuffix(got[i], want) {
			t.Errorf("line %d is %s, want %s", i+1, got[i], want)
		}
	}
}

// TestSoft: with Options.Soft a result between win, draw and loss is a number, and two that
// differ are refused all the same.
func TestSoft(t *testing.T) {
	const men = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1 "
	for text, want := range map[string]float32{"[0.6]": 0.6, "| 12 | 0.25": 0.25, "1-0": -1, "[0.5000]": -1, "[0.6] 0.60": 0.6} {
		for _, mover := range []bool{false, true} {
			var g record.Game
			if err := record.NewStream(Format(), strings.NewReader(men+text), record.Options{Soft: true, Mover: mover}).Read(&g); err != nil {
				t.Fatal(text, err)
			}
			expected := want
			if mover {
				expected = 1 - want
			}
			if g.Soft != (want >= 0) || g.Soft && g.Expected != expected || g.Soft && g.Result != nil {
				t.Errorf("%s, mover %v: %v %v %q, want %v", text, mover, g.Soft, g.Expected, g.Result, expected)
			}
		}
	}
	for _, text := range []string{"[0.6] 0.7", "[0.6] 1-0", "1-0 [0.6]", "[1.2]", "c9 \"0.6\"; c1 \"0-1\";"} {
		var g record.Game
		if err := record.NewStream(Format(), strings.NewReader(men+text), record.Options{Soft: true}).Read(&g); err == nil && (g.Soft || text != "[1.2]") {
			t.Errorf("%s is read as %+v", text, g)
		}
	}
}

// TestBoards: boards of Othello with opcodes, and with scores of moves.
func TestBoards(t *testing.T) {
	const start = "---------------------------OX------XO---------------------------"
	boards := recordtest.NewFormat(Boards())
	text := start + " X; c0 \"f5\"; c1 \"1-0\"; id \"7:1\";\r\n\n# notes\n" + start + " O; c4:+12; d3:-4; e6:+20;\n" + start + " O\nx\n"
	want := []string{
		`@0:1 [FEN "` + start + ` X"] [id "7:1"] f5 => "1-0"`,
		`@107:4 [FEN "` + start + ` O"] [bm "e6"] -{-2000} => ""`,
		`@198:5 [FEN "` + start + ` O"] - => ""`,
		`@265:6! no board: "x"`,
	}
	got, err := boards.All([]byte(text))
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v\ngot  %s\nwant %s", err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	boards.SameInBlocks(t, []byte(text), got)
	for text, want := range map[string]bool{"# x\n" + start + " X;\n": true, start + "\n": false, start[1:] + " X;\n": false, "": false, "f5d6c3\n": false} {
		if recognizeBoards([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// TestRecognise: lists of positions of chess are told from other text.
func TestRecognise(t *testing.T) {
	for text, want := range map[string]bool{
		"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1":                   true,
		"# quiet\n\n4k3/8/8/8/8/8/4P3/4K3 b - - [0.5]":      true,
		"FEN,Evaluation\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,3": true,
		"[Event \"?\"]\n":                 false,
		"1. e4 e5":                        false,
		"4k3/8/8/8/8/8/4P3/4K4 w - - 0 1": false,
		"lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1": false,
		"W:W32,31:B1,2": false,
		"":              false,
	} {
		if got := recognize([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// FuzzRead: any bytes give the same positions at once and in blocks.
func FuzzRead(f *testing.F) {
	tested.FuzzBlocks(f,
		"4k3/8/8/8/8/8/4P3/4K3 b - - c0 \"e8d7\"; ce 3;\r\n\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 3 | 0.5\nx",
		"\"\"\"", // no heading, though as long as one
		"4k3/8/8/8/8/8/4P3/4K3 b - - 1\n4k3/8/8/8/8/8/4P3/4K3 b - - 0.5\n4k3/8/8/8/8/8/4P3/4K3 b - - 0 1;0",
	)
}
