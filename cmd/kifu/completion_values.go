package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/remote"
	"kifu/eval"
	"kifu/fit/losses"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/schemas"
)

// completions maps flags to functions that complete their values.
type completions map[string]cobra.CompletionFunc

// valuesOf returns the completions of flags whose values are columns, terms, methods and players
// of the datasets that the line names before them.
func valuesOf(disk *command.Files, cmd *cobra.Command) completions {
	columns, player := fromDatasets(disk, columnsOf), completePlayers(disk)
	values := fromDatasets(disk, valueColumns)
	switch path := strings.TrimPrefix(cmd.CommandPath(), "kifu "); path {
	case "fit":
		return completions{"method": inList(completeWords(losses.MLM, losses.LS, losses.Ordered, losses.Value, losses.Choice, losses.Pairs, losses.TD, losses.LSTD)),
			"free": inList(completeTerms(disk)), "untapered": inList(completeTerms(disk)), "tie": inList(completeTerms(disk)), "target": values, "expected": columns, "losses-of": player, "draws": completeWords("exclude", "half")}
	case "tables":
		return completions{"method": completeWords(losses.MLM, losses.LS, losses.Value), "target": values, "draws": completeWords("exclude", "half")}
	case "conjunctions":
		return completions{"method": completeWords("mlm", "ls", "value", "bayes")}
	case "label", "choices":
		return completions{"zero": inList(completeTerms(disk))}
	case "learn":
		return completions{"player": player, "free": inList(completeTerms(disk))}
	case "export":
		return completions{"player": player, "by": columns, "value": values}
	case "find", "report opening", "identify":
		return completions{"player": player}
	case "player", "report wdl":
		return completions{"value": values}
	case "sort":
		return completions{"by": func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			found, d := columns(cmd, args, typed)
			return append(starting([]string{"date", "player", "elo"}, typed), found...), d
		}}
	case "report curve", "report calibration", "report moves":
		return completions{"value": inList(values)}
	case "report split":
		return completions{"value": values, "columns": inList(columns), "by": completeWords("fall", "wald", "gap", "area")}
	}
	return nil
}

// starting returns the words that begin as typed.
func starting(words []string, typed string) []cobra.Completion {
	return lists.Where(words, func(w string) bool { return strings.HasPrefix(w, typed) })
}

// inList completes the last word of a list with commas.
func inList(one cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		at := strings.LastIndexByte(typed, ',') + 1
		before := strings.Split(typed[:at], ",")
		found, directive := one(cmd, args, typed[at:])
		found = slices.DeleteFunc(found, func(word string) bool { return slices.Contains(before, word) })
		for i := range found {
			found[i] = typed[:at] + found[i]
		}
		return found, directive | cobra.ShellCompDirectiveNoSpace
	}
}

// openNamed returns the datasets that the arguments name; those that cannot be read are left out.
func openNamed(disk *command.Files, args []string) (all []*datasets.Dir) {
	for _, arg := range args {
		if remote.Is(arg) {
			continue // a shell does not wait for a network
		}
		if d, err := datasets.Open(disk.Path(arg)); err == nil {
			all = append(all, d)
		}
	}
	return all
}

// fromDatasets completes to what of finds in each dataset that the line names.
func fromDatasets(disk *command.Files, of func(d *datasets.Dir) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
		all := openNamed(disk, args)
		for _, d := range all {
			for _, word := range starting(of(d), typed) {
				if !slices.Contains(found, word) {
					found = append(found, word)
				}
			}
		}
		if len(all) == 0 {
			found = cobra.AppendActiveHelp(found, "name the dataset before the flag: its columns complete here")
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// columnsOf returns the columns of a dataset that are no packed bytes.
func columnsOf(d *datasets.Dir) (names []string) {
	for _, c := range d.Table.Columns {
		if c.Type != schemas.Bytes && c.Type != schemas.FixedBytes {
			names = append(names, c.Name)
		}
	}
	return names
}

// valueColumns returns the columns of a dataset with values of positions.
func valueColumns(d *datasets.Dir) []string {
	return lists.Where(columnsOf(d), func(name string) bool { return name == "value" || strings.HasSuffix(name, "_value") })
}

// completeTerms completes to the groups and terms of the evaluator: of the labels that the line names, of
// the game of its positions or games, or of --game.
func completeTerms(disk *command.Files) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		m := evaluatorOf(disk, cmd, args)
		if m == nil {
			return cobra.AppendActiveHelp(nil, "name the dataset before the flag: groups and terms of its evaluator complete here"), cobra.ShellCompDirectiveNoFileComp
		}
		list := append([]string{"all"}, m.Groups()...)
		for _, t := range m.Terms {
			if !slices.Contains(list, t.Name) && (typed != "" || len(m.Terms) < 40) {
				list = append(list, t.Name)
			}
		}
		list = append(list, lists.Of(m.Reals, func(r eval.Real) string { return r.Name })...)
		return starting(list, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

func evaluatorOf(disk *command.Files, cmd *cobra.Command, args []string) *eval.Model {
	name := ""
	if f := cmd.Flags().Lookup("game"); f != nil {
		name = f.Value.String()
	}
	for _, d := range openNamed(disk, args) {
		if text, err := d.ReadFile("weights.toml"); err == nil {
			if m, err := eval.ReadModel(bytes.NewReader(text)); err == nil {
				return m
			}
		}
		name = d.Manifest.Meta["game"]
	}
	g, err := command.FindGame(name)
	if name == "" || err != nil {
		return nil
	}
	m, err := g.Model(nil)
	if err != nil {
		return nil
	}
	return m
}

// completePlayers completes to the names of those who play most in the games that the line names.
func completePlayers(disk *command.Files) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
		ctx, stop := context.WithTimeout(context.Background(), 3*time.Second)
		defer stop()
		for _, d := range openNamed(disk, args) {
			if d.Table.Index("first_player") >= 0 {
				found = append(found, playersLike(ctx, d, typed)...)
			}
		}
		if found == nil {
			found = cobra.AppendActiveHelp(found, "name the games before the flag: their players complete here")
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// nearby returns the datasets in the directory: a player is named before the games.
func nearby(disk *command.Files) []string {
	manifests, err := fs.Glob(os.DirFS(disk.Path(".")), "*/manifest.json")
	if err != nil {
		return nil
	}
	return lists.Of(manifests[:min(len(manifests), 20)], func(name string) string { return filepath.Join(disk.Path("."), filepath.Dir(name)) })
}

// playersLike returns at most fifty names that begin as typed; none if something fails.
func playersLike(ctx context.Context, d *datasets.Dir, typed string) (names []string) {
	_, rows, err := command.Ask(ctx, query.Options{}, fmt.Sprintf(`SELECT name FROM (SELECT first_player AS name FROM games UNION ALL SELECT second_player FROM games)
		WHERE starts_with(lower(name), lower(%s)) GROUP BY name ORDER BY count(*) DESC, name LIMIT 50`, query.QuoteText(typed)), command.TableViews{"games": d})
	if err != nil {
		return nil
	}
	for _, row := range rows {
		if name, ok := row[0].(string); ok {
			names = append(names, name)
		}
	}
	return names
}

func completeWords(list ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)
}
