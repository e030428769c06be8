package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/dyads"
	"kifu/schemas"
)

// DeclareAliases adds the flag for a table of names.
func DeclareAliases(flags *pflag.FlagSet, file *string) {
	flags.StringVar(file, "aliases", "", "merge players' names by the table in `FILE` (kifu names --format csv)")
}

// SameNames returns the aliases in a table of names (none without a file) for the players of datasets of games.
func SameNames(mk *Maker, file string, games ...string) ([]dyads.Alias, error) {
	return aliases(mk.Ctx, mk, file, games)
}

// CanonicalNames reads the main name of each name from a table that kifu names makes: the column canonical,
// or same_as, which is followed to its end.
func CanonicalNames(ctx context.Context, mk *Maker, file, games string) (map[string]string, error) {
	all, err := aliases(ctx, mk, file, []string{games})
	if err != nil {
		return nil, err
	}
	if all, err = dyads.Resolve(all); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	of := map[string]string{}
	for _, alias := range all {
		if alias.Name != alias.SameAs {
			of[alias.Name] = alias.SameAs
		}
	}
	return of, nil
}

// aliases reads the names of a table and what each is the same as, by the column canonical, which users edit, else same_as.
// A note reports a table that renames no player of the games.
func aliases(ctx context.Context, mk *Maker, file string, games []string) (all []dyads.Alias, err error) {
	if file == "" {
		return nil, nil
	}
	rows, err := TableRows(ctx, mk, file, true, []string{"name"}, []string{"canonical", "same_as"})
	if err != nil {
		return nil, fmt.Errorf("%w: make it by kifu names --format csv", err)
	}
	renames, given := map[string]bool{}, map[string]string{}
	for _, row := range rows {
		name, _ := row[0].(string)
		of, _ := row[1].(string)
		if name == "" || of == "" {
			continue
		}
		if was, twice := given[name]; twice && was != of {
			return nil, fmt.Errorf("%s: %q has two names, %q and %q: leave out one", file, name, was, of)
		}
		given[name], renames[name] = of, name != of
		all = append(all, dyads.Alias{Name: name, SameAs: of})
	}
	if mk.Plan != nil { // the games may not be there yet
		return all, nil
	}
	var in []string
	for _, path := range games {
		d, err := mk.OpenAny(path)
		if err != nil {
			return nil, err
		}
		if d.Table.Name != schemas.Games.Name {
			continue
		}
		if found, err := plays(ctx, d, renames); err != nil || found {
			return all, err
		}
		in = append(in, path)
	}
	if len(in) > 0 {
		SayIdle(mk.Console, file, "it renames no player of "+strings.Join(in, ", "))
	}
	return all, nil
}

// SayIdle notes why a table of names has no effect.
func SayIdle(con *Console, file, why string) {
	fmt.Fprintf(con.Stderr, "kifu: note: --aliases %s has no effect: %s\n", file, why)
}

// plays reports whether one of the names is a player's. It reads no games after the first of them.
func plays(ctx context.Context, games *datasets.Dir, names map[string]bool) (bool, error) {
	found := errors.New("found")
	err := datasets.Scan(ctx, games, "aliases", "games", []string{"first_player", "second_player"}, func(_ datasets.Group, b *columns.Batch) error {
		for _, c := range b.Cols {
			for i := range b.Rows {
				if !c.IsNull(i) && names[string(c.Value(i))] {
					return found
				}
			}
		}
		return nil
	})
	if err == found {
		return true, nil
	}
	return false, err
}
