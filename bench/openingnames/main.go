// Openingnames makes names.tsv.gz, the names of chess openings by position, of the files
// a.tsv to e.tsv of lichess' chess-openings (README.md) in the folder that is its argument (games/chess/openings/make.sh). Each
// line of the result is a position's hash in 16 hexadecimal digits, the ECO code and the name;
// lines are in the order of the files.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kifu/games/chess"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "openings:", err)
		os.Exit(1)
	}
}

// run writes the table of the TSV files in args[0], compressed.
func run(args []string, out io.Writer) error {
	if len(args) != 1 {
		return fmt.Errorf("want one argument: the folder of a.tsv to e.tsv")
	}
	var text bytes.Buffer
	seen := map[uint64]string{}
	for _, volume := range "abcde" {
		if err := addVolume(&text, seen, filepath.Join(args[0], string(volume)+".tsv")); err != nil {
			return err
		}
	}
	w, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(text.Bytes()); err != nil {
		return err
	}
	return w.Close()
}

// addVolume appends the lines of one file; two names of a position are an error.
func addVolume(text *bytes.Buffer, seen map[uint64]string, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 3 {
			return fmt.Errorf("%s:%d: %d fields, want eco, name, pgn", path, number, len(fields))
		}
		if number == 1 {
			continue
		}
		p, err := reach(fields[2])
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, number, err)
		}
		if other := seen[p.Hash()]; other != "" {
			return fmt.Errorf("%s:%d: %s is the position of %s", path, number, fields[1], other)
		}
		seen[p.Hash()] = fields[1]
		fmt.Fprintf(text, "%016x\t%s\t%s\n", p.Hash(), fields[0], fields[1])
	}
	return lines.Err()
}

// reach plays a line written as PGN ("1. e4 e5 2. Nf3") from the start.
func reach(pgn string) (chess.Position, error) {
	p := chess.Start()
	for _, word := range strings.Fields(pgn) {
		if strings.HasSuffix(word, ".") {
			continue
		}
		m, err := chess.Rules{}.ParseMove(p, []byte(word))
		if err != nil {
			return p, fmt.Errorf("%s: %w", word, err)
		}
		p = p.Play(m)
	}
	return p, nil
}
