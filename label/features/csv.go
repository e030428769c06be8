package features

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"github.com/klauspost/compress/zstd"
)

// lineBytes is the longest line that is read: enough for 100,000 columns.
const lineBytes = 1 << 20

// csvTable reads a text of lines: a header, then one row per line, fields separated by
// commas, semicolons or tabs. A field may be quoted, but not continue on the next line.
// Plain text, gzip and zstd are recognised by their first bytes.
type csvTable struct {
	path   string
	file   io.Closer
	unpack io.Closer // nil: not compressed
	in     *bufio.Reader
	comma  byte
	header []string
	kinds  []kind
	line   int64
}

func openCSV(path string) (table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return newCSV(path, f)
}

// newCSV reads the header of the table that f has. It closes f if that fails.
func newCSV(path string, f io.ReadCloser) (_ table, err error) {
	t := &csvTable{path: path, file: f, in: bufio.NewReaderSize(f, lineBytes)}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.close())
		}
	}()
	if err := t.decompress(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if bom, _ := t.in.Peek(3); string(bom) == "\xef\xbb\xbf" {
		t.in.Discard(3)
	}
	line, err := t.next()
	if err == io.EOF {
		return nil, fmt.Errorf("%s: empty; want a header line with the names of the columns", path)
	}
	if err != nil {
		return nil, err
	}
	t.comma = delimiter(line)
	err = t.fields(line, func(_ int, field []byte) error {
		t.header = append(t.header, string(bytes.TrimSpace(field)))
		return nil
	})
	return t, err
}

func (t *csvTable) decompress() error {
	head, _ := t.in.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(t.in)
		if err != nil {
			return err
		}
		t.unpack, t.in = z, bufio.NewReaderSize(z, lineBytes)
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(t.in)
		if err != nil {
			return err
		}
		t.unpack, t.in = z.IOReadCloser(), bufio.NewReaderSize(z, lineBytes)
	}
	return nil
}

// delimiter returns the most frequent of the three delimiters in a line.
func delimiter(line []byte) byte {
	best := byte(',')
	for _, c := range []byte{';', '\t'} {
		if bytes.Count(line, []byte{c}) > bytes.Count(line, []byte{best}) {
			best = c
		}
	}
	return best
}

func (t *csvTable) names() []string { return t.header }

func (t *csvTable) want(kinds []kind) error {
	t.kinds = kinds
	return nil
}

func (t *csvTable) close() error {
	var err error
	if t.unpack != nil {
		err = t.unpack.Close()
	}
	return errors.Join(err, t.file.Close())
}

// next returns the next non-empty line, without its end.
func (t *csvTable) next() ([]byte, error) {
	for {
		line, err := t.in.ReadSlice('\n')
		t.line++
		if err == bufio.ErrBufferFull {
			return nil, fmt.Errorf("%s: longer than %d bytes: is it a CSV file?", place(t.path, t.line), lineBytes)
		}
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("%s: %w", place(t.path, t.line), err)
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
		if len(line) > 0 {
			return line, nil
		}
		if err == io.EOF {
			return nil, io.EOF
		}
	}
}

// fields calls f with the fields of a line.
func (t *csvTable) fields(line []byte, f func(i int, field []byte) error) error {
	if bytes.IndexByte(line, '"') >= 0 {
		return t.quotedFields(line, f)
	}
	for i := 0; ; i++ {
		end := bytes.IndexByte(line, t.comma)
		if end < 0 {
			return f(i, line)
		}
		if err := f(i, line[:end]); err != nil {
			return err
		}
		line = line[end+1:]
	}
}

func (t *csvTable) quotedFields(line []byte, f func(i int, field []byte) error) error {
	r := csv.NewReader(bytes.NewReader(line))
	r.Comma, r.FieldsPerRecord = rune(t.comma), -1
	record, err := r.Read()
	if err != nil {
		return fmt.Errorf("%s: a quote is not closed on its line", place(t.path, t.line))
	}
	for i, field := range record {
		if err := f(i, []byte(field)); err != nil {
			return err
		}
	}
	return nil
}

func (t *csvTable) read(b *block) error {
	for b.rows < blockRows {
		line, err := t.next()
		if err == io.EOF && b.rows > 0 {
			return nil
		}
		if err != nil {
			return err
		}
		n := 0
		err = t.fields(line, func(i int, field []byte) error {
			n++
			if i >= len(t.kinds) {
				return nil
			}
			switch c := &b.cells[i]; t.kinds[i] {
			case number:
				x, ok := parseNumber(field)
				if !ok {
					return fmt.Errorf("%s, column %s: %q is not a number: omit the column with --ignore", place(t.path, t.line), t.header[i], field)
				}
				c.numbers = append(c.numbers, x)
			case text:
				c.addText(bytes.TrimSpace(field))
			}
			return nil
		})
		if err != nil {
			return err
		}
		if n != len(t.kinds) {
			return fmt.Errorf("%s: %d fields; the header has %d", place(t.path, t.line), n, len(t.kinds))
		}
		b.where = append(b.where, t.line)
		b.rows++
	}
	return nil
}

// parseNumber reads a number, true as 1, false as 0, and the usual spellings of missing
// values. Most are short decimals: as long as digits and power of ten are exact, their
// quotient is the nearest float.
func parseNumber(field []byte) (x float64, ok bool) {
	digits, scale, seen := int64(0), 0, 0
	s := field
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	for i, c := range s {
		switch {
		case c >= '0' && c <= '9' && seen < 15:
			digits = 10*digits + int64(c-'0')
			seen++
		case c == '.' && scale == 0:
			scale = len(s) - i
		default:
			return parseRare(field)
		}
	}
	if seen == 0 {
		return parseRare(field)
	}
	x = float64(digits)
	if scale > 1 {
		x /= powers[scale-1]
	}
	if field[0] == '-' {
		x = -x
	}
	return x, true
}

var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

func parseRare(field []byte) (float64, bool) {
	s := string(bytes.TrimSpace(field))
	switch s {
	case "", "NA", "N/A", "null", "NULL", "None", "nan", "NaN":
		return missing, true
	case "true", "True", "TRUE":
		return 1, true
	case "false", "False", "FALSE":
		return 0, true
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil && !math.IsNaN(x)
}
