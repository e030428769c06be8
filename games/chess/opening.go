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

// openings is the list by the hash of positions. Bit h of filter, h being the highest sixteen bits of
// a hash, is set where the list has such a hash: most positions have no name, and a look at the map
// costs ten times as much.
type openings struct {
	byHash map[uint64]opening
	filter [1 << 10]uint64
}

// list reads the list when it is first asked for (3 ms).
var list = sync.OnceValue(func() *openings {
	text, err := gzip.NewReader(bytes.NewReader(openingNames))
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

// at returns the opening of a hash, the zero one if the list has none.
func (o *openings) at(hash uint64) opening {
	if o.filter[hash>>54]>>(hash>>48&63)&1 == 0 {
		return opening{}
	}
	return o.byHash[hash]
}

var _ games.ListedOpenings[Position] = Rules{}

// OpeningName returns the name that lichess' list has for p, however it was reached.
func (Rules) OpeningName(p Position) string { return list().at(p.hash).name }

// OpeningCode returns the ECO code of p in that list.
func (Rules) OpeningCode(p Position) string { return list().at(p.hash).code }
