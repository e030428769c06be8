// Squares names the winner of Othello positions from the 192 features "square s is black,
// white, empty" by naive Bayes and by a linear discriminant, as Mańdziuk (Knowledge-Free
// and Learning-Based Methods in Intelligent Game Playing, 2010, 13.2.4) reports it of
// Miwa, Yokoyama and Chikayama: 73.9 % and 73.4 % on positions of 60 discs that were
// played out to the end.
//
//	kifu label --out labels --solve 4 POSITIONS
//	go run ./experiments/othello/squares labels
//
// Positions that end in a draw are left out. Each of five folds of the games is named by
// what was learned from the others.
package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"kifu/datasets"
	"kifu/games/othello"
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
	if len(args) != 1 {
		return fmt.Errorf("want LABELS, made by kifu label --solve 4")
	}
	all, draws, err := read(ctx, args[0])
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
