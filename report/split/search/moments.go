package search

// moments are sums over games of products of their scores: s of a condition and of the
// condition × value, t of the spline.
type moments struct {
	knots      int
	ss         []float64 // s·sᵀ: three a condition
	ts         []float64 // t·sᵀ: 2·knots a condition
	tt         []float64 // knots²
	t          []float64
	games      []int32   // with a position of the condition
	positions  []float64 // of the condition
	squares    []float64 // of its positions in each game
	totalGames int32
}

func newMoments(conditions, knots int) *moments {
	return &moments{knots: knots, ss: make([]float64, 3*conditions), ts: make([]float64, 2*knots*conditions),
		tt: make([]float64, knots*knots), t: make([]float64, knots), games: make([]int32, conditions), positions: make([]float64, conditions), squares: make([]float64, conditions)}
}

// addCondition adds a game's score of condition c.
func (m *moments) addCondition(c int, s0, s1 float64, n int32, t []float64) {
	ss := m.ss[3*c : 3*c+3]
	ss[0] += s0 * s0
	ss[1] += s0 * s1
	ss[2] += s1 * s1
	ts := m.ts[2*m.knots*c : 2*m.knots*(c+1)]
	for j, a := range t {
		ts[2*j] += a * s0
		ts[2*j+1] += a * s1
	}
	m.games[c]++
	m.positions[c] += float64(n)
	m.squares[c] += float64(n) * float64(n)
}

// addGame adds a game's score of the spline.
func (m *moments) addGame(t []float64) {
	for i, a := range t {
		m.t[i] += a
		for j, b := range t {
			m.tt[i*m.knots+j] += a * b
		}
	}
	m.totalGames++
}

func (m *moments) add(o *moments) {
	for _, pair := range [][2][]float64{{m.ss, o.ss}, {m.ts, o.ts}, {m.tt, o.tt}, {m.t, o.t}, {m.positions, o.positions}, {m.squares, o.squares}} {
		for i, x := range pair[1] {
			pair[0][i] += x
		}
	}
	for i, n := range o.games {
		m.games[i] += n
	}
	m.totalGames += o.totalGames
}
