package kifu

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayName are the places that may name a game: the game's own packages, the formats of
// its records (which tell it from others), the test data of reports and of
// examples, and the one table. A path that ends in / stands for all below it.
var mayName = []string{"games/", "eval/", "ingest/csa/", "ingest/ggf/", "ingest/kif/", "ingest/pdn/", "ingest/pgn/", "ingest/sgf/", "ingest/wthor/", "kit/reporttest/", "kit/sample/", "cmd/kifu/weakling/", "cmd/kifu/gametable/", "bench/"}

// stillNames are the places that name a game and should not, with what they say; nothing
// may be added.
var stillNames = map[string]string{
	"report/database/database.go": `branching factors of the literature by "chess", "checkers", "othello", "go"`,
}

// notGames are words that are spelled like a game in a place where they mean another thing.
var notGames = map[string]string{
	"search/engine/uci.go": `"go" is UCI's command to search`,
}

// TestOnlyTheTableNamesGames: whatever a stage needs to know of a game is data of its line
// in cmd/kifu/gametable. A string that is the name of a game, anywhere else in the code or in
// quotes in a query or a template, is a stage that asks which game it has.
func TestOnlyTheTableNamesGames(t *testing.T) {
	names := gameNames(t)
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path = filepath.ToSlash(path)
		if d.IsDir() {
			if name := d.Name(); path != "." && (name[0] == '.' || name == "testdata" || name == "docs" || name == "experiments" || name == "build") {
				return fs.SkipDir
			}
			return nil
		}
		if slices.ContainsFunc(mayName, func(p string) bool { return path == p || strings.HasSuffix(p, "/") && strings.HasPrefix(path, p) }) {
			return nil
		}
		for _, name := range namesIn(t, path, names) {
			found[path] = true
			if stillNames[path] == "" && notGames[path] == "" {
				t.Errorf("%s names %s: facts of a game belong to its line in cmd/kifu/gametable/", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range []map[string]string{stillNames, notGames} {
		for path := range list {
			if !found[path] {
				t.Errorf("%s names no game any more: take it off the list", path)
			}
		}
	}
}

// gameNames returns the words of --game, as the help of kifu match lists them.
func gameNames(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("docs/commands/kifu-match.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(text), "play GAME: ")
	list, _, ended := strings.Cut(list, " (default")
	names := strings.Split(list, ", ")
	if !found || !ended || len(names) < 8 {
		t.Fatalf("no list of games in the help of match: %q", list)
	}
	return names
}

// namesIn returns the names of games that a file has as whole strings: literals of Go, or
// words in quotes of a file that is embedded.
func namesIn(t *testing.T, path string, names []string) (found []string) {
	t.Helper()
	switch ext := filepath.Ext(path); {
	case ext == ".go" && !strings.HasSuffix(path, "_test.go"):
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if text, err := strconv.Unquote(l.Value); err == nil && slices.Contains(names, strings.ToLower(text)) {
					found = append(found, l.Value)
				}
			}
			return true
		})
	case ext == ".sql" || ext == ".tmpl" || ext == ".html":
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			for _, quote := range []string{"'", `"`} {
				if strings.Contains(string(text), quote+name+quote) {
					found = append(found, quote+name+quote)
				}
			}
		}
	}
	return found
}
