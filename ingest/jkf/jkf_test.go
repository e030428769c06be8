package jkf

import (
	"strings"
	"testing"

	"kifu/ingest/record"
	"kifu/kit/recordtest"
)

var tested = recordtest.NewFormat(Format())

// TestVectors reads the files of testdata/vectors.
func TestVectors(t *testing.T) { tested.Run(t) }

// TestReuse: a game is read alike after one with more in each of its moves, whose list comes twice.
func TestReuse(t *testing.T) {
	const game = `{"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}},{"move":{"to":{"x":5,"y":5},"piece":"KA"}},{}]}`
	entry := `{"comments":["** 5"],"move":{"from":{"x":1,"y":1},"to":{"x":1,"y":2},"piece":"GI","promote":true,"relative":"U"},"forks":[[]]}`
	before := `{"moves":[` + strings.Repeat(entry+",", 5) + entry + `],"moves":[` + entry + `]}`
	read := func(text string, games int) string {
		r := newBlockReader(record.Options{})
		r.Reset(record.Block{Data: []byte(text), Line: 1})
		var g record.Game
		for range games {
			if err := r.Read(&g); err != nil {
				t.Fatal(err)
			}
		}
		_, moves, _ := strings.Cut(recordtest.Describe(&g), " ")
		return moves
	}
	if got, want := read(before+"\n"+game, 2), read(game, 1); got != want {
		t.Errorf("%s, alone %s", got, want)
	}
}

// FuzzRead: any bytes give the same games at once and in blocks.
func FuzzRead(f *testing.F) {
	tested.FuzzBlocks(f,
		"{\"header\":{},\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"piece\":\"FU\"}}]}\n{ [1",
	)
}
