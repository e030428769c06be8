package othello_test

import (
	"testing"

	"kifu/games/othello"
	"kifu/kit/gametest"
)

// afterPasses is a position from which passes and early ends are common.
const afterPasses = "8 --**O--- --**---- --*OO--- ****OO-- ---O*--- --O-*--- -------- -------- *"

func TestRules(t *testing.T) {
	gametest.Run(t, othello.Rules{}, gametest.Options{
		Starts: []gametest.Start{{}, {Variant: "s8r18", Position: afterPasses}},
		Games:  60,
		Perft:  []string{"testdata/start.perft"},
	})
}
