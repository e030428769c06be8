// Package match plays games between players: two or more players go in, a dataset of games
// and tables of results come out.
//
// Pairs of players meet one after the other, for a fixed number of games: a round robin, or the first
// player against all others. Games come in pairs: both games of a pair begin with the same opening,
// and the players change sides. Every meeting has the same openings. The games are rows of
// schemas.Games, so everything that works on recorded games works on them; evals are the players' own
// values. Next to the parts, result.json has the counts and the statistics, result.txt the same as
// readable text, league.* the tables of several players.
//
// All random numbers of a game derive from the seed and the game's number. So the games are equal
// for any number of workers, and an interrupted match resumes after the last complete part. A
// player that relearns its opponent also depends on earlier games, which are then played in blocks.
// An outside program is the exception: it is as deterministic as its limits allow.
//
// The package depends on no game, and has no learner of its own: the caller passes one.
package match

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"kifu/datasets"
	"kifu/datasets/journal"
	"kifu/datasets/manifest"
	"kifu/eval"
	"kifu/games"
	"kifu/internal/hands"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/players/match/pentanomial"
	"kifu/players/play"
)

// Params are the parameters that determine the games. Their JSON is hashed into the dataset's key.
type Params struct {
	Players  []play.Player     `json:"players"`
	Gauntlet bool              `json:"gauntlet,omitempty"` // the first player meets all others; else everyone meets everyone
	Games    int               `json:"games"`              // number of games of each meeting
	Seed     uint64            `json:"seed"`
	Variant  string            `json:"variant,omitempty"` // variant of the start, by the game's own name; empty for the usual one
	Openings Openings          `json:"openings"`
	Ends     Ends              `json:"ends"`
	Names    Names             `json:"names,omitzero"`
	SPRT     *pentanomial.Test `json:"sprt,omitempty"` // test that ends a match of two players; nil: none
	Tables   Tables            `json:"-"`              // of endings; Ends.Tables names them
	// Orders is the number of random orders in which the games are rated; 0: no ratings.
	Orders int `json:"orders,omitempty"`
}

// Tables know how positions of few men end. They are for any number of goroutines.
type Tables interface {
	// Outcome returns the result of a packed board with best play; false if it is not known.
	Outcome(board []byte) (games.Outcome, bool)
}

// Names holds the tags that name the games; empty for none.
type Names struct {
	Event string `json:"event,omitempty"`
	Site  string `json:"site,omitempty"`
	Date  string `json:"date,omitempty"` // as the column date has it
}

// Validate returns the first error in p.
func (p Params) Validate() error {
	switch {
	case p.Games < 1:
		return fmt.Errorf("%d games: want at least one", p.Games)
	case p.Openings.Plies < 0 || p.Openings.RandomPlies < 0:
		return errors.New("the plies of an opening must not be negative")
	case p.Orders < 0:
		return errors.New("the number of orders in which games are rated must not be negative")
	}
	if err := p.Ends.validate(); err != nil {
		return err
	}
	if p.SPRT != nil {
		if err := p.SPRT.Validate(); err != nil {
			return err
		}
	}
	return p.validatePlayers()
}

const (
	// A part has leastGames games or, in a long match, a share of them: the most that is
	// lost when the match is killed.
	leastGames = 256
	mostParts  = 64
	// taskPairs is the number of pairs that a worker plays as one task. A test is evaluated
	// after each task.
	taskPairs = pentanomial.LookPairs
)

// Run plays the match with a number of workers (0: one per processor) and writes it to out.
// Players relearn by learner; nil: none of them can.
func Run[P games.Position[P]](ctx context.Context, g eval.Game[P], learner Learner[P], p Params, workers int, out *datasets.Builder) error {
	if err := p.Validate(); err != nil {
		return err
	}
	openings, err := newOpener(g.Rules, p)
	if err != nil {
		return err
	}
	workers = ordered.Workers(workers)
	r := &run[P]{Params: p, g: g, learner: learner, out: out, schedule: p.schedule()}
	r.tallies = make([]Tally, len(r.meetings))
	for range r.meetings {
		r.repeats = append(r.repeats, newRepeats())
	}
	r.part = max(leastGames, (r.total()+mostParts-1)/mostParts+1) &^ 1
	desk := hands.DeskOf(ctx)
	if desk == nil && out.Shard().Count > 0 && (p.relearns() || p.SPRT != nil) {
		return errors.New("a match with --sprt or with players that relearn cannot be played in shards: its games depend on earlier games")
	}
	if p.relearns() {
		r.part = p.Games
		if learner == nil {
			return fmt.Errorf("no player can learn from games of %s", g.Rules.Name())
		}
	}
	for range workers {
		t, err := newTable(g, p, openings)
		if err != nil {
			return err
		}
		defer t.close()
		r.tables = append(r.tables, t)
	}
	if desk != nil {
		return r.serve(ctx, desk)
	}
	out.SetTable(p.table())
	out.SetMeta("game", g.Rules.Name())
	return r.run(ctx)
}

// run is one running match.
type run[P games.Position[P]] struct {
	Params
	schedule
	g       eval.Game[P]
	learner Learner[P]
	out     *datasets.Builder
	part    int         // games of a part: an even number, or all of a meeting
	tables  []*table[P] // one a worker
	tallies []Tally     // one a meeting
	repeats []*repeats  // one a meeting
	last    sighting    // of the game before
	over    bool        // the test is decided, or nothing new is played
	bar     *progress.Bar
}

func (r *run[P]) run(ctx context.Context) error {
	r.bar = progress.Start(ctx, "match", int64(r.total()), "games")
	defer r.bar.Done()
	for i := 0; i*r.part < r.total() && !r.over; i++ {
		if info, done := r.out.Done(i); done {
			if info.Name == "" {
				continue
			}
			if err := r.resume(i, info.State); err != nil {
				return fmt.Errorf("the tally of part %d: %w (play again with --force)", i, err)
			}
			r.bar.Skip(info.Rows)
			continue
		}
		if err := r.play(ctx, i); err != nil {
			return err
		}
	}
	return newLeague(r.Params, r.tallies).write(r.out)
}

// resume adds the counts that part i has stored.
func (r *run[P]) resume(i int, text []byte) error {
	var played state
	if err := json.Unmarshal(text, &played); err != nil {
		return err
	}
	for m, t := range played.Tallies {
		if m < 0 || m >= len(r.tallies) {
			return fmt.Errorf("no meeting %d", m)
		}
		r.tallies[m].add(*t)
	}
	if err := r.recall(i, played.Games); err != nil {
		return err
	}
	r.over = r.decided()
	return nil
}

// decided reports whether the test has ended, or will not, as the games only repeat.
func (r *run[P]) decided() bool {
	if r.SPRT == nil {
		return false
	}
	s := &r.tallies[0].Seen
	return s.exhausted() || r.SPRT.SPRT(s.tested()).Accepted != ""
}

// play plays the games of part i and writes them.
func (r *run[P]) play(ctx context.Context, i int) (err error) {
	w, err := r.out.Part(i)
	if err != nil {
		return err
	}
	kept, err := journal.Of[int, record](r.out.Journal(fmt.Sprintf("games-%d", i)))
	if err != nil {
		w.Abort()
		return err
	}
	p := &part[P]{run: r, kept: kept, rows: newRows(r.g.Rules.Name(), &r.Params), state: state{Tallies: map[int]*Tally{}}}
	to := min((i+1)*r.part, r.total())
	for from := i * r.part; from < to && err == nil && !r.over; {
		block := to
		if r.relearns() {
			block, err = r.learn(ctx, p, from, to)
		}
		if err == nil {
			err = p.play(ctx, from, block)
		}
		from = block
	}
	if err == nil {
		err = p.rows.write(w)
	}
	if err != nil {
		w.Abort()
		return kept.End(err)
	}
	return kept.End(w.Close(manifest.Counts{Written: int64(p.played)}, p.state))
}

// part is a part being played.
type part[P games.Position[P]] struct {
	*run[P]
	kept   *journal.Values[int, record]
	rows   *rows
	state  state
	played int
	taught []*record // the games from which a player of this meeting may learn
}

// errDecided ends the play when the test is decided.
var errDecided = errors.New("the test is decided")

// play plays the games from one number to another.
func (p *part[P]) play(ctx context.Context, from, to int) error {
	const games = 2 * taskPairs
	if h := hands.Of(ctx); h != nil && p.Asks() {
		return undecided(p.ask(ctx, h, from, to))
	}
	return undecided(ordered.Run(ctx, (to-from+games-1)/games, len(p.tables), func(worker, task int, emit func([]*record) error) error {
		begin := from + task*games
		var played []*record
		for number := begin; number < min(begin+games, to); number++ {
			g, err := p.game(ctx, worker, number)
			if err != nil {
				return fmt.Errorf("game %d: %w", number, err)
			}
			played = append(played, g)
		}
		return emit(played)
	}, p.record))
}

// game returns the game of a number: the one that an interrupted run has played, or a new one.
func (p *part[P]) game(ctx context.Context, worker, number int) (*record, error) {
	if g, played := p.kept.Kept(number); played {
		p.bar.Skip(1)
		return p.returned(g), nil
	}
	g := p.at(number)
	if err := p.tables[worker].play(ctx, &g); err != nil {
		return nil, err
	}
	p.bar.Add(1)
	return &g, p.kept.Keep(number, g)
}

// undecided drops the error that ends the play of a test.
func undecided(err error) error {
	if errors.Is(err, errDecided) {
		return nil
	}
	return err
}

// record records the games of a task.
func (p *part[P]) record(played []*record) error {
	for k, g := range played {
		p.rows.append(&p.Params, g)
		s := g.sighting()
		p.state.Games = s.appendTo(p.state.Games)
		p.see(g, s)
		for _, t := range []*Tally{&p.run.tallies[g.meeting], p.tally(g.meeting)} {
			t.count(g)
			if g.index%2 == 1 {
				t.pair(played[k-1], g)
			}
		}
	}
	p.played += len(played)
	if len(p.run.tallies) == 1 {
		p.bar.Note(p.run.tallies[0].running(p.SPRT))
	}
	if p.relearns() {
		p.taught = append(p.taught, played...)
	}
	if p.over = p.decided(); p.over {
		return errDecided
	}
	return nil
}

// tally returns the tally of a meeting in this part.
func (p *part[P]) tally(meeting int) *Tally {
	if p.state.Tallies[meeting] == nil {
		p.state.Tallies[meeting] = &Tally{}
	}
	return p.state.Tallies[meeting]
}
