package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"kifu/datasets"
)

func publishCommand(mk *maker) *cobra.Command {
	var as string
	cmd := &cobra.Command{
		Use:   "publish --as iceberg DIR...",
		Short: "Publish datasets as tables that other engines read",
		Args:  atLeast(1, "dataset directories"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if as != "iceberg" {
				return usagef("--as %q: want iceberg", as)
			}
			return publish(cmd.Context(), mk, args)
		},
	}
	cmd.Flags().StringVar(&as, "as", "", "write tables as `FORM`: iceberg (required)")
	return cmd
}

// publish starts the program that writes the metadata: its dependencies are more than half as large as
// kifu, and it is a module of its own.
func publish(ctx context.Context, mk *maker, dirs []string) error {
	const program = "kifu-iceberg"
	for _, dir := range dirs {
		if _, err := mk.openAny(dir); err != nil {
			return err
		}
		if datasets.Remote(dir) {
			return fmt.Errorf("%s: tables are published from directories", dir)
		}
	}
	if err := mk.mayStart(program); err != nil {
		return err
	}
	path, err := exec.LookPath(program)
	if self, fault := os.Executable(); fault == nil {
		own := filepath.Join(filepath.Dir(self), program)
		if _, fault := os.Stat(own); err != nil && fault == nil {
			path, err = own, nil
		}
	}
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("%s is not installed: 'make bin/%s' in kifu's sources builds it; put it next to kifu or on the PATH", program, program)
	}
	if err != nil {
		return err
	}
	run := exec.CommandContext(ctx, path, mk.paths(dirs)...)
	run.Stdout, run.Stderr = mk.stdout, mk.stderr
	if err := run.Run(); err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	return nil
}
