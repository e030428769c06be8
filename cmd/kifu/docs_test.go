package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/cli"
	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/gametable"
	"kifu/schemas"
)

// workersDefault is the one default that differs from machine to machine.
var workersDefault = regexp.MustCompile(`(results do not depend on it) \(default \d+\)`)

var update = flag.Bool("update", false, "update the generated pages")

// TestDocsOfCommands holds docs/commands against the commands as they are.
func TestDocsOfCommands(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "commands")
	pages := map[string]string{}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Name() == "help" || cmd.Hidden {
			return
		}
		pages[strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".md"] = commandPage(cmd)
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(newEnv(nil, nil, nil).Stages().Root)
	comparePages(t, dir, pages)
}

// comparePages compares a directory of generated pages with what they should be.
func comparePages(t *testing.T, dir string, pages map[string]string) {
	t.Helper()
	if *update {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		for name, text := range pages {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if pages[e.Name()] == "" {
			t.Errorf("%s should not be there (make docs)", e.Name())
		}
	}
	for name, want := range pages {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Errorf("%v (make docs)", err)
			continue
		}
		if diff := cmp.Diff(string(got), want); diff != "" {
			t.Errorf("%s is not what the code says (make docs):\n%s", name, diff)
		}
	}
}

// TestDocsOfDatasets holds docs/datasets against the schemas as they are.
func TestDocsOfDatasets(t *testing.T) {
	pages := map[string]string{
		"changes.md":      tablePage(schemas.Changes),
		"games.md":        tablePage(schemas.Games),
		"generations.md":  tablePage(schemas.Generations),
		"conjunctions.md": tablePage(schemas.Conjunctions),
		"predictions.md":  tablePage(schemas.Predictions()),
		"players.md":      tablePage(schemas.Players),
		"trajectory.md":   tablePage(schemas.Trajectory),
		"tree.md":         tablePage(schemas.Tree("rating", "speed", "month")),
		"weights.md":      tablePage(schemas.Weights),
		"tables.md":       tablePage(schemas.Tables),
	}
	positions, labels := schemas.Positions(0, nil, true), schemas.Labels(schemas.Table{}, []string{"static_value", "quiescence_value"}, nil, "the last search")
	positions.Columns = append(positions.Columns, schemas.LegalMoves)
	labels.Columns = append(labels.Columns, schemas.VariationColumns([]string{"quiescence_value"}, 0)...)
	labels.Columns = append(labels.Columns, schemas.SolveColumn(12), schemas.EndingColumn())
	labels.Columns = append(labels.Columns, schemas.RolloutColumns(100)...)
	labels.Columns = append(labels.Columns, schemas.BackwardColumn())
	labels.Columns = append(labels.Columns, schemas.MateColumns(10000)...)
	labels.Columns = append(labels.Columns, schemas.EngineColumns(true, true)...)
	extra, named, groups, motifs := map[string][]schemas.Column{}, map[string][]schemas.Column{}, map[string]string{}, ""
	for _, g := range gametable.All {
		if g.Motifs != nil {
			motifs += fmt.Sprintf("- %s: `%s`.\n", g.Name, strings.Join(schemas.MotifNames(g.Motifs.Table), "`, `"))
		}
		for _, c := range g.Columns {
			extra[g.Name] = append(extra[g.Name], schemas.Column{Name: c.Name, Type: schemas.Int16, Doc: c.Doc})
		}
		if g.Named {
			named[g.Name] = []schemas.Column{schemas.OpeningName}
		}
		weights, err := g.Model(nil)
		if err != nil {
			t.Fatal(err)
		}
		groups[g.Name] = "`" + strings.Join(weights.Groups(), "`, `") + "`"
	}
	pages["motifs.md"] = tablePage(schemas.Motifs(0, nil)) + "\nThe [motifs](../motifs.md):\n\n" + motifs
	pages["positions.md"] = tablePage(positions, extra, named)
	pages["labels.md"] = tablePage(labels) + "\nA float32 column for each group of the evaluator's terms has its score at the leaf:\n\n"
	for _, games := range alikeGames(groups) {
		pages["labels.md"] += fmt.Sprintf("- %s: %s.\n", strings.Join(games, ", "), groups[games[0]])
	}
	pages["choices.md"] = tablePage(schemas.Choices(schemas.Table{}, []string{"static_value", "quiescence_value"})) +
		"\nEach game also has its columns of [positions](positions.md).\n"
	comparePages(t, filepath.Join("..", "..", "docs", "datasets"), pages)
}

// tablePage is a dataset's format page; each of extra has columns that games add. Games with the
// same ones share a list. Columns of positions are named only.
func tablePage(t schemas.Table, extra ...map[string][]schemas.Column) string {
	var s strings.Builder
	fmt.Fprintf(&s, "# %s\n\n%s\n\n", t.ID(), t.Doc)
	positions := schemas.Positions(0, nil, false).Columns
	columns := func(list []schemas.Column) {
		var same []string // in positions
		for _, c := range list {
			if t.Name != "positions" && slices.ContainsFunc(positions, func(p schemas.Column) bool { return p.Name == c.Name && p.Doc == c.Doc }) {
				same = append(same, "`"+c.Name+"`")
				continue
			}
			s.WriteString(c.Item())
		}
		if len(same) > 0 {
			fmt.Fprintf(&s, "- %s: as in [positions](positions.md).\n", strings.Join(same, ", "))
		}
	}
	columns(t.Columns)
	for _, more := range extra {
		for _, games := range alikeGames(more) {
			list := more[games[0]]
			if list[0].Type != schemas.Int16 {
				fmt.Fprintf(&s, "\nMore columns of %s:\n\n", strings.Join(games, ", "))
				columns(list)
				continue
			}
			fmt.Fprintf(&s, "\nMore columns of %s, all int16:\n\n", strings.Join(games, ", "))
			var plain []string // columns that their names explain
			for _, c := range list {
				if strings.ReplaceAll(c.Name, "_", " ") == c.Doc {
					plain = append(plain, "`"+c.Name+"`")
					continue
				}
				fmt.Fprintf(&s, "- `%s`: %s.\n", c.Name, c.Doc)
			}
			if len(plain) > 0 {
				fmt.Fprintf(&s, "- %s: as named.\n", strings.Join(plain, ", "))
			}
		}
	}
	return s.String()
}

// TestDocsOfFunctions holds the list in docs/functions.md against the functions of boards as they are.
func TestDocsOfFunctions(t *testing.T) {
	rows, of := map[string]string{}, map[string][]string{}
	var names []string
	for _, g := range gametable.All {
		for _, f := range g.Boards.Functions() {
			if of[f.Name] == nil {
				names = append(names, f.Name)
				rows[f.Name] = fmt.Sprintf("- `%s(%s)`: %s", f.Name, strings.Join(append([]string{"board"}, f.Params...), ", "), f.Doc)
			}
			of[f.Name] = append(of[f.Name], g.Name)
		}
	}
	want := ""
	for _, name := range names {
		want += rows[name]
		if len(of[name]) < len(gametable.All) {
			want += " (" + strings.Join(of[name], ", ") + ")"
		}
		want += ".\n"
	}
	path := filepath.Join("..", "..", "docs", "functions.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), "<!-- functions -->\n")
	_, after, found := strings.Cut(rest, "<!-- /functions -->")
	if !found {
		t.Fatalf("%s has no marks around its list", path)
	}
	text := before + "<!-- functions -->\n" + want + "<!-- /functions -->" + after
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(string(page), text); diff != "" {
		t.Errorf("%s is not what the code says (make docs):\n%s", path, diff)
	}
}

// alikeGames is the games that have something, in the order of the table, those with the same
// together.
func alikeGames[T any](of map[string]T) [][]string {
	var list [][]string
	for _, g := range gametable.All {
		if _, has := of[g.Name]; !has {
			continue
		}
		i := slices.IndexFunc(list, func(l []string) bool { return reflect.DeepEqual(of[l[0]], of[g.Name]) })
		if i < 0 {
			list, i = append(list, nil), len(list)
		}
		list[i] = append(list[i], g.Name)
	}
	return list
}

// commandPage is a command's reference page.
func commandPage(cmd *cobra.Command) string {
	var s strings.Builder
	fmt.Fprintf(&s, "# %s\n\n", cmd.CommandPath())
	long := cmd.Long
	if long == "" {
		long = cmd.Short + "."
	}
	fmt.Fprintf(&s, "%s\n\n", long)
	if cmd.HasParent() {
		fmt.Fprintf(&s, "```\n%s %s\n```\n\n", cmd.Parent().CommandPath(), cmd.Use)
	}
	fmt.Fprintf(&s, "Examples:\n\n```\n%s\n```\n", strings.ReplaceAll(strings.TrimPrefix(cmd.Example, "  "), "\n  ", "\n"))
	for _, f := range cli.Sections(cmd, true) {
		fmt.Fprintf(&s, "\n%s:\n\n%s", f.Name, flagList(f.Flags))
	}
	if flags := flagList(cmd.PersistentFlags()); flags != "" {
		fmt.Fprintf(&s, "\nFlags of every %s:\n\n%s", map[bool]string{true: cmd.Name(), false: "command"}[cmd.HasParent()], flags)
	}
	if cmd.HasSubCommands() {
		s.WriteString("\nCommands:\n\n")
	}
	for _, c := range cmd.Commands() {
		if c.Name() != "help" && !c.Hidden {
			fmt.Fprintf(&s, "- [%s](%s.md): %s\n", c.Name(), manName(c), c.Short)
		}
	}
	// The default number of workers is this machine's.
	return workersDefault.ReplaceAllString(s.String(), "$1 (default: all)")
}

// flagList is the list of flags that --help prints, an item a flag.
func flagList(flags *pflag.FlagSet) string {
	var s strings.Builder
	for line := range strings.Lines(flags.FlagUsages()) {
		flag, text, _ := strings.Cut(strings.TrimSpace(line), "   ")
		fmt.Fprintf(&s, "- `%s`: %s.\n", flag, strings.TrimSpace(text))
	}
	return s.String()
}

// TestSections: every flag is in a section of the help, names its value in a user's words, and no help shows more
// than 25 of a command's own.
func TestSections(t *testing.T) {
	err := eachCommand(newEnv(nil, nil, nil).Stages().Root, func(cmd *cobra.Command) error {
		shown := 0
		for _, s := range cli.Sections(cmd, false) {
			s.Flags.VisitAll(func(f *pflag.Flag) {
				if _, known := cli.SectionOf(cli.Path(cmd), f.Name); !known {
					t.Errorf("%s --%s is in no section", cmd.CommandPath(), f.Name)
				}
				if f.Value.Type() != "bool" && !strings.Contains(f.Usage, "`") {
					t.Errorf("%s --%s %s is a type of Go: name the value in backquotes", cmd.CommandPath(), f.Name, f.Value.Type())
				}
				shown++
			})
		}
		if shown > 25 {
			t.Errorf("%s --help shows %d flags: at most 25", cmd.CommandPath(), shown)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestHelpHasExamples: every command shows one, and exits 0.
func TestHelpHasExamples(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Name() == "help" || cmd.Hidden {
			return
		}
		var out, errs bytes.Buffer
		args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
		if code := runMain(context.Background(), nil, &out, &errs, args); code != command.OK || !strings.Contains(out.String(), "Examples:\n  ") {
			t.Errorf("kifu %s: exit %d, help without example:\n%s%s", strings.Join(args, " "), code, out.String(), errs.String())
		}
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(newEnv(nil, nil, nil).Stages().Root)
}

// TestHelpTexts: every file of help/ is that of a command.
func TestHelpTexts(t *testing.T) {
	used := map[string]bool{}
	err := eachCommand(newEnv(nil, nil, nil).Stages().Root, func(cmd *cobra.Command) error {
		used[helpFile(cmd)] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("help/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no help texts", err)
	}
	for _, file := range files {
		if !used[filepath.ToSlash(file)] {
			t.Errorf("%s is of no command", file)
		}
	}
}
