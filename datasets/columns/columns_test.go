package columns

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/rle"
)

// Runs and packed groups in any mixture come back from a decoder of the format.
func TestHybridDecodes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for width := 1; width <= 17; width++ {
		for range 60 {
			var want []uint32
			for n := r.IntN(12); n >= 0; n-- {
				x := r.Uint32N(1 << width)
				for k := 1 + r.IntN(1<<r.IntN(7)); k > 0; k-- {
					want = append(want, x)
				}
			}
			data := append([]byte{byte(width)}, appendHybrid(nil, want, width)...)
			got, err := new(rle.DictionaryEncoding).DecodeInt32(nil, data)
			if err != nil {
				t.Fatalf("width %d, %v: %v", width, want, err)
			}
			for i, x := range want {
				if i >= len(got) || uint32(got[i]) != x {
					t.Fatalf("width %d: %v came back as %v", width, want, got)
				}
			}
		}
	}
}

// TestSum: the check values of both CRCs.
func TestSum(t *testing.T) {
	if got, want := fmt.Sprintf("%016x", AddSum(AddSum(0, []byte("1234")), []byte("56789"))), "cbf43926e3069283"; got != want {
		t.Errorf("sum of 123456789: %s, want %s, the check values of both CRCs", got, want)
	}
}
