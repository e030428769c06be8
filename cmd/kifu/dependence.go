package main

import (
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"kifu/datasets"
	"kifu/internal/dyads"
	"kifu/report/sheet"
)

// dependenceFlags are the flags for which games an error treats as dependent.
type dependenceFlags struct{ way, games, aliases string }

// declare adds the flags to a command's. has: the command has --games already.
func (f *dependenceFlags) declare(flags *pflag.FlagSet, has bool) {
	flags.StringVar(&f.way, "dependence", dyads.Both, "cluster standard errors by `WAY`: players, games, or both (the larger error)")
	flags.StringVar(&f.aliases, "aliases", "", "merge players' names by the table in `FILE` (kifu names --format csv)")
	if !has {
		flags.StringVar(&f.games, "games", "", "read players from `DATASET`, the labels' games (default: in the same folder)")
	}
}

// validate reports a way that there is not.
func (f *dependenceFlags) validate() error {
	if !slices.Contains(dyads.Ways(), f.way) {
		return usagef("--dependence %s: want players, games or both", f.way)
	}
	return nil
}

// param is the way as parameters have it, where the usual one is left out.
func (f *dependenceFlags) param() string {
	if f.way == dyads.Both {
		return ""
	}
	return f.way
}

// namesOf returns the games with the players' names: --games, or the games that the dataset at path was
// made from if they are near; "" without.
func namesOf(disk *files, path string, f dependenceFlags) (string, error) {
	switch {
	case f.way == dyads.ByGame:
		return "", nil
	case f.games != "":
		_, err := disk.open(f.games, "games")
		return f.games, err
	}
	d, err := disk.openAny(path)
	if err != nil {
		return "", err
	}
	if games := d.Ancestor("games"); games != nil {
		if datasets.Remote(games.Path) {
			return games.Path, nil
		}
		return filepath.Abs(games.Path) // whatever paths of the command line count from
	}
	return "", nil
}

// sameNames returns the aliases of the flags.
func sameNames(mk *maker, f dependenceFlags) ([]dyads.Alias, error) {
	if f.aliases == "" {
		return nil, nil
	}
	return readSameAs(mk.ctx, mk, f.aliases, "same_as", "canonical")
}

// ownPlayers returns the clusters of a report of games, which have their players' names.
func ownPlayers(mk *maker, f dependenceFlags) (c sheet.Clusters, err error) {
	if err := f.validate(); err != nil {
		return c, err
	}
	c.Way = f.param()
	c.Aliases, err = sameNames(mk, f)
	return c, err
}

// clusters returns the clusters of a report of the datasets at paths, and its inputs: these
// and the games in which players are looked up.
func clusters(mk *maker, f dependenceFlags, paths []string) (c sheet.Clusters, inputs []string, err error) {
	if err := f.validate(); err != nil {
		return c, nil, err
	}
	c.Way, inputs = f.param(), slices.Clone(paths)
	if c.Aliases, err = sameNames(mk, f); err != nil {
		return c, nil, err
	}
	known := false
	for _, path := range paths {
		at, games := -1, ""
		if games, err = namesOf(mk.files, path, f); err != nil {
			return c, nil, err
		}
		if games != "" {
			known = true
			if at = slices.Index(inputs[len(paths):], games); at >= 0 {
				at += len(paths)
			} else {
				at, inputs = len(inputs), append(inputs, games)
			}
		}
		c.Names = append(c.Names, at)
	}
	if !known {
		c.Names = nil
	}
	return c, inputs, nil
}
