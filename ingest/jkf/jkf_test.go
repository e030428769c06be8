package jkf

import (
	"testing"

	"kifu/kit/recordtest"
)

var tested = recordtest.NewFormat(Format())

// TestVectors reads the files of testdata/vectors.
func TestVectors(t *testing.T) { tested.Run(t) }

// FuzzRead: any bytes give the same games at once and in blocks.
func FuzzRead(f *testing.F) {
	tested.FuzzBlocks(f,
		"{\"header\":{},\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"piece\":\"FU\"}}]}\n{ [1",
	)
}
