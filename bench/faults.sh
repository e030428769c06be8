#!/bin/bash
# bench/faults.sh: faults of the machine and odd names, each against what is promised
# (docs/reliability.md): an error that names the file, nothing half done under its name,
# and the same bytes from the next run. Prints a line per fault; ends with 1 if a promise
# is broken. A full disk needs the right to mount a tmpfs and is left out without it.
# KIFU names a binary to try instead of one built here.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d "${TMPDIR:-/tmp}/kifu-faults.XXXXXX")
disk=$tmp/disk
trap 'umount "$disk" 2>/dev/null; chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
kifu=${KIFU:-$tmp/kifu}
[ -n "${KIFU:-}" ] || (cd "$root" && go build -tags no_duckdb_arrow -o "$kifu" ./cmd/kifu) || exit 1
cd "$tmp" || exit 1
broken=0
say() { # NAME STATUS
	printf '%-44s %s\n' "$1" "$2"
	case $2 in broken*) broken=1 ;; esac
}
same() { diff -r "$1" "$2" >/dev/null && echo holds || echo "broken: other bytes"; } # DIR DIR
run() { "$kifu" --progress none "$@"; }

run datasets sample chess-masters --out m.pgn.zst >/dev/null
run ingest --out games m.pgn.zst >/dev/null
run transform --out positions games >/dev/null

# Names of files.
for name in 'with space.pgn.zst' $'new\nline.pgn.zst' '-dash.pgn.zst' $'bad\xff.pgn.zst' "quote'.pgn.zst"; do
	cp m.pgn.zst "./$name"
	rm -rf odd "o dd'"
	if run ingest --out "o dd'" -- "./$name" >/dev/null 2>said && [ "$(run query --format csv 'select count(*) from g' "g=o dd'" | tail -1)" = 2000 ]; then
		say "a file named $(printf %q "$name")" holds
	else
		say "a file named $(printf %q "$name")" "broken: $(head -1 said)"
	fi
done

# Few open files, little environment, a closed output.
rm -rf few; (ulimit -n 64; run transform --out few games >/dev/null 2>said); say "ulimit -n 64" "$(same positions few)"
rm -rf bare; env -i "$kifu" --progress none transform --out bare games >/dev/null 2>said; say "no HOME, no TMPDIR" "$(same positions bare)"
rm -rf shut; run transform --out shut games >&- 2>/dev/null; say "standard output closed" "$(same positions shut)"

rm -rf tight; (ulimit -v 2000000; run transform --out tight games >/dev/null 2>said); say "ulimit -v of 2 GB" "$(same positions tight)"
cp m.pgn.zst ./-; run ingest --out dash ./- >/dev/null 2>said; say "a file named -" "$(cmp -s games/part-00000.parquet dash/part-00000.parquet || [ "$(run query --format csv 'select count(*) from g' g=dash | tail -1)" = 2000 ] && echo holds || echo "broken: $(head -1 said)")"

# Output that cannot be written.
mkdir ro; chmod a-w ro
bare=() # what takes the rights of root away
[ -w ro ] && command -v capsh >/dev/null && bare=(capsh --drop=cap_dac_override,cap_dac_read_search -- -c 'exec "$@"' -)
if [ -w ro ] && [ ${#bare[@]} = 0 ]; then say "output directory read-only" "left out: this user may write everywhere"; else
	"${bare[@]}" "$kifu" --progress none transform --out ro/p games >/dev/null 2>said && say "output directory read-only" "broken: no error" || say "output directory read-only" "$(grep -q ro said && echo holds || echo "broken: $(head -1 said)")"
fi
: >file; run transform --out file games >/dev/null 2>said && say "a file in the place of the output" "broken: no error" || say "a file in the place of the output" "$([ -f file ] && grep -q file said && echo holds || echo broken)"

# Two runs at once.
rm -rf twice; run transform --out twice games >/dev/null 2>one & a=$!
run transform --out twice games >/dev/null 2>two; b=$?
wait $a; a=$?
[ $((a + b)) -le 1 ] && run transform --out twice games >/dev/null 2>&1
say "two runs into one directory" "$(same positions twice)"

# A kill at ten moments.
bad=0
for i in 1 2 3 4 5 6 7 8 9 10; do
	rm -rf cut; "$kifu" --progress none transform --out cut games >/dev/null 2>&1 & p=$!
	sleep "0.0$((i * 7 % 10))"; kill -9 $p 2>/dev/null; wait $p 2>/dev/null
	run transform --out cut games >/dev/null 2>&1
	[ "$(same positions cut)" = holds ] || bad=$((bad + 1))
	[ -z "$(find . -maxdepth 1 -name 'cut?*')" ] || bad=$((bad + 1))
done
say "kill -9 at ten moments" "$([ $bad = 0 ] && echo holds || echo "broken: $bad")"

# A disk that is full, and one without inodes.
mkdir -p "$disk"
for limit in size=1m,nr_inodes=1k size=64m,nr_inodes=4; do
	if ! mount -t tmpfs -o "$limit" tmpfs "$disk" 2>/dev/null; then say "tmpfs $limit" "left out: no right to mount"; continue; fi
	if run transform --out "$disk/p" games >/dev/null 2>said; then say "tmpfs $limit" "broken: no error"
	elif [ -f "$disk/p/manifest.json" ] || ! grep -q "$disk" said; then say "tmpfs $limit" "broken: $(head -1 said)"
	else
		mount -o remount,size=64m,nr_inodes=1k "$disk"
		run transform --out "$disk/p" games >/dev/null 2>&1
		say "tmpfs $limit" "$(same positions "$disk/p")"
	fi
	umount "$disk"
done
exit $broken
