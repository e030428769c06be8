package main

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kifu"
	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/card"
	"kifu/datasets/catalog"
	"kifu/datasets/several"
	"kifu/internal/checksum"
	"kifu/internal/cite"
	"kifu/internal/human"
	"kifu/internal/lists"
	tables "kifu/internal/table"
	"kifu/report"
)

func citeCommand(mk *command.Maker) *cobra.Command {
	return &cobra.Command{
		Use:   "cite [DATASET...]",
		Short: "Print BibTeX for the program, the data and the methods",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return printEntries(mk, append([]cite.Entry{citedProgram()}, cite.Literature(nil)...))
			}
			line, err := lineage(mk, args, nameIt)
			if err != nil {
				return err
			}
			entries, err := citations(line)
			if err != nil {
				return err
			}
			return printEntries(mk, entries)
		},
	}
}

func citedProgram() cite.Entry {
	return cite.Program(kifu.Citation, strings.TrimPrefix(versionLine(), "kifu "))
}

// citations returns what a paper cites of datasets and all that they were made of: the program, the data and the methods.
func citations(line []*datasets.Dir) ([]cite.Entry, error) {
	data, err := dataOf(line)
	if err != nil {
		return nil, err
	}
	var stages []string
	for _, d := range line {
		stages = append(stages, stagesOf(d)...)
	}
	return slices.Concat([]cite.Entry{citedProgram()}, data, cite.Literature(stages)), nil
}

// nameIt helps where a command takes several datasets.
const nameIt = "also name its directory"

func printEntries(mk *command.Maker, entries []cite.Entry) error {
	for i, e := range entries {
		if i > 0 {
			fmt.Fprintln(mk.Stdout)
		}
		fmt.Fprint(mk.Stdout, e)
	}
	return nil
}

// lineage returns datasets and the datasets near them that they were made of. It prints which are missing, with the remedy.
func lineage(mk *command.Maker, paths []string, remedy string) (all []*datasets.Dir, err error) {
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
			for _, key := range several.Keys(input.Key) {
				if from, err := datasets.Open(around[key]); err == nil {
					add(from)
				} else if !readsFiles(d) && strings.Contains(input.Name, "/") && !seen[key] { // others are files, such as names of players
					seen[key] = true
					fmt.Fprintf(mk.Stderr, "%s was made from %s with the key %.10s, which is not next to it: %s\n", d.Path, input.Name, key, remedy)
				}
			}
		}
	}
	for _, path := range paths {
		d, err := mk.OpenAny(path)
		if err != nil {
			return nil, err
		}
		add(d)
	}
	return all, nil
}

// readsFiles reports whether a dataset was read from files of records, or of another program.
func readsFiles(d *datasets.Dir) bool {
	return d.Manifest.Stage == "ingest" || d.Manifest.Stage == "features"
}

// stagesOf names the stage of a dataset, with its methods.
func stagesOf(d *datasets.Dir) (all []string) {
	if d.Manifest.Stage == "report all" {
		return lists.Of(report.Made(d), func(kind string) string { return "report " + kind })
	}
	var p struct{ Method string }
	_ = json.Unmarshal(d.Manifest.Params, &p) // other stages have other parameters
	for method := range strings.SplitSeq(p.Method, ",") {
		all = append(all, strings.TrimSpace(d.Manifest.Stage+" "+method))
	}
	return all
}

// dataOf returns an entry for each file that the datasets were made from.
func dataOf(line []*datasets.Dir) (entries []cite.Entry, err error) {
	sources, err := sourcesOf(line)
	for _, from := range sources {
		e := cite.Entry{Kind: "misc", Key: "records-" + fmt.Sprintf("%.8s", from.SHA256)}
		note := command.Units(from.Of.Rows(), "positions")
		if from.Of.Table.Name == "games" {
			note = command.Units(from.Of.Rows(), "games")
		}
		if from.Of.Manifest.Stage == "ingest" {
			note += " of " + from.Of.Manifest.Meta["game"]
		}
		if from.Licence != "" {
			note += ", licence " + from.Licence
		}
		for _, f := range [][2]string{{"key", from.Title}, {"title", from.Title}, {"howpublished", from.Home}, {"note", note}} {
			e.Fields = append(e.Fields, cite.Field{Name: f[0], Value: tables.EscapeLaTeX(f[1])})
		}
		e.Fields[len(e.Fields)-1].Value += ", SHA-256 " + cite.Breakable(from.SHA256)
		entries = append(entries, e)
	}
	return entries, err
}

// sourcesOf returns the files that datasets were read from: samples by their content, files of the catalog by their names.
func sourcesOf(line []*datasets.Dir) (all []card.Source, err error) {
	known, err := catalog.All()
	if err != nil {
		return nil, err
	}
	samples, err := catalog.Samples()
	if err != nil {
		return nil, err
	}
	for _, d := range line {
		if !readsFiles(d) {
			continue
		}
		for _, input := range d.Manifest.Inputs {
			name := path.Base(input.Name)
			from := card.Source{Title: name, SHA256: input.Key, Of: d}
			for _, s := range samples {
				if checksum.Bytes(s.Data) == input.Key {
					from.Title, from.Licence = human.Capital(s.About)+" ("+s.Name+")", s.Licence
				}
			}
			for _, k := range known {
				if k.Matches(name) {
					from.Title, from.Home, from.Licence = human.Capital(k.What)+" ("+name+")", k.Home, k.Licence
				}
			}
			all = append(all, from)
		}
	}
	return all, nil
}
