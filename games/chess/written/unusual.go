package written

import "bytes"

// Undashed returns a short text with typographic dashes with plain ones; ok is false without one.
func Undashed(text []byte) (plain []byte, ok bool) {
	const most = 16
	for len(text) > 0 && len(plain) < most {
		c, n := text[0], 1
		if k := dash(text); k > 0 {
			c, n, ok = '-', k, true
		}
		plain = append(plain, c)
		text = text[n:]
	}
	return plain, ok && len(text) == 0
}

// FromNumbers turns a move of correspondence chess, 5254, or 57581 for a promotion to a queen, into coordinates.
func FromNumbers(text []byte) (coordinates []byte, ok bool) {
	if len(text) != 4 && len(text) != 5 {
		return nil, false
	}
	for i, c := range text {
		switch {
		case c < '1' || c > '8' || i == 4 && c > '4':
			return nil, false
		case i == 4:
			c = "qrbn"[c-'1']
		case i%2 == 0:
			c += 'a' - '1'
		}
		coordinates = append(coordinates, c)
	}
	return coordinates, true
}

// dash returns the length of the dash with which text begins, 0 without one: in UTF-8
// U+2010 to U+2015 and the minus sign, in Windows-1252 the two long dashes.
func dash(text []byte) int {
	switch {
	case text[0] == 0x96, text[0] == 0x97:
		return 1
	case len(text) > 2 && text[0] == 0xE2 && (text[1] == 0x80 && text[2] >= 0x90 && text[2] <= 0x95 || text[1] == 0x88 && text[2] == 0x92):
		return 3
	}
	return 0
}

// IsDescriptive reports whether text is [piece] - or x [piece] in English letters with
// no file by a letter: P-K4, KN-B3, QR-Q1, BxP, PxPch, P/3xN.
func IsDescriptive(text []byte) bool {
	i := 0
	for i < len(text) && bytes.IndexByte([]byte("PNBRQKt12345678/"), text[i]) >= 0 {
		i++
	}
	if i == 0 || i+1 >= len(text) || text[0] < 'A' || text[i] != '-' && text[i] != 'x' {
		return false
	}
	to := text[i+1:]
	return bytes.IndexByte([]byte("PNBRQK"), to[0]) >= 0 && !bytes.ContainsAny(bytes.TrimSuffix(to, []byte("ch")), "abcdefgh")
}
