package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/query"
	"kifu/report/diff"
	printed "kifu/report/numbers"
)

func diffCommand(mk *command.Maker) *cobra.Command {
	return &cobra.Command{
		Use:   "diff A B",
		Short: "List numbers that differ between two reports by more than their error",
		Args:  command.Exactly(2, "two reports of a kind"),
		RunE:  func(cmd *cobra.Command, args []string) error { return diffReports(cmd.Context(), mk, args[0], args[1]) },
	}
}

// diffReports prints which numbers of the report at b differ from those at a by more than their error.
func diffReports(ctx context.Context, mk *command.Maker, a, b string) error {
	var of [2]*datasets.Dir
	for i, path := range []string{a, b} {
		d, err := mk.OpenAny(path)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(d.Manifest.Stage, "report ") {
			return fmt.Errorf("%s was made by kifu %s, and is not a report", path, d.Manifest.Stage)
		}
		of[i] = d
	}
	if x, y := of[0].Manifest.Stage, of[1].Manifest.Stage; x != y {
		return command.Usagef("%s is a %s and %s a %s: want two of a kind", a, x, b, y)
	}
	shared, how, err := sharedGames(ctx, mk, of[0], of[1])
	if err != nil {
		return err
	}
	files := numberFiles(of[0])
	if len(files) == 0 {
		return fmt.Errorf("%s was made by an older kifu: make it again with --force", a)
	}
	fmt.Fprintln(mk.Stdout, how)
	for _, file := range files {
		x, err := readNumbers(of[0], file)
		if err != nil {
			return err
		}
		y, err := readNumbers(of[1], file)
		if err != nil {
			return err
		}
		r := diff.Compare(x, y, shared)
		fmt.Fprintf(mk.Stdout, "%s: %s\n", x.Prefix, r.Lead())
		if len(r.Moved) > 0 {
			fmt.Fprint(mk.Stdout, r.Table().Plain())
		}
	}
	return nil
}

// numberFiles names the files of numbers of a report; a page of all reports has several.
func numberFiles(d *datasets.Dir) (names []string) {
	for _, f := range d.Manifest.Files {
		if strings.HasSuffix(f.Name, printed.FileEnd+".json") {
			names = append(names, f.Name)
		}
	}
	return names
}

func readNumbers(d *datasets.Dir, file string) (printed.File, error) {
	text, err := d.ReadFile(file)
	if err != nil {
		return printed.File{}, fmt.Errorf("%s has no %s: make the report again with --force", d.Path, file)
	}
	f, err := printed.ParseJSON(text)
	if err != nil {
		return f, fmt.Errorf("%s: %w", filepath.Join(d.Path, file), err)
	}
	return f, nil
}

// sharedGames returns which share of the games of each report the other has, if both count a game alike, and says so in a
// sentence.
func sharedGames(ctx context.Context, mk *command.Maker, a, b *datasets.Dir) (s diff.Shared, how string, err error) {
	games := [2]*datasets.Dir{a.Ancestor("games"), b.Ancestor("games")}
	if games[0] == nil || games[1] == nil {
		return s, "The reports' games were not found near them, so intervals assume different games.", nil
	}
	var n [3]int64 // games of a, of b, of both
	if n, err = countShared(ctx, mk, games); err != nil {
		return s, "", err
	}
	text := fmt.Sprintf("A has %s, B %s; they share %s", command.Units(n[0], "games"), command.Units(n[1], "games"), command.Units(n[2], "games"))
	switch {
	case n[2] == 0:
		return s, text + ".", nil
	case !madeAlike(a, b):
		return s, text + ". The reports or datasets were made with other parameters, so intervals assume different games and are too wide. One report of both datasets pairs them (kifu report calibration A B).", nil
	}
	return diff.Shared{A: float64(n[2]) / float64(n[0]), B: float64(n[2]) / float64(n[1])}, text + ": differences are paired.", nil
}

// countShared counts the games of two datasets, and those that are in both with the same players, date and moves.
func countShared(ctx context.Context, mk *command.Maker, games [2]*datasets.Dir) (n [3]int64, err error) {
	const game = "md5(concat_ws('|', coalesce(first_player, ''), coalesce(second_player, ''), coalesce(date, ''), coalesce(start_position, ''), hex(moves)))"
	_, rows, err := command.Ask(ctx, query.Options{Threads: mk.Workers}, "WITH x AS (SELECT "+game+" g, count(*) n FROM main.a GROUP BY 1), y AS (SELECT "+game+" g, count(*) n FROM main.b GROUP BY 1) "+
		"SELECT (SELECT sum(n)::BIGINT FROM x), (SELECT sum(n)::BIGINT FROM y), (SELECT coalesce(sum(least(x.n, y.n)), 0)::BIGINT FROM x JOIN y USING (g))", command.TableViews{"a": games[0], "b": games[1]})
	if err != nil {
		return n, err
	}
	for i, v := range rows[0] {
		n[i], _ = v.(int64)
	}
	return n, nil
}

// madeAlike reports whether two datasets were made with the same parameters from their games on, so that a game counts
// the same in both.
func madeAlike(a, b *datasets.Dir) bool {
	if a.Table.Name == "games" || b.Table.Name == "games" {
		return a.Table.Name == b.Table.Name
	}
	if a.Manifest.Stage != b.Manifest.Stage || !sameParams(a, b) || len(a.Manifest.Inputs) != len(b.Manifest.Inputs) {
		return false
	}
	x, y := a.Around(), b.Around()
	for i := range a.Manifest.Inputs {
		from, err := datasets.Open(x[a.Manifest.Inputs[i].Key])
		if err != nil {
			return false
		}
		other, err := datasets.Open(y[b.Manifest.Inputs[i].Key])
		if err != nil || !madeAlike(from, other) {
			return false
		}
	}
	return true
}

// sameParams compares parameters without the names of the sources.
func sameParams(a, b *datasets.Dir) bool {
	var texts [2][]byte
	for i, d := range []*datasets.Dir{a, b} {
		p := map[string]any{}
		if err := json.Unmarshal(d.Manifest.Params, &p); err != nil {
			return false
		}
		delete(p, "sources")
		delete(p, "source")
		delete(p, "paper")
		texts[i], _ = json.Marshal(p)
	}
	return bytes.Equal(texts[0], texts[1])
}
