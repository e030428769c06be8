// Package chosen chooses games by their players, dates and ids.
//
// In: flags with names as typed, a dataset of games. Out: names as the records have them, conditions on games, ids. It prints
// what a typed name matches, and which other names may be meant.
package chosen

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/internal/lists"
	"kifu/internal/person"
	"kifu/query"
	"kifu/transform/names"
)

// Named returns names with the numbers of their games.
func Named(players []names.Player) []person.Named {
	return lists.Of(players, func(p names.Player) person.Named { return person.Named{Name: p.Name, Games: p.Games} })
}

// Names returns what each typed name takes of the names of a dataset of games, which are read once.
func Names(ctx context.Context, mk *command.Maker, in *datasets.Dir, typed ...string) ([]person.Choice, error) {
	players, err := names.Players(ctx, mk.Workers, in)
	if err != nil {
		return nil, err
	}
	all := Named(players)
	choices := make([]person.Choice, len(typed))
	for i, name := range typed {
		if choices[i], err = person.Resolve(name, all); err != nil {
			return nil, fmt.Errorf("%s: %w", in.Path, err)
		}
	}
	return choices, nil
}

// Resolve returns the names of records that typed ones match, and by a table of names the others of their
// players: a typed name or pattern that matches stays, any other is replaced by the names that fit it.
func Resolve(ctx context.Context, mk *command.Maker, in *datasets.Dir, typed []string, table string) (taken, aliases []string, err error) {
	if len(typed) == 0 {
		return nil, nil, nil
	}
	choices, err := Names(ctx, mk, in, typed...)
	if err != nil {
		return nil, nil, err
	}
	for i, name := range typed {
		if choices[i].Typed {
			taken = append(taken, name)
			continue
		}
		taken = append(taken, choices[i].Spellings()...)
	}
	if aliases, err = readAliases(ctx, mk, in, table, taken); err != nil {
		return nil, nil, err
	}
	for i, name := range typed {
		SayTaken(mk.Console, name, choices[i].Without(aliases))
	}
	return taken, aliases, nil
}

// SayTaken reports what a typed name matches, unless it is just that.
func SayTaken(con *command.Console, typed string, choice person.Choice) {
	if !choice.Typed {
		fmt.Fprintf(con.Stderr, "kifu: %q takes %s\n", typed, choice)
	}
	SayAlso(con, choice)
}

// SayAlso prints the names that may be meant as well.
func SayAlso(con *command.Console, choice person.Choice) {
	if note := choice.Note(); note != "" {
		fmt.Fprintf(con.Stderr, "kifu: note: %s\n", note)
	}
}

// Players are the players whose games are chosen, as typed.
type Players struct{ Player, Against string }

// Declare adds the flags; player is the text of --player.
func (f *Players) Declare(flags *pflag.FlagSet, player string) {
	flags.StringVar(&f.Player, "player", "", player)
	flags.StringVar(&f.Against, "against", "", "only games of --player against `NAME`, in full or in part")
}

// Typed returns the names that are given.
func (f Players) Typed() []string {
	if f.Against == "" {
		return []string{f.Player}
	}
	return []string{f.Player, f.Against}
}

// condition returns the condition in SQL that the players have a game, with either side; "" without them.
func (f Players) condition(ctx context.Context, mk *command.Maker, in *datasets.Dir) (string, error) {
	switch {
	case f.Against != "" && f.Player == "":
		return "", command.Usagef("--against needs --player")
	case f.Player == "":
		return "", nil
	}
	typed := f.Typed()
	choices, err := Names(ctx, mk, in, typed...)
	if err != nil {
		return "", err
	}
	var texts []string
	for i, choice := range choices {
		SayTaken(mk.Console, typed[i], choice)
		names := lists.Of(choice.Spellings(), query.QuoteText)
		texts = append(texts, strings.Join(names, ", "))
	}
	of := texts[0]
	if f.Against == "" {
		return fmt.Sprintf("(first_player IN (%s) OR second_player IN (%s))", of, of), nil
	}
	rival := texts[1]
	return fmt.Sprintf("(first_player IN (%s) AND second_player IN (%s) OR first_player IN (%s) AND second_player IN (%s))", of, rival, rival, of), nil
}

// Games returns the games of a dataset that players have and that were played between dates;
// nil if neither is given.
func (players Players) Games(ctx context.Context, mk *command.Maker, of *datasets.Dir, between command.DateFlags) (func(id int64) bool, error) {
	if players == (Players{}) && between.Condition() == "" {
		return nil, nil
	}
	if of.Table.Name != "games" {
		return nil, command.Usagef("--player, --against, --from, --to: %s has no names or dates: name its games after it", of.Path)
	}
	var all []string
	who, err := players.condition(ctx, mk, of)
	switch {
	case err != nil:
		return nil, err
	case who != "":
		all = append(all, who)
	}
	if when := between.Condition(); when != "" {
		all = append(all, when)
	}
	ids, err := IDs(ctx, mk, of, "SELECT game_id FROM g WHERE "+strings.Join(all, " AND "))
	return Set(ids), err
}

// readAliases returns the player's other names by a table of names; none without a file.
func readAliases(ctx context.Context, mk *command.Maker, in *datasets.Dir, file string, player []string) (names []string, err error) {
	if file == "" {
		return nil, nil
	}
	of, err := command.CanonicalNames(ctx, mk, file, in.Path)
	if err != nil {
		return nil, err
	}
	is, theirs, all := person.Pattern(player...), map[string]bool{}, map[string]bool{}
	for name, canonical := range of {
		if is.MatchString(name) || is.MatchString(canonical) {
			theirs[canonical] = true
		}
	}
	for name, canonical := range of {
		if theirs[canonical] {
			all[name], all[canonical] = true, true
		}
	}
	for name := range all {
		if !is.MatchString(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		command.SayIdle(mk.Console, file, "it has no other name of "+strings.Join(player, ", "))
	}
	return names, nil
}
