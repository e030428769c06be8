package columns

import (
	"encoding/binary"
	"math/bits"
)

// minRun is the length from which equal values are written as a run. Shorter ones in
// bits leave more to zstd.
const minRun = 24

// appendHybrid appends src, all below 1<<width, in Parquet's RLE hybrid of runs and
// groups of eight packed values.
func appendHybrid[T uint8 | uint32](dst []byte, src []T, width int) []byte {
	packed := 0 // src[packed:i], whole groups, is to be packed
	for i := 0; i < len(src); {
		x, end := src[i], i+1
		for end < len(src) && src[end] == x {
			end++
		}
		if end-i < minRun {
			// A run that does not fill its groups cannot begin before the next of them.
			i = min(i+max(8, (end-i)&^7), len(src))
			continue
		}
		dst = appendPacked(dst, src[packed:i], width)
		dst = appendRun(dst, uint32(x), end-i, width)
		i, packed = end, end
	}
	return appendPacked(dst, src[packed:], width)
}

// appendRun appends n times x.
func appendRun(dst []byte, x uint32, n, width int) []byte {
	dst = binary.AppendUvarint(dst, uint64(n)<<1)
	for ; width > 0; width -= 8 {
		dst = append(dst, byte(x))
		x >>= 8
	}
	return dst
}

// appendPacked appends src in groups of eight, the last filled up with zeros.
func appendPacked[T uint8 | uint32](dst []byte, src []T, width int) []byte {
	if len(src) == 0 {
		return dst
	}
	dst = binary.AppendUvarint(dst, uint64(len(src)+7)/8<<1|1)
	for len(src) >= 8 && width <= 16 {
		s := src[:8]
		w := uint(width)
		low := uint64(s[0]) | uint64(s[1])<<w | uint64(s[2])<<(2*w) | uint64(s[3])<<(3*w)
		high := uint64(s[4]) | uint64(s[5])<<w | uint64(s[6])<<(2*w) | uint64(s[7])<<(3*w)
		dst = binary.LittleEndian.AppendUint64(dst, low|high<<(4*w))
		dst = binary.LittleEndian.AppendUint64(dst, high>>(64-4*w))
		dst = dst[:len(dst)-16+width]
		src = src[8:]
	}
	var acc uint64
	n, count := 0, (len(src)+7)&^7
	for i := range count {
		if i < len(src) {
			acc |= uint64(src[i]) << n
		}
		for n += width; n >= 8; n -= 8 {
			dst = append(dst, byte(acc))
			acc >>= 8
		}
	}
	return dst
}

// numberBits is the width of the numbers of a dictionary's values. More than four bits are written as whole bytes, in which
// zstd finds repeats: labels are 3 % smaller, and sooner read.
func numberBits(values int) int {
	width := widthOf(values)
	if width > 4 {
		width = (width + 7) &^ 7
	}
	return width
}

// widthOf returns the number of bits that the numbers below n take.
func widthOf(n int) int {
	if n < 2 {
		return 0
	}
	return bits.Len(uint(n - 1))
}
