#!/bin/sh
# Holds kifu report wdl against Stockfish's WDL_model on the same games: the script fits the counts of the
# positions that kifu fits, and its p_a and p_b are set beside those of kifu, with its objective at both.
#
#   WDL_MODEL=DIR bench/wdl.sh DATASET [COLUMN] [material|move] [LOW,HIGH]
#
# DIR is a copy of official-stockfish/WDL_model, PYTHON (default python3) a Python with numpy, scipy and matplotlib.
# The script's search (Powell's, scipy's default ftol of 1e-4) ends where a round gains little, so it is then
# continued from its end, with a finer tolerance, on the same objective. It is an error if that end differs
# from kifu by more than 0.1 % anywhere with 100 positions, or if the script is anywhere better than kifu. Where a
# value of material or move has few positions, the script fails or starts too far off; that is said.
set -eu
labels=$(realpath "$1")
column=${2:-quiescence_value}
by=${3:-material}
target=58 range=17,78
[ "$by" = move ] && target=32 range=8,120
range=${4:-$range}
model=$(realpath "${WDL_MODEL:?a copy of official-stockfish/WDL_model}")
cd "$(dirname "$0")/.."
work=$(mktemp -d "${TMPDIR:-/tmp}/kifu-wdl.XXXXXX")
trap 'rm -rf "$work"' EXIT
export GOFLAGS="-tags=no_duckdb_arrow ${GOFLAGS:-}" MPLBACKEND=Agg
[ -n "${KIFU:-}" ] || { go build -o "$work/kifu" ./cmd/kifu && KIFU=$work/kifu; }
"$KIFU" report wdl --out "$work/wdl" --value "$column" --by "$by" --range "$range" --target "$target" "$labels" >/dev/null
mom="ply // 2 + 1"
[ "$by" = material ] && mom="9 * (white_queens + black_queens) + 5 * (white_rooks + black_rooks) + 3 * (white_bishops + black_bishops + white_knights + black_knights) + white_pawns + black_pawns"
"$KIFU" query --format csv --out "$work/counts.csv" "select case result when 'first' then 'W' when 'draw' then 'D' else 'L' end, $mom, $column::int, count(*) from l where result in ('first', 'draw', 'second') and $column is not null and abs($column) <= 400 group by all order by all" l="$labels" >/dev/null
"${PYTHON:-python3}" - "$work" "$model" "$by" "$target" "$range" <<'PYTHON'
import argparse, contextlib, csv, io, json, re, subprocess, sys, tomllib
import numpy as np
from scipy.optimize import minimize

work, model, by, target = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
low, high = map(int, sys.argv[5].split(","))
rows = [(r, int(m), int(x), int(n)) for r, m, x, n in list(csv.reader(open(work + "/counts.csv")))[1:]]
json.dump({str((r, m, m, x)): n for r, m, x, n in rows}, open(work + "/wdl.json", "w"))
rows = [row for row in rows if low <= row[1] <= high]
limits = {k + end: at for k in ("move", "material") for end, at in (("Min", low), ("Max", high))}
options = ["--NormalizeToPawnValue", "100", "--momType", by, "--momTarget", str(target), "--plot", "no"]
for k, v in limits.items():
    options += ["--" + k, str(v)]
ours = tomllib.load(open(work + "/wdl/wdl.toml", "rb"))
kifu = np.array(ours["as"] + ours["bs"])

run = subprocess.run([sys.executable, model + "/scoreWDL.py", work + "/wdl.json"] + options, capture_output=True, text=True)
few = "; the script is made for counts of millions: here %d positions at %d values of %s" % (sum(r[3] for r in rows), len({r[1] for r in rows}), by)
if run.returncode:
    sys.exit("WDL_model fails: " + run.stderr.strip().splitlines()[-1] + few)
theirs = np.array([float(v) for k in "ab" for v in re.search(r"double %ss\[\] = \{([^}]*)\}" % k, run.stdout)[1].split(",")])

# The script's own objective, and the same with arrays for the search that goes on from its end.
sys.path.insert(0, model)
import scoreWDL
with contextlib.redirect_stdout(io.StringIO()):
    data = scoreWDL.WdlData(argparse.Namespace(momType=by, winMin=10, NormalizeData=None, NormalizeToPawnValue=100, evalMax=400, **limits))
    data.load_json_data([work + "/wdl.json"])
objective = scoreWDL.ObjectiveFunction("optimizeProbability", data, None, target)
m, x, n = (np.array([r[i] for r in rows], float) for i in (1, 2, 3))
of = [np.array([r[0] == k for r in rows]) for k in "WDL"]
def fast(c):
    a, b = scoreWDL.poly3(m / target, *c[:4]), scoreWDL.poly3(m / target, *c[4:])
    w, l = scoreWDL.win_rate(x, a, b), scoreWDL.loss_rate(x, a, b)
    return -n @ np.log(np.maximum(np.select(of, [w, 1 - w - l, l]), 1e-14)) / n.sum()
for c in (theirs, kifu):
    assert abs(fast(c) / objective(c) - 1) < 1e-9, "the objective is not the script's"
further, rounds = theirs, 0
while rounds < 50:
    end = minimize(fast, further, method="Powell", options={"maxiter": 100000, "maxfev": 20000, "xtol": 1e-9, "ftol": 1e-13})
    end = minimize(fast, end.x, method="BFGS", options={"gtol": 1e-10})
    gain, further, rounds = fast(further) - end.fun, end.x, rounds + 1
    if gain < 1e-12:
        break

many = np.bincount(m.astype(int), n)
at = [k for k in range(low, high + 1) if k < len(many) and many[k] >= 100]
def worst(c):
    of = lambda c, k: np.array([scoreWDL.poly3(v / target, *c[4 * k:4 * k + 4]) for v in at])
    return 100 * max(np.abs(of(c, k) / of(kifu, k) - 1).max() for k in (0, 1))
print("%d positions, %s %d to %d" % (n.sum(), by, low, high))
print("%-24s %13s %10s %10s  %s" % ("", "objective", "p_a at %d" % target, "p_b at %d" % target, "greatest difference from kifu"))
for name, c in (("kifu", kifu), ("WDL_model", theirs), ("WDL_model, continued", further)):
    print("%-24s %13.10f %10.4f %10.4f  %.4f %%" % (name, objective(c), c[:4].sum(), c[4:].sum(), worst(c)))
if min(objective(theirs), objective(further)) < objective(kifu) - 1e-9:
    sys.exit("the script found a larger likelihood than kifu")
if objective(further) > objective(kifu) + 1e-6:
    sys.exit("the script's search ends far from the largest likelihood" + few)
if worst(further) > 0.1:
    sys.exit("the two differ by more than 0.1 %")
PYTHON
