package ingest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/games/tictactoe"
	"kifu/ingest/csa"
	"kifu/ingest/formats"
	"kifu/ingest/ggf"
	"kifu/ingest/jkf"
	"kifu/ingest/kif"
	"kifu/ingest/legal"
	"kifu/ingest/pdn"
	"kifu/ingest/pgn"
	"kifu/ingest/record"
	"kifu/ingest/sgf"
	"kifu/ingest/usi"
)

var tic = legal.Bind[tictactoe.Position](tictactoe.Rules{}, []*record.Format{pgn.Format()})

// packed writes files into a zip and a tar archive.
func packed(t *testing.T, files map[string]string) (zipped, tarred []byte) {
	t.Helper()
	var a, b bytes.Buffer
	z, w := zip.NewWriter(&a), tar.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name]
		f, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
		for _, out := range []interface{ Write([]byte) (int, error) }{f, w} {
			if _, err := out.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	z.Close()
	w.Close()
	return a.Bytes(), b.Bytes()
}

// asCounted counts as Detect and Count do; "" if there are several games.
func asCounted(t *testing.T, o Options) string {
	t.Helper()
	var warned bytes.Buffer
	o.Warn = &warned
	names, err := Detect(o.Games, o.Inputs, nil, false, nil)
	if err != nil || len(names) != 1 {
		return ""
	}
	for _, g := range o.Games {
		if g.Name() == names[0] {
			files, sums, err := Count(t.Context(), g, Params{Game: names[0]}, o)
			if err != nil {
				return ""
			}
			return fmt.Sprint(files, sums, warned.String())
		}
	}
	return ""
}

// total is the number of games that were counted.
func total(files []FileCount) (n int64) {
	for _, f := range files {
		n += f.Games
	}
	return n
}

// TestCountSame: records of one game are counted as ever; if they are of several, or cannot be read,
// nothing is said.
func TestCountSame(t *testing.T) {
	chess, toe, gos := recordOf["pgn"]("A", "B"), "[Event \"x\"]\n[Variant \"tictactoe\"]\n\n1. b2 a1 *\n\n", recordOf["sgf"]("A", "B")
	damaged := chess + "[Event \"open\"]\n\n1. e4 {\n\n"
	zipped, tarred := packed(t, map[string]string{"b.pgn": chess + chess, "a.pgn": damaged, "c.txt": "no record", "d.pgn": strings.Repeat(chess, 2000)})
	unknownZip, unknownTar := packed(t, map[string]string{"a.pgn": chess, "b.pdn": "[GameType \"22\"]\n\n1. 1-2 *\n"})
	mixedZip, mixedTar := packed(t, map[string]string{"a.pgn": chess, "b.sgf": gos})
	var gzipped bytes.Buffer
	z := gzip.NewWriter(&gzipped)
	z.Write([]byte(chess))
	z.Close()
	wide := "\xFF\xFE" + strings.Join(strings.Split(chess, ""), "\x00") + "\x00"
	cut := zipped[:len(zipped)*2/3]
	for name, x := range map[string]struct {
		files map[string]string
		games int64 // that are counted; 0: the game is not told; -1: as many as ever
	}{
		"one":                           {map[string]string{"a.pgn": chess}, 1},
		"many":                          {map[string]string{"a.pgn": chess, "b.pgn": damaged, "c/d.pgn": chess, "e.txt": chess, "f.txt": "no record"}, 4},
		"go":                            {map[string]string{"a.sgf": gos, "b.sgf": gos + gos}, 3},
		"small and large":               {map[string]string{"a.pgn": chess, "b.pgn": strings.Repeat(chess, 2000), "c.pgn": chess, "d.pgn": ""}, 2002},
		"zip and tar":                   {map[string]string{"a.zip": string(zipped), "b.tar": string(tarred), "c.pgn": chess}, 4007},
		"packed and wide":               {map[string]string{"a.pgn": chess, "b.pgn.gz": gzipped.String(), "c.pgn": gzipped.String(), "d.pgn": wide, "e.pgn": string(zipped), "f.pgn": string(tarred)}, 4010},
		"cut zip":                       {map[string]string{"a.pgn": chess, "b.zip": string(cut), "c.zip": string(cut)}, -1},
		"two games":                     {map[string]string{"a.pgn": chess, "b.pgn": toe}, 0},
		"in one file":                   {map[string]string{"a.pgn": chess + toe}, 0},
		"two formats":                   {map[string]string{"a.pgn": chess, "b.sgf": gos}, 0},
		"in a zip":                      {map[string]string{"a.zip": string(mixedZip)}, 0},
		"in a tar":                      {map[string]string{"a.tar": string(mixedTar)}, 0},
		"a zip with what is not played": {map[string]string{"a.zip": string(unknownZip)}, 0},
		"a tar with it":                 {map[string]string{"a.tar": string(unknownTar)}, 0},
		"none":                          {map[string]string{"a.txt": "no record"}, 0},
	} {
		dir := t.TempDir()
		for file, text := range x.files {
			write(t, filepath.Join(dir, file), []byte(text))
		}
		for _, workers := range []int{1, 3} {
			var warned bytes.Buffer
			o := Options{Inputs: []string{dir}, Games: []legal.Game{game, goGame, tic, checkers}, Workers: workers, Warn: &warned, Held: &Held{}}
			files, sums, ok := CountSame(t.Context(), Params{}, o)
			if n := total(files); ok != (x.games != 0) || x.games >= 0 && n != x.games {
				t.Fatalf("%s: %v, %d games", name, ok, n)
			}
			if got, want := fmt.Sprint(files, sums, warned.String()), asCounted(t, o); ok && got != want {
				t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
			}
			if !ok && warned.Len() > 0 {
				t.Errorf("%s: said %s", name, warned.String())
			}
		}
	}
	o := Options{Inputs: []string{write(t, filepath.Join(t.TempDir(), "a.txt"), []byte("no record"))}, Games: []legal.Game{game}}
	if _, _, ok := CountSame(t.Context(), Params{}, o); ok {
		t.Error("a file that is no record was counted")
	}
}

// TestWarnOrder: warnings come in the order of the files, whoever read them when.
func TestWarnOrder(t *testing.T) {
	var said strings.Builder
	r := &run{Options: Options{Warn: &said}}
	if err := r.warn([]warning{{3, []byte("c")}, {0, []byte("a")}, {2, []byte("b")}}); err != nil || said.String() != "abc" {
		t.Errorf("%q, %v", said.String(), err)
	}
}

// TestWhole: a stream shorter than a block is one block, of the formats that say so.
func TestWhole(t *testing.T) {
	const text = "a\r\n[b\n(;c)\n"
	for _, of := range []*record.Format{pgn.Format(), sgf.Format(), pdn.Format(), ggf.Format(), csa.Format(), kif.Format(), jkf.Format(), usi.Format()} {
		split := of.NewSplitter(strings.NewReader(text), len(text)+1, record.Start{Line: 1})
		var b record.Block
		if err := split.Next(&b); !of.Whole || err != nil || string(b.Data) != text || b.Offset != 0 || b.Line != 1 || b.EndLine != 4 || b.Inside || b.Open || b.Weight != 0 {
			t.Errorf("%s: %+v %v", of.Name, b, err)
		}
		if err := split.Next(&b); err != io.EOF {
			t.Errorf("%s: a second block, %v", of.Name, err)
		}
	}
}

// TestLentMemory: small files between larger ones keep their texts, whatever has been read where, and
// those that are held are not written over.
func TestLentMemory(t *testing.T) {
	src, all := t.TempDir(), []byte{}
	files, larger, blocks := 60, 500, []int{0, 3000}
	if testing.Short() { // the race detector makes it fifty times as slow
		files, larger, blocks = 20, 250, blocks[1:]
	}
	for i := range files {
		text := many(1 + i%3)
		if i%5 == 0 {
			text = many(larger)
		}
		text = append([]byte("[Event \"file "+strings.Repeat("x", i*7%61)+"\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"), text...)
		write(t, filepath.Join(src, fmt.Sprintf("%02d.pgn", i)), text)
		all = append(all, text...)
	}
	want := t.TempDir()
	mustBuild(t, want, Options{Inputs: []string{write(t, filepath.Join(t.TempDir(), "all.pgn"), all)}, Workers: 1}, 0, 0)
	strip := func(dir string) (lines []string) {
		for _, line := range rowsOf(t, dir) {
			fields := strings.Fields(line)
			kept := fields[:0]
			for _, f := range fields {
				if !strings.HasPrefix(f, "source_") {
					kept = append(kept, f)
				}
			}
			lines = append(lines, strings.Join(kept, " "))
		}
		return lines
	}
	wanted := strings.Join(strip(want), "\n")
	for _, held := range []*Held{nil, {}} {
		for _, block := range blocks {
			dir := filepath.Join(t.TempDir(), "games")
			o := Options{Inputs: []string{src}, Workers: 2, Held: held, Seen: &Seen{}}
			if held == nil {
				o.Seen = nil
			}
			for again := range 2 { // with what is held
				mustBuild(t, fmt.Sprint(dir, again), o, block, 0)
				if strings.Join(strip(fmt.Sprint(dir, again)), "\n") != wanted {
					t.Errorf("held %v, blocks of %d, run %d: other games", held != nil, block, again)
				}
			}
		}
	}
	counted, _, ok := CountSame(t.Context(), Params{}, Options{Inputs: []string{src}, Games: []legal.Game{game}, Workers: 2})
	if n, want := total(counted), int64(bytes.Count(all, []byte("[Result"))+bytes.Count(all, []byte("\"illegal\""))); !ok || n != want {
		t.Errorf("%d games counted of %d, %v", n, want, ok)
	}
}

// TestListedOnce: a directory is listed once for those who want to know no more than what is known.
func TestListedOnce(t *testing.T) {
	dir, held := t.TempDir(), &Held{}
	write(t, filepath.Join(dir, "a.pgn"), many(1))
	write(t, filepath.Join(dir, "b.sgf"), many(1))
	both, one := legal.Formats([]legal.Game{game, goGame}), legal.Formats([]legal.Game{game})
	listed := func(set formats.Set, sized bool) int {
		files, err := list(set, []string{dir}, true, []legal.Game{game, goGame}, held, sized)
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	if n := listed(both, false); n != 2 {
		t.Fatal(n)
	}
	if err := os.Remove(filepath.Join(dir, "a.pgn")); err != nil {
		t.Fatal(err)
	}
	if n := listed(one, false); n != 1 {
		t.Errorf("%d files: listed anew", n)
	}
	if n := listed(one, true); n != 0 {
		t.Errorf("%d files with sizes, which were not asked for before", n)
	}
	if n := listed(both, false); n != 1 {
		t.Errorf("%d files of a larger set than was asked for", n)
	}
}
