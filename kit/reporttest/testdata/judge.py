"""The numbers of reports calibration, depth and moves, computed again outside of Go and SQL.

    python3 testdata/judge.py make     writes choices.csv (once; it is committed)
    python3 testdata/judge.py          writes judged.csv from it and from labels.csv

Standard library only. Robust errors: Cochran 1977, 6.8, for ratios; for the regression
the sandwich over games (Liang and Zeger 1986), unbiased where residuals are as large as games (Bell and McCaffrey 2002).
"""
import csv, math, os, random, struct, sys
from collections import defaultdict

HERE = os.path.dirname(os.path.abspath(__file__))
M = (1 << 64) - 1


def held_out(game, share, seed):
    def mix(x):
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & M
        x = (x ^ x >> 27) * 0x94D049BB133111EB & M
        return x ^ x >> 31
    return (mix((mix(seed + 0x9E3779B97F4A7C15 & M) + game * 0x9E3779B97F4A7C15) & M) >> 11) / 2**53 < share


def float32(text):
    return struct.unpack("f", struct.pack("f", float(text)))[0]


def make():
    rng = random.Random(11)
    with open(os.path.join(HERE, "choices.csv"), "w", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(["game_id", "ply", "move", "played", "value"])
        for game in range(60):
            for ply in range(rng.randint(2, 8)):
                moves = rng.sample("abcdefghijklmnopqrstuvwxyz", rng.randint(1, 26))
                values = [rng.randint(-6, 6) / 2 for _ in moves]
                sign = 1 if ply % 2 == 0 else -1
                played = rng.choices(range(len(moves)), [math.exp(sign * v + (m in "aeiou")) for m, v in zip(moves, values)])[0]
                for i, (m, v) in enumerate(zip(moves, values)):
                    w.writerow([game, ply, m, int(i == played), v])


def read(name):
    with open(os.path.join(HERE, name)) as f:
        return list(csv.DictReader(f))


def ratio_error(pairs):
    """pairs: of each game, a sum and a number; the error of sum of sums / sum of numbers."""
    n, mean = sum(b for _, b in pairs), sum(a for a, _ in pairs) / sum(b for _, b in pairs)
    return math.sqrt(sum((a - mean * b) ** 2 for a, b in pairs) / kept(b for _, b in pairs)) / n


def kept(sizes):
    """What the squares of residuals as large as their games, about a ratio of sums, keep on average: Σ n²(1 - 2n/N + Σ n²/N²) / Σ n²."""
    sizes = list(sizes)
    n, squares = sum(sizes), sum(b * b for b in sizes)
    return sum(b * b * (1 - 2 * b / n + squares / n**2) for b in sizes) / squares


def degrees(sizes):
    sizes = list(sizes)
    return max(1, sum(b**2 for b in sizes) ** 2 / sum(b**4 for b in sizes) * kept(sizes))


def interval(mean, error, sizes):
    """Wilson's 95 % interval at the number of independent results that would vary as
    much, with Student's t by four terms of Cornish and Fisher's expansion."""
    df = degrees(sizes)
    known = error and 0 < mean < 1
    independent = mean * (1 - mean) / error**2 if known else df + 1
    z = 1.959963984540054
    z += 0 if not known else (z**3 + z) / 4 / df + (5 * z**5 + 16 * z**3 + 3 * z) / 96 / df**2 + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / df**3 + \
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160 / df**4
    centre, half = mean + z * z / (2 * independent), z * math.sqrt(mean * (1 - mean) / independent + (z / (2 * independent)) ** 2)
    return [(centre - half) / (1 + z * z / independent), (centre + half) / (1 + z * z / independent)]


def calibration(half, share):
    rows = []
    for r in read("labels.csv"):
        y = {"first": 1, "second": 0, "draw": 0.5 if half else None}.get(r["result"])
        if y is not None and abs(float32(r["quiescence_value"])) <= 31000:
            rows.append((int(r["game_id"]), int(r["ply"]), float32(r["quiescence_value"]), y))
    fit = [r for r in rows if not held_out(r[0], share, 1)]
    low, high = 0.0, 1.0
    for _ in range(200):
        w = (low + high) / 2
        score = sum(v * (y - 1 / (1 + math.exp(-w * v))) for _, _, v, y in fit)
        low, high = (w, high) if score > 0 else (low, w)
    judged = [r for r in rows if held_out(r[0], share, 1)] if share else rows
    groups = defaultdict(list)
    for g, ply, v, y in judged:
        p = 1 / (1 + math.exp(-low * v))
        row = (g, v, y, p)
        groups["all", "all"].append(row)
        groups["bin", "%.3f" % (min(9, math.floor(p * 10)) / 10)].append(row)
        groups["ply", {0: "0-19", 1: "20-39", 2: "40-59"}[ply // 20]].append(row)
    for (kind, level), some in sorted(groups.items()):
        loss = [-(y * math.log(p) + (1 - y) * math.log(1 - p)) for _, _, y, p in some]
        of = defaultdict(lambda: [0, 0, 0])
        for (g, _, y, _), l in zip(some, loss):
            of[g] = [of[g][0] + y, of[g][1] + 1, of[g][2] + l]
        decided = [(0.5 if v == 0 else (v > 0) == (y == 1)) for _, v, y, _ in some if y != 0.5]
        agree, pairs = 0, 0
        for i, a in enumerate(some):
            for b in some[:i]:
                if a[2] != b[2]:
                    pairs += 1
                    agree += 0.5 if a[1] == b[1] else (a[1] > b[1]) == (a[2] > b[2])
        n = len(some)
        many = len(of) > 1
        won = sum(r[2] for r in some) / n
        error = ratio_error([(a, b) for a, b, _ in of.values()]) if many else ""
        yield ["calibration", "half" if half else "exclude", share, kind, level, n, len(of), low, sum(r[3] for r in some) / n, won, error, sum(loss) / n, ratio_error([(c, b) for _, b, c in of.values()]) if many else "",
               sum((y - p) ** 2 for _, _, y, p in some) / n, sum(decided) / len(decided) if decided else "", agree / pairs if pairs else ""] + interval(won, error or 0, [b for _, b, _ in of.values()])


def depth():
    rows = [(int(r["game_id"]), float32(r["king_safety"]), float32(r["quiescence_value"])) for r in read("labels.csv")]
    rows = [r for r in rows if abs(r[2]) <= 31000]
    n = len(rows)
    mx, my = sum(r[1] for r in rows) / n, sum(r[2] for r in rows) / n
    sxx = sum((x - mx) ** 2 for _, x, _ in rows)
    a = sum((x - mx) * (y - my) for _, x, y in rows) / sxx
    b = my - a * mx
    rest = sum((y - a * x - b) ** 2 for _, x, y in rows)
    meat, square = defaultdict(lambda: [0, 0]), defaultdict(float)
    for g, x, y in rows:
        e = y - a * x - b
        meat[g] = [meat[g][0] + e, meat[g][1] + e * x]
        square[g] += e * e - rest / n
    # (X'X)^-1 of the columns 1 and x
    det = n * sum(x * x for _, x, _ in rows) - (n * mx) ** 2
    inv = [[sum(x * x for _, x, _ in rows) / det, -n * mx / det], [-n * mx / det, n / det]]
    lengths = defaultdict(int)
    for g, _, _ in rows:
        lengths[g] += 1
    small = 1 / kept(lengths.values())
    var = [sum((inv[i][0] * u + inv[i][1] * v) ** 2 for u, v in meat.values()) * small for i in (0, 1)]
    sigma = math.sqrt(rest / (n - 2))
    return ["depth", n, len(meat), a, math.sqrt(var[1]), b, math.sqrt(var[0]), sigma, math.sqrt(sum(s * s for s in square.values()) * small) / n / (2 * sigma),
            1 - rest / sum((y - my) ** 2 for _, _, y in rows), my - mx]


def moves():
    decisions = defaultdict(list)
    for r in read("choices.csv"):
        decisions[int(r["game_id"]), int(r["ply"])].append((r["move"], r["played"] == "1", float32(r["value"])))
    counts, total = defaultdict(lambda: [0, 0]), [0, 0]
    for (g, _), choice in decisions.items():
        if not held_out(g, 0.5, 1):
            for m, played, _ in choice:
                for c in (counts[m in "aeiou"], total):
                    c[0], c[1] = c[0] + played, c[1] + 1
    overall = total[0] / total[1]
    for order in ["value", "vowel"]:
        for k in (1, 3, 5, 10, 20):
            of = defaultdict(lambda: [0, 0])
            chance, number = 0, 0
            for (g, ply), choice in decisions.items():
                if len(choice) < 2 or not held_out(g, 0.5, 1):
                    continue
                worth = [(1 if ply % 2 == 0 else -1) * v if order == "value" else (counts[m in "aeiou"][0] + overall) / (counts[m in "aeiou"][1] + 1) for m, _, v in choice]
                own = worth[[p for _, p, _ in choice].index(True)]
                better, equal = sum(x > own for x in worth), sum(x == own for x in worth)
                of[g] = [of[g][0] + max(0, min(1, (k - better) / equal)), of[g][1] + 1]
                chance += min(k, len(choice)) / len(choice)
                number += 1
            yield ["moves", order, k, number, len(of), sum(h for h, _ in of.values()) / number, ratio_error(list(of.values())), chance / number]


def main():
    with open(os.path.join(HERE, "judged.csv"), "w", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        for half in (False, True):
            for share in (0, 0.3):
                w.writerows(calibration(half, share))
        w.writerow(depth())
        w.writerows(moves())


make() if sys.argv[1:] == ["make"] else main()
