package chess

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"kifu/games"
)

//go:generate openings/make.sh

// openingNames is the list of openings/README.md.
//
//go:embed openings/names.tsv.gz
var openingNames []byte

// opening is a line of the list.
type opening struct{ code, name string }

// openingsByHash reads the list when it is first asked for (3 ms).
var openingsByHash = sync.OnceValue(func() map[uint64]opening {
	text, err := gzip.NewReader(bytes.NewReader(openingNames))
	if err != nil {
		panic(err)
	}
	list := map[uint64]opening{}
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		hash, err := strconv.ParseUint(fields[0], 16, 64)
		if err != nil {
			panic(err)
		}
		list[hash] = opening{fields[1], fields[2]}
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
	return list
})

var _ games.ListedOpenings[Position] = Rules{}

// OpeningName returns the name that lichess' list has for p, however it was reached.
func (Rules) OpeningName(p Position) string { return openingsByHash()[p.hash].name }

// OpeningCode returns the ECO code of p in that list.
func (Rules) OpeningCode(p Position) string { return openingsByHash()[p.hash].code }
