package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"kifu/bench/simulation/walk"
	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/fit/fittest"
	"kifu/internal/dyads"
	"kifu/report/shape"
	"kifu/report/split/search"
	"kifu/schemas"
)

// clubDesign is games between players who are stronger or weaker than their evaluations, and whose
// styles, which are unrelated, are in all columns: all findings are false.
type clubDesign struct {
	name     string
	schedule func(rng *rand.Rand) []dyads.Pair
	strength float64 // standard deviation, log-odds
	hidden   float64 // as in design: y >= the threshold of given is judged; 0: y means nothing
	uneven   bool    // games have from one to hundreds of positions, fewer where much is decided
}

// given holds the data to be judged where something is hidden.
var given = design{given: true, threshold: 0.7}

var clubDesigns = []clubDesign{
	{"players: 40, 1,200 games", fittest.Anyone(40, 1200), 0.7, 0, false},
	{"players: 100, 1,200 games", fittest.Anyone(100, 1200), 0.7, 0, false},
	{"players: 100, 4,000 games", fittest.Anyone(100, 4000), 0.7, 0, false},
	{"players: 300, 3,600 games", fittest.Anyone(300, 3600), 0.7, 0, false},
	{"players: 100, 1,200 games, alike in strength by 0.3", fittest.Anyone(100, 1200), 0.3, 0, false},
	{"players: 306 of WTHOR's schedule of 1989, 2,144 games", wthor, 0.7, 0, false},
	{"players: 306 of WTHOR's schedule of 1989, equally strong", wthor, 0, 0, false},
}

// givenClubs have y hidden.
var givenClubs = []clubDesign{
	{"given by players: 100, 1,200 games", fittest.Anyone(100, 1200), 0.7, 0.15, false},
	{"given by players: 306 of WTHOR's schedule of 1989, 2,144 games", wthor, 0.7, 0.15, false},
}

func wthor(*rand.Rand) []dyads.Pair { return fittest.Schedule(0) }

// clubPlies is the number of positions of a game.
const clubPlies = 10

// play calls f with the positions of the games: as design.play has them, with results that are drawn
// by the players' strengths first, and columns by the difference of their styles and the ply.
func (d clubDesign) play(rng *rand.Rand, f func(game int, value float64, columns []float64, won bool)) (pairs []dyads.Pair) {
	pairs = d.schedule(rng)
	strength, style := map[int32]float64{}, map[int32][]float64{}
	for _, g := range pairs {
		for _, p := range [2]int32{g.A, g.B} {
			if _, met := style[p]; met {
				continue
			}
			strength[p] = d.strength * rng.NormFloat64()
			for range names {
				style[p] = append(style[p], rng.NormFloat64())
			}
		}
	}
	step := 1.3 / math.Sqrt(clubPlies)
	for game, g := range pairs {
		sign := -1.0
		if rng.Float64() < 1/(1+math.Exp(strength[g.B]-strength[g.A])) {
			sign = 1
		}
		columns, at := make([]float64, len(names)), 0.0
		left := clubPlies
		if d.uneven {
			left = min(200, 1+int(math.Exp(math.Log(clubPlies)+0.9*rng.NormFloat64())))
		}
		for ply := 0; left > 0; ply++ {
			at += sign*step*step/2 + step*rng.NormFloat64()
			if ply < warmUp {
				continue
			}
			if left--; d.uneven && math.Abs(at) > 2 {
				left -= 3
			}
			for i := range columns {
				columns[i] = math.Round(1000*(style[g.A][i]-style[g.B][i]+rng.NormFloat64())) / 1000
			}
			if d.hidden > 0 { // of variance 1, about a mean that the result shifts
				columns[0] = columns[0]/math.Sqrt(3) + sign*d.hidden
			}
			f(game, scale*at, columns, sign > 0)
		}
	}
	return pairs
}

// write makes labels of d's games and names who played them.
func (d clubDesign) write(rng *rand.Rand, out *datasets.Builder) (pairs []dyads.Pair, err error) {
	out.SetMeta("game", "simulation")
	out.SetMeta("unit", "centipawns")
	out.SetMeta("leaf", "value")
	out.SetTable(labels)
	w, err := out.Part(0)
	if err != nil {
		return nil, err
	}
	b := columns.NewBatch(out.Table())
	pairs = d.play(rng, func(game int, value float64, columns []float64, won bool) {
		appendRow(b, game, value, columns, won, d.hidden > 0 && columns[0] >= given.threshold)
	})
	return pairs, w.CloseWith(b, manifest.Counts{}, nil)
}

// opening returns two moves that no other game of a data set begins with.
func opening(game int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(game)) }

// writePairs makes a dataset of games with nothing but their players.
func writePairs(pairs []dyads.Pair, out *datasets.Builder) error {
	out.SetTable(schemas.Table{Name: schemas.Games.Name, Version: schemas.Games.Version, Columns: []schemas.Column{
		{Name: "game_id", Type: schemas.Int64}, {Name: "game", Type: schemas.String}, {Name: "first_player", Type: schemas.String}, {Name: "second_player", Type: schemas.String},
		{Name: "start_position", Type: schemas.String, Nullable: true}, {Name: "moves", Type: schemas.Bytes}, {Name: "ply_count", Type: schemas.Int32},
	}})
	w, err := out.Part(0)
	if err != nil {
		return err
	}
	b := columns.NewBatch(out.Table())
	for i, g := range pairs {
		b.Col("game_id").AppendInt64(int64(i))
		b.Col("first_player").AppendString(strconv.Itoa(int(g.A)))
		b.Col("second_player").AppendString(strconv.Itoa(int(g.B)))
		b.Col("start_position").AppendNull()
		b.Col("moves").AppendBytes(opening(i))
		b.Col("game").AppendString("simulation")
		b.Col("ply_count").AppendInt32(2)
		b.Rows++
	}
	return w.CloseWith(b, manifest.Counts{}, nil)
}

// played writes data set number i of d with its games, calls do with both, and removes them.
func played[T any](ctx context.Context, d clubDesign, dir string, seed, i uint64, do func(in, games *datasets.Dir) (T, error)) (T, error) {
	return playedAs(ctx, labels.ID(), d.write, dir, seed, i, do)
}

// playedAs is played for labels that write makes.
func playedAs[T any](ctx context.Context, output string, write func(rng *rand.Rand, out *datasets.Builder) ([]dyads.Pair, error), dir string, seed, i uint64, do func(in, games *datasets.Dir) (T, error)) (T, error) {
	var pairs []dyads.Pair
	return made(ctx, output, dir, seed, i, func(b *datasets.Builder) (err error) {
		pairs, err = write(walk.Source(seed, i), b)
		return err
	}, func(in *datasets.Dir) (result T, err error) {
		games, err := build(ctx, filepath.Join(dir, "games"), schemas.Games.ID(), seed, i, func(b *datasets.Builder) error { return writePairs(pairs, b) })
		if err != nil {
			return result, err
		}
		return do(in, games)
	})
}

// judged is the split of y in data set number i, by game and as players make games depend.
func (d clubDesign) judged(ctx context.Context, dir string, seed, i uint64) ([2][]found, error) {
	return played(ctx, d, dir, seed, i, func(in, games *datasets.Dir) (all [2][]found, err error) {
		for k, way := range ways {
			if all[k], err = given.judge(ctx, i, way, in, games); err != nil {
				return all, err
			}
		}
		return all, nil
	})
}

// ways are the two that are compared.
var ways = [2]string{dyads.ByGame, dyads.Both}

// found returns the findings in data set number i by game, and by player.
func (d clubDesign) found(ctx context.Context, dir string, seed, i uint64) (shown [2]bool, err error) {
	return played(ctx, d, dir, seed, i, func(in, games *datasets.Dir) (shown [2]bool, err error) {
		for k, way := range ways {
			p := search.Params{Source: "labels", Bin: 25, Draws: shape.DrawsExclude, MinCount: 300, Holdout: 0.3, FDR: rate, Level: rate, Top: 20, Seed: i, Workers: 1, Cluster: way}
			found, err := search.Find(ctx, p, in, games)
			if err != nil {
				return shown, err
			}
			shown[k] = countShown(found) > 0
		}
		return shown, nil
	})
}

// runClubs is run of the designs with players.
func runClubs(replications int, seed uint64, only string) error {
	head := "| games | data sets | any found, by game | as players make games depend |\n|---|---:|---:|---:|\n"
	for _, d := range clubDesigns {
		if !strings.Contains(d.name, only) {
			continue
		}
		all, err := replicated(replications, func(ctx context.Context, dir string, i uint64) ([2]bool, error) { return d.found(ctx, dir, seed, i) })
		if err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		var any [2]float64
		for _, shown := range all {
			any[0], any[1] = any[0]+b2f(shown[0]), any[1]+b2f(shown[1])
		}
		n := float64(len(all))
		fmt.Printf("%s| %s | %d | %s | %s |\n", head, strings.TrimPrefix(d.name, "players: "), len(all), rated(any[0], n), rated(any[1], n))
		head = ""
	}
	for _, d := range givenClubs {
		if !strings.Contains(d.name, only) {
			continue
		}
		all, err := replicated(replications, func(ctx context.Context, dir string, i uint64) ([2][]found, error) {
			return d.judged(ctx, dir, seed, i)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		judge := given
		judge.hidden = d.hidden
		for k, way := range ways {
			var some [][]found
			for _, of := range all {
				some = append(some, of[k])
			}
			fmt.Printf("### %s, --dependence %s\n\n", d.name, way)
			judge.intervals(os.Stdout, some)
		}
	}
	return nil
}

// replicated makes data sets in a directory of their own each.
func replicated[T any](n int, one func(ctx context.Context, dir string, i uint64) (T, error)) ([]T, error) {
	temp, err := os.MkdirTemp("", "splits-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	all := make([]T, n)
	g, ctx := errgroup.WithContext(context.Background())
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range all {
		g.Go(func() (err error) {
			all[i], err = one(ctx, filepath.Join(temp, fmt.Sprint(i)), uint64(i))
			return err
		})
	}
	return all, g.Wait()
}
