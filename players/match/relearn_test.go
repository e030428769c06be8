package match

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets/columns"
	"kifu/games/draughts"
	"kifu/kit/evaltest"
	"kifu/players/play"
)

// TestRelearn: the learner gets the games of the meeting so far, after every so many of
// them, and what it finds is played with; all of that whatever the workers.
func TestRelearn(t *testing.T) {
	type lesson struct {
		games, skip, depth int
		player             string
	}
	var lessons []lesson
	learner := func(_ context.Context, l Lesson[draughts.Position]) (*play.Model, error) {
		lessons = append(lessons, lesson{len(l.Games), l.SkipPlies, l.Depth, l.Player})
		return &play.Model{Depth: 1, Weights: play.Weights{Weaken: 10}}, nil
	}
	p := params(t, 10, "mstar depth=2 relearn=4 name=learner", "depth=1 plain name=op")
	p.Players = append(p.Players, player(t, "random name=fool"))
	p.Openings.RandomPlies, p.Ends.MaxPlies = 3, 30
	one, three := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "three")
	if _, err := playOut(t, checkersGame, learner, p, 1, one); err != nil {
		t.Fatal(err)
	}
	want := []lesson{{4, 3, 1, "op"}, {8, 3, 1, "op"}, {4, 3, 1, "fool"}, {8, 3, 1, "fool"}}
	if !slices.Equal(lessons, want) {
		t.Errorf("%v, want %v", lessons, want)
	}
	if _, err := playOut(t, checkersGame, learner, p, 3, three); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"part-00000.parquet", "part-00002.parquet", "result.json"} {
		a, _ := os.ReadFile(filepath.Join(one, name))
		if b, err := os.ReadFile(filepath.Join(three, name)); err != nil || string(a) != string(b) {
			t.Errorf("%s depends on the number of workers: %v", name, err)
		}
	}

	// The first games are those of a player without a model, the others of one that has it.
	plain := filepath.Join(t.TempDir(), "plain")
	p.Players[0] = player(t, "depth=2 plain name=learner")
	if _, err := playOut(t, checkersGame, learner, p, 2, plain); err != nil {
		t.Fatal(err)
	}
	with, without := moves(t, one), moves(t, plain)
	if !slices.Equal(with[:4], without[:4]) || slices.Equal(with[4:10], without[4:10]) {
		t.Error("the games before the first lesson are to be equal, and those after it not all")
	}

	learner = func(context.Context, Lesson[draughts.Position]) (*play.Model, error) {
		return &play.Model{Depth: 2}, nil
	}
	p.Players[0] = player(t, "mstar depth=2 relearn=4 name=learner")
	if _, err := playOut(t, checkersGame, learner, p, 1, t.TempDir()); err == nil || !strings.Contains(err.Error(), "after game 3") {
		t.Errorf("a model that looks too far: %v", err)
	}
}

// moves returns those of the games of a match, as they are stored.
func moves(t *testing.T, dir string) (list []string) {
	t.Helper()
	read(t, dir, func(b *columns.Batch, i int) { list = append(list, string(b.Col("moves").Value(i))) })
	return list
}

// The weights of a lesson are played with, as if they had been given: the games after it
// are those of a player who had that model all along, and not those of one whose model has
// the same depth and other weights. A lesson without a model changes nothing.
func TestRelearnedWeights(t *testing.T) {
	learned := &play.Model{Depth: 2, Weights: play.Weights{Eval: evaltest.Randomized(checkersGame.Default(), 90, 3)}}
	p := params(t, 8, "mstar depth=3 relearn=4 name=learner", "depth=2 plain name=op")
	p.Openings.RandomPlies, p.Ends.MaxPlies = 4, 40
	games := func(given, lesson *play.Model) []string {
		dir := filepath.Join(t.TempDir(), "games")
		learner := func(context.Context, Lesson[draughts.Position]) (*play.Model, error) { return lesson, nil }
		p.Players[0].MStar.Model = given
		if _, err := playOut(t, checkersGame, learner, p, 2, dir); err != nil {
			t.Fatal(err)
		}
		return moves(t, dir)
	}
	none, taught, had := games(nil, nil), games(nil, learned), games(learned, nil)
	depthOnly := games(nil, &play.Model{Depth: 2})
	if !slices.Equal(taught[:4], none[:4]) || !slices.Equal(taught[4:], had[4:]) {
		t.Error("the first games are to be those of no model, the others those of the model learned")
	}
	if slices.Equal(had[:4], none[:4]) || slices.Equal(taught[4:], depthOnly[4:]) || slices.Equal(taught[4:], none[4:]) {
		t.Error("these games do not tell models apart")
	}
}

// TestUnplayable: what a match refuses of players that model.
func TestUnplayable(t *testing.T) {
	deep := params(t, 2, "mstar depth=4 model-depth=4", "random")
	if _, err := playOut(t, checkersGame, nil, deep, 1, t.TempDir()); err == nil || !strings.Contains(err.Error(), "at most 3") {
		t.Errorf("a model that looks too far: %v", err)
	}
	odd := player(t, "mstar depth=4 relearn=3")
	if err := (Params{Players: []play.Player{odd, odd}, Games: 2, Ends: Ends{MaxPlies: 1}}).Validate(); err == nil || !strings.Contains(err.Error(), "whole pairs") {
		t.Errorf("relearns within a pair: %v", err)
	}
}
