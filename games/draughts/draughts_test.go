package draughts_test

import (
	"testing"

	"kifu/games/draughts"
	"kifu/kit/gametest"
)

func TestRules(t *testing.T) {
	for _, c := range []struct {
		rules  draughts.Rules
		perft  string
		starts []string
	}{
		{draughts.Checkers, "checkers", []string{"", "B:W18,19,27,K3:BK22,K30,9,10,11", "W:WK1,K32:BK14,15,6,7"}},
		{draughts.International, "draughts", []string{"",
			"B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24",
			"W:WK5,26,K46:BK10,K14,20,23,24,33,34,38"}},
		{draughts.Russian, "russian", []string{"", "W:Wa1,Ka3,c3,Kh8:Bb6,Kd6,e3,f6,Kg1,g5", "W:We3,c1:Bd4,d6,b6,f6,c7"}},
		{draughts.Brazilian, "brazilian", []string{"", "W:Wa1,Ka3,c3,Kh8:Bb6,Kd6,e3,f6,Kg1,g5", "W:We3,c1:Bd4,d6,b6,f6,c7"}},
		{draughts.Italian, "italian", []string{"", "W:WK12,K28,20,9,25:BK7,K11,K19,14,22", "B:W5,13,K27:BK1,K30,6,10,18"}},
		{draughts.Frisian, "frisian", []string{"", "W:WK12,K28,20,9,25:BK7,K11,K19,14,22", "B:W31,K47,K26,42:BK1,K30,6,10,18", "W:W32,K46:BK5,K10,15"}},
		{draughts.Giveaway, "checkers", []string{"", "B:W18,19,27,K3:BK22,K30,9,10,11"}},
	} {
		t.Run(c.rules.Name(), func(t *testing.T) {
			o := gametest.Options{Perft: []string{"testdata/" + c.perft + ".perft"}, Playthrough: "testdata/" + c.rules.Name() + ".txt"}
			for _, fen := range c.starts {
				o.Starts = append(o.Starts, gametest.Start{Position: fen})
			}
			gametest.Run(t, c.rules, o)
		})
	}
}
