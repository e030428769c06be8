package match

import (
	"testing"

	"kifu/eval"
	evalweiqi "kifu/eval/weiqi"
	"kifu/games/weiqi"
)

// No player of our own plays a move that superko forbids and loses by it, with whichever
// side to move the board stood before: boards of 3×3 repeat soon.
func TestSuperko(t *testing.T) {
	g := eval.Game[weiqi.Position]{Rules: weiqi.Rules{}, NewEvaluator: evalweiqi.New, Default: evalweiqi.Default}
	for _, text := range []string{"depth=1", "depth=2 plain", "depth=1 temperature=5", "mstar depth=2 model-depth=1", "random"} {
		for _, variant := range []string{"3x3 tromp-taylor", "3x3 aga"} {
			p := params(t, 40, text, "depth=1 random=0.5")
			p.Variant, p.Openings.RandomPlies, p.Ends.MaxPlies = variant, 2, 80
			r, err := playOut(t, g, nil, p, 2, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if n := r.Ends["superko"]; n > 0 {
				t.Errorf("%s, %s: %d of 40 games are lost by superko", text, variant, n)
			}
		}
	}
}
