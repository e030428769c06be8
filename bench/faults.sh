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

# The other faults are of each command that builds: made COMMAND OUT runs it.
made() { # COMMAND OUT
	case $1 in
	ingest) run ingest --out "$2" m.pgn.zst ;;
	transform) run transform --out "$2" games ;;
	label) run label --out "$2" positions ;;
	fit) run fit --out "$2" --method mlm --free king_safety labels ;;
	export) run export --out "$2" games ;;
	esac
}
run label --out labels positions >/dev/null
mkdir whole
for c in ingest transform label fit export; do made $c whole/$c >/dev/null 2>said || say "$c" "broken: $(head -1 said)"; done

# A disk that is full, and one without inodes: each command with what does not hold its output.
mkdir -p "$disk"
full() { # COMMAND LIMIT
	if ! mount -t tmpfs -o "$2" tmpfs "$disk" 2>/dev/null; then say "$1, tmpfs $2" "left out: no right to mount"; return; fi
	if made "$1" "$disk/p" >/dev/null 2>said; then say "$1, tmpfs $2" "broken: no error"
	elif [ -f "$disk/p" ] || [ -f "$disk/p/manifest.json" ] || ! grep -q "$disk" said; then say "$1, tmpfs $2" "broken: $(head -1 said)"
	else
		mount -o remount,size=64m,nr_inodes=1k "$disk"
		made "$1" "$disk/p" >/dev/null 2>&1
		say "$1, tmpfs $2" "$(same "whole/$1" "$disk/p")"
		[ "$(ls -A "$disk")" = p ] || say "$1, tmpfs $2" "broken: left $(ls -A "$disk" | tr '\n' ' ')"
	fi
	umount "$disk"
}
for c in transform:1m label:1m ingest:100k fit:16k export:500k; do full ${c%:*} size=${c#*:},nr_inodes=1k; done
for c in transform:4 label:4 ingest:4 fit:4 export:1; do full ${c%:*} size=64m,nr_inodes=${c#*:}; done

# The directory of the output is removed during the run, at five moments after it is there:
# an error that names it or, if all was written before, none; and the next run makes it whole.
for c in transform label ingest fit export; do
	bad= failed=0
	for i in 0 1 2 3 4; do
		rm -rf gone; mkdir gone
		made $c gone/p >/dev/null 2>said & p=$!
		while [ -z "$(ls -A gone)" ] && kill -0 $p 2>/dev/null; do :; done
		sleep 0.0$i
		ended=$(kill -0 $p 2>/dev/null || echo yes)
		rm -rf gone 2>/dev/null || rm -rf gone # again if the run made a file meanwhile
		if ! wait $p; then failed=$((failed + 1)); grep -q gone said || bad="error without the name: $(head -1 said)"
		elif [ -z "$ended" ] && [ -e gone ] && [ "$(same whole/$c gone/p)" != holds ]; then bad="half of it without an error"
		fi
		mkdir -p gone; made $c gone/p >/dev/null 2>said2
		[ "$(same whole/$c gone/p)" = holds ] || bad="the next run: $(head -1 said2)"
	done
	say "$c, directory removed ($failed of 5 in time)" "${bad:+broken: }${bad:-holds}"
done
exit $broken
