package match

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"kifu/eval"
	"kifu/games"
	"kifu/internal/progress"
	"kifu/players/play"
)

// Learner models a player from games. It returns nil when they are not informative yet.
type Learner[P any] func(ctx context.Context, l Lesson[P]) (*play.Model, error)

// Lesson holds the games that a player may learn from, and its own settings.
type Lesson[P any] struct {
	Games  []Taught[P] // in the order in which they were played
	Player string      // the opponent's name
	// SkipPlies is the number of first plies of the games that belong to openings.
	SkipPlies int
	Depth     int         // greatest depth of the model
	Eval      *eval.Model // the learner's own; nil: the one that the game is played by
}

// Taught is one game of a lesson.
type Taught[P any] struct {
	Number    int        // among all games of the match
	Opponent  games.Side // the side of the player who is modelled
	Positions []P        // before each of the moves
	Moves     []games.Move
}

// relearns reports whether a player learns during the match.
func (p *Params) relearns() bool { return slices.ContainsFunc(p.Players, play.Player.Relearns) }

// learn prepares the players for the games from a number on, and returns the number before
// which none of them learns again. A meeting begins with the models given in the words.
func (r *run[P]) learn(ctx context.Context, p *part[P], from, to int) (until int, err error) {
	g := r.at(from)
	until = min(to, from-g.index+r.schedule.games)
	if g.index == 0 {
		p.taught = nil
	}
	for k, i := range g.players {
		player := r.Players[i]
		if !player.Relearns() {
			continue
		}
		every := player.MStar.Every
		until = min(until, from-g.index+(g.index/every+1)*every)
		model := player.MStar.Model
		switch {
		case g.index > 0 && g.index%every != 0:
			continue
		case g.index > 0:
			if model, err = r.lesson(ctx, p.taught, player, g.players[1-k]); err != nil {
				return until, fmt.Errorf("player %q: after game %d: %w", player.Text, from-1, err)
			}
			model = cmp.Or(model, player.MStar.Model)
		}
		for _, t := range r.tables {
			if err := t.players[i].(play.Adopter).Adopt(model); err != nil {
				return until, err
			}
		}
	}
	return until, nil
}

// lesson has the player learn a model of its opponent from the games.
func (r *run[P]) lesson(ctx context.Context, played []*record, player play.Player, opponent int) (*play.Model, error) {
	ctx = progress.With(ctx, progress.None, io.Discard) // show the progress of the match alone
	l := Lesson[P]{Player: r.Players[opponent].Text, Depth: player.Depth - 1, Eval: player.Eval}
	unroller := games.NewUnroller(r.g.Rules)
	for _, g := range played {
		l.SkipPlies = max(l.SkipPlies, g.Booked)
		t := Taught[P]{Number: g.Number, Opponent: games.First}
		if g.player(games.Second) == opponent {
			t.Opponent = games.Second
		}
		start, err := unroller.Start([]byte(g.Variant), g.Start)
		if err != nil {
			return nil, err
		}
		if _, err = unroller.Play(start, g.Moves, func(p P, m games.Move) {
			t.Positions, t.Moves = append(t.Positions, p), append(t.Moves, m)
		}); err != nil {
			return nil, err
		}
		l.Games = append(l.Games, t)
	}
	model, err := r.learner(ctx, l)
	if err == nil && model != nil && model.Depth > player.Depth-1 {
		err = fmt.Errorf("it learned a depth of %d, but can use at most %d", model.Depth, player.Depth-1)
	}
	return model, err
}
