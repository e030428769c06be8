package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/store"
	"kifu/kit/slow"
	"kifu/kit/storetest"
)

// TestObjectStorage runs the same lines in a directory and in object storage: what is
// printed is the same, and each file of each dataset.
func TestObjectStorage(t *testing.T) {
	slow.Test(t, "runs a pipeline twice, once over a server of objects")
	server := storetest.Start(t)
	lines := []string{
		"datasets sample chess-masters --force --out @masters.pgn.zst",
		"ingest --out %games --part-games 100 --where 'second_player<$$C$$' @masters.pgn.zst",
		"ingest --out %games --part-games 100 --where 'second_player<$$C$$' @masters.pgn.zst",
		"sort --out %sorted --by player %games",
		"transform --out %positions --shard 1/2 %games",
		"transform --out %positions --shard 2/2 %games",
		"transform --out %positions --finish %games",
		"label --out %labels %positions",
		"fit --out %mlm --method mlm --add safety=king_safety %labels",
		"label --out %again --eval %mlm/weights.toml %positions",
		"report curve --out %curve --when 'late=leaf_phase<12' --min-count 1 %labels",
		"report opening --min-games 3 --out %opening %labels %games",
		"query --format csv 'select player, count(*) n from s_players join s using (game_id) group by 1 order by 2 desc, 1 limit 3' s=%sorted",
		"query --trust --format csv 'select result, count(*) n from g group by 1 order by 1' g=%games",
		"query --format csv 'select * from c_curve limit 3' c=%curve",
		"show %games",
		"show %games:1:20",
		"find %games --fen 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'",
		"export --force --format pgn --out @out.pgn %games",
		"duplicates --out %twice %games",
		"tree --out %tree %games",
		"match --game chess --out %match --games 2 --first depth=1 --second 'depth=1 eval=%mlm/weights.toml name=fitted' --openings %games --opening-plies 8",
		"check %games %sorted %positions %labels %mlm %curve",
	}
	dir := t.TempDir()
	local := runLines(t, lines, dir+"/", filepath.Join(dir, "files"))
	remote := runLines(t, lines, "s3://bucket/study/", filepath.Join(dir, "files"))
	page := regexp.MustCompile(`Open %\w+/index\.html\n`) // a browser opens none in object storage
	for i, line := range lines {
		if strings.HasPrefix(line, "report ") != page.MatchString(local[i]) {
			t.Errorf("kifu %s prints %q", line, local[i])
		}
		if diff := cmp.Diff(page.ReplaceAllString(local[i], ""), remote[i]); diff != "" {
			t.Errorf("kifu %s prints (- directory, + object storage):\n%s", line, diff)
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	keys := strings.Join(server.Keys(), "\n")
	compared := 0
	for _, f := range files {
		step, name := filepath.Base(filepath.Dir(f)), filepath.Base(f)
		if step == "files" {
			continue
		}
		want, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		key := regexp.MustCompile(`study/` + step + `/gen-\w+/` + regexp.QuoteMeta(name) + `\b`).FindString(keys)
		server.Change(t, key, func(got []byte) []byte {
			if !bytes.Equal(got, want) {
				t.Errorf("%s has other bytes than %s", key, f)
			}
			compared++
			return got
		}, 0)
	}
	if compared < 30 {
		t.Errorf("%d files were compared", compared)
	}
}

// TestStudyInStorage: a study whose out is in object storage has its datasets there, with the bytes
// that they have in a directory, and its reports and page beside it; a second run does nothing.
func TestStudyInStorage(t *testing.T) {
	slow.Test(t, "a server of objects")
	server := storetest.Start(t)
	dir := t.TempDir()
	text := `[[step]]
name = "games"
run = "ingest"
args = "m.pgn.zst"
[[step]]
name = "positions"
run = "transform"
args = "{games}"
sample = [0.02, 0.03]
[[step]]
name = "labels"
run = "label"
args = "{positions}"
[[step]]
name = "count"
run = "query"
args = ["select count(*) n from l", "l={labels}"]
format = "csv"
stdout = "count.csv"
[[step]]
name = "curve"
run = "report curve"
args = "{labels}"
min-count = 1
`
	ctx, done := store.With(context.Background())
	defer done()
	run := func(name, out string, flags ...string) (int, string) {
		t.Helper()
		path := filepath.Join(dir, name+".toml")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return inDir(ctx, dir, append(append([]string{"run", "--set", "out=" + out}, flags...), path)...)
	}
	if code, said := inDir(ctx, dir, "datasets", "sample", "--out", filepath.Join(dir, "m.pgn.zst"), "chess-masters"); code != command.OK {
		t.Fatal(said)
	}
	for name, out := range map[string]string{"here": "here", "there": "s3://bucket/studies/one/"} {
		if code, said := run(name, out); code != command.OK {
			t.Fatalf("%s: %s", name, said)
		}
	}
	if code, said := run("there", "s3://bucket/studies/one/", "--dry-run"); code != command.OK || strings.Count(said, "up to date") < 6 {
		t.Errorf("a second run: %d, %s", code, said)
	}
	if code, said := run("there", "s3://bucket/studies/one/", "--print", "slurm"); code != command.Misuse || !strings.Contains(said, "use --on") {
		t.Errorf("--print: %d, %s", code, said)
	}
	keys := strings.Join(server.Keys(), "\n")
	for _, name := range []string{"games", "positions/sample=0.02", "labels/sample=0.03"} {
		want, err := os.ReadFile(filepath.Join(dir, "here", name, "part-00000.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		key := regexp.MustCompile(`studies/one/` + regexp.QuoteMeta(name) + `/gen-\w+/part-00000.parquet\b`).FindString(keys)
		server.Change(t, key, func(got []byte) []byte {
			if !bytes.Equal(got, want) {
				t.Errorf("%s has other bytes", key)
			}
			return got
		}, 0)
	}
	for _, name := range []string{"index.html", "count-sample=0.02.csv", "curve/sample=0.03/curve.svg"} {
		want, err := os.ReadFile(filepath.Join(dir, "here", name))
		got, fault := os.ReadFile(filepath.Join(dir, "there", name))
		if err != nil || fault != nil || name != "index.html" && !bytes.Equal(got, want) {
			t.Errorf("%s: %v, %v", name, err, fault)
		}
	}
}

// TestPatternInStorage: a pattern names datasets in object storage as it does directories.
func TestPatternInStorage(t *testing.T) {
	storetest.Start(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"1.pgn": "[White \"Anna\"]\n[Black \"Boris\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n",
		"2.pgn": "[White \"Clara\"]\n[Black \"Anna\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, "m-"+name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	lines := []string{
		"ingest --out %games-1 @1.pgn",
		"ingest --out %games-2 @2.pgn",
		"transform --out %positions-1 %games-1",
		"transform --out %positions-2 %games-2",
		"label --out %labels-1 %positions-1",
		"label --out %labels-2 %positions-2",
		"fit --out %fit --method mlm %labels-*",
		"query --format csv 'select game_id, second_player, count(*) n from l join g using (game_id) group by all order by 1' l=%labels-* g=%games-*",
		"report curve --out %curve --min-count 1 %labels-?",
		"player Anna %games-[12] %labels-*",
	}
	local, remote := runLines(t, lines, dir+"/", dir+"/m"), runLines(t, lines, "s3://bucket/study/", dir+"/m")
	local[8] = strings.Replace(local[8], "Open %curve/index.html\n", "", 1)
	if diff := cmp.Diff(local, remote); diff != "" || !strings.Contains(remote[7], "\n10000000000,Anna,5\n") {
		t.Errorf("- directory, + object storage:\n%s", diff)
	}
	for pattern, want := range map[string]string{"s3://bucket/study/other-*": "no dataset matches s3://bucket/study/other-*",
		"s3://bucket/st*/labels-1": "only the last part of a name can be a pattern", "gs://bucket/labels-*": "want a path, or s3://BUCKET/PREFIX"} {
		var errs bytes.Buffer
		if code := runMain(context.Background(), strings.NewReader(""), io.Discard, &errs, []string{"fit", "--method", "mlm", "--out", dir + "/other", pattern}); code != command.Failed || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit %d, %s", pattern, code, &errs)
		}
	}
}

// TestRecordsInStorage: records in object storage make the dataset that the same files make, and a
// fault is named by its object.
func TestRecordsInStorage(t *testing.T) {
	server := storetest.Start(t)
	const good = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n"
	dir := t.TempDir()
	for name, text := range map[string]string{"one.pgn": good + good, "deep/two.pgn": good, "readme.txt": "no records", "bad.pgn": good + strings.Replace(good, "e5", "Ke6", 1)} {
		server.Put("records/"+name, []byte(text), "")
		path := filepath.Join(dir, "records", name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	lines := func(records string) []string {
		return []string{"ingest --out %g " + records, "ingest --out %one " + records + "/one.pgn", "query --format csv 'select source_file, count(*) from g group by 1 order by 1' g=%g"}
	}
	local, remote := runLines(t, lines(dir+"/records"), dir+"/d", ""), runLines(t, lines("s3://bucket/records"), dir+"/r", "")
	if diff := cmp.Diff(local, remote); diff != "" || !strings.Contains(local[2], "deep/two.pgn,1") {
		t.Errorf("- directory, + object storage:\n%s", diff)
	}
	for _, name := range []string{"g", "one"} {
		a, err1 := datasets.Open(dir + "/d" + name)
		b, err2 := datasets.Open(dir + "/r" + name)
		if err1 != nil || err2 != nil || a.Manifest.Key != b.Manifest.Key {
			t.Errorf("%s has another key from object storage: %v %v", name, err1, err2)
		}
	}
	var errs bytes.Buffer
	if code := runMain(context.Background(), strings.NewReader(""), io.Discard, &errs, []string{"ingest", "-v", "--progress", "none", "--out", dir + "/v", "s3://bucket/records/bad.pgn"}); code != command.OK || !strings.Contains(errs.String(), "bad.pgn:7") {
		t.Errorf("exit %d: %s", code, &errs)
	}
	for place, want := range map[string]string{"s3://bucket/none": "no object has this name or prefix", "https://example.org/games.pgn": "download it first, as with curl -LO", "s3://bucket/records/readme.txt": "readme.txt: no games found"} {
		errs.Reset()
		if code := runMain(context.Background(), strings.NewReader(""), io.Discard, &errs, []string{"ingest", "--progress", "none", "--out", dir + "/no", place}); code == command.OK || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit %d: %s", place, code, &errs)
		}
	}
}

// runLines runs commands in which % stands before a dataset and @ before a file, and
// returns what they print, with these signs again.
func runLines(t *testing.T, lines []string, datasets, files string) (printed []string) {
	t.Helper()
	signs := strings.NewReplacer("%", datasets, "@", files+"-")
	back := strings.NewReplacer(files+"-", "@", datasets, "%")
	for _, line := range lines {
		args, err := splitWords(signs.Replace(line))
		if err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		if code := runMain(context.Background(), strings.NewReader(""), &out, &errs, append(args, "--progress", "none")); code != command.OK {
			t.Errorf("kifu %s: exit %d\n%s", line, code, errs.String())
		}
		printed = append(printed, elapsed.ReplaceAllString(back.Replace(out.String()), "…"))
	}
	return printed
}
