package csv

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"

	"kifu/ingest/pgn"
	"kifu/ingest/record"
)

// BlockReader reads the games of blocks that a Splitter has cut.
type BlockReader struct {
	record.Cursor
	keep    func(*record.Game) bool
	columns columns
	fields  [][]byte
	texts   []byte // of fields and tags
	movers  *pgn.BlockReader
	moves   record.Game
}

// Reset begins a block and reads its heading.
func (r *BlockReader) Reset(b record.Block) {
	r.Cursor.Reset(b)
	heading := headingOf(b.Data)
	r.columns = columnsOf(heading)
	r.Pass(max(0, len(heading)-r.Pos))
}

// Read fills g with the game of the next row.
func (r *BlockReader) Read(g *record.Game) error {
	g.Reset()
	for {
		rest := r.Rest()
		if len(rest) == 0 {
			return io.EOF
		}
		at, line := r.Offset(), r.Line
		n, whole, _ := rowEnd(rest)
		r.Pass(n)
		row := bytes.TrimRight(rest[:n], "\r\n")
		if len(row) == 0 {
			continue
		}
		g.Offset, g.Line = at, line
		reason := "a quote without its end"
		if whole {
			reason = r.read(g, row)
		}
		if reason != "" {
			g.Moves = g.Moves[:0]
			return &record.SyntaxError{Offset: at, Line: line, Reason: reason, Detail: record.Shown(row)}
		}
		return nil
	}
}

// read reads a row. The reason explains why it is no game.
func (r *BlockReader) read(g *record.Game, row []byte) (reason string) {
	r.split(row)
	if len(r.fields) != len(r.columns.list) {
		return "not as many fields as the heading has"
	}
	var text []byte
	for i, of := range r.columns.list {
		field := bytes.TrimSpace(r.fields[i])
		switch {
		case len(field) == 0:
		case of.kind == moves:
			text = field
		default:
			r.tag(g, of, field)
		}
	}
	if r.keep != nil && !r.keep(g) {
		g.Skipped = true
		return ""
	}
	r.movers.Reset(record.Block{Data: text, Line: 1})
	err := r.movers.Read(&r.moves)
	if fault := (*record.SyntaxError)(nil); errors.As(err, &fault) {
		return fault.Reason
	}
	g.Moves, g.Dropped, g.Result = append(g.Moves, r.moves.Moves...), r.moves.Dropped, r.moves.Result
	g.Annotations = append(g.Annotations, r.moves.Annotations...)
	g.Tags = append(g.Tags, r.moves.Tags...)
	if len(g.Result) == 0 {
		g.Result = g.Tag(record.TagResult)
	}
	return ""
}

// split cuts a row into its fields, without their quotes.
func (r *BlockReader) split(row []byte) {
	r.fields, r.texts = r.fields[:0], r.texts[:0]
	for more := true; more; {
		var field []byte
		if quoted, ok := bytes.CutPrefix(row, []byte(`"`)); ok {
			from, n := len(r.texts), 0
			for ; n < len(quoted); n++ {
				if quoted[n] == '"' {
					if n+1 == len(quoted) || quoted[n+1] != '"' {
						break
					}
					n++
				}
				r.texts = append(r.texts, quoted[n])
			}
			field = r.texts[from:len(r.texts):len(r.texts)]
			row = quoted[min(n+1, len(quoted)):]
			var behind []byte
			behind, row, more = bytes.Cut(row, []byte{r.columns.separator})
			field = append(field, behind...)
		} else {
			field, row, more = bytes.Cut(row, []byte{r.columns.separator})
		}
		r.fields = append(r.fields, field)
	}
}

// tag appends a field's value as a tag.
func (r *BlockReader) tag(g *record.Game, of column, field []byte) {
	switch of.kind {
	case winner:
		of.name = []byte(record.TagResult)
		switch string(bytes.ToLower(field)) {
		case "white":
			field = []byte(record.FirstWins)
		case "black":
			field = []byte(record.SecondWins)
		case "draw":
			field = []byte(record.Drawn)
		}
	case when:
		ms, err := strconv.ParseFloat(string(field), 64)
		if err != nil || !(ms > 1e11 && ms < 1e14) {
			of.name = []byte(record.TagUTCDate)
			break
		}
		at := time.UnixMilli(int64(ms)).UTC()
		g.Tags = append(g.Tags, record.Tag{Name: []byte("UTCTime"), Value: []byte(at.Format("15:04:05"))})
		of.name, field = []byte(record.TagUTCDate), []byte(at.Format("2006.01.02"))
	case minutes:
		of.name = []byte(record.TagTimeControl)
		base, added, ok := bytes.Cut(field, []byte("+"))
		if n, whole := record.Decimal(base, 0); ok && whole {
			field = append(strconv.AppendInt(nil, 60*n, 10), '+')
			field = append(field, added...)
		}
	case status:
		field = []byte(record.TerminationOf(string(field)))
	case start:
		if r.columns.pgn { // the last position's FEN
			of.name = []byte("LastFEN")
		}
	}
	g.Tags = append(g.Tags, record.Tag{Name: of.name, Value: field})
}
