package shapes

import (
	"bytes"
	"fmt"
)

// Counts are how often shapes were played and could be played.
type Counts struct {
	Decisions int64
	legals    int64 // moves of all decisions
	sizes     int   // in use
	numbers   numbers
	played    []uint32 // by number
	available []uint32
	sizeOf    []uint8
}

// CSV returns a table with the shapes kept of each size, which have these names.
func (c *Counts) CSV(names []string) []byte {
	type sum struct{ patterns, played, available int64 }
	sums := make([]sum, c.sizes)
	for i, size := range c.sizeOf {
		s := &sums[size]
		s.patterns, s.played, s.available = s.patterns+1, s.played+int64(c.played[i]), s.available+int64(c.available[i])
	}
	var out bytes.Buffer
	out.WriteString("size,shape,patterns,played,available,decisions\n")
	for size, s := range sums {
		fmt.Fprintf(&out, "%d,%s,%d,%d,%d,%d\n", size+1, names[size], s.patterns, s.played, s.available, c.Decisions)
	}
	return out.Bytes()
}
