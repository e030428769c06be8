package catalog

import (
	"encoding/hex"
	"net/url"
	"strings"
	"testing"
)

// TestCatalogIsSound holds every entry against what the program relies on.
func TestCatalogIsSound(t *testing.T) {
	all, err := All()
	if err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, d := range all {
		if seen[d.Name] {
			t.Errorf("%s is there twice", d.Name)
		}
		seen[d.Name] = true
		for what, v := range map[string]string{"game": d.Game, "format": d.Format, "what": d.What, "home": d.Home, "licence": d.Licence, "size": d.Size, "checked": d.Checked} {
			if v == "" {
				t.Errorf("%s has no %s", d.Name, what)
			}
		}
		for _, address := range []string{d.Address, d.Checksums, d.Home} {
			if u, err := url.Parse(address); address != "" && (err != nil || u.Host == "" || !strings.HasPrefix(u.Scheme, "http")) {
				t.Errorf("%s: %q is no address", d.Name, address)
			}
		}
		if sum, err := hex.DecodeString(d.SHA256); err != nil || len(sum) != 0 && len(sum) != 32 {
			t.Errorf("%s: %q is no SHA-256", d.Name, d.SHA256)
		}
		found, err := Find(all, d.example())
		if err != nil || strings.Contains(found.Address, "{") || d.Address != "" && d.placeholder() != "" && found.Address == d.Address {
			t.Errorf("%s: as %s it is at %q: %v", d.Name, d.example(), found.Address, err)
		}
		if f, err := found.File(); (err == nil) != (d.Address != "") || err == nil && (f.Name == "" || f.Name == "/") {
			t.Errorf("%s: %+v, %v", d.Name, f, err)
		}
	}
}

func TestFind(t *testing.T) {
	all := []Database{
		{Name: "l-{month}", Address: "https://x/l_{month}.pgn", First: "2013-01"},
		{Name: "w-{year}", Address: "https://x/{year}.zip"},
		{Name: "w-2001-2015", Address: "https://x/all.zip"},
		{Name: "c", Home: "https://x/c", Checked: "by hand"},
	}
	for name, want := range map[string]string{
		"l-2014-12": "https://x/l_2014-12.pgn", "w-2003": "https://x/2003.zip", "w-2001-2015": "https://x/all.zip",
	} {
		if d, err := Find(all, name); err != nil || d.Address != want || d.Name != name {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
	for name, want := range map[string]string{
		"l": "as in l-2013-01", "l-2014": "as in l-2013-01", "l-2014-13": "as in l-2013-01", "l-{month}": "put a month in place of {month}",
		"l-2012-12": "the first file is l-2013-01", "z": "want one of l-{month}, w-{year}, w-2001-2015, c", "w-": "as in w-2020",
	} {
		if _, err := Find(all, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", name, err, want)
		}
	}
	d, _ := Find(all, "c")
	if _, err := d.File(); err == nil || !strings.Contains(err.Error(), "see https://x/c") {
		t.Errorf("%v", err)
	}
}
