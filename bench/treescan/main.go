// Treescan compares an opening tree of chess with its games: for positions drawn from the tree at random it counts, while it plays
// all games again, what was played in them. The tree is read by its index, as kifu explore does it.
//
//	go run ./bench/treescan -positions 1000 TREE GAMES
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/tree"
	"kifu/games"
	"kifu/games/chess"
	"kifu/internal/ordered"
)

// key is a move in a position.
type key struct {
	hash uint64
	move string
}

// sums are the games of a move.
type sums struct {
	games, first, draws, second int64
	elo                         [2]int64
}

func main() {
	n := flag.Int("positions", 1000, "number of positions")
	seed := flag.Uint64("seed", 1, "seed")
	flag.Parse()
	if err := run(context.Background(), flag.Args(), *n, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "treescan:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, n int, seed uint64) error {
	if len(args) != 2 {
		return errors.New("want TREE GAMES")
	}
	dir, err := datasets.Open(args[0])
	if err != nil {
		return err
	}
	opened := time.Now()
	t, err := tree.Open(dir)
	if err != nil {
		return err
	}
	fmt.Printf("opened in %v\n", time.Since(opened).Round(time.Millisecond))
	hashes, err := draw(dir, n, rand.New(rand.NewPCG(seed, 0)))
	if err != nil {
		return err
	}
	want := map[key]sums{}
	var times []time.Duration
	for _, h := range hashes {
		began := time.Now()
		moves, err := t.Moves(ctx, []uint64{h}, tree.Filter{})
		if err != nil {
			return err
		}
		times = append(times, time.Since(began))
		for _, m := range moves {
			want[key{h, m.Move}] = sums{m.Games, m.First, m.Draws, m.Second, m.EloSum}
		}
	}
	slices.Sort(times)
	fmt.Printf("%d positions, a look-up takes %v, at most %v\n", len(hashes), times[len(times)/2], times[len(times)-1])
	got, err := scan(ctx, args[1], t.Depth, hashes)
	if err != nil {
		return err
	}
	if !maps.Equal(got, want) {
		for k, v := range want {
			if got[k] != v {
				return fmt.Errorf("%x %s: the tree has %v, the games %v", k.hash, k.move, v, got[k])
			}
		}
		return fmt.Errorf("%d moves in the tree, %d in the games", len(want), len(got))
	}
	fmt.Printf("%d moves are equal to those of the games\n", len(want))
	return nil
}

// draw returns the hashes of n rows drawn at random, each once.
func draw(d *datasets.Dir, n int, r *rand.Rand) ([]uint64, error) {
	b := columns.NewBatch(d.Table, "hash")
	var all []uint64
	for _, err := range d.Groups(b) {
		if err != nil {
			return nil, err
		}
		all = append(all, b.Col("hash").Uint64...)
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	drawn := slices.Clone(all[:min(n, len(all))])
	slices.Sort(drawn)
	return slices.Compact(drawn), nil
}

// scan plays all games and counts what was played in the positions, each once a game.
func scan(ctx context.Context, path string, depth int, hashes []uint64) (map[key]sums, error) {
	d, err := datasets.Open(path)
	if err != nil {
		return nil, err
	}
	asked := map[uint64]bool{}
	for _, h := range hashes {
		asked[h] = true
	}
	workers := ordered.Workers(0)
	batches := datasets.Batches(d.Table, workers, "first_elo", "second_elo", "variant", "start_position", "result", "moves")
	all := map[key]sums{}
	err = datasets.Each(ctx, d, workers, "play games", "games", func(worker int, g datasets.Group, emit func(map[key]sums) error) error {
		b := batches[worker]
		if err := g.Read(b); err != nil {
			return err
		}
		found, unroller := map[key]sums{}, games.NewUnroller(chess.Rules{})
		for row := range b.Rows {
			if err := count(b, row, depth, asked, unroller, found); err != nil {
				return err
			}
		}
		return emit(found)
	}, func(found map[key]sums) error {
		for k, v := range found {
			all[k] = all[k].plus(v)
		}
		return nil
	})
	return all, err
}

// count adds a game to found.
func count(b *columns.Batch, row, depth int, asked map[uint64]bool, u *games.Unroller[chess.Position], found map[key]sums) error {
	start, err := u.Start(b.Col("variant").Value(row), b.Col("start_position").Value(row))
	if err != nil {
		return err
	}
	one := sums{games: 1}
	switch string(b.Col("result").Value(row)) {
	case "first":
		one.first = 1
	case "draw":
		one.draws = 1
	case "second":
		one.second = 1
	}
	for side, name := range []string{"first_elo", "second_elo"} {
		if v := b.Col(name); !v.IsNull(row) {
			one.elo[side] = int64(v.Int32[row])
		}
	}
	var seen []uint64
	visit := func(p chess.Position, move string) {
		if h := p.Hash(); asked[h] && !slices.Contains(seen, h) {
			seen = append(seen, h)
			k := key{h, move}
			found[k] = found[k].plus(one)
		}
	}
	codes := b.Col("moves").Value(row)
	var text []byte
	last, err := u.Play(start, codes[:min(len(codes), 2*depth)], func(p chess.Position, m games.Move) {
		if asked[p.Hash()] {
			text = chess.Rules{}.AppendCoordinates(text[:0], p, m)
			visit(p, string(text))
		}
	})
	if err == nil && len(codes) < 2*depth {
		visit(last, "")
	}
	return err
}

func (s sums) plus(o sums) sums {
	return sums{s.games + o.games, s.first + o.first, s.draws + o.draws, s.second + o.second, [2]int64{s.elo[0] + o.elo[0], s.elo[1] + o.elo[1]}}
}
