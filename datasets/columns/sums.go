package columns

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
)

// SumsKey is the key in the footer for the sums of the column chunks, row group
// after row group, in base64: eight bytes each, the least first.
const SumsKey = "kifu.sums"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AddSum adds bytes to the checksum of a column chunk, which begins at 0: in its
// upper half the CRC of IEEE, in its lower half Castagnoli's. Every run of damaged
// bits up to 32 changes both, and processors have instructions for them, so that they cost
// a tenth of what decoding does.
func AddSum(sum uint64, p []byte) uint64 {
	return uint64(crc32.Update(uint32(sum>>32), crc32.IEEETable, p))<<32 | uint64(crc32.Update(uint32(sum), castagnoli, p))
}

// sums is the value of SumsKey.
func (f *footer) sums() string {
	var all []byte
	for _, chunks := range f.groups {
		for _, ch := range chunks {
			all = binary.LittleEndian.AppendUint64(all, ch.sum)
		}
	}
	return base64.StdEncoding.EncodeToString(all)
}
