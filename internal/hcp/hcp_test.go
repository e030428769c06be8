package hcp

import (
	"bytes"
	"encoding/hex"
	"testing"
)

// TestStart: the usual start as a file of an engine has it (Apery's code).
func TestStart(t *testing.T) {
	want, err := hex.DecodeString("58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Apery.Decode(want)
	if text := string(p.AppendSFEN(nil)); err != nil || text != Start {
		t.Errorf("%s, %v", text, err)
	}
	if got, err := Apery.Append(nil, &p); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%x, %v", got, err)
	}
}

// positions have all kinds on the board and in hand, of both sides, promoted and not.
var positions = []string{
	Start,
	"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
	"9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
	"8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 1",
	"4k4/9/+P+L+N+S+B+R3/+p+l+n+s+b+r3/9/9/9/9/4K4 b 4G2S2N2L16P 1",
}

// TestRound: both codes give back what they were given.
func TestRound(t *testing.T) {
	for _, text := range positions {
		p, err := ParseSFEN([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range []*Code{Apery, YaneuraOu} {
			packed, err := c.Append(nil, &p)
			if err != nil || len(packed) != size {
				t.Fatalf("%s: %d bytes, %v", text, len(packed), err)
			}
			q, err := c.Decode(packed)
			if err != nil || q != p {
				t.Errorf("code %d of %s gives %s, %v", i, text, q.AppendSFEN(nil), err)
			}
		}
	}
	p, _ := ParseSFEN([]byte("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"))
	if _, err := Apery.Append(nil, &p); err == nil {
		t.Error("a handicap is packed")
	}
}

// TestBox: pieces that YaneuraOu has in the box are in no hand.
func TestBox(t *testing.T) {
	p, err := ParseSFEN([]byte("4k4/9/9/9/9/9/9/9/4K4 b P 1"))
	if err != nil {
		t.Fatal(err)
	}
	var w bits
	w.put(0, 1)
	w.put(uint(p.find('K')), 7)
	w.put(uint(p.find('k')), 7)
	w.put(0, 79)
	w.put(0, 3) // a pawn of Black
	for range 17 {
		w.put(2, 3)
	}
	for k, n := range []int{0, 4, 4, 4, 0, 2, 2} {
		for range n {
			w.put(uint(YaneuraOu.hand[k].value)|1<<(YaneuraOu.hand[k].bits-1), int(YaneuraOu.hand[k].bits)+1)
		}
	}
	for range 4 { // a gold in the box is a promoted silver of White
		w.put(uint(YaneuraOu.hand[3].value)|1<<3|1<<4, 5)
	}
	if got, err := YaneuraOu.Decode(w.data[:size]); err != nil || got != p || w.at != 8*size {
		t.Errorf("%s, %v, %d bits", got.AppendSFEN(nil), err, w.at)
	}
	if _, err := Apery.Decode(w.data[:size]); err == nil {
		t.Error("Apery has a box")
	}
}

// bits are put one by one.
type bits struct {
	data [2 * size]byte
	at   int
}

func (b *bits) put(x uint, n int) {
	for i := range n {
		b.data[b.at>>3] |= byte(x>>i&1) << (b.at & 7)
		b.at++
	}
}

// TestFaults: what is no full set is not packed, what is no position is not unpacked.
func TestFaults(t *testing.T) {
	for _, text := range []string{
		"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1",
		"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSG1GSNL b - 1",
		"lnsgkgsnl/1r5b1/ppppppppp/9/4K4/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
		"rrrrrrrrr/rrrrrrrrr/rrrrrrrrr/rrrrrrrrr/rrrrkrrrr/rrrrrrrrr/rrrrrrrrr/rrrrrrrrr/rrrrKrrrr b 99R99r99B99b 1",
	} {
		p, err := ParseSFEN([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range []*Code{Apery, YaneuraOu} {
			if packed, err := c.Append(nil, &p); err == nil || len(packed) != 0 {
				t.Errorf("code %d: %s is packed", i, text)
			}
		}
	}
	ones := bytes.Repeat([]byte{0xff}, size)
	kings := append([]byte{0, 0x01, 0xff}, ones[3:]...)
	for _, data := range [][]byte{ones, make([]byte, size), kings} {
		for i, c := range []*Code{Apery, YaneuraOu} {
			if p, err := c.Decode(data); err == nil {
				t.Errorf("code %d: %x is %s", i, data, p.AppendSFEN(nil))
			}
		}
	}
}

// TestMoves: moves in both codes, as they are documented: to, from, promotion; drops.
func TestMoves(t *testing.T) {
	for text, want := range map[string][2]uint16{
		"7g7f":  {60<<7 | 59, 60<<7 | 59},
		"8h2b+": {70<<7 | 10 | 1<<14, 70<<7 | 10 | 1<<15},
		"P*5e":  {81<<7 | 40, 1<<7 | 40 | 1<<14},
		"G*5e":  {87<<7 | 40, 7<<7 | 40 | 1<<14},
		"B*1a":  {85 << 7, 5<<7 | 1<<14},
	} {
		m, ok := ParseUSI([]byte(text))
		if !ok || string(m.AppendUSI(nil)) != text {
			t.Errorf("%s: %+v, %v", text, m, ok)
		}
		for i, c := range []*Code{Apery, YaneuraOu} {
			back, ok := c.Move(want[i])
			if got := c.Pack(m); got != want[i] || !ok || back != m {
				t.Errorf("%s: %#x, want %#x; back %+v, %v", text, got, want[i], back, ok)
			}
		}
	}
	for _, bad := range []string{"", "7g", "7g7j", "P*5e+", "K*5e", "0a1a"} {
		if m, ok := ParseUSI([]byte(bad)); ok {
			t.Errorf("%q is %+v", bad, m)
		}
	}
}

// FuzzDecode: no bytes break the reading; what is read is packed to what is read again.
func FuzzDecode(f *testing.F) {
	for _, text := range positions {
		p, _ := ParseSFEN([]byte(text))
		packed, _ := Apery.Append(nil, &p)
		f.Add(packed, uint16(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, move uint16) {
		if len(data) < size {
			return
		}
		for _, c := range []*Code{Apery, YaneuraOu} {
			p, err := c.Decode(data)
			if err != nil {
				continue
			}
			if packed, err := c.Append(nil, &p); err == nil {
				if q, err := c.Decode(packed); err != nil || q != p {
					t.Errorf("%x: %s, %v", data, q.AppendSFEN(nil), err)
				}
			}
			if m, ok := c.Move(move); ok && p.Play(m) && c.Pack(m) != move {
				t.Errorf("%#x is %#x", move, c.Pack(m))
			}
		}
	})
}
