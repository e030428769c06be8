#!/bin/sh
# Holds kifu report wdl against Stockfish's WDL_model on the same games: the script fits the counts of the
# positions that kifu fits, and its p_a and p_b are set beside those of kifu, with both likelihoods.
#
#   WDL_MODEL=DIR bench/wdl.sh LABELS [COLUMN] [material|move]
#
# DIR is a copy of official-stockfish/WDL_model, PYTHON (default python3) a Python with numpy, scipy and matplotlib.
# It ends with the greatest difference as a share, or with an error if that is above 1 %.
set -eu
labels=$(realpath "$1")
column=${2:-quiescence_value}
by=${3:-material}
model=$(realpath "${WDL_MODEL:?a copy of official-stockfish/WDL_model}")
cd "$(dirname "$0")/.."
work=$(mktemp -d "${TMPDIR:-/tmp}/kifu-wdl.XXXXXX")
trap 'rm -rf "$work"' EXIT
export GOFLAGS="-tags=no_duckdb_arrow ${GOFLAGS:-}" MPLBACKEND=Agg
[ -n "${KIFU:-}" ] || { go build -o "$work/kifu" ./cmd/kifu && KIFU=$work/kifu; }
target=58
[ "$by" = move ] && target=32
"$KIFU" report wdl --out "$work/wdl" --value "$column" --by "$by" "$labels" >/dev/null
"$KIFU" query --format csv --out "$work/counts.csv" "select case result when 'first' then 'W' when 'draw' then 'D' else 'L' end, ply // 2 + 1, 9 * (white_queens + black_queens) + 5 * (white_rooks + black_rooks) + 3 * (white_bishops + black_bishops + white_knights + black_knights) + white_pawns + black_pawns, $column::int, count(*) from l where result in ('first', 'draw', 'second') and $column is not null and abs($column) <= 400 group by all" l="$labels" >/dev/null
"${PYTHON:-python3}" - "$work" "$model" "$by" "$target" <<'PYTHON'
import csv, json, re, subprocess, sys, tomllib
work, model, by, target = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
rows = list(csv.reader(open(work + "/counts.csv")))[1:]
json.dump({str((r, int(move), int(material), int(value))): int(n) for r, move, material, value, n in rows}, open(work + "/wdl.json", "w"))
out = subprocess.run([sys.executable, model + "/scoreWDL.py", work + "/wdl.json", "--NormalizeToPawnValue", "100", "--momType", by, "--momTarget", str(target), "--plot", "no",
                      "--materialMin", "17" if by == "material" else "0", "--moveMin", "1"], capture_output=True, text=True, check=True).stdout
theirs = {k: [float(v) for v in re.search(r"double %ss\[\] = \{([^}]*)\}" % k, out)[1].split(",")] for k in "ab"}
ours = tomllib.load(open(work + "/wdl/wdl.toml", "rb"))
print("WDL_model's objective:", re.search(r"Final objective function: *([0-9.]+)", out)[1])
worst = 0
at = sorted({int(r[2 if by == "material" else 1]) for r in rows})
many = {m: sum(int(r[4]) for r in rows if int(r[2 if by == "material" else 1]) == m) for m in at}
for k in "ab":
    for m in (m for m in at if ours["least"] <= m <= ours["most"] and many[m] >= 100):
        ys = []
        for c in (theirs[k], ours[k + "s"]):
            y = 0
            for v in c:
                y = y * m / target + v
            ys.append(y)
        worst = max(worst, abs(ys[1] / ys[0] - 1))
    print("p_%s at %d: WDL_model %.4f, kifu %.4f" % (k, target, sum(theirs[k]), sum(ours[k + "s"])))
def loss(c):
    from math import exp, log
    total = n = 0
    for r, move, material, value, count in rows:
        m, x, count = int(material if by == "material" else move), int(value), int(count)
        if not ours["least"] <= m <= ours["most"]:
            continue
        a, b = (sum(v * (m / target) ** (3 - i) for i, v in enumerate(c[k])) for k in "ab")
        w, l = 1 / (1 + exp((a - x) / b)), 1 / (1 + exp((a + x) / b))
        total -= count * log(max({"W": w, "D": 1 - w - l, "L": l}[r], 1e-14))
        n += count
    return total / n
print("log-loss: WDL_model %.9f, kifu %.9f" % (loss(theirs), loss({k: ours[k + "s"] for k in "ab"})))
print("greatest difference of p_a and p_b where there are 100 positions: %.4f %%" % (100 * worst))
sys.exit(worst > 0.01)
PYTHON
