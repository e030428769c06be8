package command

import (
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"kifu/datasets"
	"kifu/datasets/remote"
	"kifu/internal/dyads"
	"kifu/report/sheet"
	"kifu/schemas"
)

// DependenceFlags are the flags for which games an error treats as dependent.
type DependenceFlags struct{ Way, Games, Aliases string }

// Declare adds the flags to a command's. has: the command has --games already.
func (f *DependenceFlags) Declare(flags *pflag.FlagSet, has bool) {
	flags.StringVar(&f.Way, "dependence", dyads.Both, "cluster standard errors by `WAY`: players, games, or both (the larger error)")
	DeclareAliases(flags, &f.Aliases)
	if !has {
		flags.StringVar(&f.Games, "games", "", "read players from `DATASET`, the labels' games (default: in the same folder)")
	}
}

// Validate reports a way that there is not, or that needs no names.
func (f *DependenceFlags) Validate() error {
	if !slices.Contains(dyads.Ways(), f.Way) {
		return Usagef("--dependence %s: want players, games or both", f.Way)
	}
	if f.Way == dyads.ByGame && f.Aliases != "" {
		return Usagef("--aliases is for errors by player, not with --dependence games")
	}
	return nil
}

// Param is the way as parameters have it, where the usual one is left out.
func (f *DependenceFlags) Param() string {
	if f.Way == dyads.Both {
		return ""
	}
	return f.Way
}

// NamesOf returns the games with the players' names: --games, or the games that the dataset at path was
// made from if they are near; "" without.
func NamesOf(disk *Files, path string, f DependenceFlags) (string, error) {
	if f.Way == dyads.ByGame {
		return "", nil
	}
	d, err := disk.OpenAny(path)
	if err != nil {
		return "", err
	}
	if f.Games != "" {
		games, err := disk.Open(f.Games, schemas.Games.Name)
		if err != nil {
			return "", err
		}
		return f.Games, datasets.CheckTogether(d, games)
	}
	if games := d.Ancestor("games"); games != nil {
		if remote.Is(games.Path) {
			return games.Path, nil
		}
		return filepath.Abs(games.Path) // whatever paths of the command line count from
	}
	return "", nil
}

// OwnPlayers returns the clusters of a report of the datasets at paths. The datasets of games among them have the players' names.
func OwnPlayers(mk *Maker, f DependenceFlags, paths []string) (c sheet.Clusters, err error) {
	if err := f.Validate(); err != nil {
		return c, err
	}
	c.Way = f.Param()
	c.Aliases, err = SameNames(mk, f.Aliases, paths...)
	return c, err
}

// Clusters returns the clusters of a report of the datasets at paths, and its inputs: these
// and the games in which players are looked up.
func Clusters(mk *Maker, f DependenceFlags, paths []string) (c sheet.Clusters, inputs []string, err error) {
	if err := f.Validate(); err != nil {
		return c, nil, err
	}
	c.Way, inputs = f.Param(), slices.Clone(paths)
	known := false
	for _, path := range paths {
		at, games := -1, ""
		if games, err = NamesOf(mk.Files, path, f); err != nil {
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
	c.Aliases, err = SameNames(mk, f.Aliases, inputs[len(paths):]...)
	return c, inputs, err
}
