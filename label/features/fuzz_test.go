package features

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
)

// FuzzCSV: whatever a table of features has, an error that names the file, or columns of as many
// cells as there are rows, whose numbers are those that strconv reads.
func FuzzCSV(f *testing.F) {
	f.Add([]byte("game,result,a,b\n1,1-0,0.5,true\n1,1-0,-3e2,\n"))
	f.Add([]byte("\xef\xbb\xbfresult;\"a\"\tb;c\r\n1;2;3\r\n"))
	f.Add([]byte("result,a\n0.5,00000000000000000.1\n1,1e400\n0,nan\n"))
	f.Add([]byte("\x1f\x8b\x08"))
	f.Fuzz(func(t *testing.T, data []byte) {
		of, err := newCSV("x.csv", io.NopCloser(bytes.NewReader(data)))
		if err != nil {
			return
		}
		defer of.close()
		s := &survey{numbered: true}
		if s.columns, err = assign(Params{}, "x.csv", of.names()); err != nil {
			return
		}
		rows := 0
		err = eachBlock(of, s.kinds(), func(b *block) error {
			for i, k := range s.kinds() {
				c := &b.cells[i]
				if k == number && len(c.numbers) != b.rows || k == text && len(c.ends) != b.rows {
					t.Errorf("column %d has not %d cells", i, b.rows)
				}
			}
			rows += b.rows
			return s.add("x.csv", b)
		})
		if err == nil {
			err = s.judge("x.csv")
		}
		if err != nil && !strings.Contains(err.Error(), "x.csv") {
			t.Errorf("%v names no file", err)
		}
		if err == nil && s.rows != int64(rows) {
			t.Errorf("%d rows, %d counted", rows, s.rows)
		}
	})
}

// FuzzNumber: a number is that of strconv.
func FuzzNumber(f *testing.F) {
	for _, text := range []string{"0.1", "-12.50", "000000000000001.5", "5.", ".5", "1e300", "nan", "true", "1_000", "0x1p-2"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, field []byte) {
		x, ok := parseNumber(field)
		want, err := strconv.ParseFloat(string(field), 64)
		if ok && err == nil && x != want && !(math.IsNaN(x) && math.IsNaN(want)) {
			t.Errorf("%q: %v, want %v", field, x, want)
		}
	})
}
