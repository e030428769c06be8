package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/chosen"
	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/person"
	"kifu/query"
	"kifu/query/format"
	"kifu/transform/names"
)

// namesFlags are the flags of kifu names.
type namesFlags struct {
	format, out, like string
	players           bool
	params            names.Params
}

func namesCommand(mk *command.Maker) *cobra.Command {
	f := namesFlags{format: "table", params: names.Params{MinConfidence: 0.7}}
	cmd := &cobra.Command{
		Use:   "names GAMES",
		Short: "Find names that probably belong to one player",
		Args:  command.Exactly(1, "a dataset of games"),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.names(cmd.Context(), mk, args[0]) },
	}
	flags := cmd.Flags()
	flags.Int64Var(&f.params.MinGames, "min-games", 0, "list groups of names with `N` games or more in total")
	flags.Float64Var(&f.params.MinConfidence, "min-confidence", f.params.MinConfidence, "only matches of at least confidence `P`")
	flags.BoolVar(&f.players, "players", false, "list all players, most games first")
	flags.StringVar(&f.like, "like", "", "list the players that --player `NAME` selects in other commands")
	flags.StringVar(&f.format, "format", f.format, "print as `FORMAT`: table, csv, json, markdown, latex or arrow")
	flags.StringVar(&f.out, "out", "", "write to `FILE` instead of the standard output")
	return cmd
}

// names writes the table of the names of a dataset of games, and reports their number.
func (f namesFlags) names(ctx context.Context, mk *command.Maker, dataset string) error {
	write, err := format.Writer(f.format)
	if err != nil {
		return command.Misused(err)
	}
	if p := f.params; p.MinGames < 0 || p.MinConfidence < 0 || p.MinConfidence > 1 {
		return command.Usagef("want --min-games 0 or more, and --min-confidence from 0 to 1")
	}
	if f.out != "" {
		if err := mk.MayWrite(f.out); err != nil {
			return err
		}
	}
	in, err := mk.Open(dataset, "games")
	if err != nil {
		return err
	}
	result, said, err := f.namesTable(ctx, mk, in)
	if err != nil {
		return err
	}
	switch {
	case f.out == "" && mk.Answer != nil && f.format == "markdown":
		err = printTable(mk.Console, result)
	case f.out == "":
		err = write(mk.Data(), result)
	default:
		err = mk.WriteFile(f.out, func(w io.Writer) error { return write(w, result) })
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(mk.Stderr, "%s: %s\n", dataset, said)
	return nil
}

// namesTable returns the table that the flags ask for, and its sizes in words.
func (f namesFlags) namesTable(ctx context.Context, mk *command.Maker, in *datasets.Dir) (*query.Result, string, error) {
	if f.players || f.like != "" {
		return f.playersTable(ctx, mk, in)
	}
	found, total, err := names.Find(ctx, f.params, mk.Workers, in)
	if err != nil {
		return nil, "", err
	}
	groups := 0
	if n := len(found); n > 0 {
		groups = found[n-1].Group
	}
	return namesResult(found), fmt.Sprintf("%s names, %s of them in %s groups%s", human.Grouped(int64(total)), human.Grouped(int64(len(found))), human.Grouped(int64(groups)), doubtful(found)), nil
}

// playersTable lists the players, or those that --like takes.
func (f namesFlags) playersTable(ctx context.Context, mk *command.Maker, in *datasets.Dir) (*query.Result, string, error) {
	players, err := names.Players(ctx, mk.Workers, in)
	if err != nil {
		return nil, "", err
	}
	total := len(players)
	if f.like != "" {
		choice, err := person.Resolve(f.like, chosen.Named(players))
		if err != nil {
			return nil, "", err
		}
		chosen.SayTaken(mk.Console, f.like, person.Choice{Names: choice.Names, Typed: true, Also: choice.Also})
		players = slices.DeleteFunc(players, func(p names.Player) bool {
			return !slices.ContainsFunc(choice.Names, func(one person.Named) bool { return one.Name == p.Name })
		})
	}
	players = slices.DeleteFunc(players, func(p names.Player) bool { return p.Games < f.params.MinGames })
	slices.SortStableFunc(players, func(a, b names.Player) int { return cmp.Compare(b.Games, a.Games) })
	found, _, err := names.Find(ctx, names.Params{MinConfidence: f.params.MinConfidence}, mk.Workers, in)
	if err != nil {
		return nil, "", err
	}
	canonical := map[string]string{}
	for _, alias := range found {
		canonical[alias.Player.Name] = alias.Canonical
	}
	rows := lists.Of(players, func(p names.Player) []any { return append(playerRow(p), orNull(canonical[p.Name])) })
	columns := append(slices.Clone(playerColumns), query.Column{Name: "canonical", Type: "VARCHAR"})
	return query.NewResult(columns, rows), fmt.Sprintf("%s of %s names", human.Grouped(int64(len(rows))), human.Grouped(int64(total))), nil
}

// playerColumns are the columns of a player, of which playerRow is a row.
var playerColumns = []query.Column{
	{Name: "name", Type: "VARCHAR"}, {Name: "games", Type: "BIGINT"},
	{Name: "first_date", Type: "VARCHAR"}, {Name: "last_date", Type: "VARCHAR"}, {Name: "elo_low", Type: "BIGINT"}, {Name: "elo_high", Type: "BIGINT"},
}

func playerRow(p names.Player) []any {
	rating := func(n int32) any {
		if n == 0 {
			return nil
		}
		return int64(n)
	}
	return []any{p.Name, p.Games, orNull(p.First), orNull(p.Last), rating(p.EloLow), rating(p.EloHigh)}
}

// doubtful reports the number of uncertain matches, nothing if all are certain.
func doubtful(found []names.Alias) string {
	n := int64(0)
	for _, f := range found {
		if f.Of != "" && f.Confidence < names.Doubtful {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %s below confidence %g: doubtful, check them before you use them", human.Grouped(n), names.Doubtful)
}

// namesResult is the report as a table.
func namesResult(found []names.Alias) *query.Result {
	columns := slices.Concat([]query.Column{{Name: "group", Type: "BIGINT"}}, playerColumns,
		[]query.Column{{Name: "same_as", Type: "VARCHAR"}, {Name: "reason", Type: "VARCHAR"}, {Name: "confidence", Type: "DOUBLE"}, {Name: "canonical", Type: "VARCHAR"}})
	var rows [][]any
	for _, f := range found {
		row := slices.Concat([]any{int64(f.Group)}, playerRow(f.Player), []any{nil, nil, nil, f.Canonical})
		if f.Of != "" {
			row[7], row[8], row[9] = f.Of, f.Reason, f.Confidence
		}
		rows = append(rows, row)
	}
	return query.NewResult(columns, rows)
}
