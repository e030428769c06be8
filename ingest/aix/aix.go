// Package aix reads the games of an Aix database, a Parquet file with a column movedata (package games/chess/aix), as text of PGN.
// The columns of the Lichess database (docs/columns.md of github.com/thomas-daniels/aix) become the tags of Lichess's own files,
// clocks and evaluations its comments; any other column of texts or numbers becomes a tag of its name.
package aix

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"

	"kifu/games"
	"kifu/games/chess"
	"kifu/games/chess/aix"
	"kifu/ingest/pgn"
	"kifu/ingest/record"
)

// Format is PGN whose records may be in such files.
func Format() *record.Format {
	f := pgn.Format()
	f.Table = Open
	return f
}

var errOther = errors.New("no column movedata of bytes")

// Open returns the text of the games in r, of size bytes.
func Open(r io.ReaderAt, size int64) (_ io.ReadCloser, err error) {
	defer whole(&err)
	file, err := parquet.OpenFile(r, size)
	if err != nil {
		return nil, err
	}
	t := &text{groups: file.RowGroups()}
	for _, leaf := range file.Schema().Columns() {
		name := leaf[0]
		c := column{name: name, tag: tags[name]}
		if column, ok := file.Schema().Lookup(leaf...); ok && column.Node.Type().LogicalType() != nil {
			c.logical = column.Node.Type().LogicalType().String()
		}
		if c.tag == "" && len(leaf) == 1 && !own[name] {
			c.tag = name
		}
		t.columns = append(t.columns, c)
	}
	if movedata, ok := file.Schema().Lookup("movedata"); !ok || movedata.Node.Type().Kind() != parquet.ByteArray {
		return nil, errOther
	}
	return t, nil
}

// tags are the tags of columns.
var tags = map[string]string{
	"white": "White", "black": "Black", "white_rating": "WhiteElo", "black_rating": "BlackElo", "result": "Result", "termination": "Termination",
	"white_rating_diff": "WhiteRatingDiff", "black_rating_diff": "BlackRatingDiff", "eco": "ECO", "opening": "Opening",
	"white_title": "WhiteTitle", "black_title": "BlackTitle",
}

// own are the columns that are read otherwise, or say what the moves say.
var own = map[string]bool{
	"movedata": true, "ply_count": true, "lichess_id": true, "tournament": true, "time_initial": true, "time_increment": true, "utc_timestamp": true,
}

// column is a column of the file.
type column struct {
	name, tag, logical string
}

// text is the text of the games.
type text struct {
	groups  []parquet.RowGroup
	columns []column
	rows    parquet.Rows // of the group; nil before the first
	batch   [64]parquet.Row
	out     []byte
	at      int
	game    game
}

// game is a row of the file.
type game struct {
	movedata      []byte
	lichess, cup  string
	initial, step string
	clocks        [2][]int64
	evals         []int64
	moves         []games.Move
}

// whole turns a panic of the module, which a damaged file may cause, into an error.
func whole(err *error) {
	if fault := recover(); fault != nil {
		*err = fmt.Errorf("damaged Parquet: %v", fault)
	}
}

// Read implements io.Reader.
func (t *text) Read(p []byte) (n int, err error) {
	defer whole(&err)
	for t.at == len(t.out) {
		t.out, t.at = t.out[:0], 0
		if t.rows == nil {
			if len(t.groups) == 0 {
				return 0, io.EOF
			}
			t.rows, t.groups = t.groups[0].Rows(), t.groups[1:]
		}
		n, err := t.rows.ReadRows(t.batch[:])
		for _, row := range t.batch[:n] {
			t.write(row)
		}
		if err == io.EOF {
			err = t.rows.Close()
			t.rows = nil
		}
		if err != nil {
			return 0, err
		}
	}
	n = copy(p, t.out[t.at:])
	t.at += n
	return n, nil
}

// Close implements io.Closer.
func (t *text) Close() error {
	if t.rows == nil {
		return nil
	}
	return t.rows.Close()
}

// write appends the text of a row.
func (t *text) write(row parquet.Row) {
	g := &t.game
	*g = game{clocks: [2][]int64{g.clocks[0][:0], g.clocks[1][:0]}, evals: g.evals[:0], moves: g.moves[:0]}
	result := "*"
	for _, v := range row {
		c := &t.columns[v.Column()]
		if v.IsNull() {
			continue
		}
		switch c.name {
		case "movedata":
			g.movedata = v.ByteArray()
		case "clocks_white":
			g.clocks[0] = append(g.clocks[0], int64(uint16(v.Int32())))
		case "clocks_black":
			g.clocks[1] = append(g.clocks[1], int64(uint16(v.Int32())))
		case "evals":
			g.evals = append(g.evals, int64(v.Int32()))
		case "lichess_id":
			g.lichess = shown(v)
		case "tournament":
			g.cup = shown(v)
		case "time_initial":
			g.initial = shown(v)
		case "time_increment":
			g.step = shown(v)
		case "utc_timestamp":
			g.start(t, v, c.logical)
		default:
			if c.name == "result" {
				result = shown(v)
			}
			if c.tag != "" {
				t.tag(c.tag, shown(v))
			}
		}
	}
	if g.lichess != "" {
		t.tag("Site", "https://lichess.org/"+g.lichess)
	}
	if g.cup != "" {
		t.tag("Event", "https://lichess.org/tournament/"+g.cup)
	}
	if g.initial != "" {
		t.tag("TimeControl", g.initial+"+"+cmp.Or(g.step, "0"))
	}
	t.out = append(t.out, '\n')
	g.append(t)
	t.out = append(append(t.out, result...), "\n\n"...)
}

// start writes the tags of the time at which a game began.
func (g *game) start(t *text, v parquet.Value, logical string) {
	var at time.Time
	switch n := v.Int64(); {
	case strings.Contains(logical, "MILLIS"):
		at = time.UnixMilli(n)
	case strings.Contains(logical, "NANOS"):
		at = time.Unix(0, n)
	default:
		at = time.UnixMicro(n)
	}
	at = at.UTC()
	t.tag("UTCDate", at.Format("2006.01.02"))
	if at.Hour()+at.Minute()+at.Second() > 0 { // else it may be unknown
		t.tag("UTCTime", at.Format("15:04:05"))
	}
}

// append writes the moves. Those of damaged data end with a word that is no move, so that the game is counted as damaged.
func (g *game) append(t *text) {
	moves, err := aix.Decode(g.moves, g.movedata)
	g.moves = moves
	rules, p := chess.Rules{}, chess.Start()
	for ply, m := range moves {
		t.out = append(rules.AppendCoordinates(t.out, p, m), ' ')
		if clocks := g.clocks[ply&1]; ply/2 < len(clocks) {
			s := clocks[ply/2]
			t.out = fmt.Appendf(t.out, "{ [%%clk %d:%02d:%02d] } ", s/3600, s/60%60, s%60)
		}
		if ply < len(g.evals) {
			t.out = append(appendEval(append(t.out, "{ [%eval "...), g.evals[ply]), "] } "...)
		}
		p = p.Play(m)
	}
	if err != nil {
		t.out = append(t.out, "damaged-movedata "...)
	}
}

// mates are the evaluations that count moves to mate from an end of the numbers of 16 bits.
const mates = 511

// appendEval writes an evaluation as Lichess does: in pawns, or moves to mate.
func appendEval(dst []byte, eval int64) []byte {
	const most, least = 1<<15 - 1, -1 << 15
	switch {
	case eval >= most-mates:
		return strconv.AppendInt(append(dst, '#'), most-eval+1, 10)
	case eval <= least+mates:
		return strconv.AppendInt(append(dst, '#'), least-eval-1, 10)
	}
	return strconv.AppendFloat(dst, float64(eval)/100, 'f', 2, 64)
}

// shown is a value as text.
func shown(v parquet.Value) string {
	switch v.Kind() {
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return string(v.ByteArray())
	}
	return v.String()
}

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ")

func (t *text) tag(name, value string) {
	if value == "" {
		return
	}
	t.out = fmt.Appendf(t.out, "[%s \"%s\"]\n", name, escapes.Replace(value))
}
