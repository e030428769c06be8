package performance

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"kifu/internal/lists"
	"kifu/internal/multiple"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/internal/skill"
	"kifu/internal/splitmix"
	"kifu/report/sheet"
)

// performance is a line of the table.
type performance struct {
	Name  string
	Games int
	Moves int
	Mean  float64 // rating, by move, but provisional ones; NaN: not known of all others
	Q     float64 // least false discovery rate at which Z is above what the rating expects
	skill.Rated
	Accuracy, Loss float64 // as lichess has them
	Provisional    int     // games with a provisional rating, which z leaves out
	turns          []int
	player         int // -1: many
}

// folds is into how many parts players are divided, each of which is judged by a calibration on the others.
const folds = 5

func fold(player int) int { return int(splitmix.Hash(1, int64(player)) % folds) }

// rate calibrates, and rates the performances.
func (r *report) rate(ctx context.Context) error {
	all := r.performances()
	models, err := r.calibrate(ctx)
	if err != nil {
		return err
	}
	bar := progress.Start(ctx, "performance: rate", int64(len(all)), "performances")
	defer bar.Done()
	rated := make([]skill.Rated, max(1, r.Params.Workers))
	ordered.Merge(len(rated), len(all), func(w, i int) {
		m := models[folds]
		if p := all[i].player; p >= 0 {
			m = models[fold(p)]
		}
		rated[w] = r.judge(m, all[i].turns)
	}, func(w, i int) {
		all[i].Rated = rated[w]
		bar.Add(1)
	})
	var p []float64
	for i := range all {
		r.describe(&all[i])
		p = append(p, all[i].P)
		if !math.IsNaN(all[i].P) {
			r.Tested++
		}
	}
	for i, q := range multiple.FalseDiscovery(p) {
		all[i].Q = q
	}
	slices.SortStableFunc(all, func(a, b performance) int {
		if math.IsNaN(a.Z) && math.IsNaN(b.Z) {
			return cmp.Compare(b.Low, a.Low)
		}
		return cmp.Compare(b.Z, a.Z) // those without z come last
	})
	r.Shown = all
	return nil
}

// judge rates turns: the intrinsic rating is of all of them, and what is compared with ratings of those whose rating is not
// provisional.
func (r *report) judge(m *skill.Model, turns []int) skill.Rated {
	all := m.Rate(r.moves, skill.Performance{Turns: turns})
	if of := r.established(turns); len(of) > 0 && len(of) < len(turns) {
		some := m.Rate(r.moves, skill.Performance{Turns: of})
		some.Rating, some.Low, some.High = all.Rating, all.Low, all.High
		return some
	}
	return all
}

// established are the turns whose rating is not provisional.
func (r *report) established(turns []int) []int {
	return slices.DeleteFunc(slices.Clone(turns), func(i int) bool { return r.turns[i].provisional })
}

// calibrate returns the models by fold, and the model of all players last.
func (r *report) calibrate(ctx context.Context) (models [folds + 1]*skill.Model, err error) {
	if given := r.Params.Model; given != nil {
		if !given.Fits(r.moves) {
			return models, sheet.Errorf("the calibration has weights for other values: want the %s that kifu performance writes", modelFile)
		}
		for i := range models {
			models[i] = &given.Model
		}
		return models, nil // r.Model is that already
	}
	bar := progress.Start(ctx, "performance: calibrate", int64(len(models)), "models")
	defer bar.Done()
	for i := range models {
		with := func(player int) bool { return r.names[player] != "" && (i == folds || fold(player) != i) }
		if models[i], err = skill.Calibrate(r.moves, with, r.Params.Workers); err != nil {
			return models, sheet.Errorf("too few games for a calibration: %w. Use --model with the %s of a report on more games", err, modelFile)
		}
		bar.Add(1)
	}
	r.Model.Model = *models[folds]
	return models, nil
}

// performances groups the turns.
func (r *report) performances() []performance {
	byPlayer := slices.Contains(r.Params.By, "player")
	at := map[string]int{}
	var all []performance
	for i, t := range r.moves.Turns {
		if t.Len() == 0 {
			continue
		}
		name, known := r.group(i)
		if !known {
			continue
		}
		k, seen := at[name]
		if !seen {
			k = len(all)
			at[name] = k
			all = append(all, performance{Name: name, player: -1})
			if byPlayer {
				all[k].player = t.Player
			}
		}
		all[k].turns = append(all[k].turns, i)
	}
	return slices.DeleteFunc(all, func(p performance) bool { return r.length(p) < r.Params.MinMoves })
}

func (r *report) length(p performance) int {
	return lists.Sum(p.turns, func(i int) int { return r.moves.Turns[i].Len() })
}

// group returns the name of the performance that a turn belongs to; without all of its parts it belongs to none.
func (r *report) group(i int) (string, bool) {
	var parts []string
	for _, by := range r.Params.By {
		part := ""
		switch by {
		case "player":
			part = r.names[r.moves.Turns[i].Player]
		case "event":
			part = r.turns[i].event
		case "year":
			part = r.turns[i].year
		case "game":
			part = "game " + strconv.FormatInt(r.moves.Turns[i].Game, 10)
		}
		if part == "" {
			return "", false
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", "), true
}

// describe fills in what is printed next to the rating.
func (r *report) describe(p *performance) {
	games, early := map[int64]bool{}, map[int64]bool{}
	established := 0
	var moves, lost, accurate, n float64
	for _, i := range p.turns {
		t, of := r.moves.Turns[i], r.turns[i]
		games[t.Game] = true
		if of.provisional {
			early[t.Game] = true
		} else {
			established += t.Len()
			p.Mean += t.Rating * float64(t.Len())
		}
		if !math.IsNaN(of.accuracy) {
			accurate, n = accurate+of.accuracy, n+1
			lost, moves = lost+of.losses, moves+float64(of.lossMoves)
		}
	}
	p.Games, p.Provisional, p.Moves, p.Mean = len(games), len(early), r.length(*p), p.Mean/float64(established)
	p.Accuracy, p.Loss = accurate/n, lost/moves
}

// accuracies fills in the accuracies of the game that ended, which the last two turns are of, if all its values are known. usual reports
// whether it has the usual start, whose value lichess assumes.
func (f *folder) accuracies(usual bool) {
	rows, start := f.rows, float64(skill.StartValue)
	if rows[0].ply > 1 {
		return
	}
	if rows[0].ply == 0 || !usual {
		rows = rows[1:]
	}
	if !usual { // without its value the first move does not count
		start = f.rows[0].value
	}
	if len(rows) == 0 {
		return
	}
	values := make([]float64, len(rows))
	for i, row := range rows {
		if row.ply != rows[0].ply+i {
			return
		}
		values[i] = row.value
	}
	// The side to move after a move is the other one.
	accuracy, loss := skill.Accuracy(start, values, !rows[0].first)
	for side := range accuracy {
		t := &f.turns[len(f.turns)-2+side]
		if t.accuracy = accuracy[side]; !math.IsNaN(t.accuracy) {
			t.lossMoves = len(values) / 2
			if len(values)%2 == 1 && rows[0].first == (side == 1) {
				t.lossMoves++
			}
			t.losses = loss[side] * float64(t.lossMoves)
		}
	}
}
