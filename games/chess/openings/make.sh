#!/bin/sh
# Makes names.tsv.gz anew of a commit of lichess' list: make.sh [COMMIT]
set -eu
cd "$(dirname "$0")"
list=$(mktemp -d)
trap 'rm -rf "$list"' EXIT
git clone -q https://github.com/lichess-org/chess-openings "$list"
git -C "$list" checkout -q "${1:-51b886249b9e418498d25b6e39b926c3de99c29a}"
go run kifu/bench/openingnames "$list" >"$list/names.tsv.gz"
mv "$list/names.tsv.gz" .
