package draughts

import (
	"testing"

	"kifu/kit/gametest"
)

func TestExchange(t *testing.T) {
	for _, r := range []Rules{International, Checkers, Russian, Italian, Frisian} {
		gametest.Exchange(t, r, "")
	}
}
