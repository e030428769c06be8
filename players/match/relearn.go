package match

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"kifu/datasets"
	"kifu/eval"
	"kifu/internal/progress"
	"kifu/schemas"
)

// Learner models a player by games. A nil model says that they do not tell anything yet.
type Learner func(ctx context.Context, l Lesson) (*Model, error)

// Lesson is what a player may learn from, and what it knows of itself.
type Lesson struct {
	Games  *datasets.Dir // a dataset of games in which Player, the opponent, played
	Player string
	// SkipPlies are the first plies of the games, which belong to openings.
	SkipPlies int
	Depth     int         // the greatest that the model may have
	Eval      *eval.Model // the learner's own; nil: the game's default
}

// relearns reports whether a player learns during the match.
func (p *Params) relearns() bool {
	for _, player := range p.Players {
		if player.relearns() {
			return true
		}
	}
	return false
}

func (p Player) relearns() bool { return p.MStar != nil && p.MStar.Every > 0 }

// learn prepares the players for the games from a number on, and returns the number before
// which none of them learns again. A meeting begins with the models that the words give.
func (r *run[P]) learn(ctx context.Context, p *part[P], from, to int) (until int, err error) {
	g := r.at(from)
	until = min(to, from-g.index+r.schedule.games)
	if g.index == 0 {
		p.taught = nil
	}
	for k, i := range g.players {
		player := r.Players[i]
		if !player.relearns() {
			continue
		}
		every := player.MStar.Every
		until = min(until, from-g.index+(g.index/every+1)*every)
		model := player.MStar.Model
		switch {
		case g.index > 0 && g.index%every != 0:
			continue
		case g.index > 0:
			if model, err = r.lesson(ctx, p.taught, player, r.Players[g.players[1-k]].Text); err != nil {
				return until, fmt.Errorf("player %q: behind game %d: %w", player.Text, from-1, err)
			}
			model = cmp.Or(model, player.MStar.Model)
		}
		for _, t := range r.tables {
			if err := t.players[i].(*modelling[P]).adopt(model); err != nil {
				return until, err
			}
		}
	}
	return until, nil
}

// lesson has the player learn a model of its opponent from the games.
func (r *run[P]) lesson(ctx context.Context, games []*record, player Player, opponent string) (*Model, error) {
	ctx = progress.With(ctx, progress.None, io.Discard) // of the match alone
	scratch, err := r.out.Spill("lesson")
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(scratch, "games")
	_, _, err = datasets.Build(ctx, dir, datasets.Step{Stage: "match", Output: schemas.Games.ID(),
		Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			out.SetTable(schemas.Games)
			out.SetMeta("game", r.g.Rules.Name())
			return r.writeLesson(games, out)
		}}, datasets.Options{})
	if err != nil {
		return nil, err
	}
	in, err := datasets.Open(dir)
	if err != nil {
		return nil, err
	}
	l := Lesson{Games: in, Player: opponent, Depth: player.Depth - 1, Eval: player.Eval}
	for _, g := range games {
		l.SkipPlies = max(l.SkipPlies, g.booked)
	}
	model, err := r.g.Learn(ctx, l)
	if err == nil && model != nil && model.Depth > player.Depth-1 {
		err = fmt.Errorf("it learned a depth of %d, and can use %d", model.Depth, player.Depth-1)
	}
	return model, err
}

func (r *run[P]) writeLesson(games []*record, out *datasets.Builder) error {
	w, err := out.Part(0)
	if err != nil {
		return err
	}
	rows := newRows(r.g.Rules.Name())
	for _, g := range games {
		rows.append(&r.Params, g)
	}
	if err := rows.write(w); err != nil {
		w.Abort()
		return err
	}
	return w.Close(datasets.Counts{Written: int64(len(games))}, nil)
}
