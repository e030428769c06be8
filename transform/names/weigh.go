package names

import "math"

const (
	farYears  = 10  // between two careers: no longer evidence for a link
	longLife  = 70  // of one person's games
	closeElo  = 150 // between the nearest ratings of both: evidence for a link
	farElo    = 500 // between them: two players
	support   = 0.08
	weakness  = 0.15
	threshold = 0.6 // least confidence of a link that is reported
)

// Doubtful is the confidence below which a match is marked as doubtful: some of these are two
// persons.
const Doubtful = 0.8

// link adds a link of i to j, weighted by years and ratings, unless they contradict it.
func (m *matcher) link(i, j int32, reason string) {
	a, b := m.players.at(i), m.players.at(j)
	sure := prior[reason] > 0.9
	confidence := prior[reason]
	supported, unknown := false, true
	if gap, span, known := years(&a, &b); known {
		unknown = false
		switch {
		case span > longLife && !sure:
			return
		case gap <= farYears && reason == romanisedInitials:
			supported = true // contemporaries of one initial are many
		case gap <= farYears:
			confidence, supported = confidence+support, true
		case !sure:
			confidence -= weakness
		}
	}
	if gap, known := ratings(&a, &b); known {
		unknown = false
		switch {
		case gap > farElo && !sure:
			return
		case gap <= closeElo:
			confidence, supported = confidence+support, true
		case !sure:
			confidence -= weakness
		}
	}
	if x, y := m.form(i).Nation, m.form(j).Nation; !sure && x != "" && y != "" && x != y {
		confidence -= weakness
	}
	unknown = unknown && !sure && (reason == abbreviated || reason == middleName)
	if !sure && !supported && !unknown {
		return
	}
	confidence = math.Round(100*min(confidence, 0.99)) / 100
	if confidence >= threshold {
		m.links = append(m.links, link{i, j, reason, confidence, unknown})
	}
}

// years returns the years between two careers, 0 when they overlap, and from the first
// game of either to the last. A name that by itself has more than a life is of several players or
// has wrong dates: its years mean nothing.
func years(a, b *Player) (gap, span int, known bool) {
	if a.First == "" || b.First == "" || a.lives() || b.lives() {
		return 0, 0, false
	}
	from, to := max(a.First, b.First), min(a.Last, b.Last)
	gap = max(0, year(from)-year(to))
	return gap, year(max(a.Last, b.Last)) - year(min(a.First, b.First)), true
}

// lives reports whether the games of a name span more than one life.
func (p *Player) lives() bool { return year(p.Last)-year(p.First) > longLife }

func year(date string) int {
	n := 0
	for i := 0; i < 4 && i < len(date); i++ {
		n = 10*n + int(date[i]-'0')
	}
	return n
}

// ratings returns the distance between the rating ranges.
func ratings(a, b *Player) (gap int32, known bool) {
	if a.EloLow == 0 || b.EloLow == 0 {
		return 0, false
	}
	return max(0, max(a.EloLow, b.EloLow)-min(a.EloHigh, b.EloHigh)), true
}
