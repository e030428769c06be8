package pgn

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"kifu/ingest/record"
	"kifu/internal/cpu"
	"kifu/kit/recordtest"
)

// FuzzReader: whatever is read, games lie in the stream in their order and hold no more than
// it has, and do not depend on where the stream is cut.
func FuzzReader(f *testing.F) {
	tested.FuzzOrder(f, func(t *testing.T, text []byte, g *record.Game) {
		recordtest.LineOf(t, text, g)
		for _, m := range g.Moves {
			if len(m.Text) == 0 || m.Value < -record.MateValue || m.Value > record.MateValue || m.Clock < 0 {
				t.Fatalf("move %+v", m)
			}
		}
	})
}

// FuzzDamage: whatever stands in the place of game k, games 0 to k-1 and from k+2 on
// are read as ever.
func FuzzDamage(f *testing.F) {
	const before, after = "[Event \"0\"]\n\n1. e4 {c} e5 1-0\n\n", "[Event \"2\"]\n[White \"w\"]\n\n1. c4 (1. b4) c5 *\n\n[Event \"3\"]\n[White \"w\"]\n\n1. g4 {d} g5 0-1\n\n[Event \"4\"]\n\n1. h4 *\n"
	tested.FuzzDamage(f, before, after, 1, 2)
}

// TestLinear reads what would take hours if a place were scanned again and again.
func TestLinear(t *testing.T) {
	const size, limit = 1 << 19, 3 * time.Second // of the processor
	for _, unit := range []string{
		"{", "(", "[", "[a ", "[A \"", "[A \"x\"]", "[A \"x\"]\n\n", "[A x]\n", "<", ";", "%", "\"", "\\", "1.", "0.", "1. e4 1.", "e4 \n\n1.", "a", "9", "$", ".", "..",
		"[Event \"\n", "\n[Event \"", "{\n[Event \"x\"]\n", "\n{[Event \"", "1. e4 (\n[Event \"x\"]\n\n", "1-0 {", "e4{", "e4(", "1-0 a ", "\r", "\r\n", "\n[A \"\\\"", "] \n[Event \"", "e4 <a", "e4 [", " ",
		"{+0.1/1", "e4 {" + strings.Repeat("[%", 100) + "}", "e4 {a=1," + strings.Repeat("b,", 100) + "}",
	} {
		for _, head := range []string{"", "[Event \"x\"]\n\n1. e4 ", "[Event \"x\"]\n\n1. e4 {"} {
			text := head + strings.Repeat(unit, size/len(unit))
			if unit[0] == '{' {
				text += text + text + text // braces are sought fast
			}
			begun := cpu.Time()
			r := NewBlockReader(record.Options{})
			r.Reset(record.Block{Data: []byte(text), Line: 1})
			var g record.Game
			for {
				err := r.Read(&g)
				if err == io.EOF {
					break
				}
				if _, ok := err.(*record.SyntaxError); err != nil && !ok {
					t.Fatal(err)
				}
				if took := cpu.Time() - begun; took > limit {
					t.Fatalf("%q repeated after %q: %v, and not through %d bytes", unit, head, took, len(text))
				}
			}
			if took := cpu.Time() - begun; testing.Verbose() && took > 100*time.Millisecond {
				t.Logf("%q repeated after %q: %v", unit, head, took)
			}
		}
	}
}

// FuzzComment: whatever a comment says, values and clocks are in their bounds; what
// kifu and engines write is read as it was meant, whatever stands around it.
func FuzzComment(f *testing.F) {
	for _, text := range []string{"", "+0.25/12 0.5s", "-M5/20 1.2s", "(Nf6) +0.2/9", "+0.57 17/28 583 363004", "[%eval 0.35,18]", "[%eval #-3]",
		"ev=0.12, d=26, tl=01:40:00, wv=-0.18,", "d=1, pv=e4, wv=-M12, R50=49", "[%clk 0:02:59.9] 1.2", "12. Nf3 was better", "0.20/20 163 (Bxd2+) tl=7.9s"} {
		f.Add([]byte(text), int16(-17), uint32(59900), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, value int16, clock uint32, black bool) {
		clock %= 1 << 31
		var m record.Move
		valued(text, &m, black)
		if m.Value < -record.MateValue || m.Value > record.MateValue || m.Clock < 0 || !m.HasValue && m.Value != 0 || !m.HasClock && m.Clock != 0 {
			t.Fatalf("%q is read as %+v", text, m)
		}
		prose := bytes.Map(func(r rune) rune {
			if strings.ContainsRune("[],=", r) {
				return ' '
			}
			return r
		}, text)
		v := int32(value)
		hundredths := fmt.Sprintf("%.2f", float64(v)/100)
		time := fmt.Sprintf("%d:%02d:%02d.%03d", clock/3600000, clock/60000%60, clock/1000%60, clock%1000)
		view := v
		if black {
			view = -v
		}
		for _, c := range []struct {
			text  string
			value int32
			timed bool
		}{
			{fmt.Sprintf("x %s [%%eval %s] [%%clk %s] %s", prose, hundredths, time, prose), v, true},
			{fmt.Sprintf("\n[%%clk %s][%%eval %s,20]%s", time, hundredths, prose), v, true},
			{fmt.Sprintf("%s/20 0.5s, %s", hundredths, bytes.ReplaceAll(prose, []byte("tl"), nil)), view, false},
			{fmt.Sprintf("d=20, pv=%s, tl=%s, wv=%s, %s", prose, time, hundredths, prose), v, true},
		} {
			m = record.Move{}
			valued([]byte(c.text), &m, black)
			if m.Value != c.value || !m.HasValue || m.HasClock != c.timed || c.timed && m.Clock != int32(clock) {
				t.Fatalf("%q is read as %+v: want value %d, clock %d", c.text, m, c.value, clock)
			}
		}
	})
}
