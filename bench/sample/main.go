// Command sample chooses the bundled chess games and writes them as PGN:
//
//	go run ./bench/sample gnuchess_book.pgn | zstd -19 > datasets/catalog/samples/chess-masters.pgn.zst
//
// The rule, which datasets/catalog/samples/README.md states for its readers:
//
//   - eligible are games of 40 to 300 plies from the usual start whose year, players and
//     result are known, whose moves are all legal, whose result agrees with a final mate
//     or stalemate, and of games with equal moves the first;
//   - a decade gives a fixed number of games (quotas), three decisive games for every
//     draw, those with ratings of both players before those without;
//   - within that, the games with the smallest FNV-1a hash of their packed moves.
//
// They are written in the order of their years, then of the source.
package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"os"
	"slices"
	"strconv"

	"kifu/games"
	"kifu/games/chess"
	"kifu/ingest/pgn"
	"kifu/ingest/record"
)

// quotas are the games taken from a decade, by its first year.
var quotas = map[int]int{
	1850: 100, 1860: 100, 1870: 100, 1880: 100, 1890: 100, 1900: 100, 1910: 100, 1920: 100,
	1930: 100, 1940: 100, 1950: 100, 1960: 100, 1970: 200, 1980: 300, 1990: 300,
}

type candidate struct {
	year, place  int
	drawn, rated bool
	hash         uint64
	text         []byte
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: sample FILE.pgn > OUT.pgn")
	}
	in, err := os.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	all, err := candidates(in)
	if err != nil {
		log.Fatal(err)
	}
	n := len(all)
	all = choose(all)
	for _, c := range all {
		if _, err := os.Stdout.Write(c.text); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Fprintf(os.Stderr, "%d of %d eligible games\n", len(all), n)
}

func candidates(in io.Reader) ([]candidate, error) {
	r := record.NewStream(pgn.Format(), in, record.Options{})
	var all []candidate
	var g record.Game
	seen := map[string]bool{}
	for place := 0; ; place++ {
		err := r.Read(&g)
		var fault *record.SyntaxError
		switch {
		case err == io.EOF:
			return all, nil
		case errors.As(err, &fault):
			continue
		case err != nil:
			return nil, err
		}
		if c, moves, ok := eligible(&g); ok && !seen[moves] {
			seen[moves] = true
			c.place = place
			all = append(all, c)
		}
	}
}

// eligible plays g and writes it again.
func eligible(g *record.Game) (c candidate, moves string, ok bool) {
	tag := func(name string) string {
		v := g.Tag(name)
		for _, b := range v {
			if b < ' ' || b > '~' || b == '"' || b == '\\' {
				return "?"
			}
		}
		if len(v) == 0 {
			return "?"
		}
		return string(v)
	}
	date, white, black, result := tag("Date"), tag("White"), tag("Black"), string(g.Result)
	outcome := map[string]games.Outcome{"1-0": games.FirstWins, "0-1": games.SecondWins, "1/2-1/2": games.Drawn}[result]
	var err error
	if c.year, err = strconv.Atoi(date[:min(4, len(date))]); err != nil ||
		len(g.Moves) < 40 || len(g.Moves) > 300 || g.Tag("FEN") != nil ||
		white == "?" || black == "?" || outcome == games.Undecided || tag("Result") != result {
		return c, "", false
	}
	var rules chess.Rules
	p := chess.Start()
	var packed, line []byte
	var text bytes.Buffer
	put := func(word []byte) {
		if len(line)+1+len(word) > 79 {
			text.Write(append(line, '\n'))
			line = line[:0]
		}
		if len(line) > 0 {
			line = append(line, ' ')
		}
		line = append(line, word...)
	}
	for i, m := range g.Moves {
		move, err := rules.ParseMove(p, m.Text)
		if err != nil {
			return c, "", false
		}
		code := rules.PackMove(p, move)
		packed = append(packed, byte(code), byte(code>>8))
		if i%2 == 0 {
			put(fmt.Appendf(nil, "%d.", i/2+1))
		}
		put(rules.AppendMove(nil, p, move))
		p = p.Play(move)
	}
	put([]byte(result))
	text.Write(append(line, '\n', '\n'))
	if final := p.Outcome(); final != games.Undecided && final != outcome {
		return c, "", false
	}

	h := fnv.New64a()
	h.Write(packed)
	c.hash, c.drawn = h.Sum64(), outcome == games.Drawn
	var head bytes.Buffer
	for _, name := range []string{"Event", "Site", "Date", "Round", "White", "Black", "Result"} {
		fmt.Fprintf(&head, "[%s %q]\n", name, tag(name))
	}
	we, _ := strconv.Atoi(tag("WhiteElo"))
	be, _ := strconv.Atoi(tag("BlackElo"))
	if c.rated = we > 0 && be > 0; c.rated {
		fmt.Fprintf(&head, "[WhiteElo \"%d\"]\n[BlackElo \"%d\"]\n", we, be)
	}
	if eco := tag("ECO"); eco != "?" {
		fmt.Fprintf(&head, "[ECO %q]\n", eco)
	}
	head.WriteByte('\n')
	c.text = append(head.Bytes(), text.Bytes()...)
	return c, string(packed), true
}

func choose(all []candidate) []candidate {
	slices.SortFunc(all, func(a, b candidate) int {
		if a.rated != b.rated {
			if a.rated {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.hash, b.hash)
	})
	type stratum struct {
		decade int
		drawn  bool
	}
	taken := map[stratum]int{}
	var chosen []candidate
	for _, c := range all {
		s := stratum{c.year / 10 * 10, c.drawn}
		quota := quotas[s.decade] / 4
		if !c.drawn {
			quota *= 3
		}
		if taken[s] < quota {
			taken[s]++
			chosen = append(chosen, c)
		}
	}
	slices.SortFunc(chosen, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.year, b.year), cmp.Compare(a.place, b.place))
	})
	return chosen
}
