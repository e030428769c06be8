package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kifu/store/storetest"
)

// TestObjectStorage runs the same lines in a directory and in object storage: what is
// printed is the same, and each file of each dataset.
func TestObjectStorage(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a pipeline twice")
	}
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
		"match --game chess --out %match --games 2 --first depth=1 --second 'depth=1 eval=%mlm/weights.toml name=fitted' --openings %games --opening-plies 8",
		"check %games %sorted %positions %labels %mlm %curve",
	}
	dir := t.TempDir()
	local := runLines(t, lines, dir+"/", filepath.Join(dir, "files"))
	remote := runLines(t, lines, "s3://bucket/study/", filepath.Join(dir, "files"))
	for i, line := range lines {
		if diff := cmp.Diff(local[i], remote[i]); diff != "" {
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
		if code := run(context.Background(), strings.NewReader(""), &out, &errs, append(args, "--progress", "none")); code != ok {
			t.Errorf("kifu %s: exit %d\n%s", line, code, errs.String())
		}
		printed = append(printed, elapsed.ReplaceAllString(back.Replace(out.String()), "…"))
	}
	return printed
}
