package temporal

// Sequence is a game as lines of a design with n unknowns, position after position.
type Sequence struct {
	At   []int32   // the unknowns of the entries, line after line
	X    []float64 // their values
	Ends []int     // of each line in At and X
	// Base is the part of each line's score that no unknown moves; nil: none.
	Base   []float64
	Result float64 // what the last position's value is drawn to
	// Cut marks positions whose step to the next one counts as one without a change of value,
	// as after a blunder; nil: none. Traces go on over it, as in KnightCap.
	Cut []bool
}

// Reset empties s.
func (s *Sequence) Reset() {
	s.At, s.X, s.Ends, s.Base, s.Cut = s.At[:0], s.X[:0], s.Ends[:0], nil, nil
}

// Len returns the number of positions.
func (s *Sequence) Len() int { return len(s.Ends) }

// line returns the entries of position k.
func (s *Sequence) line(k int) (at []int32, x []float64) {
	from := 0
	if k > 0 {
		from = s.Ends[k-1]
	}
	return s.At[from:s.Ends[k]], s.X[from:s.Ends[k]]
}

// Scores overwrites dst with the score of each position: its line times theta.
func (s *Sequence) Scores(theta, dst []float64) []float64 {
	dst = dst[:0]
	for k := range s.Ends {
		at, x := s.line(k)
		z := 0.0
		if s.Base != nil {
			z = s.Base[k]
		}
		for j, i := range at {
			z += x[j] * theta[i]
		}
		dst = append(dst, z)
	}
	return dst
}

// cut means that the step after position k is not learned from.
func (s *Sequence) cut(k int) bool { return s.Cut != nil && s.Cut[k] }
