package aix

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
)

// row has columns of the Lichess database in Aix's form.
type row struct {
	ID        string   `parquet:"lichess_id,optional"`
	Cup       *string  `parquet:"tournament,optional"`
	Moves     []byte   `parquet:"movedata"`
	White     []uint16 `parquet:"clocks_white,list"`
	Black     []uint16 `parquet:"clocks_black,list"`
	Evals     []int16  `parquet:"evals,list"`
	Plies     uint16   `parquet:"ply_count"`
	First     string   `parquet:"white"`
	Elo       *int16   `parquet:"white_rating,optional"`
	Initial   *uint16  `parquet:"time_initial,optional"`
	Increment *uint8   `parquet:"time_increment,optional"`
	Result    string   `parquet:"result"`
	At        int64    `parquet:"utc_timestamp,timestamp(microsecond)"`
	Board     string   `parquet:"Board"`
}

func write(t testing.TB, rows any) []byte {
	t.Helper()
	var out bytes.Buffer
	var err error
	switch rows := rows.(type) {
	case []row:
		w := parquet.NewGenericWriter[row](&out)
		if _, err = w.Write(rows); err == nil {
			err = w.Close()
		}
	case []struct{ A int64 }:
		w := parquet.NewGenericWriter[struct{ A int64 }](&out)
		if _, err = w.Write(rows); err == nil {
			err = w.Close()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func textOf(t testing.TB, data []byte) string {
	t.Helper()
	r, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestText: tags, clocks and evaluations of a row as Lichess writes them; what is null or empty is left out.
func TestText(t *testing.T) {
	elo, initial, cup, step := int16(1500), uint16(600), "abc", uint8(5)
	at := time.Date(2024, 2, 29, 23, 59, 58, 0, time.UTC).UnixMicro()
	rows := []row{
		{ID: "abcdefgh", Cup: &cup, Moves: []byte("\x0C\x1C4$\x05\x1A\x00"), White: []uint16{600, 3725}, Black: []uint16{65535}, Evals: []int16{17, 32767, -32768},
			First: `A "B" \C`, Elo: &elo, Initial: &initial, Increment: &step, Result: "1-0", At: at, Board: "7"},
		{Moves: []byte("\x0C\x1C\x0C\x1C\x00"), Result: "*", At: at},
	}
	const want = `[White "A \"B\" \\C"]
[WhiteElo "1500"]
[Result "1-0"]
[UTCDate "2024.02.29"]
[UTCTime "23:59:58"]
[Board "7"]
[Site "https://lichess.org/abcdefgh"]
[Event "https://lichess.org/tournament/abc"]
[TimeControl "600+5"]

e2e4 { [%clk 0:10:00] } { [%eval 0.17] } e7e5 { [%clk 18:12:15] } { [%eval #1] } f1c4 { [%clk 1:02:05] } { [%eval #-1] } 1-0

[Result "*"]
[UTCDate "2024.02.29"]
[UTCTime "23:59:58"]

e2e4 damaged-movedata *

`
	if got := textOf(t, write(t, rows)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestOther: a Parquet file of something else is refused.
func TestOther(t *testing.T) {
	for _, data := range [][]byte{write(t, []struct{ A int64 }{{1}}), []byte("PAR1, cut")} {
		if _, err := Open(bytes.NewReader(data), int64(len(data))); err == nil {
			t.Errorf("%.20q is read", data)
		}
	}
}

// TestFlipped: a file with a byte changed, every third in turn, gives text or an error.
func TestFlipped(t *testing.T) {
	data := write(t, []row{{ID: "abcdefgh", Moves: []byte("\x0C\x1C4$\x05\x1A\x00"), White: []uint16{600, 590}, Evals: []int16{17}, Result: "1-0"}})
	damaged := 0
	for i := 0; i < len(data); i += 3 {
		flipped := bytes.Clone(data)
		flipped[i] ^= [...]byte{0xff, 1}[i%2]
		r, err := Open(bytes.NewReader(flipped), int64(len(flipped)))
		if err == nil {
			_, err = io.Copy(io.Discard, io.LimitReader(r, 1<<20))
			r.Close()
		}
		if err != nil {
			damaged++
		}
	}
	if damaged < len(data)/6 {
		t.Errorf("%d faults in %d bytes were found", damaged, len(data)/3)
	}
}
