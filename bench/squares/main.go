// Squares names the winner of Othello positions from the 192 features "square s is black,
// white, empty" by naive Bayes, by a linear discriminant and by a network with one hidden
// layer, as Mańdziuk (Knowledge-Free and Learning-Based Methods in Intelligent Game Playing,
// 2010, 13.2.4) reports it of Miwa, Yokoyama and Chikayama: 73.9 %, 73.4 % and 75.2 % on
// positions of 60 discs that were played out to the end.
//
//	kifu label --out labels --solve 4 POSITIONS
//	go run ./bench/squares labels
//	go run ./bench/squares -holdout 0.818 -hidden 10 labels
//
// Positions that end in a draw are left out. Each of five folds of the games is named by
// what was learned from the others; with -holdout that share of the games, chosen as kifu
// conjunctions and kifu fit choose it by seed 1, by what was learned from the rest.
package main

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"

	"kifu/datasets"
	"kifu/games/othello"
	"kifu/internal/splitmix"
	"kifu/query"
)

const (
	discs = 60
	folds = 5
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "squares:", err)
		os.Exit(1)
	}
}

// position is a board with its winner under the best play of both sides.
type position struct {
	game     int64
	black    othello.Bitboard
	white    othello.Bitboard
	blackWon bool
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("squares", flag.ContinueOnError)
	holdout := flags.Float64("holdout", 0, "test on this share of the games, not on folds")
	hidden := flags.Int("hidden", 10, "hidden units of the network, which -holdout has, too")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || !(*holdout >= 0 && *holdout < 1) || *hidden < 1 {
		return fmt.Errorf("want LABELS, made by kifu label --solve 4; -holdout is a share below 1, -hidden 1 or more")
	}
	all, draws, err := read(ctx, flags.Arg(0))
	if err != nil {
		return err
	}
	black := 0
	for i := range all {
		if all[i].blackWon {
			black++
		}
	}
	fmt.Printf("%d positions of %d discs, %d of them won by Black; %d drawn ones left out\n\n", len(all), discs, black, draws)
	if *holdout > 0 {
		return split(all, *holdout, *hidden)
	}
	fmt.Println("| trained on | naive Bayes | linear discriminant |")
	fmt.Println("|---|---:|---:|")
	for _, c := range []struct {
		name   string
		images int
	}{{"the positions", 1}, {"their eight images", 8}} {
		bayes := accuracy(all, c.images, naiveBayes)
		discriminant := accuracy(all, c.images, linearDiscriminant)
		fmt.Printf("| %s | %s | %s |\n", c.name, percent(bayes, len(all)), percent(discriminant, len(all)))
	}
	return nil
}

// split learns from some games and names the winners of the others.
func split(all []position, holdout float64, hidden int) error {
	var train, test []position
	for _, p := range all {
		if splitmix.Share(1, p.game) < holdout {
			test = append(test, p)
		} else {
			train = append(train, p)
		}
	}
	if len(train) == 0 || len(test) == 0 {
		return fmt.Errorf("%d positions to learn from and %d to test on: another -holdout", len(train), len(test))
	}
	fmt.Printf("| %d positions to learn from, %d to test on | learned | held out |\n|---|---:|---:|\n", len(train), len(test))
	show := func(name string, value func(*position) float64) {
		var of [2]float64
		for i, list := range [][]position{train, test} {
			for j := range list {
				if value(&list[j]) > 0 == list[j].blackWon {
					of[i]++
				}
			}
			of[i] /= float64(len(list))
		}
		fmt.Printf("| %s | %s | %s |\n", name, percent(of[0], len(train)), percent(of[1], len(test)))
	}
	bayes, discriminant := naiveBayes(train), linearDiscriminant(train)
	show("naive Bayes", bayes.value)
	show("linear discriminant", discriminant.value)
	n := newNetwork(hidden)
	epochs := n.train(train)
	show(fmt.Sprintf("network, %d hidden units, RPROP, %d epochs", hidden, epochs), n.value)
	return nil
}

// percent returns a share with its standard error.
func percent(share float64, n int) string {
	return fmt.Sprintf("%.1f ± %.1f %%", 100*share, 100*math.Sqrt(share*(1-share)/float64(n)))
}

// read returns the decided positions of 60 discs, and how many are drawn.
func read(ctx context.Context, dir string) (all []position, draws int, err error) {
	d, err := datasets.Open(dir)
	if err != nil {
		return nil, 0, err
	}
	db, err := query.Open(ctx, query.Options{})
	if err != nil {
		return nil, 0, err
	}
	defer db.Close()
	if err := db.Attach(ctx, "l", d); err != nil {
		return nil, 0, err
	}
	r, err := db.Query(ctx, fmt.Sprintf("select game_id, board, solve_value from l where phase = %d and move <> 'pass' order by game_id, ply", discs))
	if err != nil {
		return nil, 0, err
	}
	err = r.Each(func(row []any) error {
		value, solved := row[2].(float32)
		switch {
		case !solved:
			return fmt.Errorf("%s: a position of %d discs without solve_value: label with --solve 4", dir, discs)
		case value == 0:
			draws++
			return nil
		}
		board := row[1].([]byte)
		occupied, black := binary.LittleEndian.Uint64(board), binary.LittleEndian.Uint64(board[8:])
		all = append(all, position{game: row[0].(int64), black: othello.Bitboard(black), white: othello.Bitboard(occupied &^ black), blackWon: value > 0})
		return nil
	})
	return all, draws, err
}

// accuracy returns the share of winners that a method names, trained on so many images of
// the positions of the other folds.
func accuracy(all []position, images int, train func([]position) linear) float64 {
	right := 0
	for fold := range int64(folds) {
		var others []position
		for _, p := range all {
			if p.game%folds != fold {
				for k := range images {
					others = append(others, p.image(k))
				}
			}
		}
		named := train(others)
		for i := range all {
			if p := &all[i]; p.game%folds == fold && named.value(p) > 0 == p.blackWon {
				right++
			}
		}
	}
	return float64(right) / float64(len(all))
}

// image turns and mirrors a position.
func (p position) image(k int) position {
	p.black, p.white = turned(p.black, k), turned(p.white, k)
	return p
}

func turned(b othello.Bitboard, k int) (image othello.Bitboard) {
	for ; b != 0; b = b.Rest() {
		x, y := b.First().Column(), b.First().Row()
		if k&1 != 0 {
			x = 7 - x
		}
		if k&2 != 0 {
			y = 7 - y
		}
		if k&4 != 0 {
			x, y = y, x
		}
		image |= othello.SquareAt(x, y).Bit()
	}
	return image
}
