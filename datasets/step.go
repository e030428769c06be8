package datasets

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kifu/datasets/manifest"
)

// Step is one run of one stage: a pure function of its inputs and parameters.
type Step struct {
	Stage  string
	Output string // row schema, "labels/v1"
	Params any    // every flag that can change the output, and nothing else
	// Inputs are dataset directories; InputKeys is in their place for a stage that
	// reads files. A key that only reading can give (a pipe's) is empty until Run calls
	// SetInputKey; such a step is always run, and from its beginning.
	Inputs    []string
	InputKeys []manifest.Input
	// Some makes it an error, a *Nothing, that rows are read and none is written.
	Some bool
	// Apart means that part i of the output depends on part i of the first input, on the parameters and on the
	// other inputs, and on nothing else. When the first input has grown, parts are then reused.
	Apart bool
	Run   func(ctx context.Context, in []*Dir, out *Builder) error
}

// Options control how a dataset is built, without changing it.
type Options struct {
	Force bool // build again even if dir already holds this step's output
	// Replace lets a dataset of the same stage that was made otherwise be replaced, as a study's
	// are, and datasets that are kept next to another. Reports are replaced without it.
	Replace bool
	// Append keeps what dir holds and adds the inputs whose content it does not have.
	// The dataset must be of the same stage, schema, parameters and version; if there is
	// none, it is made. The step must heed Builder.Taken and Builder.Known.
	Append bool
	// Shard makes only a share of the parts, for others who make the rest at the same time,
	// here or on other machines. The dataset appears when a Build with Finish finds all parts.
	Shard Shard
	// Finish makes no part: it puts the parts of shards together, or returns a *Missing.
	Finish bool
	// Concurrent finishes while other processes may still be at work, and changes no files of theirs.
	Concurrent bool
	// Warn is called before a step that is long, or adds rows twice, where that could be unexpected; it may be nil.
	Warn func(string)
	// Lease makes the parts that it hands out, as Shard does its own.
	Lease Lease
}

// open opens the inputs of s, and returns them with the manifest that the dataset begins with.
func (s Step) open(ctx context.Context) (in []*Dir, m *manifest.Manifest, err error) {
	inputs := slices.Clone(s.InputKeys)
	for _, path := range s.Inputs {
		d, err := OpenAt(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		in = append(in, d)
		inputs = append(inputs, manifest.Input{Name: d.Manifest.Schema, Key: d.Manifest.Key})
	}
	if err := s.separate(in); err != nil {
		return nil, nil, err
	}
	if err := CheckPlaces(in...); err != nil {
		return nil, nil, err
	}
	params, err := json.Marshal(s.Params)
	if err != nil {
		return nil, nil, fmt.Errorf("parameters of %s: %w", s.Stage, err)
	}
	return in, manifest.New(manifest.Manifest{Stage: s.Stage, Schema: s.Output, Params: params, Inputs: inputs, Apart: s.Apart}), nil
}

// separate returns an error if s takes several datasets as one and writes their game_id: what it
// makes could not be read as one with others.
func (s Step) separate(in []*Dir) error {
	for _, d := range in {
		if d.of != nil && s.ofGames() {
			return fmt.Errorf("kifu %s takes one dataset, but %s names %d: run it once for each and read the results as one, or ingest their records together", s.Stage, d.Path, len(d.of))
		}
	}
	return nil
}

// ofGames reports whether s makes rows of games and positions.
func (s Step) ofGames() bool {
	name, _, _ := strings.Cut(s.Output, "/")
	return slices.Contains([]string{"games", "positions", "labels", "choices", "predictions", "duplicates"}, name)
}
