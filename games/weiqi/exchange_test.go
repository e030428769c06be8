package weiqi

import (
	"testing"

	"kifu/kit/gametest"
)

func TestExchange(t *testing.T) {
	gametest.Exchange(t, Rules{}, "9/9/9/9/9/9/9/9/9 b - 0 0:0 7 chinese")
}
