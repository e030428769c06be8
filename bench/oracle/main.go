// Oracle compares a dataset of chess positions with the same positions as another
// program wrote them: an EPD a line, in the order of games and plies.
//
//	zstd -dc gnuchess_first5000.epd.zst | go run ./bench/oracle positions
//
// Men, side to move and castling rights are compared as text. The en passant square is
// compared by the hash of the EPD as kifu reads it, since others write the square behind
// every double step. It also compares the results (c1). It says how many positions were
// equal, and fails at the first that is not.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"kifu/datasets"
	"kifu/games/chess"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: oracle POSITIONS <EPD")
		os.Exit(2)
	}
	n, err := compare(os.Args[1], os.Stdin)
	if err != nil {
		fmt.Fprintf(os.Stderr, "position %d: %v\n", n+1, err)
		os.Exit(1)
	}
	fmt.Printf("%d positions are equal\n", n)
}

func compare(dir string, r io.Reader) (n int, err error) {
	d, err := datasets.Open(dir)
	if err != nil {
		return 0, err
	}
	lines := bufio.NewScanner(r)
	b := datasets.NewBatch(d.Table, "game_id", "ply", "board", "hash", "result")
	for i := range d.Manifest.Parts {
		part, err := d.OpenPart(i)
		if err != nil {
			return n, err
		}
		defer part.Close()
		for rg := range part.RowGroups() {
			if err := part.Read(rg, b); err != nil {
				return n, err
			}
			for row := range b.Rows {
				if !lines.Scan() {
					return n, lines.Err()
				}
				if err := compareRow(lines.Text(), b, row); err != nil {
					return n, fmt.Errorf("game %d, ply %d: %w", b.Col("game_id").Int64[row], b.Col("ply").Int32[row], err)
				}
				n++
			}
		}
	}
	if lines.Scan() {
		return n, fmt.Errorf("the dataset ends before %q", lines.Text())
	}
	return n, lines.Err()
}

var results = map[string]string{"1-0": "first", "0-1": "second", "1/2-1/2": "draw", "*": ""}

func compareRow(epd string, b *datasets.Batch, row int) error {
	want := strings.Fields(epd)
	if len(want) < 4 {
		return fmt.Errorf("not an EPD: %q", epd)
	}
	p, err := chess.UnpackBoard(b.Col("board").Value(row))
	if err != nil {
		return err
	}
	got := strings.Fields(p.String())
	for i := range 3 {
		if got[i] != want[i] {
			return fmt.Errorf("%q, want %q", strings.Join(got[:4], " "), strings.Join(want[:4], " "))
		}
	}
	q, err := chess.ParseFEN(strings.Join(want[:4], " "))
	if err != nil {
		return err
	}
	if hash := b.Col("hash").Uint64[row]; q.Hash() != hash || p.Hash() != hash {
		return fmt.Errorf("%q has hash %016x, unpacked %016x, want %016x", epd, hash, p.Hash(), q.Hash())
	}
	_, result, _ := strings.Cut(epd, "c1 ")
	if want := results[strings.TrimSuffix(result, ";")]; string(b.Col("result").Value(row)) != want {
		return fmt.Errorf("result %q, want %q", b.Col("result").Value(row), want)
	}
	return nil
}
