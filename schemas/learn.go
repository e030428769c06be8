package schemas

import "fmt"

// Learn mirrors learn.json of an opponent model: what kifu learn did and found. Missing
// numbers are null.
type Learn struct {
	Game      string   `json:"game"`
	Player    []string `json:"player"`
	Aliases   []string `json:"aliases,omitempty"`
	Evaluator string   `json:"evaluator"`
	Unit      string   `json:"unit"`
	Games     int      `json:"games"`     // selected games of the player
	Moves     int      `json:"moves"`     // of the player in them
	Choices   int      `json:"choices"`   // moves neither forced nor left out
	Decisions int      `json:"decisions"` // sampled from the choices
	// Excluded are the moves that are not decisions, by reason.
	Excluded map[string]int64 `json:"excluded"`
	Holdout  float64          `json:"holdout"`
	TestPart float64          `json:"test_share"`
	Seed     uint64           `json:"seed"`
	LearnResults
}

// LearnResults holds what was found.
type LearnResults struct {
	// Of the depths without quiescence, ByCounter are those with the greatest counter: the true one is among them when the weights
	// are the player's. ByPosterior and ByHeldOut are the likeliest depth and the one with the best
	// accuracy on held-out games (0 without); the least of equal ones.
	ByCounter   []int `json:"by_counter"`
	ByPosterior int   `json:"by_posterior"`
	ByHeldOut   int   `json:"by_held_out,omitempty"`

	Train  LearnSample  `json:"train"`
	Held   *LearnSample `json:"held_out"`
	Test   *LearnSample `json:"test"`
	Depths []LearnDepth `json:"depths"`
	// Quiescent are the candidates with quiescence; the posterior is over them and Depths.
	Quiescent []LearnDepth `json:"quiescent,omitempty"`
	// Likeliest is the candidate of the greatest posterior; null without decisions.
	Likeliest *LearnLikeliest `json:"likeliest"`

	Strategies []*LearnStrategy `json:"strategies,omitempty"` // by depth, then solver
	Model      *LearnModel      `json:"model"`
	Compared   []LearnCompared  `json:"compared,omitempty"`
}

// LearnSample is a set of decisions, with the quality of predictions that ignore the player.
type LearnSample struct {
	Decisions int     `json:"decisions"`
	Games     int     `json:"games"`
	Chance    float64 `json:"chance"`   // mean of 1/(legal moves): accuracy of a random move
	LogLoss   float64 `json:"log_loss"` // mean of ln(legal moves)
}

// String describes the sample.
func (s *LearnSample) String() string {
	return fmt.Sprintf("%d decisions of %d games; a random move is right in %.1f %%, log-loss %.3f", s.Decisions, s.Games, 100*s.Chance, s.LogLoss)
}

// LearnScore measures how well a model predicts decisions.
type LearnScore struct {
	// Accuracy is the mean probability that a random choice among the best moves at the
	// depth gives the move played; SE is its standard error, clustered by game.
	Accuracy float64  `json:"accuracy"`
	SE       *float64 `json:"se"` // null for less than two games
	// End is the other end of the accuracy's 95 % interval where it is 0 or 1 and has no error.
	End *float64 `json:"accuracy_end,omitempty"`
	// InBest is the share of the decisions whose move is among the best.
	InBest float64 `json:"in_best"`
	// LogLoss is the mean of -ln P(move) by the noisy choice, in nats per decision.
	LogLoss float64 `json:"log_loss"`
}

// String returns the accuracy with its standard error, or where that means nothing the end of its interval.
func (s *LearnScore) String() string {
	switch {
	case s.End != nil && s.Accuracy == 0:
		return fmt.Sprintf("0.0 (to %.1f) %%", 100**s.End)
	case s.End != nil:
		return fmt.Sprintf("%.1f (from %.1f) %%", 100*s.Accuracy, 100**s.End)
	case s.SE == nil:
		return fmt.Sprintf("%.1f %%", 100*s.Accuracy)
	}
	return fmt.Sprintf("%.1f ± %.1f %%", 100*s.Accuracy, 100**s.SE)
}

// LearnDepth is the evidence for one depth of look-ahead.
type LearnDepth struct {
	Depth int `json:"depth"` // plies, the player's own move included
	// Counter is the counter of figure 6 of Carmel and Markovitch (1993), over the decisions
	// fitted to: the moves valued no better than the chosen one less those valued better.
	Counter int64 `json:"counter"`
	// Posterior is the probability of the depth by a noisy choice, with equal priors.
	// Temperature, in the evaluator's unit, and Lapse are the most probable ones;
	// LogLikelihood, in nats, belongs to them.
	Posterior     float64     `json:"posterior"`
	Temperature   float64     `json:"temperature"`
	Lapse         float64     `json:"lapse"`
	LogLikelihood float64     `json:"log_likelihood"`
	Train         LearnScore  `json:"train"`
	Held          *LearnScore `json:"held_out"` // null when nothing is held out
	// Against compares it with the model, on the games held out; null without.
	Against *LearnAgainst `json:"against_model,omitempty"`
}

// LearnAgainst is how much worse a strategy predicts than another, on the same decisions: what it
// lacks in accuracy, and its excess of log-loss in nats per decision, with the standard errors of
// these differences by games, null for less than two.
type LearnAgainst struct {
	Behind       float64  `json:"behind"`
	BehindSE     *float64 `json:"behind_se"`
	LossBehind   float64  `json:"log_loss_behind"`
	LossBehindSE *float64 `json:"log_loss_behind_se"`
}

// LearnLikeliest is the candidate of the greatest posterior, and whether it fits.
type LearnLikeliest struct {
	Depth      int  `json:"depth"`
	Quiescence bool `json:"quiescence"`
	// AtLeast is that no candidate looks further ahead: a player who does is taken for this one, so that
	// there is no Posterior.
	AtLeast   bool         `json:"at_least,omitempty"`
	Posterior *float64     `json:"posterior"`
	Misfit    *LearnMisfit `json:"misfit"` // null with too few games
}

// String names the candidate and reports whether it fits.
func (l *LearnLikeliest) String() string {
	text := fmt.Sprintf("likeliest: depth %d", l.Depth)
	if l.Quiescence {
		text += " with quiescence (q)"
	}
	if l.AtLeast {
		text += " or deeper. Deeper players look the same (--max-depth), so there is no posterior"
	}
	m := l.Misfit
	switch {
	case m == nil:
		return text + ". Too few games to test whether it fits"
	case m.Rejected():
		return text + fmt.Sprintf(". It does not fit: moves that other candidates prefer are played more or less often than it predicts (F %.2f of %d and %d degrees, p %.2g, by games). The player is none of the candidates. The posterior is tempered: its logarithms are divided by %.2f",
			m.F, m.Weights, m.Games-m.Weights, m.P, m.Tempered)
	}
	text += fmt.Sprintf(". No misfit found (F %.2f of %d and %d degrees, p %.2g, by games)", m.F, m.Weights, m.Games-m.Weights, m.P)
	if m.Power != nil {
		text += fmt.Sprintf(". A player one ply deeper than all candidates would be detected in about %.0f %% of such samples", 100**m.Power)
	}
	return text
}

// LearnMisfit tests whether a noisy choice by one candidate's values explains the moves. If it
// does, the others' predictions add nothing: ln P(move played) by each of them, and by
// quiescence alone where none has it, has the mean that the candidate expects (Cox 1962). It
// is a score test by games, as the decisions of a game may depend on
// each other, with Hotelling's correction for the number of games.
type LearnMisfit struct {
	F       float64 `json:"f"`
	Weights int     `json:"weights"` // degrees of freedom of the numerator
	Games   int     `json:"games"`
	P       float64 `json:"p"`
	// Tempered is the divisor of the logarithms of the evidence: F, and at least 1,
	// when the fit is rejected; else 1.
	Tempered float64 `json:"tempered"`
	// Power is the chance that a player one ply deeper than all candidates, and as noisy as these moves, is
	// rejected in as many games; null without such values.
	Power *float64 `json:"power,omitempty"`
}

// Rejected reports whether the candidate does not fit, at the level of 5 %.
func (m *LearnMisfit) Rejected() bool { return m.P < 0.05 }

// LearnStrategy is the best strategy found at one depth by one solver, with the choice that
// makes the moves fitted to most probable.
type LearnStrategy struct {
	Depth      int    `json:"depth"`
	Quiescence bool   `json:"quiescence,omitempty"` // searches captures to their end beyond its depth
	Solver     string `json:"solver"`
	// Systems is the number of systems solved at the depth; Solved is the depth of the
	// system that gave the weights, less than Depth when no system of this depth did
	// better, and 0 for given weights.
	Systems int `json:"systems"`
	Solved  int `json:"solved"`
	// Constraints is the number of constraints of the last system and Violated the number
	// that its solution violates or just meets.
	Constraints int `json:"constraints"`
	Violated    int `json:"violated"`

	Temperature float64    `json:"temperature"` // in the evaluator's unit
	Lapse       float64    `json:"lapse"`
	Train       LearnScore `json:"train"`
	Held        LearnScore `json:"held_out"`
	// Behind is the loss of held-out accuracy against the chosen strategy, and BehindSE the
	// standard error of that difference, by games.
	Behind   float64  `json:"behind"`
	BehindSE *float64 `json:"behind_se"`
	// LossBehind is the excess of its log-loss, likewise.
	LossBehind   *float64      `json:"log_loss_behind,omitempty"`
	LossBehindSE *float64      `json:"log_loss_behind_se,omitempty"`
	Weights      []LearnWeight `json:"weights"`
}

// LearnWeight is one weight of a strategy.
type LearnWeight struct {
	Group string  `json:"group"`
	Term  string  `json:"term"`
	Stage string  `json:"stage,omitempty"` // empty: all of them
	Value float64 `json:"weight"`
	// SE is its standard error, by games, with the dominant positions and the length of all
	// weights taken as given; null for the linear programme, which has none.
	SE    *float64 `json:"se"`
	Given float64  `json:"given"` // the weight of --eval, or the default one
}

// LearnModel is the strategy chosen.
type LearnModel struct {
	Depth       int         `json:"depth"`
	Quiescence  bool        `json:"quiescence,omitempty"` // searches captures to their end beyond its depth
	Solver      string      `json:"solver"`
	Temperature float64     `json:"temperature"`
	Lapse       float64     `json:"lapse"`
	Held        *LearnScore `json:"held_out"` // used for the choice, hence slightly too good
	Test        *LearnScore `json:"test"`     // on games with no part in the choice; null without
}

// LearnCompared is the quality of a strategy's predictions on the test games.
type LearnCompared struct {
	Player     string `json:"player"` // name of the modelled player
	Depth      int    `json:"depth"`
	Quiescence bool   `json:"quiescence,omitempty"`
	// LearnScore uses its own temperature and lapse, which are at least the smallest fitted
	// ones: a move that it never plays would have no logarithm.
	LearnScore
	// Behind is the loss of accuracy against the first one compared, LossBehind the
	// increase of log-loss; with standard errors by games, null for less than two.
	Behind       float64  `json:"behind"`
	BehindSE     *float64 `json:"behind_se"`
	LossBehind   float64  `json:"log_loss_behind"`
	LossBehindSE *float64 `json:"log_loss_behind_se"`
}
