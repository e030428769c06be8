// Package weakling is a program of chess that speaks UCI, whose strength depends on two options
// with known best values: for tests and measurements of kifu tune.
//
// It plays the best move by a search of one ply with quiescence, but for a share of its moves that
// are random: Floor at the best values, Tactics 70 and Nerve 40, and more by the square of the
// distance from these. Its moves are a function of the game and the options.
package weakling

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	evalchess "kifu/eval/chess"
	"kifu/games"
	"kifu/games/chess"
	"kifu/search"
)

// BestTactics and BestNerve are the best values of the options, which go from 0 to 100; Floor is
// the share of random moves there.
const (
	BestTactics, BestNerve = 70, 40
	Floor                  = 0.02
)

// program is the state of the program.
type program struct {
	searcher       *search.Searcher[chess.Position]
	tactics, nerve float64
	position       chess.Position
	game           string // as set up
	best           []games.Move
}

// Run speaks UCI until the input ends or the program receives quit.
func Run(in io.Reader, out io.Writer) error {
	static, err := evalchess.New(evalchess.Default())
	if err != nil {
		return err
	}
	p := &program{searcher: search.New[chess.Position](static), tactics: 20, nerve: 80}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "uci":
			fmt.Fprintln(out, "id name Weakling\noption name Tactics type spin default 20 min 0 max 100\noption name Nerve type spin default 80 min 0 max 100\noption name Hash type spin default 16 min 1 max 1024\noption name Contempt type spin default 20 min -100 max 100\nuciok")
		case "isready":
			fmt.Fprintln(out, "readyok")
		case "setoption":
			p.set(words)
		case "position":
			if err := p.setUp(words[1:]); err != nil {
				return err
			}
		case "go":
			fmt.Fprintln(out, p.move())
		case "quit":
			return nil
		}
	}
	return nil
}

// set takes "setoption name Tactics value 30".
func (p *program) set(words []string) {
	if len(words) < 5 {
		return
	}
	value, err := strconv.ParseFloat(words[4], 64)
	switch {
	case err != nil:
	case words[2] == "Tactics":
		p.tactics = value
	case words[2] == "Nerve":
		p.nerve = value
	}
}

// setUp takes "fen … moves e2e4 …".
func (p *program) setUp(words []string) error {
	text, moves, _ := strings.Cut(strings.Join(words, " "), " moves ")
	fen := strings.TrimPrefix(strings.TrimPrefix(text, "fen "), "startpos")
	var err error
	if p.position, _, err = (chess.Rules{}).Start("", fen); err != nil {
		return err
	}
	for word := range strings.FieldsSeq(moves) {
		m, err := (chess.Rules{}).ParseMove(p.position, []byte(word))
		if err != nil {
			return err
		}
		p.position = p.position.Play(m)
	}
	p.game = text + " " + moves
	return nil
}

// random returns the share of random moves.
func (p *program) random() float64 {
	t, n := (p.tactics-BestTactics)/100, (p.nerve-BestNerve)/100
	return min(1, Floor+t*t+n*n)
}

// move answers go: the value and the move.
func (p *program) move() string {
	h := fnv.New64a()
	fmt.Fprint(h, p.game, p.tactics, p.nerve)
	rng := rand.New(rand.NewPCG(h.Sum64(), 1))
	moves := p.position.AppendMoves(nil)
	var value int32
	if p.best, value = p.searcher.Best(p.position, 1, func(uint64) bool { return false }, p.best[:0]); rng.Float64() >= p.random() {
		moves = p.best
	}
	m := moves[rng.IntN(len(moves))]
	return fmt.Sprintf("info depth 1 score cp %d\nbestmove %s", value*p.position.ToMove().Sign()/search.Grain,
		chess.Rules{}.AppendCoordinates(nil, p.position, m))
}
