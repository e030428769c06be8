package othello

import (
	"testing"

	"kifu/kit/gametest"
)

func TestExchange(t *testing.T) {
	gametest.Exchange(t, Rules{}, "")
}
