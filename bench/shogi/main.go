// Command shogi reads real records of Shogi and compares each game with what another
// program (OpenShogiLib) found when it replayed them:
//
//	shogi DATA ORACLE
//
// DATA has the records, NAME.csa.zst and NAME.tar.zst with files of CSA, KIF and KI2;
// ORACLE is shogi_replay.tsv.zst: for every game the number of legal plies, the first
// illegal move, the legal moves after the last legal one, whether that is a check, the
// first fourfold repetition, and the last position.
//
// It prints how many games are equal in all of it and fails unless all are. A game
// without moves has no row.
package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"kifu/games/shogi"
	"kifu/ingest/csa"
	"kifu/ingest/kif"
	"kifu/ingest/record"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: shogi DATA ORACLE")
	}
	c := comparison{want: map[string]string{}}
	if err := c.read(os.Args[2]); err != nil {
		log.Fatal(err)
	}
	archives, err := filepath.Glob(filepath.Join(os.Args[1], "*.zst"))
	if err != nil {
		log.Fatal(err)
	}
	for _, path := range archives {
		if err := c.archive(path); err != nil {
			log.Fatal(path, ": ", err)
		}
	}
	fmt.Printf("%d of %d games are equal (legal plies, illegal move, moves and check at the end, repetition, last position); %d plies\n", c.equal, len(c.want), c.plies)
	if c.equal != len(c.want) {
		os.Exit(1)
	}
}

type comparison struct {
	want         map[string]string // rows by file and number of the game
	equal, plies int
}

// read reads the oracle's rows.
func (c *comparison) read(path string) error {
	r, err := open(path)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\t")
		if f[0] != "file" {
			if f[4] != "-" {
				f[4] = "illegal" // in our words; the last position is not told
			}
			c.want[f[0]+" "+f[1]] = strings.Join(f[3:], "\t")
		}
	}
	return lines.Err()
}

func open(path string) (io.Reader, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return zstd.NewReader(bytes.NewReader(data))
}

func (c *comparison) archive(path string) error {
	r, err := open(path)
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(path), ".zst")
	switch filepath.Ext(name) {
	case ".csa":
		return c.records(name, r)
	case ".tar":
		files := tar.NewReader(r)
		for {
			h, err := files.Next()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if err := c.records(h.Name, files); err != nil {
				return err
			}
		}
	}
	return nil
}

// records compares the games of one file.
func (c *comparison) records(name string, r io.Reader) error {
	var reader record.Reader
	switch filepath.Ext(name) {
	case ".csa":
		reader = record.NewStream(csa.Format(), r, record.Options{})
	case ".kif", ".kifu", ".ki2", ".ki2u":
		reader = record.NewStream(kif.Format(), r, record.Options{})
	default:
		return nil
	}
	var g record.Game
	for n := 1; ; n++ {
		err := reader.Read(&g)
		if err == io.EOF {
			return nil
		}
		key := name + " " + strconv.Itoa(n)
		want, asked := c.want[key]
		if !asked {
			continue
		}
		got := ""
		if err == nil {
			got, err = c.replay(&g)
		}
		if got == want {
			c.equal++
			continue
		}
		fmt.Printf("%s\n got %s %v\nwant %s\n", key, got, err, want)
	}
}

// replay plays a game and returns its row.
func (c *comparison) replay(g *record.Game) (string, error) {
	rules := shogi.Rules{}
	start, _, err := rules.Start(string(g.Tag(record.TagVariant)), string(g.Tag(record.TagFEN)))
	if err != nil {
		return "", err
	}
	r := rules.NewReplay()
	r.Reset(start)
	repetition, illegal, plies := "-", "-", 0
	for _, m := range g.Moves {
		move, err := rules.ParseMove(r.Position(), m.Text)
		if err != nil {
			illegal = "illegal"
			break
		}
		r.Play(move)
		plies++
		if o, rule := r.Outcome(); repetition == "-" {
			switch {
			case rule == "fourfold repetition":
				repetition = fmt.Sprintf("draw at %d", plies)
			case rule == "perpetual check":
				repetition = fmt.Sprintf("%s wins (perpetual check) at %d", o, plies)
			}
		}
	}
	c.plies += plies
	p := r.Position()
	check := 0
	if p.InCheck() {
		check = 1
	}
	last := "-"
	if illegal == "-" {
		last = strings.Join(strings.Fields(p.String())[:3], " ") + " 1"
	}
	return fmt.Sprintf("%d\t%s\t%d\t%d\t%s\t%s", plies, illegal, len(p.AppendMoves(nil)), check, repetition, last), nil
}
