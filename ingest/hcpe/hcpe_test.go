package hcpe

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
	"testing"

	"kifu/ingest/record"
	"kifu/internal/hcp"
	"kifu/kit/recordtest"
)

func vectors(l *layout) recordtest.Vectors {
	return recordtest.Vectors{
		Decode: func(t testing.TB, body []byte) []byte { return decode(t, l, body) },
		All: func(data []byte) ([]string, error) {
			return recordtest.ReadAll(record.NewStream(l.format(), bytes.NewReader(data), record.Options{}))
		},
		Split: func(data []byte, size int) ([]string, error) {
			return recordtest.ReadBlocks(l.cuts().Splitter(bytes.NewReader(data), size, record.Start{}), &blockReader{layout: l})
		},
	}
}

// decode makes records of lines "SFEN, move, value of the mover, result" (the result as the
// layout's byte has it); of a line of hex bytes these. A line "+" repeats the move on the position after the last one.
func decode(t testing.TB, l *layout, body []byte) (data []byte) {
	var p hcp.Position
	for _, line := range strings.Split(strings.TrimSpace(string(body)), "\n") {
		fields := strings.Split(line, ",")
		if len(fields) == 1 {
			raw, err := hex.DecodeString(strings.ReplaceAll(line, " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			data = append(data, raw...)
			continue
		}
		if sfen := strings.TrimSpace(fields[0]); sfen == "start" {
			p, _ = hcp.ParseSFEN([]byte(hcp.Start))
		} else if sfen != "" {
			p, _ = hcp.ParseSFEN([]byte(sfen))
		}
		rec, err := l.code.Append(nil, &p)
		m, ok := hcp.ParseUSI([]byte(strings.TrimSpace(fields[1])))
		value, err2 := strconv.ParseInt(strings.TrimSpace(fields[2]), 10, 16)
		result, err3 := strconv.ParseInt(strings.TrimSpace(fields[3]), 10, 8)
		if err != nil || !ok || err2 != nil || err3 != nil {
			t.Fatalf("%q: %v %v %v %v", line, err, ok, err2, err3)
		}
		rec = binary.LittleEndian.AppendUint16(rec, uint16(value))
		rec = binary.LittleEndian.AppendUint16(rec, l.code.Pack(m))
		for len(rec) < l.size-2 {
			rec = append(rec, 7) // the ply of psv
		}
		data = append(data, append(rec, byte(result), 0)...)
		p.Play(m)
	}
	return data
}

// TestVectors reads the files of testdata/vectors as hcpe, those of testdata/psv as psv.
func TestVectors(t *testing.T) { vectors(hcpeLayout).Run(t) }

// TestPSV: the results of psv are those of the side to move.
func TestPSV(t *testing.T) {
	v := vectors(psvLayout)
	data := decode(t, psvLayout, []byte("start,7g7f,40,1\n,3c3d,-35,-1\n,8h2b+,400,1\n,3a2b,-400,-1\n,B*5e,9,1\nstart,2g2f,0,-1\n,8c8d,0,-1\n,2f2e,0,0\n00 11"))
	want := []string{
		`@0:1 7g7f{40} 3c3d{35} 8h2b+{400} 3a2b{400} B*5e{9} => "1-0"`,
		`@200:6 2g2f => "0-1"`,
		`@240:7 [FEN "lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 1"] 8c8d => "1-0"`,
		`@280:8 [FEN "lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL b - 1"] 2f2e => "1/2-1/2"`,
		`@320:9! cut off in the middle of a record`,
	}
	got, err := v.All(data)
	if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%v\n%s", err, strings.Join(got, "\n"))
	}
	v.SameInBlocks(t, data, want)
	if !psvLayout.recognize(data) || hcpeLayout.recognize(data) {
		t.Error("psv is not told from hcpe")
	}
}

// TestLongGames: a game of too many records is given up, and those before and after it are read.
func TestLongGames(t *testing.T) {
	rows := "start,2g2f,0,1\nstart,2h3h,0,1\n" + strings.Repeat(",8b7b,0,1\n,3h2h,0,1\n,7b8b,0,1\n,2h3h,0,1\n", maxGame/4+3) + "start,2g2f,0,1\n"
	got, err := vectors(hcpeLayout).All(decode(t, hcpeLayout, []byte(rows)))
	if err != nil || len(got) != 3 || got[1] != "@38:2! more than 32768 moves" || !strings.HasSuffix(got[2], ` 2g2f => "1-0"`) {
		t.Errorf("%d games, %v: %.80q", len(got), err, got)
	}
}

// TestKeep: a game that is not kept has no moves; the next one is whole.
func TestKeep(t *testing.T) {
	data := decode(t, hcpeLayout, []byte("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1,5i5h,0,1\nstart,2g2f,0,1\n,8c8d,0,1"))
	r := record.NewStream(Format(), bytes.NewReader(data), record.Options{Keep: func(g *record.Game) bool { return g.Tag("FEN") == nil }})
	var g record.Game
	for i, want := range []int{0, 2} {
		if err := r.Read(&g); err != nil || len(g.Moves) != want || g.Skipped != (want == 0) {
			t.Errorf("game %d: %s, %v", i, recordtest.Describe(&g), err)
		}
	}
}

// FuzzRead: any bytes give the same games at once and in blocks.
func FuzzRead(f *testing.F) {
	f.Add(decode(f, hcpeLayout, []byte("start,7g7f,40,1\n,3c3d,-35,1\nstart,2g2f,0,2\n00")), uint16(40), false)
	f.Add(decode(f, psvLayout, []byte("start,7g7f,40,1\n,3c3d,-35,-1\nstart,2g2f,0,0\n00")), uint16(40), true)
	f.Fuzz(func(t *testing.T, data []byte, size uint16, psv bool) {
		l := hcpeLayout
		if psv {
			l = psvLayout
		}
		v := vectors(l)
		want, err := v.All(data)
		if err != nil {
			t.Fatal(err)
		}
		v.Same(t, data, int(size)+1, want)
	})
}
