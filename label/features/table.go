package features

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
)

// blockRows is the number of rows read at a time.
const blockRows = 1 << 13

// table is an open file. It is not read by DuckDB, whose read_csv names the line of a row only when
// it rejects the row. Here errors name the lines of invalid results, numbers out of range and
// missing cells, and all cells of a column follow one rule, whatever type DuckDB would guess.
// Parquet could be read there, but then the two formats would have two engines.
type table interface {
	// names returns the names of its columns, in order.
	names() []string
	// want sets how each column is read, before the first read.
	want(kinds []kind) error
	// read fills b with the next rows. It returns io.EOF after the last.
	read(b *block) error
	close() error
}

// kind is the way a column is read.
type kind uint8

const (
	skipped kind = iota
	number
	text
)

// block has some rows, column by column.
type block struct {
	rows  int
	cells []cells
	where []int64 // line or row of the file that a row is from
}

// cells are the cells of a column: numbers, NaN where one is missing, or texts end to end.
type cells struct {
	numbers []float64
	texts   []byte
	ends    []int
}

func (c *cells) text(i int) []byte {
	from := 0
	if i > 0 {
		from = c.ends[i-1]
	}
	return c.texts[from:c.ends[i]]
}

func (c *cells) addText(t []byte) {
	c.texts = append(c.texts, t...)
	c.ends = append(c.ends, len(c.texts))
}

func (b *block) reset(columns int) {
	if b.cells == nil {
		b.cells = make([]cells, columns)
	}
	b.rows, b.where = 0, b.where[:0]
	for i := range b.cells {
		c := &b.cells[i]
		c.numbers, c.texts, c.ends = c.numbers[:0], c.texts[:0], c.ends[:0]
	}
}

// place names a row of a file as its format counts: lines of text, rows of Parquet.
func place(path string, where int64) string {
	if strings.EqualFold(filepath.Ext(path), ".parquet") {
		return fmt.Sprintf("%s, row %d", path, where)
	}
	return fmt.Sprintf("%s, line %d", path, where)
}

// openTable opens a file by its name.
func openTable(path string) (table, error) {
	if strings.EqualFold(filepath.Ext(path), ".parquet") {
		return openParquet(path)
	}
	return openCSV(path)
}

// readBlocks reads the file block by block.
func readBlocks(path string, kinds []kind, f func(*block) error) (err error) {
	t, err := openTable(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	return eachBlock(t, kinds, f)
}

func eachBlock(t table, kinds []kind, f func(*block) error) error {
	if err := t.want(kinds); err != nil {
		return err
	}
	b := new(block)
	for {
		b.reset(len(kinds))
		if err := t.read(b); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := f(b); err != nil {
			return err
		}
	}
}

// missing is the value of a cell without a number.
var missing = math.NaN()
