package label

import (
	"fmt"

	"kifu/datasets/columns"
	"kifu/games"
	dfpn "kifu/search/mate"
)

// maxMateNodes is the largest Params.Mate; adjudicationNodes is the number for adjudication by mates
// without Params.Mate: the paper's.
const (
	maxMateNodes      = 10_000_000
	adjudicationNodes = 10_000
)

// mates writes whether the side to move can force a mate.
type mates[P games.Position[P]] struct {
	rules                games.Rules[P]
	solver               *dfpn.Solver[P] // nil if not requested
	verdict, plies, line *columns.Vec
	text                 []byte
}

// checkerOf returns what the rules know of checks, or an error if they know nothing.
func checkerOf[P games.Position[P]](rules games.Rules[P]) (games.Checker[P], error) {
	c, ok := rules.(games.Checker[P])
	if !ok {
		return nil, fmt.Errorf("%s has no mate search: omit --mate and --adjudicate mate", rules.Name())
	}
	return c, nil
}

// declarerOf returns what the rules know of declared wins, or an error if there are none.
func declarerOf[P games.Position[P]](rules games.Rules[P]) (games.Declarer[P], error) {
	d, ok := rules.(games.Declarer[P])
	if !ok {
		return nil, fmt.Errorf("%s has no declared wins: omit --adjudicate declare", rules.Name())
	}
	return d, nil
}

// columns finds the columns in out, which are nil if only adjudication needs the mates.
func (m *mates[P]) columns(out *columns.Batch) {
	if m.solver != nil {
		m.verdict, m.plies, m.line = out.Col("mate"), out.Col("mate_plies"), out.Col("mate_line")
	}
}

// append writes the verdict about p, null when the nodes did not suffice, and reports a mate.
func (m *mates[P]) append(p P) (mate bool) {
	if m.solver == nil {
		return false
	}
	r := m.solver.Solve(p)
	if m.verdict == nil {
		return r.Verdict == dfpn.Mate
	}
	switch r.Verdict {
	case dfpn.Mate:
		r = m.solver.Shorten(p, r)
		m.verdict.AppendBool(true)
		m.plies.AppendInt32(int32(r.Plies))
		m.line.AppendBytes(m.write(p, r.Line))
		return true
	case dfpn.NoMate:
		m.verdict.AppendBool(false)
	default:
		m.verdict.AppendNull()
	}
	m.plies.AppendNull()
	m.line.AppendNull()
	return false
}

// write writes a line in coordinates, a space between.
func (m *mates[P]) write(p P, line []games.Move) []byte {
	m.text = m.text[:0]
	for i, move := range line {
		if i > 0 {
			m.text = append(m.text, ' ')
		}
		m.text = m.rules.AppendCoordinates(m.text, p, move)
		p = p.Play(move)
	}
	return m.text
}
