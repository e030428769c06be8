package trees

// Node is a node of a tree, a leaf if it has no children.
type Node struct {
	Column, Cut int // to Low go the bins up to Cut of the column
	Low, High   *Node
	Step        float64 // of a leaf, in log-odds
}

// At is the leaf of a row.
func (n *Node) At(s *Sample, row int) *Node {
	for n.Low != nil {
		if int(s.bin[n.Column][row]) <= n.Cut {
			n = n.Low
		} else {
			n = n.High
		}
	}
	return n
}

// Grow makes a tree of the first columns, at most depth deep, of rows with the gradient and
// curvature of each, by Newton's boosting (Friedman 2001; Chen and Guestrin 2016, equations 5
// to 7). No leaf has fewer than least rows.
func (s *Sample) Grow(rows []int32, of []Sum, columns, depth, least int) *Node {
	total := Sum{}
	for _, i := range rows {
		total = total.plus(of[i])
	}
	n := &Node{Step: total.G / (total.H + s.Ridge)}
	if depth == 0 || len(rows) < 2*least {
		return n
	}
	best := 0.0
	for c := range columns {
		var cells [MostBins]Sum
		var counts [MostBins]int
		for _, i := range rows {
			k := s.bin[c][i] & (MostBins - 1)
			cells[k].G += of[i].G
			cells[k].H += of[i].H
			counts[k]++
		}
		low, below := Sum{}, 0
		for cut := range s.Cuts[c] {
			low, below = low.plus(cells[cut]), below+counts[cut]
			if below < least || len(rows)-below < least {
				continue
			}
			if gain := s.gain(low) + s.gain(total.minus(low)) - s.gain(total); gain > best {
				best, n.Column, n.Cut = gain, c, cut
			}
		}
	}
	if best == 0 {
		return n
	}
	var low, high []int32
	for _, i := range rows {
		if int(s.bin[n.Column][i]) <= n.Cut {
			low = append(low, i)
		} else {
			high = append(high, i)
		}
	}
	n.Low, n.High = s.Grow(low, of, columns, depth-1, least), s.Grow(high, of, columns, depth-1, least)
	return n
}
