package shogi_test

import (
	"strings"
	"testing"

	"kifu/games/shogi"
	"kifu/kit/gametest"
)

func TestRules(t *testing.T) {
	gametest.Run(t, shogi.Rules{}, gametest.Options{
		Starts: []gametest.Start{
			{},
			{Variant: "二枚落ち"},
			{Position: "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124"},
			{Position: "9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1"},
			{Position: "ln2+r1r2/5s+Pkl/3+B1p1p1/p4B2p/2P6/P6PP/1PNP1P3/2G3SK1/L4G1NL w 2GSN3Ps3p 76"},
			{Position: "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"}, // a problem: no king of Black's
		},
		Perft:  []string{"testdata/perft.epd"},
		Plies:  300,
		Key:    func(text string) string { return text[:strings.LastIndexByte(text, ' ')] },
		Choice: true,
	})
}
