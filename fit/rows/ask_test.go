package rows

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"kifu/fit/losses"
)

var errGone = errors.New("nobody is there")

// TestAsk: sums that others make are those made here, to the last bit, over more chunks than a
// Hessian has in a span; where nobody answers they are made here.
func TestAsk(t *testing.T) {
	const terms = 12
	r := rand.New(rand.NewPCG(3, 3))
	theta := make([]float64, 2*terms+1)
	for i := range theta {
		theta[i] = 0.1 * r.NormFloat64()
	}
	b := NewBuilder(sharedDesign(terms))
	for game := range int64(150) {
		for range 20 {
			x := &Row{Game: game, Value: 100 * r.NormFloat64(), Y: float64(r.IntN(2)), Weight: 1, Phase: r.IntN(25), Stratum: NoStratum}
			for slot := r.IntN(5); slot < terms; slot += 1 + r.IntN(9) {
				x.Features = append(x.Features, Count{uint32(slot), int16(r.IntN(7) - 3)})
			}
			b.Add(x)
		}
		b.Cut()
	}
	here := b.Finish()
	if len(here.Chunks) != 150 {
		t.Fatalf("%d chunks", len(here.Chunks))
	}
	there, asked, rounds, answers := *here, 0, 0, true
	there.Ask = func(n int, section func(int) int, question func(int) []byte, take func(int, []byte) error) error {
		asked, rounds = asked+n, rounds+1
		for i := range n {
			if i == 2 && !answers {
				return errGone
			}
			q, err := ReadQuestion(question(i))
			if err != nil {
				return err
			}
			if q.Section.Chunks.From != section(i)*spanChunks || q.Section.Round != rounds {
				t.Errorf("question %d of round %d is about section %+v, number %d", i, rounds, q.Section, section(i))
			}
			one := *here
			one.Chunks = here.Chunks[q.Section.Chunks.From:q.Section.Chunks.To]
			answer, err := one.Answer(q, 1+i%3)
			if err != nil {
				return err
			}
			if err := take(i, answer); err != nil {
				return err
			}
		}
		return nil
	}
	for range 2 {
		want, got := make([]float64, len(theta)), make([]float64, len(theta))
		if f, g := here.Pass(losses.Logistic{}, theta, 1, want), there.Pass(losses.Logistic{}, theta, 2, got); f != g || !slices.Equal(want, got) {
			t.Errorf("a pass: %v and %v\n%v\n%v", f, g, want, got)
		}
		for _, curvature := range []func(losses.Local) float64{losses.Exact, losses.Positive} {
			h, g := here.Hessian(theta, losses.Squares{}, curvature, 1), there.Hessian(theta, losses.Squares{}, curvature, 2)
			if !slices.Equal(h.RawSymmetric().Data, g.RawSymmetric().Data) {
				t.Error("Hessians differ")
			}
		}
		answers = false
	}
	if want := 2 * (38 + 2*3); asked != want {
		t.Errorf("%d questions, want %d", asked, want)
	}
}
