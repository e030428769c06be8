package temporal

// Equations holds the linear system of LSTD(λ) for n unknowns: A·θ = b.
type Equations struct {
	A []float64 // n lines of n
	B []float64
	n int

	d []float64
}

// NewEquations returns equations without a game.
func NewEquations(n int) *Equations {
	return &Equations{A: make([]float64, n*n), B: make([]float64, n), n: n, d: make([]float64, n)}
}

// Reset makes e equations without a game.
func (e *Equations) Reset() {
	clear(e.A)
	clear(e.B)
}

// Merge adds the games of others.
func (e *Equations) Merge(other *Equations) {
	for i, v := range other.A {
		e.A[i] += v
	}
	for i, v := range other.B {
		e.B[i] += v
	}
}

// Add adds a game: with Σ_t e_t d_tᵀ = Σ_k x_k D_kᵀ, D_k = d_k + λ D_{k+1}, d_t = x_t - x_{t+1}.
// The value after the last position is 0 and its reward the result.
func (e *Equations) Add(s *Sequence, lambda float64) {
	clear(e.d)
	r := 0.0 // Σ_{t≥k} λ^{t-k} of what the base and the reward make of step t
	for k := s.Len() - 1; k >= 0; k-- {
		for i := range e.d {
			e.d[i] *= lambda
		}
		r *= lambda
		if !s.cut(k) {
			r += e.step(s, k)
		}
		at, x := s.line(k)
		for j, i := range at {
			line := e.A[int(i)*e.n : (int(i)+1)*e.n]
			for p, d := range e.d {
				line[p] += x[j] * d
			}
			e.B[i] += x[j] * r
		}
	}
}

// step adds d_k to e.d, and returns what base and reward make of the step after position k.
func (e *Equations) step(s *Sequence, k int) (r float64) {
	at, x := s.line(k)
	for j, i := range at {
		e.d[i] += x[j]
	}
	if s.Base != nil {
		r -= s.Base[k]
	}
	if k+1 == s.Len() {
		return r + s.Result
	}
	at, x = s.line(k + 1)
	for j, i := range at {
		e.d[i] -= x[j]
	}
	if s.Base != nil {
		r += s.Base[k+1]
	}
	return r
}
