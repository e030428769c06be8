// Package match lets players play each other: two players go in, a dataset of games and
// a table of results come out.
//
// Games come in pairs: both of a pair begin with the same opening, and the players
// change sides between them. The games are rows of schemas.Games, as if they had been
// recorded, so that whatever is done with records can be done with them; evals are the
// values of the players themselves. Beside the parts, result.json has the counts and
// the statistics, result.txt the same to be read.
//
// Everything that a game depends on is drawn from the seed and the number of the game:
// the games are equal for any number of workers, and a match that was killed goes on
// behind its last whole part. An outside program is another matter: it is as
// deterministic as its limits allow.
//
// The package knows no game and learns nothing.
package match

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"

	"kifu/datasets"
	"kifu/eval"
	"kifu/games"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/schemas"
)

// Params are all that decides the games.
type Params struct {
	Players  [2]Player
	Games    int
	Seed     uint64
	Variant  string // of the start, by the game's own name; empty for the usual one
	Openings Openings
	Ends     Ends
	// SPRT are the two hypotheses, in normalised Elo, of which the result tells the log
	// likelihood ratio; nil: none.
	SPRT *[2]float64
}

// Ends are the ways in which a game ends beside those of its rules.
type Ends struct {
	// A game is lost for the side that all values of the last ResignPlies plies see
	// behind by ResignValue or more, in the evaluator's unit. A move without a value
	// starts the count anew. No plies: never.
	ResignValue float64 `json:"resign_value,omitempty"`
	ResignPlies int     `json:"resign_plies,omitempty"`
	// MaxPlies ends a game after so many, as a draw or as an unfinished one.
	MaxPlies  int  `json:"max_plies"`
	LimitDraw bool `json:"limit_draw,omitempty"`
}

// Validate reports what is wrong with p.
func (p Params) Validate() error {
	switch e := p.Ends; {
	case p.Games < 1:
		return fmt.Errorf("%d games: at least one", p.Games)
	case e.MaxPlies < 1:
		return fmt.Errorf("a limit of %d plies: at least one", e.MaxPlies)
	case e.ResignPlies < 0 || !(e.ResignValue >= 0):
		return errors.New("to resign takes a value that is not negative, and one ply or more")
	case p.Openings.Plies < 0 || p.Openings.RandomPlies < 0:
		return errors.New("plies of an opening are not negative")
	case p.SPRT != nil && !(p.SPRT[0] < p.SPRT[1]):
		return fmt.Errorf("hypotheses %g and %g: the first is the smaller one", p.SPRT[0], p.SPRT[1])
	}
	return nil
}

// MarshalJSON gives what is hashed into the dataset's key.
func (p Params) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Players  [2]Player   `json:"players"`
		Games    int         `json:"games"`
		Seed     uint64      `json:"seed"`
		Variant  string      `json:"variant,omitempty"`
		Openings Openings    `json:"openings"`
		Ends     Ends        `json:"ends"`
		SPRT     *[2]float64 `json:"sprt,omitempty"`
	}{p.Players, p.Games, p.Seed, p.Variant, p.Openings, p.Ends, p.SPRT})
}

// Game is what a match needs of a game.
type Game[P games.Position[P]] struct {
	Rules        games.Rules[P]
	NewEvaluator func(*eval.Model) (eval.Evaluator[P], error)
	Default      func() *eval.Model
}

const (
	// A part has leastGames games or, of a long match, a share of them: what is lost when
	// the match is killed.
	leastGames = 256
	mostParts  = 64
	// pairsATask are played by one worker before another one's are taken.
	pairsATask = 4
)

// Run plays the match on so many workers (0: one a processor) and writes it to out.
func Run[P games.Position[P]](ctx context.Context, g Game[P], p Params, workers int, out *datasets.Builder) error {
	if err := p.Validate(); err != nil {
		return err
	}
	openings, err := newOpener(g.Rules, p)
	if err != nil {
		return err
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	r := &run[P]{Params: p, game: g.Rules.Name(), out: out, part: max(leastGames, (p.Games+mostParts-1)/mostParts+1) &^ 1}
	for range workers {
		t, err := newTable(g, p, openings)
		if err != nil {
			return err
		}
		defer t.close()
		r.tables = append(r.tables, t)
	}
	out.SetTable(schemas.Games)
	out.SetMeta("game", g.Rules.Name())
	return r.run(ctx)
}

// run is one running match.
type run[P games.Position[P]] struct {
	Params
	game   string
	out    *datasets.Builder
	part   int         // games of a part, an even number
	tables []*table[P] // one a worker
	tally  Tally
	bar    *progress.Bar
}

func (r *run[P]) run(ctx context.Context) error {
	r.bar = progress.Start(ctx, "match", int64(r.Games), "games")
	defer r.bar.Done()
	for i := 0; i*r.part < r.Games; i++ {
		if info, done := r.out.Done(i); done {
			var t Tally
			if err := json.Unmarshal(info.State, &t); err != nil {
				return fmt.Errorf("the tally of part %d: %w (play again with --force)", i, err)
			}
			r.tally.add(t)
			r.bar.Skip(info.Rows)
			continue
		}
		t, err := r.play(ctx, i)
		if err != nil {
			return err
		}
		r.tally.add(t)
	}
	result := newResult(r.Params, r.tally)
	text, err := json.MarshalIndent(result, "", "  ")
	if err != nil {
		return err
	}
	if err := r.out.AddFile("result.json", append(text, '\n')); err != nil {
		return err
	}
	return r.out.AddFile(ResultText, []byte(result.String()))
}

// play plays the games of part i and writes them.
func (r *run[P]) play(ctx context.Context, i int) (t Tally, err error) {
	w, err := r.out.Part(i)
	if err != nil {
		return t, err
	}
	rows := newRows(r.game)
	from, to := i*r.part, min((i+1)*r.part, r.Games)
	tasks := (to - from + 2*pairsATask - 1) / (2 * pairsATask)
	err = ordered.Run(ctx, tasks, len(r.tables), func(worker, task int, emit func([]*record) error) error {
		begin := from + task*2*pairsATask
		var played []*record
		for number := begin; number < min(begin+2*pairsATask, to); number++ {
			g, err := r.tables[worker].play(ctx, number)
			if err != nil {
				return fmt.Errorf("game %d: %w", number, err)
			}
			r.bar.Add(1)
			played = append(played, g)
		}
		return emit(played)
	}, func(played []*record) error {
		for k, g := range played {
			rows.append(&r.Params, g)
			t.count(g)
			if k%2 == 1 {
				t.pair(played[k-1], g)
			}
		}
		return nil
	})
	if err == nil {
		err = rows.write(w)
	}
	if err != nil {
		w.Abort()
		return t, err
	}
	return t, w.Close(datasets.Counts{Written: int64(to - from)}, t)
}
