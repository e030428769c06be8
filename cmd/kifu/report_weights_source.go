package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/eval"
	"kifu/fit/fitted"
	"kifu/internal/bounded"
	"kifu/internal/human"
	"kifu/report/weights/source"
)

// sourceFlags ask for weights as an engine's source has them, instead of a report.
type sourceFlags struct {
	format, template, patch string
	decimals                int
	times                   float64
}

func (f *sourceFlags) declare(flags *pflag.FlagSet) {
	flags.StringVar(&f.format, "format", "", "write weights as source in `LANGUAGE`: "+strings.Join(source.Formats, ", "))
	flags.StringVar(&f.template, "template", "", "write weights by the template in `FILE` (Go's text/template)")
	flags.StringVar(&f.patch, "patch", "", "print the source `FILE` with its weights replaced")
	flags.IntVar(&f.decimals, "decimals", -1, "with --format, --template or --patch: write `N` decimals (default: 0 for c, rust and uci, else 2)")
	flags.Lookup("decimals").DefValue = "0" // -1 is no default that the help should show
	flags.Float64Var(&f.times, "times", 1, "with --format, --template or --patch: multiply the weights by `X`")
}

// on reports whether a source is wanted.
func (f *sourceFlags) on() bool { return f.format+f.template+f.patch != "" }

// write prints the weights of a fit, or of a weights file.
func (f sourceFlags) write(mk *command.Maker, args []string, given func(flag string) bool) error {
	asked := 0
	for _, way := range []string{f.format, f.template, f.patch} {
		if way != "" {
			asked++
		}
	}
	switch {
	case mk.Plan != nil || mk.Ground != nil:
		return command.Usagef("--format, --template and --patch print, and are not for steps of a study")
	case asked > 1:
		return command.Usagef("give one of --format, --template and --patch")
	case len(args) != 1:
		return command.Usagef("--format, --template and --patch write the weights of one fit, not of %d", len(args))
	case f.decimals < 0 && given("decimals"):
		return command.Usagef("--decimals %d: want 0 or more", f.decimals)
	case f.decimals > 12:
		return command.Usagef("--decimals %d: want at most 12", f.decimals)
	case f.times == 0:
		return command.Usagef("--times 0: want a number other than 0")
	}
	m, err := weightsOf(mk.Files, args[0])
	if err != nil {
		return err
	}
	p := source.Params{Times: f.times, Decimals: f.decimals}
	if f.decimals < 0 {
		p.Decimals = 0
		if f.format == "json" || f.template != "" {
			p.Decimals = 2
		}
	}
	var b bytes.Buffer
	said, err := f.source(mk.Files, &b, m, p)
	if err != nil {
		return err
	}
	if _, err = mk.Data().Write(b.Bytes()); err == nil && said != "" && !mk.Quiet {
		fmt.Fprintln(mk.Stderr, said)
	}
	return err
}

// source writes m as the flags ask, and returns a line about it.
func (f sourceFlags) source(disk *command.Files, w io.Writer, m *eval.Model, p source.Params) (string, error) {
	if f.format != "" {
		if err := source.Write(w, f.format, m, p); err != nil {
			return "", command.Misused(fmt.Errorf("--format %w", err))
		}
		return corrects(m), nil
	}
	text, err := disk.ReadFile(f.template+f.patch, bounded.Weights)
	if err != nil {
		return "", err
	}
	if f.template != "" {
		return corrects(m), source.Template(w, string(text), m, p)
	}
	patched, done, err := source.Patch(text, m, p)
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.patch, err)
	}
	said := fmt.Sprintf("%s: %s replaced", f.patch, human.Plural(int64(done.Numbers), "number", "numbers"))
	if m.Corrections {
		said = fmt.Sprintf("%s: corrections added to %s", f.patch, human.Plural(int64(done.Numbers), "number", "numbers"))
	}
	if n := len(done.Missing); n > 0 {
		const most = 8
		said += fmt.Sprintf("; %d names have no numbers there: %s", n, strings.Join(done.Missing[:min(n, most)], ", "))
		if n > most {
			said += ", …"
		}
	}
	_, err = w.Write(patched)
	return said, err
}

// corrects returns what to do with corrections.
func corrects(m *eval.Model) string {
	if m.Corrections {
		return "these weights are corrections: add them to the present ones"
	}
	return ""
}

// weightsOf reads the weights of a fit or a weights file.
func weightsOf(disk *command.Files, path string) (*eval.Model, error) {
	d, err := disk.OpenAny(path)
	if err != nil {
		m, fileErr := readWeights(disk, path)
		if fileErr != nil && !strings.HasSuffix(path, ".toml") {
			return nil, err
		}
		return m, fileErr
	}
	if _, err := fitted.Read(d); err != nil {
		return nil, err
	}
	return readWeights(disk, command.Below(path, "weights.toml"))
}
