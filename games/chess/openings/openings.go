// Package openings is lichess' list of named positions of chess.
//
// In goes the hash of a position. Out come its ECO code and name, if it has any. Does not know moves.
package openings

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:generate ./make.sh

// packed is the list of README.md.
//
//go:embed names.tsv.gz
var packed []byte

// opening is a line of the list.
type opening struct{ code, name string }

// openings is the list by the hash of positions. Bit h of filter, h being the highest sixteen bits of
// a hash, is set where the list has such a hash: most positions have no name, and a look at the map
// costs ten times as much.
type openings struct {
	byHash map[uint64]opening
	filter [1 << 10]uint64
}

// list reads the list when it is first asked for (3 ms).
var list = sync.OnceValue(func() *openings {
	text, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err)
	}
	o := &openings{byHash: map[uint64]opening{}}
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		hash, err := strconv.ParseUint(fields[0], 16, 64)
		if err != nil {
			panic(err)
		}
		o.byHash[hash] = opening{fields[1], fields[2]}
		o.filter[hash>>54] |= 1 << (hash >> 48 & 63)
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
	return o
})

// At returns the ECO code and the name of the position with that hash, empty if the list has none.
func At(hash uint64) (code, name string) {
	o := list()
	if o.filter[hash>>54]>>(hash>>48&63)&1 == 0 {
		return "", ""
	}
	at := o.byHash[hash]
	return at.code, at.name
}
