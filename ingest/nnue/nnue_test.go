package nnue

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kifu/games/chess"
	"kifu/games/chess/nnue"
	"kifu/ingest/record"
	"kifu/kit/recordtest"
)

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func reader(f *record.Format, data []byte) *record.Stream {
	return record.NewStream(f, bytes.NewReader(data), record.Options{})
}

// positions reads data and writes every position down as bullet's text, with the moves if the
// format has them.
func positions(t testing.TB, f *record.Format, data []byte, moves bool) (lines []string) {
	t.Helper()
	r := reader(f, data)
	var g record.Game
	for {
		err := r.Read(&g)
		if err == io.EOF {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		p := startOf(t, &g)
		clock, ply := g.Clock, g.Ply
		if g.Board == nil {
			clock = p.HalfmoveClock()
		}
		for i := range g.Moves {
			m := &g.Moves[i]
			fen := strings.Fields(p.String())
			line := fmt.Sprintf("%s %d %d | %d %v | %s", strings.Join(fen[:4], " "), clock, ply/2+1, m.Value, m.HasValue, g.Result)
			if moves {
				line += fmt.Sprintf(" | %s %d", m.Text, ply)
			}
			lines = append(lines, line)
			if i+1 == len(g.Moves) {
				break
			}
			move, err := chess.Rules{}.ParseMove(p, m.Text)
			if err != nil {
				t.Fatal(err, p, string(m.Text))
			}
			before := p.HalfmoveClock()
			if p = p.Play(move); p.HalfmoveClock() > before {
				clock++
			} else {
				clock = 0
			}
			ply++
		}
	}
}

func startOf(t testing.TB, g *record.Game) chess.Position {
	t.Helper()
	var p chess.Position
	var err error
	if g.Board != nil {
		p, err = chess.UnpackBoard(g.Board)
	} else {
		p, err = chess.ParseFEN(string(g.Tag(record.TagFEN)))
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSamePositions: the binpack that Stockfish's tools made of a text has its positions.
func TestSamePositions(t *testing.T) {
	want := positions(t, Plain(), readFile(t, "games.plain"), true)
	got := positions(t, Binpack(), readFile(t, "games.binpack"), true)
	if len(want) != 186 || len(got) != len(want) {
		t.Fatalf("%d positions in the text, %d in the binpack, want 186", len(want), len(got))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("position %d is %s, want %s", i, got[i], want[i])
		}
	}
}

// TestPlainSpellings: other ends of lines, empty lines and lines in another order give the positions of the
// text as Stockfish's tools write it, which is read by a shorter way.
func TestPlainSpellings(t *testing.T) {
	text := string(readFile(t, "games.plain"))
	want := strings.Join(positions(t, Plain(), []byte(text), true), "\n")
	for name, other := range map[string]string{
		"CRLF":        strings.ReplaceAll(text, "\n", "\r\n"),
		"empty lines": strings.ReplaceAll(text, "\nscore", "\n\nscore"),
		"blanks":      strings.ReplaceAll(text, "\nscore ", " \nscore  "),
		"order":       regexp.MustCompile(`(score .*)\n(ply .*)`).ReplaceAllString(text, "$2\n$1"),
		"no last LF":  strings.TrimSpace(text),
	} {
		if got := strings.Join(positions(t, Plain(), []byte(other), true), "\n"); other == text || got != want {
			t.Errorf("%s: other positions", name)
		}
	}
	r := reader(Plain(), []byte(text[:strings.Index(text, "score ")]+"score 1x\nply 0\nresult 0\ne\n"))
	if err := r.Read(new(record.Game)); err == nil || !strings.Contains(err.Error(), "not a score") {
		t.Errorf("score 1x is read: %v", err)
	}
}

// TestBullet: the boards that bulletformat made of a text have its positions as the side to
// move sees them.
func TestBullet(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(string(readFile(t, "games.txt"))), "\n")
	got := positions(t, Bullet(), readFile(t, "games.bullet"), false)
	if len(got) != len(lines) {
		t.Fatalf("%d boards, want %d", len(got), len(lines))
	}
	for i, line := range lines {
		part := strings.Split(line, " | ")
		fen := strings.Fields(part[0])
		men, result := fen[0], map[string]string{"1.0": "1-0", "0.5": "1/2-1/2", "0.0": "0-1"}[part[2]]
		value := part[1]
		if fen[1] == "b" {
			men, value = turned(men), negated(value)
			result = map[string]string{"1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1/2-1/2"}[result]
		}
		if want := fmt.Sprintf("%s w - - 0 1 | %s true | %s", men, value, result); got[i] != want {
			t.Fatalf("board %d is %s, want %s", i, got[i], want)
		}
	}
}

// turned turns the men of a FEN upside down and exchanges the colours.
func turned(men string) string {
	rows := strings.Split(men, "/")
	for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
		rows[i], rows[j] = rows[j], rows[i]
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, strings.Join(rows, "/"))
}

func negated(value string) string {
	switch {
	case value == "0":
		return value
	case value[0] == '-':
		return value[1:]
	}
	return "-" + value
}

// TestWritten: what is read is written back as the bytes that the other programs wrote.
func TestWritten(t *testing.T) {
	data := readFile(t, "games.binpack")
	var chains nnue.ChainReader
	var writer nnue.ChainWriter
	var board [boardSize]byte
	var plain, entry []byte
	chains.Reset(data[nnue.ChunkHeader:])
	for {
		e, ok, err := chains.Begin(&board)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		for ok {
			plain = e.AppendPlain(plain)
			entry = nnue.AppendEntry(entry[:0], e)
			if full, err := writer.Add(entry); err != nil || full != nil {
				t.Fatal(err, len(full))
			}
			if e, ok, err = chains.Next(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !bytes.Equal(plain, readFile(t, "games.plain")) {
		t.Error("the text differs from that of Stockfish's tools")
	}
	if !bytes.Equal(writer.Close(), data) {
		t.Error("the binpack differs from that of Stockfish's tools")
	}
	var boards []byte
	boards2 := readFile(t, "games.bullet")
	for b := boards2; len(b) > 0; b = b[nnue.BulletSize:] {
		value, result, err := nnue.ReadBullet(&board, b)
		if err != nil {
			t.Fatal(err)
		}
		p, err := chess.UnpackBoard(board[:])
		if err != nil {
			t.Fatal(err)
		}
		boards = nnue.AppendBullet(boards, &p, value, result)
	}
	if !bytes.Equal(boards, boards2) {
		t.Error("the boards differ from those of bulletformat")
	}
}

// TestDamaged: what is whole of a file that is cut off or damaged is read, and the fault names
// its place.
func TestDamaged(t *testing.T) {
	binpack, plain, bullet := readFile(t, "games.binpack"), readFile(t, "games.plain"), readFile(t, "games.bullet")
	two := append(bytes.Clone(binpack), binpack...)
	broken := bytes.Clone(two)
	broken[len(binpack)] = 'X'
	moved := bytes.Clone(two)
	moved[nnue.ChunkHeader+3] ^= 0xff // a board with more men
	for _, c := range []struct {
		name   string
		format *record.Format
		data   []byte
		games  int
		faults []string
	}{
		{"binpack", Binpack(), binpack[:len(binpack)-100], 7, []string{"@468:1! cut off in the middle of a chunk"}},
		{"header", Binpack(), append(bytes.Clone(binpack), "BINP\x01"...), 7, []string{"@568:2! cut off in the middle of a chunk"}},
		{"letters", Binpack(), broken, 7, []string{"@568:2! not a chunk, which begins with BINP"}},
		{"board", Binpack(), moved, 7, []string{"@8:1! not a position: \"position 1 of the chain at byte 8; the rest of the chunk is left out\""}},
		{"plain", Plain(), plain[:len(plain)-7], 185, []string{"@18167:1111! cut off in the middle of a position"}},
		{"bullet", Bullet(), bullet[:len(bullet)-7], 181, []string{"@5792:182! cut off in the middle of a board"}},
	} {
		lines, err := recordtest.ReadAll(reader(c.format, c.data))
		if err != nil {
			t.Fatal(c.name, err)
		}
		games, faults := 0, []string(nil)
		for _, line := range lines {
			if strings.Contains(line, "! ") {
				faults = append(faults, line)
			} else {
				games++
			}
		}
		if games != c.games || strings.Join(faults, "; ") != strings.Join(c.faults, "; ") {
			t.Errorf("%s: %d games and %q, want %d and %q", c.name, games, faults, c.games, c.faults)
		}
	}
}

// TestRecognise: formats are told from each other and from other bytes by their beginning.
func TestRecognise(t *testing.T) {
	formats := []*record.Format{Plain(), Binpack(), Bullet()}
	for i, name := range []string{"games.plain", "games.binpack", "games.bullet", "games.txt"} {
		for k, f := range formats {
			if f.Recognize(readFile(t, name)) != (i == k) {
				t.Errorf("%s as %s: want %v", name, f.Name, i == k)
			}
		}
	}
	for _, other := range []string{"", "PAR1", strings.Repeat("\x00", 64), strings.Repeat("\xff", 64), "fen\nmove"} {
		for _, f := range formats {
			if f.Recognize([]byte(other)) {
				t.Errorf("%.10q is taken for %s", other, f.Name)
			}
		}
	}
}

// fuzz holds that any bytes give the same positions at once and in blocks, without a panic.
func fuzz(f *testing.F, format *record.Format, name string) {
	data := readFile(f, name)
	f.Add(data[:min(len(data), 700)], uint16(100))
	f.Add(append(bytes.Clone(data), data...), uint16(600))
	read := func(t *testing.T, data []byte, size int) []string {
		lines, err := recordtest.ReadBlocks(format.NewSplitter(bytes.NewReader(data), size, record.Start{Line: 1}), format.NewReader(record.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	f.Fuzz(func(t *testing.T, data []byte, size uint16) {
		want, got := settled(read(t, data, 1<<20)), settled(read(t, data, int(size)+1))
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("in blocks of %d:\n%s\nat once:\n%s", int(size)+1, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// settled leaves out what depends on where blocks end: into how many pieces what is no chunk
// falls, and so the numbers of chunks.
func settled(lines []string) (kept []string) {
	for _, line := range lines {
		if !strings.Contains(line, "not a chunk") && !strings.Contains(line, cutOff) {
			kept = append(kept, chunkNumber.ReplaceAllString(line, "$1"))
		}
	}
	return kept
}

var chunkNumber = regexp.MustCompile(`^(@\d+):\d+`)

func FuzzBinpack(f *testing.F) { fuzz(f, Binpack(), "games.binpack") }

func FuzzBullet(f *testing.F) { fuzz(f, Bullet(), "games.bullet") }

func FuzzPlain(f *testing.F) { fuzz(f, Plain(), "games.plain") }
