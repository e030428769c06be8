package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fromBlock is what a page quotes: figures of a run of a study (studyMark) or of what a program below bench/ prints, which
// TestStudyPages compares; of a file, by its path from the page, which TestStudyFigures compares; of a paper, or of records that are not bundled.
var fromBlock = regexp.MustCompile(`(?s)<!-- from (.+?) -->(.*?)<!-- /from -->`)

// notFigures are the parts of a page that hold no figures: commands, names and addresses.
var notFigures = regexp.MustCompile("(?s)```.*?```|`[^`]*`|\\]\\([^)]*\\)|(?m:^(?: {4}|\t)[^\n]*$)")

// figure is a number, with the character before it, its sign, and what tells that it is a share.
var figure = regexp.MustCompile(`(^|[^\pL\d_.§])([+-]?)(±?\d+(?:,\d{3})*(?:\.\d+)*)( ?%)?`)

// alikeSigns writes a number in one way, whatever the page.
var alikeSigns = strings.NewReplacer("−", "-", "\u00a0", " ", "± ", "±")

// figures returns the numbers of a text that have a sign, a decimal or a thousands separator, or are percentages, but for
// round thousands and the level of 95 %, which are choices; all: every number.
func figures(text string, all bool) (list []string) {
	for _, m := range figure.FindAllStringSubmatch(alikeSigns.Replace(text), -1) {
		sign, number := m[2], m[3]
		chosen := strings.Contains(number, ",") && strings.HasSuffix(number, "00") || number == "95" && m[4] != ""
		if all || !chosen && (sign != "" || m[4] != "" || strings.ContainsAny(number, ".,±")) {
			list = append(list, sign+strings.TrimLeft(strings.ReplaceAll(number, ",", ""), "±"))
		}
	}
	return list
}

// strayFigures returns the figures of a page's sentences and other tables that none of its blocks holds: an
// unsigned one may have any sign there.
func strayFigures(page string) (stray []string) {
	var blocks strings.Builder
	for _, block := range []*regexp.Regexp{shownBlock, fromBlock} {
		for _, m := range block.FindAllStringSubmatch(page, -1) {
			blocks.WriteString(m[2] + "\n")
		}
		page = block.ReplaceAllString(page, "")
	}
	return absent(figures(notFigures.ReplaceAllString(page, ""), false), blocks.String())
}

// absent returns the figures that a text does not have; an unsigned one may have any sign there.
func absent(list []string, from string) (stray []string) {
	held := map[string]bool{}
	for _, x := range figures(from, true) {
		held[x], held[strings.TrimLeft(x, "+-")] = true, true
	}
	for _, x := range list {
		if !held[x] && !slices.Contains(stray, x) {
			stray = append(stray, x)
		}
	}
	return stray
}

// ofStudy and ofProgram report whether a source is a run of a study, or a program.
func ofStudy(source string) bool {
	study, _, _ := strings.Cut(source, " ")
	return filepath.Ext(study) == ".toml"
}

func ofProgram(source string) bool { return strings.HasPrefix(source, "bench/") }

// TestStudyFigures: each figure of a page of experiments/ is in what a study of the page wrote, or is marked with its source.
func TestStudyFigures(t *testing.T) {
	pages, err := filepath.Glob("../../experiments/*/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal(len(pages), err)
	}
	for _, path := range pages {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if stray := strayFigures(string(text)); len(stray) > 0 {
			t.Errorf("%s: %d figures are in no table of its studies and have no source (<!-- from SOURCE -->…<!-- /from -->): %s",
				path, len(stray), strings.Join(stray, "  "))
		}
		for _, block := range fromBlock.FindAllStringSubmatch(string(text), -1) {
			if ofStudy(block[1]) || ofProgram(block[1]) {
				continue
			}
			source, err := os.ReadFile(filepath.Join(filepath.Dir(path), block[1]))
			if errors.Is(err, os.ErrNotExist) { // a paper, or records
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if stray := absent(figures(block[2], true), string(source)); len(stray) > 0 {
				t.Errorf("%s: %s does not have %s", path, block[1], strings.Join(stray, "  "))
			}
		}
	}
}

func TestStrayFigures(t *testing.T) {
	page := "<!-- shown study.toml table -->\n| +1.5 | −12 to 3 | 4,100 | 77 % |\n<!-- /shown -->\n" +
		"<!-- from the paper -->81.5<!-- /from -->\n    kifu run --seed 3.5\n"
	for sentence, want := range map[string]string{
		"It is 1.5, +1.5, 81.5 %, −12 and 4100 of 12; §5.2.2; `x=0.3`; [nine](x-1.8.svg).": "",
		"It is −1.5, 77.5 and 3 %, or 4,217 ± 2 of 99.":                                    "-1.5 77.5 4217 2",
	} {
		if got := strings.Join(strayFigures(page+sentence), " "); got != want {
			t.Errorf("%s: stray %q, want %q", sentence, got, want)
		}
	}
}
