// Command oracle compares a positions dataset of chess, row by row, with the EPD that
// another program (pgn-extract -Wepd) wrote of the same games:
//
//	oracle POSITIONS FILE.epd[.zst]
//
// Board, side to move and castling rights must be equal as text, and so must the hash
// of the position that the EPD's line gives. The oracle writes the square behind every
// pawn that has gone two steps; kifu keeps it only where a pawn can take in passing,
// so ours must be the oracle's or none, and none only where no pawn can. The result
// (operation c1) must be the row's.
//
// It prints how many positions are equal and fails unless all are.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games/chess"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: oracle POSITIONS FILE.epd[.zst]")
	}
	epd, err := os.Open(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	defer epd.Close()
	var r io.Reader = epd
	if strings.HasSuffix(os.Args[2], ".zst") {
		d, err := zstd.NewReader(epd)
		if err != nil {
			log.Fatal(err)
		}
		defer d.Close()
		r = d
	}
	c := comparison{lines: bufio.NewScanner(r)}
	if err := c.run(os.Args[1]); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d of %d positions of %d games are equal (board, side, castling, en passant, hash, result)\n", c.equal, c.all, c.games)
	fmt.Printf("%d squares behind a pawn's two steps were left out, as no pawn could take there; %d of them next to an enemy pawn\n", c.idle, c.pinned)
	if c.equal != c.all {
		os.Exit(1)
	}
}

type comparison struct {
	lines             *bufio.Scanner
	all, equal, games int
	idle, pinned      int
	shown             int
}

func (c *comparison) run(dir string) error {
	d, err := datasets.Open(dir)
	if err != nil {
		return err
	}
	if err := d.Verify(context.Background()); err != nil {
		return err
	}
	b := columns.NewBatch(d.Table, "ply", "board", "hash", "result")
	for i := range d.NumParts() {
		p, err := d.OpenPart(i)
		if err != nil {
			return err
		}
		defer p.Close()
		for rg := range p.RowGroups() {
			if err := p.Read(rg, b); err != nil {
				return err
			}
			for row := range b.Rows {
				if !c.lines.Scan() {
					return fmt.Errorf("the EPD has %d lines, the dataset more positions (%v)", c.all, c.lines.Err())
				}
				if err := c.compare(b, row, c.lines.Text()); err != nil {
					return fmt.Errorf("EPD line %d: %w", c.all, err)
				}
			}
		}
	}
	if c.lines.Scan() {
		return fmt.Errorf("the dataset has %d positions, the EPD more lines", c.all)
	}
	return nil
}

var results = map[string]string{"1-0": "first", "0-1": "second", "1/2-1/2": "draw", "*": ""}

func (c *comparison) compare(b *columns.Batch, row int, line string) error {
	c.all++
	if b.Col("ply").Int32[row] == 0 {
		c.games++
	}
	want := strings.Fields(line)
	if len(want) < 6 {
		return fmt.Errorf("not a position: %q", line)
	}
	ours, err := chess.UnpackBoard(b.Col("board").Value(row))
	if err != nil {
		return err
	}
	theirs, err := chess.ParseFEN(strings.Join(want[:4], " "))
	if err != nil {
		return err
	}
	got := strings.Fields(string(ours.AppendFEN(nil)))
	_, result, _ := strings.Cut(line, "; c1 ")
	result = results[strings.TrimSuffix(result, ";")]
	var written string
	if v := b.Col("result"); !v.IsNull(row) {
		written = string(v.Value(row))
	}
	passing := got[3] == want[3]
	if !passing && got[3] == "-" {
		// The oracle's own position must show that no pawn can take there.
		passing = strings.Fields(string(theirs.AppendFEN(nil)))[3] == "-"
		c.idle++
		if nextToEnemy(want) {
			c.pinned++
		}
	}
	if passing && got[0] == want[0] && got[1] == want[1] && got[2] == want[2] &&
		ours.Hash() == theirs.Hash() && b.Col("hash").Uint64[row] == ours.Hash() && written == result {
		c.equal++
		return nil
	}
	if c.shown++; c.shown <= 10 {
		log.Printf("line %d: kifu has %s, result %q; the oracle %s", c.all, strings.Join(got, " "), written, line)
	}
	return nil
}

// nextToEnemy reports, from the text alone, whether a pawn of the side to move is next to the pawn that
// has just gone two steps.
func nextToEnemy(fen []string) bool {
	rank, pawn := fen[3][1], byte('P')
	row := strings.Split(fen[0], "/")[3] // rank 5: Black's pawn came to it
	if fen[1] == "b" {
		row, pawn = strings.Split(fen[0], "/")[4], 'p'
	}
	if rank != '3' && rank != '6' {
		return false
	}
	var squares []byte
	for _, m := range []byte(row) {
		if m >= '1' && m <= '8' {
			squares = append(squares, "........"[:m-'0']...)
		} else {
			squares = append(squares, m)
		}
	}
	file := int(fen[3][0] - 'a')
	return file > 0 && squares[file-1] == pawn || file < 7 && squares[file+1] == pawn
}
