package query

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/internal/lists"
)

// Dataset returns the dataset of a view, named as View writes it; nil if there is none.
func (db *DB) Dataset(name string) *datasets.Dir {
	at := slices.IndexFunc(db.views, func(v view) bool { return View(v.name) == name })
	if at < 0 {
		return nil
	}
	return db.views[at].dir
}

// Rows makes a view of rows of whole numbers. It lasts until db is closed.
func (db *DB) Rows(ctx context.Context, name string, columns []string, rows [][]int64) (err error) {
	if err := db.temp.Make(); err != nil {
		return err
	}
	db.tables++
	path := filepath.Join(db.temp.Path(), fmt.Sprintf("table-%d.csv", db.tables))
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	w.WriteString(strings.Join(columns, ",") + "\n")
	var line []byte
	for _, row := range rows {
		line = line[:0]
		for _, n := range row {
			line = append(strconv.AppendInt(line, n, 10), ',')
		}
		line[len(line)-1] = '\n'
		w.Write(line)
	}
	err = w.Flush()
	if e := file.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return db.attachTable(ctx, name, path, lists.Of(columns, func(c string) string { return QuoteText(c) + ": 'BIGINT'" }))
}
