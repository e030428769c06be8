package main

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kifu"
	"kifu/datasets"
	"kifu/datasets/catalog"
	"kifu/internal/cite"
	"kifu/internal/human"
	tables "kifu/internal/table"
)

func citeCommand(mk *maker) *cobra.Command {
	return &cobra.Command{
		Use:   "cite [DATASET...]",
		Short: "Print BibTeX for the program, the data and the methods",
		RunE: func(cmd *cobra.Command, args []string) error {
			entries := []cite.Entry{cite.Program(kifu.Citation, strings.TrimPrefix(versionLine(), "kifu "))}
			if len(args) == 0 {
				return printEntries(mk, append(entries, cite.Literature(nil)...))
			}
			line, err := lineage(mk, args)
			if err != nil {
				return err
			}
			data, err := dataOf(line)
			if err != nil {
				return err
			}
			stages := []string{}
			for _, d := range line {
				stages = append(stages, stagesOf(d)...)
			}
			return printEntries(mk, slices.Concat(entries, data, cite.Literature(stages)))
		},
	}
}

func printEntries(mk *maker, entries []cite.Entry) error {
	for i, e := range entries {
		if i > 0 {
			fmt.Fprintln(mk.stdout)
		}
		fmt.Fprint(mk.stdout, e)
	}
	return nil
}

// lineage returns datasets and all that they were made of, as far as it is around them; what is missing is named.
func lineage(mk *maker, paths []string) (all []*datasets.Dir, err error) {
	seen := map[string]bool{}
	var add func(d *datasets.Dir)
	add = func(d *datasets.Dir) {
		if seen[d.Manifest.Key] {
			return
		}
		seen[d.Manifest.Key] = true
		all = append(all, d)
		around := d.Around()
		for _, input := range d.Manifest.Inputs {
			for key := range strings.SplitSeq(input.Key, "+") {
				if from, err := datasets.Open(around[key]); err == nil {
					add(from)
				} else if d.Manifest.Stage != "ingest" && !seen[key] {
					seen[key] = true
					fmt.Fprintf(mk.stderr, "%s was made from %s with the key %.10s, which is not next to it: name its directory, too\n", d.Path, input.Name, key)
				}
			}
		}
	}
	for _, path := range paths {
		d, err := mk.openAny(path)
		if err != nil {
			return nil, err
		}
		add(d)
	}
	return all, nil
}

// stagesOf names the stage of a dataset, with its methods.
func stagesOf(d *datasets.Dir) (all []string) {
	var p struct{ Method string }
	_ = json.Unmarshal(d.Manifest.Params, &p) // other stages have other parameters
	for method := range strings.SplitSeq(p.Method, ",") {
		all = append(all, strings.TrimSpace(d.Manifest.Stage+" "+method))
	}
	return all
}

// dataOf returns an entry for each dataset of records among those given: by its file in the catalog, or by its name and checksum.
func dataOf(line []*datasets.Dir) (entries []cite.Entry, err error) {
	known, err := catalog.All()
	if err != nil {
		return nil, err
	}
	samples, err := catalog.Samples()
	if err != nil {
		return nil, err
	}
	for _, d := range line {
		if d.Manifest.Stage != "ingest" {
			continue
		}
		for _, input := range d.Manifest.Inputs {
			e := cite.Entry{Kind: "misc", Key: "records-" + fmt.Sprintf("%.8s", input.Key)}
			title, home, licence := path.Base(input.Name), "", ""
			for _, s := range samples {
				if s.File == title {
					title, licence = human.Capital(s.About)+" ("+s.Name+")", s.Licence
				}
			}
			for _, k := range known {
				if k.Matches(path.Base(input.Name)) {
					title, home, licence = human.Capital(k.What)+" ("+path.Base(input.Name)+")", k.Home, k.Licence
				}
			}
			note := fmt.Sprintf("%s of %s, SHA-256 %s", units(d.Rows(), "games"), d.Manifest.Meta["game"], input.Key)
			for _, f := range [][2]string{{"title", title}, {"howpublished", home}, {"license", licence}, {"note", note}} {
				e.Fields = append(e.Fields, cite.Field{Name: f[0], Value: tables.EscapeLaTeX(f[1])})
			}
			entries = append(entries, e)
		}
	}
	return entries, nil
}
