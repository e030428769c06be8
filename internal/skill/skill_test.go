package skill_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/skill"
	"kifu/kit/skillsim"
)

func everybody(int) bool { return true }

// TestCalibrate: planted sensitivity, consistency and spread of the players come back, for any number of workers.
func TestCalibrate(t *testing.T) {
	l := skillsim.League{Players: 120, Games: 6, Moves: 20, Own: 150}
	m := l.Play(rand.New(rand.NewPCG(38, 2)), true)
	got, err := skill.Calibrate(m, everybody, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, c := got.Weights[0], math.Exp(got.Weights[1][0])
	at1600 := s[0] + s[1]*(1600-got.Centre)/100
	if math.Abs(at1600-skillsim.Sensitivity) > 0.12 || math.Abs(s[1]-skillsim.ByHundred) > 0.03 || math.Abs(c-skillsim.Consistency) > 0.03 {
		t.Errorf("ln s %.3f at 1600, %.4f a hundred points, c %.3f", at1600, s[1], c)
	}
	if spread := 100 * math.Sqrt(got.Player); spread < 80 || spread > 220 || math.Abs(got.Move-1) > 0.15 {
		t.Errorf("players differ by %.0f, planted 150; a move's variance is %.2f of the model's", spread, got.Move)
	}
	alone, err := skill.Calibrate(m, everybody, 1)
	if err != nil || alone.Weights[0][1] != got.Weights[0][1] || alone.Player != got.Player {
		t.Errorf("one worker %v, three %v, %v", alone.Weights, got.Weights, err)
	}
	var of []int
	for i, turn := range m.Turns {
		if turn.Player == 0 {
			of = append(of, i)
		}
	}
	r := got.Rate(m, skill.Performance{Turns: of})
	if d := r.At.Degrees; d < 20 || d > 150 || math.Abs(r.P-distuv.StudentsT{Sigma: 1, Nu: d}.Survival(r.Z)) > 1e-12 {
		t.Errorf("120 players leave %.0f degrees of freedom; a z of %.2f has a chance of %.4f", d, r.Z, r.P)
	}
	if _, err := skill.Calibrate(m, func(p int) bool { return p < 5 }, 1); err == nil {
		t.Error("five players are enough to calibrate by")
	}
}

// TestPower: a fifth of the moves of every third player is the best one; z is above the limit as often as the power says
// beforehand, its mean is the one expected, and the others' z have a spread of 1.
func TestPower(t *testing.T) {
	l := skillsim.League{Players: 150, Games: 10, Moves: 15, Own: 100, Day: 50, Help: 0.2, Nth: 3}
	const limit = 2
	for _, all := range []bool{true, false} {
		m := l.Play(rand.New(rand.NewPCG(38, 3)), all)
		model, err := skill.Calibrate(m, func(p int) bool { return !l.Helped(p) }, 1)
		if err != nil {
			t.Fatal(err)
		}
		turns := make([][]int, l.Players)
		for i, turn := range m.Turns {
			turns[turn.Player] = append(turns[turn.Player], i)
		}
		var helped, found, mean, squares float64
		for p, of := range turns {
			z := model.Rate(m, skill.Performance{Turns: of}).Z
			if !l.Helped(p) {
				squares += z * z
				continue
			}
			if helped, mean = helped+1, mean+z; z > limit {
				found++
			}
		}
		spread := math.Sqrt(squares / (float64(l.Players) - helped))
		mean, found = mean/helped, found/helped
		expected, power := model.Power(l.Games, l.Help, limit)
		t.Logf("all %t: z %.2f, expected %.2f; found %.2f, power %.2f; honest %.2f", all, mean, expected, found, power, spread)
		if math.Abs(mean-expected) > 0.5 || math.Abs(found-power) > 0.2 || math.Abs(spread-1) > 0.2 {
			t.Errorf("all %t: z %.2f, expected %.2f; found %.2f, power %.2f; honest %.2f", all, mean, expected, found, power, spread)
		}
	}
}
