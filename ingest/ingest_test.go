package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games/chess"
	"kifu/ingest/legal"
	"kifu/ingest/pgn"
	"kifu/ingest/record"
	"kifu/kit/datasettest"
	"kifu/kit/golden"
	"kifu/schemas"
)

var game = legal.Bind[chess.Position](chess.Rules{}, []*record.Format{pgn.Format()})

// build ingests into dir. block and part are sizes for the test, 0 for the usual ones.
func build(t *testing.T, dir string, o Options, block, part int) (*manifest.Manifest, error) {
	t.Helper()
	return buildParams(t, dir, Params{Game: "chess", PartGames: part}, o, block)
}

func buildParams(t *testing.T, dir string, p Params, o Options, block int) (*manifest.Manifest, error) {
	t.Helper()
	m, _, err := buildOr(t, dir, p, o, datasets.Options{}, block)
	return m, err
}

func buildOr(t *testing.T, dir string, p Params, o Options, how datasets.Options, block int) (*manifest.Manifest, bool, error) {
	t.Helper()
	m, fresh, err := buildIn(context.Background(), dir, p, o, block, how)
	if empty, ok := errors.AsType[*Empty](err); ok { // its counts are what the tests ask for
		if _, err := os.Stat(filepath.Join(dir, "manifest.json")); err == nil && !how.Append {
			t.Errorf("a dataset of nothing: %v", empty)
		}
		return &manifest.Manifest{Counts: empty.Counts}, false, nil
	}
	return m, fresh, err
}

// buildIn makes a dataset of games, of blocks of that size if it is not 0.
func buildIn(ctx context.Context, dir string, p Params, o Options, block int, how datasets.Options) (*manifest.Manifest, bool, error) {
	keys, err := InputKeys(ctx, game, p, o)
	if err != nil {
		return nil, false, err
	}
	return datasets.Build(ctx, dir, datasets.Step{Stage: "ingest", Output: schemas.Games.ID(), Params: p, InputKeys: keys,
		Run: func(ctx context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			r, err := newRun(game, p, o, true)
			if err != nil {
				return err
			}
			if err := r.into(b); err != nil {
				return err
			}
			if block > 0 {
				r.blockSize = block
			}
			return r.run(ctx)
		}}, how)
}

func mustBuild(t *testing.T, dir string, o Options, block, part int) *manifest.Manifest {
	t.Helper()
	m, err := build(t, dir, o, block, part)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// rows writes the games of a dataset down, a line each.
func rowsOf(t *testing.T, dir string) []string { return rowsBy(t, dir, " ") }

func rowsBy(t *testing.T, dir, separator string) []string {
	t.Helper()
	d := datasettest.Open(t, dir)
	var lines []string
	b := datasettest.Rows(t, d)
	for row := range b.Rows {
		lines = append(lines, rowText(b, row, separator))
	}
	return lines
}

func rowText(b *columns.Batch, row int, separator string) string {
	var s strings.Builder
	for i := range b.Cols {
		v := &b.Cols[i]
		if v.IsNull(row) {
			continue
		}
		fmt.Fprintf(&s, "%s%s=", separator, v.Column.Name)
		switch v.Column.Type {
		case schemas.Int16, schemas.Int32:
			fmt.Fprint(&s, v.Int32[row])
		case schemas.Bool:
			fmt.Fprint(&s, v.Bool[row])
		case schemas.Uint64:
			fmt.Fprint(&s, v.Uint64[row])
		case schemas.Int64:
			fmt.Fprint(&s, v.Int64[row])
		case schemas.Bytes:
			fmt.Fprintf(&s, "%x", v.Value(row))
		case schemas.Int32List:
			for j, to := v.List(row); j < to; j++ {
				if v.ItemOK[j] {
					fmt.Fprintf(&s, "%d,", v.Int32[j])
				} else {
					s.WriteString("-,")
				}
			}
		case schemas.StringMap:
			for j, to := v.List(row); j < to; j += 2 {
				fmt.Fprintf(&s, "%s:%q,", v.Text(j), v.Text(j+1))
			}
		default:
			fmt.Fprintf(&s, "%q", v.Value(row))
		}
	}
	return strings.TrimPrefix(s.String(), separator)
}

// TestColumns holds every column against testdata/columns.golden.
func TestColumns(t *testing.T) {
	dir := t.TempDir()
	m := mustBuild(t, dir, Options{Inputs: []string{"testdata/columns.pgn"}}, 0, 0)
	got := strings.Join(rowsBy(t, dir, "\n"), "\n\n")
	golden.Equal(t, "testdata/columns.golden", fmt.Appendf(nil, "%s\n\n%+v\n", got, m.Counts))
}

// many writes games games as PGN, some of them bad.
func many(games int) []byte {
	var b bytes.Buffer
	openings := []string{"e4 e5 2. Nf3 Nc6 3. Bb5 a6", "d4 d5 2. c4 e6", "c4 e5 {[%eval 0.3]} 2. Nc3 (2. g3) Nf6", "f3 e5 2. g4 Qh4#"}
	for i := range games {
		fmt.Fprintf(&b, "[Event \"event %d\"]\n[White \"w%d\"]\n[Black \"b\"]\n[Result \"0-1\"]\n\n1. %s 0-1\n\n", i/7, i, openings[i%len(openings)])
		switch i % 10 {
		case 4:
			b.WriteString("[Event \"illegal\"]\n[White \"x\"]\n[Black \"y\"]\n\n1. e4 e4 *\n\n")
		case 8:
			b.WriteString("[Event \"open\"]\n\n1. e4 {\n\n")
		}
	}
	return b.Bytes()
}

func write(t *testing.T, path string, data []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// contents is every file of a dataset, by name.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name()] = string(data)
	}
	return all
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %s differs", what, name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
	}
}

func TestWorkersChangeNothing(t *testing.T) {
	src := t.TempDir()
	write(t, filepath.Join(src, "a.pgn"), many(300))
	write(t, filepath.Join(src, "sub", "b.PGN"), many(50))
	write(t, filepath.Join(src, "c.txt"), []byte("not records"))
	one := t.TempDir()
	m := mustBuild(t, one, Options{Inputs: []string{src}, Workers: 1}, 3000, 64)
	if len(m.Parts) < 3 || m.Counts.Written != 350 || m.Counts.Rejected["illegal move"] != 35 || m.Counts.Rejected["unterminated comment"] != 35 || m.Counts.Read != 420 {
		t.Fatalf("%d parts, %+v", len(m.Parts), m.Counts)
	}
	for _, workers := range []int{2, 5} {
		dir := t.TempDir()
		mustBuild(t, dir, Options{Inputs: []string{src}, Workers: workers}, 3000, 64)
		same(t, fmt.Sprint(workers, " workers"), contents(t, dir), contents(t, one))
	}
	want := strings.Join(rowsOf(t, one), "\n")
	blocks := []int{500, 1 << 20, 1}
	if testing.Short() {
		blocks = blocks[:1] // the race detector takes a minute for blocks of a byte
	}
	for _, block := range blocks {
		dir := t.TempDir()
		mustBuild(t, dir, Options{Inputs: []string{src}, Workers: 2}, block, 64)
		if got := strings.Join(rowsOf(t, dir), "\n"); got != want {
			t.Errorf("blocks of %d bytes give other games", block)
		}
	}
}

// breaking is a log that fails at a line with the given text.
type breaking struct {
	at   string
	seen bytes.Buffer
}

func (b *breaking) Write(p []byte) (int, error) {
	b.seen.Write(p)
	if b.at != "" && bytes.Contains(p, []byte(b.at)) {
		return 0, errors.New("broken")
	}
	return len(p), nil
}

func TestResume(t *testing.T) {
	src := t.TempDir()
	in := []string{write(t, filepath.Join(src, "a.pgn"), many(200)), write(t, filepath.Join(src, "b.pgn"), append(many(100), "[White \"Zz\"]\n\n1. e5 *\n"...)), write(t, filepath.Join(src, "c.pgn"), many(100))}
	whole := t.TempDir()
	var all breaking
	mustBuild(t, whole, Options{Inputs: in, Workers: 2, Log: &all}, 2000, 50)

	dir := t.TempDir()
	if _, err := build(t, dir, Options{Inputs: in, Workers: 2, Log: &breaking{at: "Zz"}}, 2000, 50); err == nil {
		t.Fatal("the log did not break the run")
	}
	if _, err := datasets.Open(dir); err == nil {
		t.Fatal("an interrupted run left a dataset")
	}
	var log breaking
	mustBuild(t, dir, Options{Inputs: in, Workers: 2, Log: &log}, 2000, 50)
	same(t, "resumed", contents(t, dir), contents(t, whole))
	lines := log.seen.String()
	if strings.Contains(lines, "a.pgn") || !strings.HasSuffix(all.seen.String(), lines) {
		t.Errorf("the second run did the first one's work again, or spoke of other places:\n%s\nundisturbed\n%s", lines, all.seen.String())
	}
	if want := "b.pgn:801: Zz – ?: illegal move: move 1. \"e5\"\n"; !strings.Contains(lines, want) {
		t.Errorf("no line %q in\n%s", want, lines)
	}
}

func TestSmallFilesShareRowGroups(t *testing.T) {
	src, dir := t.TempDir(), t.TempDir()
	for i := range 50 {
		write(t, filepath.Join(src, fmt.Sprintf("%02d.pgn", i)), many(1))
	}
	mustBuild(t, dir, Options{Inputs: []string{src}}, 0, 0)
	d := datasettest.Open(t, dir)
	p, err := d.OpenPart(0)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.RowGroups() != 1 || p.Rows(0) != 50 {
		t.Errorf("%d row groups, %d rows in the first: want 1 of 50", p.RowGroups(), p.Rows(0))
	}
}

func TestStandardInput(t *testing.T) {
	a, b, c := t.TempDir(), t.TempDir(), t.TempDir()
	ma := mustBuild(t, a, Options{Inputs: []string{"-"}, Stdin: bytes.NewReader(many(20))}, 0, 0)
	mb := mustBuild(t, b, Options{Inputs: []string{"-"}, Stdin: bytes.NewReader(many(20))}, 0, 0)
	mc := mustBuild(t, c, Options{Inputs: []string{"-"}, Stdin: bytes.NewReader(many(21))}, 0, 0)
	if ma.Key != mb.Key || ma.Key == mc.Key {
		t.Errorf("keys of equal and of other content: %.8s %.8s %.8s", ma.Key, mb.Key, mc.Key)
	}
	same(t, "equal content", contents(t, b), contents(t, a))
	before := contents(t, a)
	if _, err := build(t, a, Options{Inputs: []string{"-"}, Stdin: bytes.NewReader(many(21))}, 0, 0); err == nil || !strings.Contains(err.Error(), "of 20 rows: other content of input -") {
		t.Errorf("other content over an old dataset: %v", err)
	}
	same(t, "what a pipe of other content met", contents(t, a), before)
}

func TestReasons(t *testing.T) {
	var text bytes.Buffer
	fmt.Fprintf(&text, "[Variant \"Long %s\"]\n\n1. e4 *\n\n[Variant \"\xff\x01Crazyhouse\"]\n\n1. e4 *\n\n", strings.Repeat("é", 200))
	for i := range 200 {
		fmt.Fprintf(&text, "[Variant \"v%d\"]\n\n1. e4 *\n\n", i)
	}
	fmt.Fprintf(&text, "[FEN \"8/8/8\"]\n\n1. e4 *\n\n[Event \"x\"]\n\n")
	m := mustBuild(t, t.TempDir(), Options{Inputs: []string{write(t, filepath.Join(t.TempDir(), "a.pgn"), text.Bytes())}}, 0, 0)
	for reason := range m.Counts.Rejected {
		if len(reason) > 90 || !utf8.ValidString(reason) {
			t.Errorf("reason %q", reason)
		}
	}
	if n := m.Counts.Rejected["other reasons"]; n != 104 || len(m.Counts.Rejected) != maxReasons+1 || m.Counts.Read != 204 {
		t.Errorf("%d of %d reasons are others; read %d", n, len(m.Counts.Rejected), m.Counts.Read)
	}
}

func TestNothing(t *testing.T) {
	dir := t.TempDir()
	m := mustBuild(t, dir, Options{Inputs: []string{write(t, filepath.Join(t.TempDir(), "a.pgn"), nil)}}, 0, 0)
	if m.Counts.Read != 0 || len(m.Parts) != 0 {
		t.Errorf("%d parts, %+v", len(m.Parts), m.Counts)
	}
	if _, err := datasets.Open(dir); err == nil {
		t.Error("a dataset of an empty file")
	}
	if _, err := InputKeys(context.Background(), game, Params{}, Options{Inputs: []string{t.TempDir()}}); err == nil {
		t.Error("a directory without records is no error")
	}
}
