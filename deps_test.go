package kifu

import (
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A rule says what the packages under a path may import: other packages of this
// module by pattern, and modules by prefix. The most specific rule holds. "std" alone
// means the standard library and nothing else.
//
//	games/<g>   any one folder below games; the importer's own tree is always allowed
var rules = []struct {
	path    string
	module  []string // of kifu; a trailing /... includes the folders below
	foreign []string // other modules
}{
	{"games", nil, nil},
	{"games/...", []string{"games"}, nil},
	{"games/board", []string{"games"}, nil},
	{"games/chess", []string{"games", "games/chess/openings", "games/chess/polyglot", "games/chess/written"}, nil},
	{"players/shapes", []string{"games", "internal/logit", "internal/ordered", "internal/splitmix"}, []string{"gonum.org/v1/gonum"}},
	{"games/chess/syzygy", []string{"games", "games/chess"}, nil},
	{"games/chess/nnue", []string{"games", "games/chess"}, nil},
	{"games/chess/aix", []string{"games", "games/chess"}, nil},
	{"games/chess/motifs", []string{"games", "games/chess"}, nil},
	{"schemas", nil, nil},
	{"ingest/record", []string{"schemas", "internal/pattern"}, nil},
	{"ingest/record/comments", []string{"ingest/record"}, nil},
	{"ingest/record/japanese", []string{"ingest/record"}, []string{"golang.org/x/text"}},
	{"ingest/...", []string{"ingest/record", "ingest/record/comments", "ingest/record/japanese", "ingest/charset", "internal/hcp", "internal/pattern"}, []string{"golang.org/x/text"}},
	{"ingest/baduk", []string{"ingest/sgf", "ingest/charset", "ingest/record", "internal/pattern"}, nil},
	{"ingest/csv", []string{"ingest/pgn", "ingest/record"}, nil},
	{"ingest/ndjson", []string{"ingest/pgn", "ingest/record", "ingest/record/comments"}, nil},
	{"ingest/aix", []string{"games", "games/chess", "games/chess/aix", "ingest/pgn", "ingest/record"}, []string{"github.com/parquet-go/parquet-go"}},
	{"ingest/nnue", []string{"games/chess", "games/chess/nnue", "ingest/record"}, nil},
	{"export/aix", []string{"games", "games/chess", "games/chess/aix", "schemas", "export"}, []string{"github.com/parquet-go/parquet-go"}},
	{"export/nnue", []string{"games", "games/chess/nnue", "export"}, nil},
	{"export/shogi", []string{"games", "schemas", "internal/hcp", "export"}, nil},
	{"search/mate", []string{"games"}, nil},
	{"search", []string{"games", "schemas"}, nil},
	{"label/rollout", []string{"games", "internal/splitmix"}, nil},
	{"search/signature", []string{"games", "search"}, nil},
	{"search/engine", nil, []string{"golang.org/x/sys"}},
	{"eval/...", []string{"games", "games/...", "eval/...", "internal/bounded", "internal/edits", "internal/tomldoc"}, nil},
	{"players", []string{"games", "eval", "internal/bounded", "internal/edits"}, []string{"github.com/pelletier/go-toml"}},
	{"datasets/columns", []string{"schemas"}, []string{"github.com/parquet-go/parquet-go"}},
	{"datasets/part", []string{"schemas", "datasets/columns"}, []string{"github.com/parquet-go/parquet-go"}},
	{"datasets/checked", []string{"datasets/part", "internal/checksum", "internal/fresh"}, []string{"golang.org/x/sys"}},
	{"datasets/bygame", []string{"schemas", "datasets", "datasets/columns", "internal/dyads", "internal/scratch", "internal/spill", "internal/splitmix"}, nil},
	{"datasets/tree", []string{"schemas", "datasets", "datasets/columns"}, nil},
	{"datasets/manifest", []string{"schemas", "datasets/checked", "internal/..."}, nil},
	{"datasets/journal", []string{"datasets/manifest"}, nil},
	{"datasets/remote", []string{"datasets/checked", "datasets/manifest", "internal/checksum", "internal/lists"}, nil},
	{"datasets/several", []string{"schemas", "datasets/checked", "datasets/manifest", "datasets/part", "datasets/remote", "internal/params"}, nil},
	{"datasets", []string{"schemas", "datasets/checked", "datasets/columns", "datasets/journal", "datasets/manifest", "datasets/part", "datasets/remote", "datasets/several", "internal/..."}, []string{"golang.org/x/sync"}},
	{"datasets/store", []string{"datasets/checked", "datasets/remote", "internal/..."}, []string{"github.com/minio/minio-go", "gopkg.in/ini.v1"}},
	{"datasets/card", []string{"schemas", "datasets", "datasets/columns", "datasets/part", "internal/human", "internal/pattern"}, nil},
	{"datasets/catalog", []string{"datasets", "datasets/columns", "datasets/manifest", "internal/..."}, []string{"github.com/pelletier/go-toml"}},
	{"query/format", []string{"query", "internal/edits", "internal/lists", "internal/table"}, []string{"github.com/apache/arrow"}},
	{"query/syntax", []string{"internal/expression", "internal/pattern"}, nil},
	{"query", []string{"schemas", "datasets", "datasets/checked", "datasets/columns", "datasets/manifest", "datasets/part", "datasets/remote", "query/syntax", "internal/..."}, []string{"github.com/marcboeker/go-duckdb", "github.com/apache/arrow", "github.com/parquet-go/parquet-go", "golang.org/x/sync"}},
	{"query/boards", []string{"query", "games", "games/board"}, nil},
	{"ingest/source", nil, []string{"golang.org/x/text", "github.com/klauspost/compress", "github.com/ulikunitz/xz", "github.com/therootcompany/xz", "github.com/bodgit/sevenzip"}},
	{"ingest/rows", []string{"games", "schemas", "datasets/columns", "ingest/record", "ingest/charset", "internal/hands"}, nil},
	{"ingest/formats", []string{"ingest/record", "ingest/source"}, nil},
	{"ingest/legal", []string{"games", "schemas", "datasets/columns", "ingest/formats", "ingest/record", "ingest/rows", "internal/lists"}, nil},
	{"ingest", append([]string{"ingest/record", "ingest/charset", "ingest/formats", "ingest/legal", "ingest/rows", "ingest/source"}, stageImports...), append([]string{"github.com/ulikunitz/xz"}, stageModules...)},
	{"transform", stageImports, stageModules},
	{"transform/order", stageImports, stageModules},
	{"transform/tree", append([]string{"datasets/several"}, stageImports...), stageModules},
	{"transform/names", stageImports, stageModules},
	{"transform/duplicates", stageImports, stageModules},
	{"transform/clean", stageImports, stageModules},
	{"label", append([]string{"label/rollout"}, stageImports...), stageModules},
	{"players/patterns", append([]string{"datasets/bygame", "players/shapes"}, stageImports...), stageModules},
	{"label/motifs", stageImports, stageModules},
	{"label/features", append([]string{"datasets/part"}, stageImports...), append([]string{"github.com/parquet-go/parquet-go"}, stageModules...)},
	{"players/match", append([]string{"players/play", "players/match/pentanomial"}, stageImports...), stageModules},
	{"players/play", []string{"games", "eval", "search", "search/engine", "players/choose", "internal/..."}, nil},
	{"players/match/managers", []string{"internal/step"}, nil},
	{"players/match/pentanomial", []string{"internal/dyads"}, []string{"gonum.org/v1/gonum"}},
	{"players/evolve", stageImports, stageModules},
	{"players/tune", stageImports, stageModules},
	{"players/decide", []string{"games", "eval", "search", "datasets", "datasets/bygame", "datasets/columns", "internal/lists", "internal/ordered", "internal/splitmix"}, []string{"gonum.org/v1/gonum"}},
	{"players/choose", []string{"games", "players/shapes", "eval", "search", "players", "players/decide", "internal/..."}, []string{"github.com/pelletier/go-toml"}},
	{"players/population", append([]string{"datasets/bygame", "players/shapes", "players/choose", "players/decide"}, stageImports...), stageModules},
	{"players/chunks", append([]string{"players/decide"}, stageImports...), stageModules},
	{"players/identify", append([]string{"players/decide"}, stageImports...), stageModules},
	{"players/identify/identifysim", []string{"players/identify"}, nil},
	{"players/learn", append([]string{"datasets/bygame", "players/decide", "players/learn/simplex"}, stageImports...), stageModules},
	{"players/learn/simplex", []string{"players/decide"}, []string{"gonum.org/v1/gonum"}},
	{"fit", append([]string{"datasets/bygame", "fit/computed", "fit/constraints", "fit/fitted", "fit/forecast", "fit/losses", "fit/mapped", "fit/method", "fit/minimise", "fit/rows", "fit/scale", "fit/solve", "query"}, stageImports...), stageModules},
	{"fit/fittest", []string{"datasets", "datasets/columns", "datasets/manifest", "eval", "fit/losses", "fit/rows", "internal/dyads", "schemas"}, []string{"gonum.org/v1/gonum"}},
	{"fit/forecast", []string{"eval", "fit/losses", "fit/rows", "internal/dyads", "internal/ordered", "schemas"}, []string{"gonum.org/v1/gonum"}},
	{"fit/minimise", []string{"internal/panels"}, []string{"gonum.org/v1/gonum"}},
	{"fit/computed", []string{"datasets", "datasets/columns", "fit/rows", "internal/lists", "internal/ordered", "internal/progress", "query", "schemas"}, nil},
	{"fit/tables", append([]string{"datasets/bygame", "eval/pattern", "fit", "fit/computed", "fit/fitted", "fit/losses", "fit/method", "fit/rows", "fit/solve", "fit/sparse"}, stageImports...), nil},
	{"fit/constraints", []string{"fit/rows"}, nil},
	{"fit/fitted", []string{"datasets", "datasets/columns", "fit/losses", "fit/solve", "schemas", "internal/..."}, nil},
	{"fit/losses", nil, nil},
	{"fit/method", []string{"fit/constraints", "fit/losses"}, nil},
	{"fit/meat", []string{"fit/losses", "fit/rows", "internal/dyads", "internal/lists", "internal/ordered", "internal/panels"}, []string{"gonum.org/v1/gonum"}},
	{"fit/mapped", nil, []string{"github.com/edsrzf/mmap-go"}},
	{"fit/rows", []string{"eval", "fit/losses", "fit/mapped", "internal/dyads", "internal/ordered", "internal/panels"}, []string{"gonum.org/v1/gonum"}},
	{"fit/scale", []string{"fit/losses", "fit/rows"}, nil},
	{"fit/solve", []string{"eval", "fit/forecast", "fit/losses", "fit/meat", "fit/minimise", "fit/rows", "fit/scale", "fit/temporal", "schemas", "internal/dyads", "internal/human", "internal/ordered", "internal/paired", "internal/panels", "internal/progress", "internal/splitmix"}, []string{"gonum.org/v1/gonum"}},
	{"fit/sparse", []string{"internal/dyads", "internal/ordered", "internal/progress", "fit/losses", "fit/meat", "fit/minimise", "fit/rows"}, nil},
	{"fit/conjunctions", []string{"eval/pattern", "fit/computed", "fit/losses", "fit/rows", "fit/solve", "fit/sparse", "games", "schemas", "datasets", "datasets/bygame", "datasets/columns", "datasets/manifest", "internal/..."}, stageModules},
	{"fit/temporal", nil, []string{"gonum.org/v1/gonum"}},
	{"report", append([]string{"report/..."}, reportKit...), nil},
	{"report/shape", []string{"internal/dyads", "internal/human", "internal/logit"}, []string{"gonum.org/v1/gonum"}},
	{"report/chart", []string{"internal/human", "internal/pattern"}, []string{"gonum.org/v1/plot", "git.sr.ht/~sbinet/gg", "golang.org/x/image", "github.com/mozillazg/go-unidecode"}},
	{"report/examples", append([]string{"eval", "games", "games/board"}, reportKit...), nil},
	{"report/page", []string{"datasets", "datasets/columns", "datasets/manifest", "internal/human", "internal/lists", "internal/pattern", "internal/table", "report/chart", "report/numbers"}, nil},
	{"report/diff", []string{"internal/human", "internal/lists", "internal/table", "report/numbers"}, nil},
	{"report/paper", []string{"datasets", "datasets/columns", "datasets/several", "internal/human", "internal/pattern", "report/numbers"}, nil},
	{"report/numbers", []string{"internal/dyads", "internal/pattern", "internal/table"}, nil},
	{"report/sheet", []string{"query", "query/format", "schemas", "datasets", "datasets/bygame", "datasets/columns", "datasets/manifest", "internal/dyads", "internal/human", "internal/lists", "internal/pattern", "internal/progress", "internal/table", "report/chart", "report/page"}, nil},
	{"report/curve", append([]string{"eval", "games/board", "report/examples", "internal/dyads"}, reportKit...), []string{"gonum.org/v1/gonum", "golang.org/x/sync"}},
	{"report/split", append([]string{"report/curve", "report/examples", "report/split/conditions", "report/split/search", "games/board"}, reportKit...), nil},
	{"report/split/search", append([]string{"internal/panels", "report/curve", "report/split/conditions"}, reportKit...), []string{"gonum.org/v1/gonum"}},
	{"report/split/conditions", []string{"query", "schemas", "internal/lists", "internal/panels"}, nil},
	{"report/weights", append([]string{"report/examples", "games/board", "internal/paired"}, reportKit...), []string{"github.com/pelletier/go-toml"}},
	{"report/weights/source", []string{"eval", "internal/..."}, nil},
	{"report/opponent", append([]string{"report/examples", "report/weights", "games/board"}, reportKit...), nil},
	{"report/depth", append([]string{"games/board", "report/weights"}, reportKit...), nil},
	{"report/database", append([]string{"games/board"}, reportKit...), nil},
	{"report/opening", append([]string{"datasets/tree", "games", "games/board", "internal/dyads", "internal/splitmix"}, reportKit...), nil},
	{"report/player", append([]string{"games/board"}, reportKit...), nil},
	{"report/pairs", reportKit, []string{"gonum.org/v1/gonum"}},
	{"report/ratings", append([]string{"internal/elo"}, reportKit...), nil},
	{"report/calibration", append([]string{"games/board", "report/examples"}, reportKit...), nil},
	{"report/moves", append([]string{"report/examples", "games/board"}, reportKit...), nil},
	{"report/performance", append([]string{"games/board"}, reportKit...), nil},
	{"report/endgame", append([]string{"games", "games/board"}, reportKit...), nil},
	{"report/event", append([]string{"games", "games/board"}, reportKit...), nil},
	{"report/mistakes", append([]string{"report/examples", "games/board", "eval", "schemas"}, reportKit...), nil},
	{"report/wdl", append([]string{"games/board"}, reportKit...), []string{"gonum.org/v1/gonum"}},
	{"query/find", append([]string{"games/board"}, stageImports...), nil},
	{"export", stageImports, stageModules},
	{"explore", []string{"datasets", "explore/parts", "explore/site", "explore/views", "internal/...", "query", "report/chart"}, nil},
	{"explore/views", []string{"explore/models", "explore/parts", "explore/played", "explore/site", "explore/summary", "games", "games/board", "eval", "players/choose", "query", "query/format", "query/find", "schemas", "datasets", "datasets/columns", "datasets/manifest", "datasets/tree", "internal/...", "report/chart", "report/curve", "report/endgame", "report/mistakes", "report/player", "report/shape", "report/sheet"}, nil},
	{"explore/parts", []string{"games", "games/board", "internal/human", "internal/lists", "report/chart", "report/shape", "schemas"}, nil},
	{"explore/played", []string{"datasets/tree", "explore/parts", "games/board", "internal/lists", "query/find"}, nil},
	{"explore/summary", []string{"datasets", "explore/parts", "internal/human", "internal/table", "schemas"}, nil},
	{"explore/models", []string{"datasets", "eval", "games", "players/choose", "search"}, nil},
	{"explore/site", []string{"datasets", "datasets/manifest", "explore/models", "games/board", "players/choose", "query", "query/find"}, nil},
	{"cmd/kifu/cli", []string{"internal/step"}, []string{"github.com/spf13/cobra", "github.com/spf13/pflag"}},
	{"study/cluster", []string{"internal/step"}, []string{"github.com/nats-io/nats.go", "github.com/nats-io/nats-server", "golang.org/x/sync"}},
	{"study", []string{"internal/..."}, []string{"github.com/pelletier/go-toml"}},
	{"internal/...", []string{"internal/..."}, nil},
	{"internal/skill", []string{"internal/dyads", "internal/lists", "internal/logit", "internal/ordered", "internal/panels"}, []string{"gonum.org/v1/gonum"}},
	{"internal/human", nil, []string{"golang.org/x/text"}},
	{"internal/panels", []string{"internal/ordered"}, []string{"gonum.org/v1/gonum", "golang.org/x/sys"}},
	{"internal/paired", []string{"internal/lists", "internal/splitmix"}, []string{"gonum.org/v1/gonum"}},
	{"kit/...", []string{"..."}, nil}, // for tests alone: TestKitIsForTests
	{"kit/gametest", []string{"games", "internal/...", "kit/golden"}, []string{"github.com/google/go-cmp"}},
	{"kit/browser", nil, []string{"github.com/chromedp/chromedp", "github.com/chromedp/cdproto"}},
	{"kit/reporttest", append([]string{"kit/..."}, reportKit...), []string{"gonum.org/v1/gonum"}},
	{"kit/sample", []string{"..."}, []string{"github.com/klauspost/compress"}},
	{"cmd/...", []string{"..."}, nil},
}

var (
	stageImports = []string{"games", "eval", "search", "search/engine", "search/mate", "players", "schemas", "datasets", "datasets/columns", "datasets/journal", "datasets/manifest", "internal/..."}
	reportKit    = []string{"query", "schemas", "datasets", "datasets/bygame", "datasets/columns", "datasets/manifest", "internal/...", "report/chart", "report/page", "report/sheet", "report/shape"}
	stageModules = []string{"golang.org/x/sync", "golang.org/x/text", "github.com/klauspost/compress", "gonum.org/v1/gonum", "gonum.org/v1/plot", "github.com/pelletier/go-toml"}
)

// TestImports holds the code against the plan of the house: who may import whom.
func TestImports(t *testing.T) {
	eachPackage(t, func(dir string, p *build.Package) {
		r, found := ruleFor(dir)
		if !found {
			t.Errorf("%s: no rule says what it may import; add one to deps_test.go", dir)
			return
		}
		for _, imp := range p.Imports {
			if ok := allowed(dir, imp, r.module, r.foreign); !ok {
				t.Errorf("%s imports %s: not in the plan (deps_test.go)", dir, imp)
			}
		}
	})
}

// TestGamesMeetStagesInOnePlace: of the commands' packages only gametable imports a game, its
// evaluator or a format of its records.
func TestGamesMeetStagesInOnePlace(t *testing.T) {
	files, err := filepath.Glob("cmd/kifu/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no cmd/kifu", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, folder := range []string{`"kifu/games/`, `"kifu/eval/`, `"kifu/ingest/`} {
			// Boards of any game are no game, patterns on them no evaluator of one, and files no format.
			of := strings.NewReplacer(`"kifu/games/board"`, "", `"kifu/eval/pattern"`, "", `"kifu/ingest/source"`, "").Replace(string(text))
			if strings.Contains(of, folder) && !strings.HasSuffix(file, "_test.go") {
				t.Errorf("%s imports %s…: games meet the stages in cmd/kifu/gametable only", file, folder[1:])
			}
		}
	}
}

// TestOnlyQueryUsesC keeps cgo in one package.
func TestOnlyQueryUsesC(t *testing.T) {
	eachPackage(t, func(dir string, p *build.Package) {
		if len(p.CgoFiles) > 0 {
			t.Errorf("%s uses cgo", dir)
		}
		for _, imp := range p.Imports {
			if strings.HasPrefix(imp, "github.com/marcboeker/go-duckdb") && dir != "query" {
				t.Errorf("%s imports DuckDB: only query may", dir)
			}
		}
	})
}

// TestOnlyStoreUsesMinio keeps the client of object stores in one package.
func TestOnlyStoreUsesMinio(t *testing.T) {
	eachPackage(t, func(dir string, p *build.Package) {
		for _, imp := range append(p.Imports, p.TestImports...) {
			if strings.HasPrefix(imp, "github.com/minio/") && dir != "datasets/store" {
				t.Errorf("%s imports %s: only datasets/store may", dir, imp)
			}
		}
	})
}

// TestOnlyClusterUsesNATS keeps the queue in one package.
func TestOnlyClusterUsesNATS(t *testing.T) {
	eachPackage(t, func(dir string, p *build.Package) {
		for _, imp := range append(p.Imports, p.TestImports...) {
			if strings.HasPrefix(imp, "github.com/nats-io/") && dir != "study/cluster" {
				t.Errorf("%s imports %s: only study/cluster may", dir, imp)
			}
		}
	})
}

// TestUnstableInOnePlace keeps the API that go-toml does not promise in one package.
func TestUnstableInOnePlace(t *testing.T) {
	eachPackage(t, func(dir string, p *build.Package) {
		for _, imp := range append(p.Imports, p.TestImports...) {
			if strings.HasSuffix(imp, "go-toml/v2/unstable") && dir != "internal/tomldoc" {
				t.Errorf("%s imports %s: only internal/tomldoc may", dir, imp)
			}
		}
	})
}

// TestKitIsForTests: no program imports what tests are made of.
func TestKitIsForTests(t *testing.T) {
	eachPackage(t, func(dir string, p *build.Package) {
		if forTests(dir) {
			return
		}
		for _, imp := range p.Imports {
			if forTests(strings.TrimPrefix(imp, "kifu/")) {
				t.Errorf("%s imports %s outside its tests", dir, imp)
			}
		}
	})
}

// forTests reports whether tests alone import a package: one of kit, or one below the package that it tests.
func forTests(dir string) bool {
	return slices.ContainsFunc([]string{"kit/", "cmd/kifu/weakling/", "fit/fittest/", "players/identify/identifysim/"}, func(above string) bool {
		return strings.HasPrefix(dir+"/", above)
	})
}

func eachPackage(t *testing.T, f func(dir string, p *build.Package)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			return nil
		}
		if name := d.Name(); path != "." && (name[0] == '.' || name == "testdata" || moduleOfItsOwn(path)) {
			return fs.SkipDir
		}
		p, err := build.ImportDir(path, 0)
		if _, none := err.(*build.NoGoError); none || path == "." {
			return nil
		}
		if err != nil {
			return err
		}
		n++
		f(filepath.ToSlash(path), p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 10 {
		t.Fatalf("only %d packages found: the walk is broken", n)
	}
}

// moduleOfItsOwn reports whether a folder has a go.mod, so that nothing of it is linked here.
func moduleOfItsOwn(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

type rule struct{ module, foreign []string }

func ruleFor(dir string) (best rule, found bool) {
	length := -1
	for _, r := range rules {
		base := strings.TrimSuffix(r.path, "/...")
		exact := base == r.path
		if dir == base && exact || !exact && (dir == base || strings.HasPrefix(dir, base+"/")) {
			score := 2 * len(base)
			if exact {
				score++
			}
			if score > length {
				best, found, length = rule{r.module, r.foreign}, true, score
			}
		}
	}
	return best, found
}

func allowed(dir, imp string, module, foreign []string) bool {
	if own, ok := strings.CutPrefix(imp, "kifu/"); ok {
		for _, m := range module {
			base := strings.TrimSuffix(m, "...")
			if own == m || base != m && strings.HasPrefix(own+"/", base) {
				return true
			}
		}
		return false
	}
	first, _, _ := strings.Cut(imp, "/")
	if !strings.Contains(first, ".") {
		return true // standard library
	}
	if strings.HasPrefix(dir, "cmd/") || strings.HasPrefix(dir, "internal/") {
		return true
	}
	for _, f := range foreign {
		if strings.HasPrefix(imp, f) {
			return true
		}
	}
	return false
}
