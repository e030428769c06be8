package shogi_test

import (
	"testing"

	"kifu/games"
	"kifu/games/shogi"
	"kifu/kit/gametest"
)

// TestJapanese are the examples of the Japan Shogi Association (棋譜の表記方法), and
// others of the same kinds: how a move is written, and that it is read back.
func TestJapanese(t *testing.T) {
	for _, c := range []struct{ sfen, usi, want string }{
		{"9/2G3G2/9/9/9/9/9/9/k1K6 b - 1", "7b8a", "▲８一金"},
		{"2G6/3G5/9/9/9/9/9/9/k1K6 b - 1", "7a7b", "▲７二金引"},
		{"9/5G3/4G4/9/9/9/9/9/k1K6 b - 1", "5c5b", "▲５二金上"},
		{"9/2G1G4/9/9/9/9/9/9/k1K6 b - 1", "7b6a", "▲６一金左"},
		{"9/2G1G4/9/9/9/9/9/9/k1K6 b - 1", "5b6a", "▲６一金右"},
		{"9/9/9/9/9/9/9/3GG4/k1K6 b - 1", "5h5g", "▲５七金直"},
		{"9/9/9/9/9/9/9/3GG4/k1K6 b - 1", "6h5g", "▲５七金左"},
		{"9/9/9/9/3S1S3/9/3S1S3/9/k1K6 b - 1", "4e5f", "▲５六銀右引"},
		{"9/9/9/9/3S1S3/9/3S1S3/9/k1K6 b - 1", "6g5f", "▲５六銀左上"},
		{"9/9/9/9/9/9/2+R5+R/9/k1K6 b - 1", "7g4g", "▲４七龍左"},
		{"9/9/9/9/9/9/9/2+B1+B4/k1K6 b - 1", "5h6g", "▲６七馬右"},
		{"2K6/9/9/9/9/2g1g4/9/9/9 w - 1", "7f6g", "△６七金右"},
		{"2K6/9/9/9/9/2g1g4/9/9/9 w - 1", "5f6g", "△６七金左"},
		{"k1K6/9/4S4/9/9/9/9/9/9 b S 1", "5c5b+", "▲５二銀成"},
		{"k1K6/9/4S4/9/9/9/9/9/9 b S 1", "5c5b", "▲５二銀不成"},
		{"k1K6/9/4S4/9/9/9/9/9/9 b S 1", "S*5b", "▲５二銀打"},
		{"k1K6/9/4S4/9/9/9/9/9/9 b S 1", "S*1i", "▲１九銀"},
		{"2K3k2/9/9/9/9/9/9/9/L8 b P 1", "P*5e", "▲５五歩"},
	} {
		p := parse(t, c.sfen)
		m, err := shogi.Rules{}.ParseMove(p, []byte(c.usi))
		if err != nil {
			t.Errorf("%s: %s: %v", c.sfen, c.usi, err)
			continue
		}
		text := shogi.AppendKI2(nil, p, m)
		if string(text) != c.want {
			t.Errorf("%s: %s is written %s, want %s", c.sfen, c.usi, text, c.want)
		}
		if got, err := (shogi.Rules{}).ParseMove(p, text); got != m || err != nil {
			t.Errorf("%s: %s is read as %#x, %v", c.sfen, text, got, err)
		}
	}
}

// TestSpellings: one move in the spellings of many records.
func TestSpellings(t *testing.T) {
	start := shogi.Start()
	want, err := shogi.Rules{}.ParseMove(start, []byte("7g7f"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"+7776FU", "7776FU", "７六歩(77)", "７六歩", "▲７六歩", "☗７六歩", "7六歩(77)", "７６歩", "76歩", "７六歩　(77)", "P-7f", "P-76", "P7f", "P7g-7f"} {
		if got, err := (shogi.Rules{}).ParseMove(start, []byte(text)); got != want || err != nil {
			t.Errorf("%s is read as %#x, %v", text, got, err)
		}
	}
	after := start
	for _, text := range []string{"７六歩(77)", "△３四歩", "２二角成(88)", "同　銀(31)"} {
		m, err := shogi.Rules{}.ParseMove(after, []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		after = after.Play(m)
	}
	const sfen = "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5"
	if got := after.String(); got != sfen {
		t.Errorf("after four moves: %s, want %s", got, sfen)
	}
}

// TestReasons: what is said of moves that cannot be played.
func TestReasons(t *testing.T) {
	const sfen = "4k4/9/9/4p4/9/9/4P4/1b7/4K4 b PN 1"
	for text, want := range map[string]string{
		"P*5h": "second pawn on a file", "N*4b": "the piece could never move again", "P*4a": "the piece could never move again",
		"G*4e": "drop of a piece that is not in hand", "N*5d": "drop on an occupied square", "5g5f+": "illegal promotion",
		"5g5e": "illegal move", "5h5g": "no such piece there", "-0055FU": "second pawn on a file", "+5756KI": "no such piece there",
		"5i5": "unreadable move", "７十歩": "unreadable move", "": "unreadable move", "Z-5e": "unreadable move", "成玉": "unreadable move",
	} {
		if m, err := (shogi.Rules{}).ParseMove(parse(t, sfen), []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q is read as %#x, %v; want %s", text, m, err, want)
		}
	}
	pinned := parse(t, "4k4/9/9/9/4r4/9/4G4/9/4K4 b - 1")
	if _, err := (shogi.Rules{}).ParseMove(pinned, []byte("5g4g")); err == nil || err.Error() != "king left in check" {
		t.Errorf("a pinned gold: %v", err)
	}
}

// TestStyles takes random games through CSA, KIF and KI2.
func TestStyles(t *testing.T) {
	for seed := range uint64(40) {
		start := shogi.Start()
		if seed%2 == 1 { // many pieces of a kind, in hand and on the board
			start = parse(t, "1+P1+P1+P3/1+R3+R3/2G1S1S2/3G1G3/2S1+B1N1k/4N1N2/3L1L3/4K4/9 b GS2P12pbn2l 1")
		}
		var before shogi.Position
		gametest.Random(start, 150, seed, func(p shogi.Position, line []games.Move) {
			if len(line) > 0 {
				m := line[len(line)-1]
				for _, text := range [][]byte{shogi.AppendCSA(nil, before, m), shogi.AppendKIF(nil, before, m), shogi.AppendKI2(nil, before, m)} {
					if got, err := (shogi.Rules{}).ParseMove(before, text); got != m || err != nil {
						t.Fatalf("%s: %#x is written %s, which is read as %#x, %v", before, m, text, got, err)
					}
				}
			}
			before = p
		})
	}
}

// TestPositions: what ParseSFEN takes and what it refuses.
func TestPositions(t *testing.T) {
	for text, want := range map[string]string{
		"startpos": "", "sfen " + shogi.StartSFEN: "", "position startpos": "",
		"4k4/9/9/9/9/9/PP7/P8/4K4 b 2pP":                   "", // two pawns on a file; no move number
		"9/9/9/9/9/9/9/9/4K3k b - 1":                       "",
		"8k/9/8L/9/9/9/9/9/9 w - 1":                        "", // a problem
		"9/9/9/9/9/9/9/9/9 b - 1":                          "no king on the board",
		"4k4/9/9/9/9/9/9/4K4/4K4 b - 1":                    "two kings of one side",
		"4k4/ppppppppp/9/9/9/9/PPPPPPPPP/9/4K4 b P":        "more pieces than a set has",
		"4k4/9/9/9/9/9/9/9/4K4 b 3R 1":                     "more pieces than a set has",
		"7pk/7p1/7p1/7p1/7p1/7p1/7p1/7p1/7p1 b 2R4L4s4n 1": "", // nine pawns on a file
		"4k4/4R4/9/9/9/9/9/9/4K4 b - 1":                    "the side not to move is in check",
		"":                                                 "unreadable SFEN", "8/8 b - 1": "unreadable SFEN", "4k4/9/9/9/9/9/9/9/4K4 x - 1": "unreadable SFEN",
		"4k4/9/9/9/9/9/9/9/4K+K3 b - 1": "unreadable SFEN", "4k4/9/9/9/9/9/9/9/4K4 b Z 1": "unreadable SFEN", "4k4/9/9/9/9/9/9/9/4K3+ b - 1": "unreadable SFEN",
	} {
		_, err := shogi.ParseSFEN(text)
		if got := errorText(err); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestHandicaps: every handicap has its name back from its position, White to move.
func TestHandicaps(t *testing.T) {
	for i, h := range shogi.Handicaps {
		for _, name := range []string{h.Name, h.Japanese, h.Japanese + "\u3000\u3000", " " + h.Japanese} {
			p, canonical, err := shogi.Rules{}.Start(name, "")
			if err != nil || canonical != h.Name || (p.ToMove() == shogi.White) != (i > 0) {
				t.Errorf("%q: %s, %q, %v", name, p, canonical, err)
			}
			if _, again, err := (shogi.Rules{}).Start("", p.String()); again != h.Name || err != nil {
				t.Errorf("%s is %q, %v; want %s", p, again, err, h.Name)
			}
		}
	}
	if _, canonical, err := (shogi.Rules{}).Start("その他", "4k4/9/9/9/9/9/9/9/4K4 b - 1"); canonical != "problem" || err != nil {
		t.Errorf("a problem is %q, %v", canonical, err)
	}
	if _, _, err := (shogi.Rules{}).Start("chess", ""); err == nil || err.Error() != "variant chess is not played here" {
		t.Errorf("chess: %v", err)
	}
}
