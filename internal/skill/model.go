package skill

import (
	"math"
	"slices"

	"kifu/internal/lists"
)

// Model is a curve of ratings with the spread of scores about it.
type Model struct {
	Curve
	All bool `json:"all"` // of losses of all legal moves
	// Move, Game and Player are the parts of the variance of a score: times the information of the moves, the squares of the
	// games' information, and the squares of the players'. The root of Player is the standard deviation, in hundreds, of what
	// players of one rating differ by.
	Move   float64 `json:"by_move"`
	Game   float64 `json:"by_game"`
	Player float64 `json:"by_player"`
	// PlayerVariance is the variance of the estimate of Player, which few players make uncertain.
	PlayerVariance float64 `json:"by_player_variance"`

	Moves   int `json:"moves"`
	Games   int `json:"turns"` // games, counted once for each side
	Players int `json:"players"`
	// Typical is the mean score of a turn at the centre of the ratings, for the power.
	Typical Typical `json:"typical"`
}

// Fits reports whether the model has the weights that the law of the moves, of which there are some, takes.
func (m *Model) Fits(moves *Moves) bool {
	law := moves.law()
	width := len(law.features(m.rated(nil, m.Centre), 0))
	n := law.quantities() * width
	return m.All == moves.all && len(m.Weights) == law.quantities() && len(m.Covariance) == n*n &&
		!slices.ContainsFunc(m.Weights, func(w []float64) bool { return len(w) != width })
}

// Typical holds the means of a turn.
type Typical struct {
	Moves       float64 `json:"moves"`
	Information float64 `json:"information"`
	Best        float64 `json:"best"`
}

// Calibrate fits a model to the turns of players with ratings, of those for whom with reports true.
func Calibrate(m *Moves, with func(player int) bool, workers int) (*Model, error) {
	var turns []int
	for i, t := range m.Turns {
		if !math.IsNaN(t.Rating) && t.Len() > 0 && with(t.Player) {
			turns = append(turns, i)
		}
	}
	curve, err := fit(m, turns, workers)
	if err != nil {
		return nil, err
	}
	model := &Model{Curve: *curve, All: m.all, Move: 1, Games: len(turns)}
	byPlayer := map[int][]Score{}
	var order []int
	for _, i := range turns {
		t := m.Turns[i]
		if byPlayer[t.Player] == nil {
			order = append(order, t.Player)
		}
		byPlayer[t.Player] = append(byPlayer[t.Player], curve.score(m, t, t.Rating))
		model.Moves += t.Len()
		typical := curve.score(m, t, curve.Centre)
		model.Typical.Information += typical.Information / float64(len(turns))
		model.Typical.Best += typical.Best / float64(len(turns))
	}
	model.Typical.Moves = float64(model.Moves) / float64(len(turns))
	model.Players = len(order)
	players := lists.Of(order, func(p int) []Score { return byPlayer[p] })
	model.spread(players)
	return model, nil
}

// bound is how many sums of the players' scores the curve makes 0: of the scores themselves and times the rating.
const bound = 2

// rounds are how often the spread is estimated, each time with weights by the last one.
const rounds = 8

// spread estimates the parts of the variance by moments, weighted by the inverse variances that normal scores would have: the
// squares of the scores of turns have the mean Move·I + (Game+Player)·I², products of two turns of a player Player·I·J.
func (m *Model) spread(players [][]Score) {
	within := 0.0 // Game + Player
	smaller := 1 - bound/float64(len(players))
	for range rounds {
		var ii, ij, jj, iu, ju, pairs, weights float64
		for _, turns := range players {
			all, sum := 0.0, Score{}
			var squares, informations float64
			for _, s := range turns {
				v := m.Move*s.Information + within*s.Information*s.Information
				if v <= 0 {
					continue
				}
				x, y, w, u := s.Information, s.Information*s.Information, 1/(v*v), s.U*s.U
				ii, ij, jj, iu, ju = ii+w*x*x, ij+w*x*y, jj+w*y*y, iu+w*x*u, ju+w*y*u
				all += v
				sum.U, sum.Information = sum.U+s.U, sum.Information+s.Information
				squares, informations = squares+u, informations+y
			}
			if len(turns) > 1 && all > 0 {
				between := sum.Information*sum.Information - informations
				all += m.Player * between
				w := between / (all * all)
				pairs, weights = pairs+w*(sum.U*sum.U/smaller-squares), weights+w*between
			}
		}
		move, both := ju, iu
		if d := ii*jj - ij*ij; d > 0 {
			move, both = (iu*jj-ju*ij)/d, (ju*ii-iu*ij)/d
		}
		if both < 0 { // no part grows with the information of a game
			move, both = iu/ii, 0
		}
		m.Move, within = max(move, 0), both
		if weights > 0 {
			// The square of a normal score has twice the square of its mean for variance.
			m.Player, m.PlayerVariance = max(0, pairs/weights), 2/(smaller*weights)
		}
		within = max(within, m.Player)
	}
	m.Game = within - m.Player
}

// Performance is some turns, of one player or of many.
type Performance struct{ Turns []int }

// Sum is a performance's score at ratings, with the variance of U.
type Sum struct {
	Score
	Variance float64 // of U by moves, games and the curve, and of many players by player
	Between  float64 // what players of one rating differ by adds to it, for one player
	Degrees  float64 // of freedom of Variance + Between
}

// sum sums up a performance at a rating; at each turn's own if it is NaN. Degrees of freedom are after Satterthwaite (1946), as if
// turns had told the parts by move and game.
func (m *Model) sum(moves *Moves, p Performance, rating float64) (s Sum) {
	var games, current, players float64
	of := slices.Clone(p.Turns)
	slices.SortStableFunc(of, func(a, b int) int { return moves.Turns[a].Player - moves.Turns[b].Player })
	many := 0
	for i, t := range of {
		turn := moves.Turns[t]
		at := rating
		if math.IsNaN(at) {
			at = turn.Rating
		}
		if i > 0 && moves.Turns[of[i-1]].Player != turn.Player {
			players, current = players+current*current, 0
			many++
		}
		score := m.score(moves, turn, at)
		s.plus(score)
		games += score.Information * score.Information
		current += score.Information
	}
	players += current * current
	s.Variance = m.Move*s.Information + m.Game*games + m.curveVariance(s.Score)
	all, turns := s.Variance+m.Player*players, max(1, float64(m.Games-bound))
	s.Degrees = all * all / (s.Variance*s.Variance/turns + players*players*m.PlayerVariance/2)
	if s.Between = m.Player * players; many > 0 {
		s.Variance, s.Between = s.Variance+s.Between, 0
	}
	return s
}
