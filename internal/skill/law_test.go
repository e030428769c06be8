package skill

import (
	"math"
	"math/rand/v2"
	"testing"

	"kifu/internal/clogit"
)

// TestScore: with the consistency 1 the law is the conditional logit of the losses, whose score and information clogit has.
func TestScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	m, d := Choices(), clogit.New[float64](1)
	m.Begin(0, 0, 1500)
	for i := range 200 {
		values := make([]float64, 2+rng.IntN(20))
		for j := range values {
			values[j] = rng.NormFloat64()
		}
		m.Choose(values, rng.IntN(len(values)))
		for _, loss := range m.lossesOf(i) {
			d.Add(0, -float64(loss))
			d.EndRow()
		}
		d.End(int64(i), int(m.played[i]))
	}
	s := 0.4
	model := d.Model([]float64{0}, 1)
	value := model.Set([]float64{1 / s})
	gradient, hessian := model.Derivatives()
	var log, score, information float64
	for i := range m.Len() {
		var p point
		m.law().at(&p, i, [most]float64{math.Log(s), 0})
		log, score, information = log+p.log, score+p.score[0], information+p.information[0][0]
	}
	// β = 1/s: dβ/d ln s = -1/s
	for _, c := range [][2]float64{{log, value}, {score, -gradient[0] / s}, {information, hessian.At(0, 0) / (s * s)}} {
		if math.Abs(c[0]-c[1]) > 1e-6*math.Abs(c[1]) {
			t.Errorf("%v, by the conditional logit %v", c[0], c[1])
		}
	}
}
