package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"kifu/cmd/kifu/command"
	"kifu/internal/step"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// demoSteps are the commands of the demo, with DIR for its directory. They are the
// paper's experiment in small: take the king safety terms out of the evaluator, see
// the curves split, and fit the weights back from the winners alone.
var demoSteps = []struct{ about, line string }{
	{"The bundled games.", "datasets sample chess-masters --out DIR/chess-masters.pgn.zst"},
	{"Records to games, games to positions.", "ingest --out DIR/games DIR/chess-masters.pgn.zst"},
	{"", "transform --out DIR/positions --min-ply 10 DIR/games"},
	{"Positions to values and features, and the evaluation curve.", "label --out DIR/labels DIR/positions"},
	{"", "report curve --out DIR/curve --when safe=king_safety>=30 --when unsafe=king_safety<=-30 DIR/labels"},
	{"The same without king safety: the conditioned curves differ from the total, so a feature is missing.", "label --out DIR/blind --zero king_safety DIR/positions"},
	{"", "report curve --out DIR/curve-blind --when safe=king_safety>=30 --when unsafe=king_safety<=-30 DIR/blind"},
	{"What weight should king safety have? The winners alone give it back, by maximum likelihood and by least squares; the evaluator's own is 1.", "fit --out DIR/mlm --method mlm --add safety=king_safety --holdout 0.2 DIR/blind"},
	{"", "fit --out DIR/ls --method ls --add safety=king_safety --holdout 0.2 DIR/blind"},
	{"", "report weights --out DIR/weights DIR/mlm DIR/ls"},
	{"All terms of the group fitted one by one, a little held back, and the positions labelled with them: the curves come together.", "fit --out DIR/refit --method mlm --free king_safety --l2 0.001 --holdout 0.2 DIR/blind"},
	{"", "label --out DIR/relabelled --eval DIR/refit/weights.toml DIR/positions"},
	{"", "report curve --out DIR/curve-refit --when safe=king_safety>=30 --when unsafe=king_safety<=-30 DIR/relabelled"},
}

func demoCommand(e *command.Env) *cobra.Command {
	var out string
	var serve bool
	cmd := &cobra.Command{
		Use:   "demo [--out DIR]",
		Short: "Run the whole pipeline on the bundled games",
		Args:  command.Exactly(0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			begun := time.Now()
			for _, one := range demoSteps {
				if one.about != "" {
					fmt.Fprintf(e.Stdout, "\n# %s\n", one.about)
				}
				var args []string
				for _, word := range strings.Fields(one.line) {
					word = strings.ReplaceAll(word, "DIR", filepath.ToSlash(out))
					args = append(args, word)
				}
				if args[0] == "datasets" {
					if _, err := os.Stat(args[len(args)-1]); err == nil && !e.Force {
						continue
					}
				}
				fmt.Fprintf(e.Stdout, "$ kifu %s\n", step.Line(args))
				args = append(args, "--workers", strconv.Itoa(e.Workers), "--progress", e.Progress)
				if e.Force {
					args = append(args, "--force")
				}
				if code := e.Again("").Run(cmd.Context(), args); code != command.OK {
					return fmt.Errorf("the demo stopped at: kifu %s", step.Line(args))
				}
			}
			fmt.Fprintf(e.Stdout, "\nDone in %v. Open:\n", time.Since(begun).Round(time.Second/10))
			for _, page := range []string{"curve", "curve-blind", "curve-refit", "weights"} {
				fmt.Fprintf(e.Stdout, "  %s\n", filepath.Join(out, page, "index.html"))
			}
			if !cmd.Flags().Changed("explore") {
				serve = command.IsTerminal(e.Stdout) && os.Getenv("CI") == ""
			}
			return exploreDemo(cmd.Context(), e.Maker, out, serve)
		},
	}
	cmd.Flags().StringVar(&out, "out", "demo", "work in directory `DIR`")
	cmd.Flags().BoolVar(&serve, "explore", false, "serve the results to a browser until Ctrl-C (default: on a terminal, unless CI is set)")
	return cmd
}

// demoListen is where the command that the demo prints answers.
const demoListen = "127.0.0.1:7333"

// exploreDemo serves the folder of the demo, or prints the command and its address.
func exploreDemo(ctx context.Context, mk *command.Maker, out string, serve bool) error {
	if serve {
		fmt.Fprintln(mk.Stdout, "Browse the results:")
		if code := mk.Again(mk.Dir).Run(ctx, []string{"explore", out}); code != command.OK {
			return errors.New("kifu explore stopped")
		}
		return nil
	}
	token := rand.Text()
	fmt.Fprintf(mk.Stdout, "Browse the results:\n  kifu %s\nanswers at\n  http://%s/%s/\n",
		step.Line([]string{"explore", "--listen", demoListen, "--token", token, out}), demoListen, token)
	return nil
}
