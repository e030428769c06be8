package trees

// BestPair searches all pairs of the first columns for the monotone tree two deep that fits
// best to rows with the gradient and curvature of each; nil if there is none.
func (s *Sample) BestPair(rows []int32, of []Sum, columns, least int) (best *Node) {
	most := 0.0
	for one := range columns {
		for other := range columns {
			if one == other || len(s.Cuts[one]) == 0 || len(s.Cuts[other]) == 0 {
				continue
			}
			var cells [MostBins * MostBins]Sum
			var counts [MostBins * MostBins]int
			for _, i := range rows {
				k := int(s.bin[one][i])*MostBins + int(s.bin[other][i])
				cells[k].G += of[i].G
				cells[k].H += of[i].H
				counts[k]++
			}
			if tree, gain := s.pairTree(&cells, &counts, one, other, least); gain > most {
				best, most = tree, gain
			}
		}
	}
	return best
}

// pairTree is the best tree of two columns that is two deep and monotone: each column pushes to
// the same side wherever it is cut.
func (s *Sample) pairTree(cells *[MostBins * MostBins]Sum, counts *[MostBins * MostBins]int, one, other, least int) (best *Node, gain float64) {
	na, nb := len(s.Cuts[one])+1, len(s.Cuts[other])+1
	total := Sum{}
	for i := range na {
		for j := range nb {
			total = total.plus(cells[i*MostBins+j])
		}
	}
	for cut := range na - 1 {
		var halves [2][MostBins]Sum
		var sizes [2][MostBins]int
		for i := range na {
			side := 0
			if i > cut {
				side = 1
			}
			for j := range nb {
				halves[side][j] = halves[side][j].plus(cells[i*MostBins+j])
				sizes[side][j] += counts[i*MostBins+j]
			}
		}
		for _, direction := range [2]float64{1, -1} {
			root := &Node{Column: one, Cut: cut}
			worth, ok := -s.gain(total), true
			for side, child := range [2]**Node{&root.Low, &root.High} {
				cutOf, more := s.bestCut(halves[side][:nb], sizes[side][:nb], direction, least)
				if cutOf < 0 {
					ok = false
					break
				}
				*child = &Node{Column: other, Cut: cutOf, Low: &Node{}, High: &Node{}}
				worth += more
			}
			if ok && worth > gain {
				best, gain = root, worth
			}
		}
	}
	return best, gain
}

// bestCut cuts cells in two where the gain is largest and the upper side is higher, or with
// direction -1 lower.
func (s *Sample) bestCut(cells []Sum, sizes []int, direction float64, least int) (at int, gain float64) {
	at = -1
	total, all := Sum{}, 0
	for j, c := range cells {
		total, all = total.plus(c), all+sizes[j]
	}
	low, below := Sum{}, 0
	for j, c := range cells[:len(cells)-1] {
		low, below = low.plus(c), below+sizes[j]
		high := total.minus(low)
		if below < least || all-below < least || direction*(high.G/(high.H+s.Ridge)-low.G/(low.H+s.Ridge)) <= 0 {
			continue
		}
		if worth := s.gain(low) + s.gain(high); worth > gain {
			at, gain = j, worth
		}
	}
	return at, gain
}
