package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/gametable"
	"kifu/explore/models"
	"kifu/games"
	"kifu/games/board"
	"kifu/kit/slow"
)

// openings are the records by which evaluators are measured: bundled records, and files below
// the directory that KIFU_DATA names.
var openings = []struct {
	game, records string  // a sample, or a pattern of files
	eval          string  // of kifu label; "" for the default weights
	scale         float64 // w_0 a unit, as docs/evaluators or a fit to such games has it
	about         float64 // what the means lie about
	until         int     // the last ply whose mean is judged; 0 for ten
	even          bool    // only even plies are
	jumps         float64 // the share of pairs that may jump; 0 for one in a hundred
	why           string  // the reason of these four
}{
	{game: "chess", records: "chess-masters", scale: 0.0046, about: 30, why: whiteFirst},
	{game: "chess", records: "chess/lichess_rapid_dev.pgn.zst", scale: 0.0046, about: 30, why: whiteFirst},
	{game: "checkers", records: "checkers-selfplay", scale: 0.007},
	{game: "checkers", records: "checkers/oca_dev.pdn.zst", scale: 0.007},
	{game: "draughts", records: "draughts-selfplay", scale: 0.0032},
	{game: "draughts", records: "checkers/international_selfplay.pdn.zst", scale: 0.0032},
	{game: "frisian", records: "frisian-selfplay", scale: 0.0085, until: 2, why: byLot},
	{game: "giveaway", records: "giveaway-selfplay", scale: 0.006},
	{game: "brazilian", records: "brazilian-selfplay", scale: 0.0076, until: 2, why: byLot},
	{game: "italian", records: "italian-selfplay", scale: 0.0085, until: 2, why: byLot},
	{game: "russian", records: "russian-selfplay", scale: 0.0076, until: 2, why: byLot},
	{game: "othello", records: "othello-selfplay", eval: "tables", scale: 0.122, until: 1, jumps: 0.4, why: byLot},
	{game: "othello", records: "othello/wthor/*.wtb", eval: "tables", scale: 0.122, jumps: 0.05, why: "players lose ten discs by a move in the opening"},
	{game: "othello", records: "othello-selfplay", scale: 0.109, until: -1, jumps: 0.02, why: fromTwenty},
	{game: "othello", records: "othello/wthor/*.wtb", scale: 0.109, until: -1, why: fromTwenty},
	{game: "shogi", records: "shogi-selfplay", scale: 0.0006, until: 6, why: byLot},
	{game: "shogi", records: "shogi/selfplay_gps.csa.zst", scale: 0.0006},
	{game: "tictactoe", records: "tictactoe-selfplay", scale: 0.18, even: true, why: "open lines, as published, do not count the move: X is a mark ahead after his"},
	{game: "go", records: "go-selfplay", scale: 0.1, about: 2.54, even: true, why: noKomi + "; the first six stones are drawn by lot, many on the edge"},
	{game: "go", records: "go/kgs6d_dev.sgf.zst", scale: 0.1, about: 2.54, why: noKomi},
}

const (
	whiteFirst = "White moves first, and scores 54 to 57 %"
	byLot      = "the first six moves are drawn by lot, and leave pieces to be taken"
	fromTwenty = "the weights of 20 discs hold below, and have the move as a burden of three discs"
	noKomi     = "komi, which pays for the first move, is not in the value"
)

// TestEvaluatorsInOpenings: over real games the mean quiet value at each of the first ten plies
// is within a tenth of the scale 1/w_0 of zero, and at most one in a hundred pairs of
// neighbouring quiet plies differ by more than the scale.
func TestEvaluatorsInOpenings(t *testing.T) {
	slow.Test(t, "the first plies of all samples")
	for _, o := range openings {
		t.Run(o.game+" "+o.eval+" "+filepath.Base(o.records), func(t *testing.T) {
			dir, do := t.TempDir(), doIn(t)
			do(dir, append([]string{"ingest", "--out", "games", "--game", o.game}, recordsOf(t, dir, o.records)...)...)
			do(dir, "transform", "--out", "positions", "--max-ply", "10", "games")
			labels := []string{"label", "--out", "labels", "--search", "static,quiescence", "positions"}
			if o.eval != "" {
				labels = append(labels, "--eval", o.eval)
			}
			do(dir, labels...)
			until := o.until
			if until == 0 {
				until = 10
			}
			const usual = ` join games using (game_id) where start_position is null and variant not like '%handicap%'`
			means := numbers(t, do(dir, "query", "--format", "csv", `select ply, avg(quiescence_value), count(*) from labels`+usual+`
				and abs(quiescence_value) < 20000 group by 1 order by 1`, "labels=labels", "games=games"))
			if len(means) < 8 {
				t.Fatalf("%d plies", len(means))
			}
			for _, m := range means {
				if math.Abs(m[1]-o.about)*o.scale > 0.1 && int(m[0]) <= until && (!o.even || int(m[0])%2 == 0) {
					t.Errorf("ply %v of %v games: mean %.2f, more than %.2f from %v (%s)", m[0], m[2], m[1], 0.1/o.scale, o.about, o.why)
				}
			}
			allowed := o.jumps
			if allowed == 0 {
				allowed = 0.01
			}
			jumps := numbers(t, do(dir, "query", "--format", "csv", fmt.Sprintf(`select avg((abs(b.static_value - a.static_value) > %v)::int) as jumps, count(*) as pairs
				from labels a join labels b on a.game_id = b.game_id and b.ply = a.ply + 1
				where a.static_value = a.quiescence_value and b.static_value = b.quiescence_value
				and abs(a.static_value) < 20000 and abs(b.static_value) < 20000`, 1/o.scale), "labels=labels"))
			if jumps[0][0] > allowed || jumps[0][1] < 100 {
				t.Errorf("of %v pairs of quiet plies a share of %v jump by more than %.2f, the scale (%s)", jumps[0][1], jumps[0][0], 1/o.scale, o.why)
			}
		})
	}
}

// TestEvaluatorsAlone: a board of a real game from which all that one side has is taken, but for
// a king that must stay, is won for the other side, whoever moves; in giveaway, where who has
// no men has won, for the side without.
func TestEvaluatorsAlone(t *testing.T) {
	slow.Test(t, "positions of all samples")
	for _, g := range gametable.All {
		t.Run(g.Name, func(t *testing.T) {
			dir, do := t.TempDir(), doIn(t)
			sample := g.Name + "-selfplay"
			if g.Name == "chess" {
				sample = "chess-masters"
			}
			do(dir, append([]string{"ingest", "--out", "games", "--game", g.Name}, recordsOf(t, dir, sample)...)...)
			do(dir, "transform", "--out", "positions", "--max-ply", "40", "--sample", "0.1", "games")
			judge, err := g.Explore.Judge(nil)
			if err != nil {
				t.Fatal(err)
			}
			judged := 0
			for _, line := range strings.Fields(do(dir, "query", "--format", "csv", "select hex(board) from p", "p=positions"))[1:] {
				packed, err := hex.DecodeString(line)
				if err != nil {
					t.Fatal(err)
				}
				like, err := g.Boards.Unpack(packed)
				if err != nil {
					t.Fatal(err)
				}
				for _, side := range []games.Side{games.First, games.Second} {
					judged += judgeAlone(t, g, judge, like, side)
				}
			}
			if judged < 50 {
				t.Errorf("%d positions", judged)
			}
		})
	}
}

// judgeAlone judges the board of like without what the other side has, either side to move, and
// returns how many positions that makes.
func judgeAlone(t *testing.T, g command.Game, judge models.Judge, like board.Board, side games.Side) (n int) {
	pieces, cells := g.Boards.Pieces(), like.AppendCells(nil)
	left := 0
	for i, c := range cells {
		switch p := pieces[c]; {
		case c == 0 || strings.Contains(p.Name, "king") && (g.Name == "chess" || g.Name == "shogi"):
		case p.Side == side:
			left++
		default:
			cells[i] = 0
		}
	}
	if left == 0 {
		return 0
	}
	var hands [2][]uint8
	hands[side] = like.AppendHand(nil, side)
	for _, toMove := range []games.Side{games.First, games.Second} {
		boards, err := g.Boards.Place(like, slices.Clone(cells), hands, toMove)
		if err != nil || boards[0].Outcome() == games.Drawn {
			continue // no such position, or stalemate
		}
		v, err := judge.Value(boards[0].Pack(nil))
		if err != nil {
			t.Fatal(err)
		}
		winner := side
		if g.Name == "giveaway" {
			if toMove == side {
				continue // no game gets there: it has ended before
			}
			winner = side.Other()
		}
		n++
		if v.Value*float64(winner.Sign()) <= 0 {
			t.Errorf("%s: value %v", boards[0].AppendText(nil), v.Value)
		}
	}
	return n
}

// recordsOf returns the files of a sample, written into dir, or those that a pattern below
// KIFU_DATA matches, and skips t where there are none.
func recordsOf(t *testing.T, dir, records string) []string {
	t.Helper()
	if !strings.Contains(records, "/") {
		doIn(t)(dir, "datasets", "sample", records, "--out", "records")
		return []string{"records"}
	}
	data := os.Getenv("KIFU_DATA")
	files, err := filepath.Glob(filepath.Join(data, records))
	if err != nil {
		t.Fatal(err)
	}
	if data == "" || len(files) == 0 {
		t.Skip("KIFU_DATA names no directory with " + records)
	}
	return files
}

// doIn returns what runs a command line in a directory and returns what it says.
func doIn(t *testing.T) func(dir string, line ...string) string {
	return func(dir string, line ...string) string {
		t.Helper()
		code, said := inDir(context.Background(), dir, line...)
		if code != command.OK {
			t.Fatalf("%v: exit %d\n%s", line, code, said)
		}
		return said
	}
}

// numbers returns the rows of a CSV of numbers.
func numbers(t *testing.T, text string) (rows [][]float64) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
		var row []float64
		for _, field := range strings.Split(line, ",") {
			x, err := strconv.ParseFloat(field, 64)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, x)
		}
		rows = append(rows, row)
	}
	return rows
}
