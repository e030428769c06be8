package pdn

import (
	"testing"

	"kifu/kit/recordtest"
)

var tested = recordtest.NewFormat(Format())

// TestVectors reads the files of testdata/vectors, one fault or habit of writers each.
func TestVectors(t *testing.T) { tested.Run(t) }
