package signature_test

import (
	"testing"

	"kifu/eval"
	evalchess "kifu/eval/chess"
	"kifu/games"
	"kifu/games/chess"
	"kifu/search"
	"kifu/search/signature"
)

// A signature counts something, is the same at every call, and differs between evaluators.
func TestSignature(t *testing.T) {
	changed := evalchess.Default()
	changed.Terms[0].Weights[0] += 50
	for name, count := range map[string]func(games.Rules[chess.Position], search.Static[chess.Position]) (int64, error){
		"search": signature.Nodes[chess.Position], "M*": signature.MStar[chess.Position],
	} {
		nodes := func(m *eval.Model) int64 {
			e, err := evalchess.New(m)
			if err != nil {
				t.Fatal(err)
			}
			n, err := count(chess.Rules{}, e)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		a := nodes(evalchess.Default())
		if b := nodes(evalchess.Default()); a != b || a < 10000 {
			t.Errorf("%s: signatures %d and %d", name, a, b)
		}
		if nodes(changed) == a {
			t.Errorf("%s: another evaluator has the same signature", name)
		}
	}
}
