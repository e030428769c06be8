package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cmd/kifu/command"
	"kifu/internal/pattern"
	"kifu/report/chart"
	"kifu/report/page"
)

// paperFlags are the flags that all reports have: how tables and pictures are made for a paper.
type paperFlags struct {
	paper                         page.Paper
	title, size, xlim, ylim, font string
}

func (f *paperFlags) declare(flags *pflag.FlagSet) {
	*f = paperFlags{}
	flags.StringVar(&f.paper.Prefix, "label-prefix", "", "prefix LaTeX labels with `P`: tab:P-bins (default: the report's name)")
	flags.IntVar(&f.paper.Columns, "tex-columns", 2, "set tables for a paper of `N` columns; 2 uses table* if wide")
	flags.BoolVar(&f.paper.Long, "longtable", false, "with --tex-columns 1: set tables above 40 rows as longtable")
	flags.StringVar(&f.title, "title", "", "title of the picture, `TEXT`; '' for none")
	flags.StringVar(&f.size, "size", "", "size of pictures, `WxH` in mm, cm, in or pt: 84mmx60mm (default: 9inx6in)")
	flags.StringVar(&f.xlim, "xlim", "", "limits of the horizontal axis, `LOW,HIGH`")
	flags.StringVar(&f.ylim, "ylim", "", "limits of the vertical axis, `LOW,HIGH`")
	flags.StringVar(&f.font, "font", "", "font, `FAMILY:POINTS`: sans, serif or mono (default: sans:10, in narrow pictures sans:8)")
	flags.StringVar(&f.paper.Look.Colour, "palette", "", "palette of `COLOURS`: okabe-ito (default), tol, contrast, grey, or #d55e00,#0072b2")
	flags.StringVar(&f.paper.Look.Legend, "legend", "", "legend's `PLACE`: top (default), bottom, none, nw, ne, sw or se")
	flags.StringVar(&f.paper.Look.Bands, "bands", "", "draw intervals as `KIND`: band, whiskers or none (default: bands for two lines)")
}

// settings returns the settings of the flags for a report of a kind.
func (f *paperFlags) settings(cmd *cobra.Command, kind string) (page.Paper, error) {
	p := f.paper
	if err := f.look(cmd, kind, &p.Look); err != nil {
		return p, command.Misused(err)
	}
	switch {
	case !texLabel().MatchString(p.Prefix):
		return p, command.Usagef("--label-prefix %q: want letters, digits and hyphens", p.Prefix)
	case p.Columns < 1 || p.Columns > 2:
		return p, command.Usagef("--tex-columns %d: want 1 or 2", p.Columns)
	case p.Long && p.Columns != 1:
		return p, command.Usagef("--longtable: LaTeX has no longtable in papers of two columns; give --tex-columns 1")
	}
	if p.Columns == 2 {
		p.Columns = 0 // as ever
	}
	if p.Prefix == kind {
		p.Prefix = ""
	}
	return p, nil
}

// look applies the flags for pictures.
func (f *paperFlags) look(cmd *cobra.Command, kind string, l *chart.Look) (err error) {
	changed := func(name string) bool { return cmd.Flags().Changed(name) }
	if changed("title") {
		l.Title = &f.title
	}
	if f.size != "" {
		if l.Width, l.Height, err = chart.ParseSize(f.size); err != nil {
			return fmt.Errorf("--size: %w", err)
		}
	}
	for _, axis := range []struct {
		name, text string
		to         **[2]float64
	}{{"xlim", f.xlim, &l.X}, {"ylim", f.ylim, &l.Y}} {
		if axis.text == "" {
			continue
		}
		if *axis.to, err = chart.ParseLimits(axis.text); err != nil {
			return fmt.Errorf("--%s: %w", axis.name, err)
		}
	}
	if l.Font, l.Size, err = chart.ParseFont(f.font); err != nil {
		return fmt.Errorf("--font: %w", err)
	}
	if kind == "all" && (f.title != "" || l.X != nil || l.Y != nil) {
		return errors.New("--title, --xlim and --ylim are for one picture: make that report alone")
	}
	if err := l.Validate(); err != nil {
		return fmt.Errorf("--%w", err)
	}
	// The defaults, named, are the defaults.
	if l.Font == "sans" && l.Size == 0 {
		l.Font = ""
	}
	if l.Legend == "top" {
		l.Legend = ""
	}
	if l.Colour == "okabe-ito" {
		l.Colour = ""
	}
	return nil
}

// texLabel is the pattern of --label-prefix.
var texLabel = pattern.Of(`^[0-9A-Za-z-]*$`)

// ofPaper are the parameters of a report with how it is made for a paper, if that is not as usual.
type ofPaper struct {
	report any
	paper  page.Paper
}

// MarshalJSON writes the report's own parameters, and "paper".
func (o ofPaper) MarshalJSON() ([]byte, error) {
	own, err := json.Marshal(o.report)
	if err != nil || reflect.ValueOf(o.paper).IsZero() {
		return own, err
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(own, &all); err != nil {
		return nil, err
	}
	if all["paper"], err = json.Marshal(o.paper); err != nil {
		return nil, err
	}
	return json.Marshal(all)
}
