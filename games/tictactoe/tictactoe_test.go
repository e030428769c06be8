package tictactoe_test

import (
	"testing"

	"kifu/games/tictactoe"
	"kifu/kit/gametest"
)

func TestRules(t *testing.T) {
	gametest.Run(t, tictactoe.Rules{}, gametest.Options{
		Starts: []gametest.Start{{}, {Position: "x--/-o-/---"}},
		Games:  200,
		Perft:  []string{"testdata/start.perft"},
	})
}
