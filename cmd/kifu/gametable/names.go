package gametable

import (
	"fmt"
	"strings"

	"kifu/games/board"
	"kifu/ingest/legal"
	"kifu/internal/lists"
)

// Names returns the names of all games, the words of --game.
func Names() []string { return lists.Of(All, func(g Game) string { return g.Name }) }

// Ingest returns all games as ingest sees them.
func Ingest() []legal.Game { return IngestOf(All...) }

// IngestOf returns some games as ingest sees them.
func IngestOf(some ...Game) []legal.Game {
	return lists.Of(some, func(g Game) legal.Game { return g.Ingest })
}

// Boards returns the boards of all games.
func Boards() []board.Game { return lists.Of(All, func(g Game) board.Game { return g.Boards }) }

// FirstWithNetwork returns the name of the first game that has a network to evolve.
func FirstWithNetwork() string {
	for _, g := range All {
		if g.Network != nil {
			return g.Name
		}
	}
	return All[0].Name
}

// Speaking returns the names of the games whose outside programs speak a protocol, with commas.
func Speaking(protocol string) string {
	var names []string
	for _, g := range All {
		if g.Protocol == protocol {
			names = append(names, g.Name)
		}
	}
	return strings.Join(names, ", ")
}

// Find returns the game of that name; the error lists the names.
func Find(name string) (Game, error) {
	for _, g := range All {
		if g.Name == name {
			return g, nil
		}
	}
	return Game{}, fmt.Errorf("no game %q: want one of %s", name, strings.Join(Names(), ", "))
}
