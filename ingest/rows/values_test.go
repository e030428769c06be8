package rows

import "testing"

func TestDates(t *testing.T) {
	var c cleaner
	for _, x := range []struct {
		in, iso string
		ok      bool
	}{
		{"2014.08.03", "2014-08-03", true}, {"1950.??.??", "1950", true}, {"1950.07.??", "1950-07", true},
		{"1950", "1950", true}, {"1950-7-5", "1950-07-05", true}, {"1950/12/31", "1950-12-31", true},
		{"1950.00.00", "1950", true}, {"2000.02.29", "2000-02-29", true}, {"0476.09.04", "0476-09-04", true},
		{"", "", true}, {"????.??.??", "", true}, {"-", "", true}, {"?", "", true}, {" 1999.01.02 ", "1999-01-02", true},
		{"1950.??.15", "1950", false}, {"1900.02.29", "", false}, {"2001.13.01", "", false}, {"2001.04.31", "", false},
		{"15.07.1950", "1950-07-15", true}, {"3.4.1996", "1996-04-03", true}, {"14-01-1996", "1996-01-14", true}, {"31/12/1999", "1999-12-31", true},
		{"12/31/1999", "1999-12-31", true}, {"4/4/1996", "1996-04-04", true}, {"3/4/1996", "1996", false}, {"03-04-1996", "1996", false}, {"??.04.1996", "", false},
		{"31.04.2001", "", false}, {"13/13/2001", "", false}, {"12.31.1999", "", false}, {"03.07.20", "", false}, {"1.2.3.2000", "", false}, {"123.1.2000", "", false},
		{"195?.??.??", "", false}, {"1950.1.2.3", "", false}, {"May 1950", "", false}, {"19500101", "", false},
		{"????.07.??", "", false},
		{"2024-11-09 08:09:57", "2024-11-09", false}, {"2024-11-09T08:09:57Z", "2024-11-09", false}, {"2024-11-09 08 09 57", "2024-11-09", false},
		{"2008年5月3日", "2008-05-03", true}, {"2008年5月", "2008-05", true}, {"2008年5月3日 10:00", "2008-05-03", false},
		{"1933-10-16~1934-01-29", "1933-10-16", false}, {"1933-10-16/1934-01-29", "1933-10-16", false}, {"1933.10.16 – 1934.01.29", "1933-10-16", false}, {"1933-10~11", "1933-10", false}, {"1971-1972", "1971", false},
		{"c. 1700", "1700", false}, {"Circa 1700", "1700", false}, {"2024-13-09 08:09:57", "", false},
	} {
		iso, ok := c.date([]byte(x.in))
		if string(iso) != x.iso || ok != x.ok {
			t.Errorf("%q: %q, %v; want %q, %v", x.in, iso, ok, x.iso, x.ok)
		}
	}
}

func TestRatings(t *testing.T) {
	for _, x := range []struct {
		in string
		n  int32
		ok bool
	}{{"2450", 2450, true}, {" 900 ", 900, true}, {"0", 0, true}, {"", 0, true}, {"?", 0, true}, {"-", 0, true}, {"????", 0, true},
		{"2450?", 0, false}, {"-5", 0, false}, {"24500", 0, false}, {"unrated", 0, false}} {
		if n, ok := elo([]byte(x.in)); n != x.n || ok != x.ok {
			t.Errorf("%q: %d, %v", x.in, n, ok)
		}
	}
}

func TestUnquoted(t *testing.T) {
	for in, want := range map[string]string{
		`"Tal"`: "Tal", `“Tal, M”`: "Tal, M", `« Tal »`: "Tal", `"A" - "B"`: `"A" - "B"`, `"`: `"`, `"Tal`: `"Tal`, "": "", `O'Kelly "Alberic"`: `O'Kelly "Alberic"`,
	} {
		if got := string(unquoted([]byte(in))); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestRepair(t *testing.T) {
	var c cleaner
	for in, want := range map[string]string{
		"plain": "plain", "\x1b$BIp5\\\x1b(B": "武宮", "Müller": "Müller", "M\xfcller": "Müller", "\x80 \x93x\x94": "€ “x”", "tab\there": "tab here", "nul\x00": "nul ", "\x1b[2J\u009b2Jü": " [2J  2Jü", "\xd0\x9f\xff": "Ð\u0178ÿ",
	} {
		if got := string(c.Repair([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
