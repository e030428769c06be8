package ingest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets/columns"
	"kifu/games/chess"
	"kifu/ingest/record"
	"kifu/ingest/rows"
	"kifu/kit/golden"
	"kifu/schemas"
)

// parseText reads text as x.pgn, in blocks of about size bytes.
func parseText(t testing.TB, text string, size int, p Params) *job {
	j := &job{rows: rows.NewTable(columns.NewBatch(schemas.Games))}
	j.reset()
	w, err := newWorker(t.Context(), &run{Options: Options{Log: io.Discard}, game: game, files: []file{{name: "x.pgn"}}, params: p})
	if err != nil {
		t.Fatal(err)
	}
	pgn := game.Formats()[0]
	texts := rows.TextsOf([]byte(text), pgn, nil)
	for s := pgn.NewSplitter(strings.NewReader(text), size, record.Start{Line: 1}); ; {
		seg := j.add(0)
		seg.texts, seg.name, seg.format = texts, "x.pgn", pgn
		err := s.Next(&seg.block)
		if err == io.EOF {
			j.used--
			break
		}
		if err != nil && !errors.As(err, &seg.fault) {
			t.Fatal(err)
		}
	}
	if err := w.parse(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	return j
}

// TestDirt reads the files of testdata/dirt: what one kind of writers does to moves,
// variants and start positions. A file is a line about it, "expect:" lines for the games
// kept, for those left out and for the notes, a line of dashes, and the text, in which
// \xNN stands for bytes.
func TestDirt(t *testing.T) {
	files, err := filepath.Glob("testdata/dirt/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			head, body, _ := strings.Cut(string(data), "\n-----\n")
			about, _, _ := strings.Cut(head, "\n")
			got := strings.Join(summary(t, parseText(t, unescape(t, body), 1<<20, Params{})), "\nexpect: ")
			golden.Equal(t, path, []byte(about+"\nexpect: "+got+"\n-----\n"+body))
		})
	}
}

// summary is a line for each game: variant, start, moves and result; then the log and
// the notes.
func summary(t *testing.T, j *job) (lines []string) {
	for row := range j.rows.Rows {
		start := ""
		if !j.rows.Start.IsNull(row) {
			start = string(j.rows.Start.Value(row))
		}
		p, _, err := chess.Rules{}.Start(string(j.rows.Variant.Value(row)), start)
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Appendf(nil, "%s %s", j.rows.Variant.Value(row), start)
		for codes := j.rows.Moves.Value(row); len(codes) > 0; codes = codes[2:] {
			m, err := chess.Rules{}.UnpackMove(p, binary.LittleEndian.Uint16(codes))
			if err != nil {
				t.Fatal(err)
			}
			line = chess.Rules{}.AppendCoordinates(append(line, ' '), p, m)
			p = p.Play(m)
		}
		result := "unknown"
		if !j.rows.Result.IsNull(row) {
			result = string(j.rows.Result.Value(row))
		}
		lines = append(lines, string(append(line, " => "+result...)))
	}
	if len(j.log) > 0 {
		lines = append(lines, strings.Split(strings.TrimSuffix(string(j.log), "\n"), "\n")...)
	}
	for _, note := range slices.Sorted(maps.Keys(j.counts.Noted)) {
		lines = append(lines, fmt.Sprintf("noted %d: %s", j.counts.Noted[note], note))
	}
	return lines
}

// unescape resolves \xNN.
func unescape(t *testing.T, s string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, `\x`)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		c, err := strconv.ParseUint(after[:2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteByte(byte(c))
		s = after[2:]
	}
}

// TestLongestGame: knights that go to and fro for 3,000 plies.
func TestLongestGame(t *testing.T) {
	text := "[Event \"x\"]\n\n" + strings.Repeat("1. Nf3 Nf6 2. Ng1 Ng8 ", 750) + "1/2-1/2\n"
	j := parseText(t, text, 64, Params{})
	if j.rows.Rows != 1 || j.rows.Plies.Int32[0] != 3000 || !bytes.Equal(j.rows.Result.Value(0), []byte("draw")) {
		t.Errorf("%d games, %v plies", j.rows.Rows, j.rows.Plies.Int32)
	}
}
