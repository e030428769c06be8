// Package aix writes games of chess as an Aix database, with the columns of the Lichess database in that form (docs/columns.md of
// github.com/thomas-daniels/aix): one Parquet file that the extension aixchess of DuckDB reads, and kifu ingest.
package aix

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"

	"kifu/export"
	"kifu/games"
	"kifu/games/chess"
	"kifu/games/chess/aix"
	"kifu/schemas"
)

// Format is the format at a level of compression of the moves.
type Format struct{ Level aix.Level }

// Name implements export.Record.
func (f Format) Name() string { return [...]string{"aix", "aix-medium", "aix-high"}[f.Level] }

// Drops is what the format leaves out of games.
func (Format) Drops() string {
	return "events that are no tournament of Lichess, rounds, dates without a day, comments, variations, fractions of seconds, gaps between values or clocks (which repeat the last one, at first 0) and most other tags"
}

const ownStart games.Reason = "a variant or a start of its own, which Aix has no place for"

// Check implements export.Checker.
func (Format) Check(g *export.Game) error {
	if g.Variant != nil || g.Start != nil || g.From != nil {
		return ownStart
	}
	return nil
}

// row is a row of the file.
type row struct {
	ID         *string  `parquet:"lichess_id,optional"`
	Tournament *string  `parquet:"tournament,optional"`
	Moves      []byte   `parquet:"movedata"`
	White      []uint16 `parquet:"clocks_white,list,optional"`
	Black      []uint16 `parquet:"clocks_black,list,optional"`
	Evals      []int16  `parquet:"evals,list,optional"`
	Plies      uint16   `parquet:"ply_count"`
	First      *string  `parquet:"white,optional"`
	Second     *string  `parquet:"black,optional"`
	FirstElo   *int16   `parquet:"white_rating,optional"`
	SecondElo  *int16   `parquet:"black_rating,optional"`
	Initial    *uint16  `parquet:"time_initial,optional"`
	Increment  *uint8   `parquet:"time_increment,optional"`
	Result     string   `parquet:"result"`
	End        *string  `parquet:"termination,optional"`
	FirstDiff  *int16   `parquet:"white_rating_diff,optional"`
	SecondDiff *int16   `parquet:"black_rating_diff,optional"`
	ECO        *string  `parquet:"eco,optional"`
	Opening    *string  `parquet:"opening,optional"`
	FirstTitle *string  `parquet:"white_title,optional"`
	OtherTitle *string  `parquet:"black_title,optional"`
	At         *int64   `parquet:"utc_timestamp,optional,timestamp(microsecond:local)"`
}

// Append appends a game, which Check accepts, as a line that the writer of NewStream takes.
func (f Format) Append(dst []byte, g *export.Game) []byte {
	tag := func(name string) *string {
		v, _ := g.Tag(name)
		return text(v)
	}
	r := row{
		ID: below(g.Site, "https://lichess.org/"), Tournament: below(g.Event, "https://lichess.org/tournament/"),
		Plies: uint16(min(len(g.Moves), 1<<16-1)), First: text(g.First), Second: text(g.Second), FirstElo: number(g.FirstElo), SecondElo: number(g.SecondElo),
		Result: resultOf(g.Result), End: text(g.Termination), FirstDiff: whole(tag("WhiteRatingDiff")), SecondDiff: whole(tag("BlackRatingDiff")),
		ECO: tag("ECO"), Opening: text(g.Opening), FirstTitle: tag("WhiteTitle"), OtherTitle: tag("BlackTitle"),
	}
	if code := string(g.Opening); r.ECO == nil && isECO(code) {
		r.ECO, r.Opening = r.Opening, tag("Opening")
	}
	if base, step, ok := strings.Cut(string(g.TimeControl), "+"); ok {
		initial, e := strconv.ParseUint(base, 10, 16)
		increment, e2 := strconv.ParseUint(step, 10, 8)
		if e == nil && e2 == nil {
			r.Initial, r.Increment = new(uint16(initial)), new(uint8(increment))
		}
	}
	clock, _ := g.Tag("UTCTime")
	at, err := time.Parse("2006-01-02 15:04:05", string(g.Date)+" "+string(clock))
	if err != nil {
		at, err = time.Parse("2006-01-02", string(g.Date)) // midnight, which ingest takes for an unknown time
	}
	if err == nil {
		r.At = new(at.UnixMicro())
	}
	rules, p := chess.Rules{}, chess.Start()
	moves := make([]games.Move, 0, len(g.Moves))
	for ply, m := range g.Moves {
		move, err := rules.ParseMove(p, m.Text)
		if err != nil {
			break // the rules wrote it
		}
		moves, p = append(moves, move), p.Play(move)
		if m.HasValue {
			r.Evals = fill(r.Evals, ply, evalOf(m.Value))
		}
		if side := [2]*[]uint16{&r.White, &r.Black}[ply&1]; m.HasClock {
			*side = fill(*side, ply/2, uint16(min(max(0, m.Clock/1000), 1<<16-1)))
		}
	}
	r.Moves, _ = aix.Append(nil, moves, f.Level)
	line, _ := json.Marshal(r) // of numbers and texts
	return append(append(dst, line...), '\n')
}

// fill sets the item of a number; those that are missing before it are as the last one, as pgn-to-aix has them.
func fill[T int16 | uint16](list []T, at int, v T) []T {
	for len(list) < at {
		var last T
		if n := len(list); n > 0 {
			last = list[n-1]
		}
		list = append(list, last)
	}
	return append(list, v)
}

// evalOf is a value in hundredths as Aix has it: moves to mate from the ends of the numbers of 16 bits on.
func evalOf(v int32) int16 {
	const mates = 511
	switch {
	case v >= schemas.Decided:
		return int16(1<<15 - min(max(1, schemas.Win-v), mates))
	case v <= -schemas.Decided:
		return int16(-1<<15 - 1 + min(max(1, schemas.Win+v), mates))
	}
	return int16(v)
}

func resultOf(o games.Outcome) string {
	switch o {
	case games.FirstWins:
		return "1-0"
	case games.SecondWins:
		return "0-1"
	case games.Drawn:
		return "1/2-1/2"
	}
	return "*"
}

// isECO reports whether an opening is a code of the Encyclopaedia: C50.
func isECO(name string) bool {
	return len(name) == 3 && name[0] >= 'A' && name[0] <= 'E' && '0' <= min(name[1], name[2]) && max(name[1], name[2]) <= '9'
}

func text(v []byte) *string {
	if len(v) == 0 {
		return nil
	}
	return new(string(v))
}

// below returns the rest of v after an address; nil if v does not begin with it.
func below(v []byte, address string) *string {
	rest, ok := bytes.CutPrefix(v, []byte(address))
	if !ok {
		return nil
	}
	return text(rest)
}

func number(n int32) *int16 {
	if n == 0 {
		return nil
	}
	return new(int16(n))
}

func whole(s *string) *int16 {
	if s == nil {
		return nil
	}
	n, err := strconv.ParseInt(*s, 10, 16)
	if err != nil {
		return nil
	}
	return new(int16(n))
}

// NewStream returns a writer of a Parquet file to w. It takes the lines of Append, and is closed behind the last.
func (Format) NewStream(w io.Writer) io.WriteCloser {
	return stream{parquet.NewGenericWriter[row](w, parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(1<<17))}
}

type stream struct{ *parquet.GenericWriter[row] }

// Write takes whole lines.
func (s stream) Write(lines []byte) (int, error) {
	for line := range bytes.Lines(lines) {
		var r row
		if err := json.Unmarshal(line, &r); err != nil {
			return 0, err
		}
		if _, err := s.GenericWriter.Write([]row{r}); err != nil {
			return 0, err
		}
	}
	return len(lines), nil
}
