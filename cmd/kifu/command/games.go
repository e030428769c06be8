package command

import (
	"fmt"

	"kifu/cmd/kifu/gametable"
	"kifu/datasets"
)

// Game is a game that kifu knows.
type Game = gametable.Game

// FindGame returns the game of that name; the error lists the names.
func FindGame(name string) (Game, error) {
	g, err := gametable.Find(name)
	if err != nil {
		return Game{}, Misused(err)
	}
	return g, nil
}

// GameOf returns the game that a dataset is of.
func GameOf(d *datasets.Dir) (Game, error) {
	g, err := FindGame(d.Manifest.Meta["game"])
	if err != nil {
		return Game{}, fmt.Errorf("%s: %w", d.Path, err)
	}
	return g, nil
}
