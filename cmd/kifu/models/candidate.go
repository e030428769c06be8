package models

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"kifu/cmd/kifu/command"
	"kifu/datasets/remote"
	"kifu/players"
	"kifu/players/decide"
	"kifu/players/identify"
	"kifu/report/sheet"
)

// Candidates reads a model, or a directory's models in the order of their names.
func Candidates(mk *command.Maker, g command.Game, name string) ([]identify.Candidate, error) {
	if _, err := os.Stat(filepath.Join(mk.Path(name), players.File)); err == nil || remote.Is(name) {
		c, err := Candidate(mk, g, name)
		return []identify.Candidate{c}, err
	}
	inside, err := fs.Glob(os.DirFS(mk.Path(name)), "*/"+players.File)
	if err != nil {
		return nil, err
	}
	if len(inside) == 0 {
		return nil, fmt.Errorf("%s: neither a model made by kifu learn nor a directory of models", name)
	}
	var all []identify.Candidate
	for _, file := range inside {
		c, err := Candidate(mk, g, filepath.Join(name, filepath.Dir(file)))
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// Candidate reads the dataset of one model.
func Candidate(mk *command.Maker, g command.Game, name string) (c identify.Candidate, err error) {
	d, err := mk.OpenAny(name)
	if err != nil {
		return c, err
	}
	if d.Manifest.Stage != "learn" || len(d.Manifest.Inputs) != 1 {
		return c, fmt.Errorf("%s: made by kifu %s, not by kifu learn", name, d.Manifest.Stage)
	}
	l, err := sheet.ReadLearn(d)
	if err != nil {
		return c, err
	}
	if c.Player, err = Strategy(mk, g, filepath.Join(name, players.File)); err != nil {
		return c, err
	}
	c.Names = slices.Concat(l.Player, l.Aliases)
	c.Split = decide.Split{Seed: l.Seed, Holdout: l.Holdout, Test: l.TestPart}
	c.Games = d.Manifest.FirstInput()
	return c, nil
}
