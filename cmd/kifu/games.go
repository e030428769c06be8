package main

import (
	"fmt"

	"kifu/cmd/kifu/gametable"
	"kifu/datasets"
)

type game = gametable.Game

// findGame returns the game of that name; the error lists the names.
func findGame(name string) (game, error) {
	g, err := gametable.Find(name)
	if err != nil {
		return game{}, usageError{err}
	}
	return g, nil
}

// gameOf returns the game that a dataset is of.
func gameOf(d *datasets.Dir) (game, error) {
	g, err := findGame(d.Manifest.Meta["game"])
	if err != nil {
		return game{}, fmt.Errorf("%s: %w", d.Path, err)
	}
	return g, nil
}
