"""The numbers of report curve, computed again outside of Go and SQL.

    python3 testdata/curve.py make     writes labels.csv of reporttest (once; it is committed)
    python3 testdata/curve.py          writes expected.csv from it

Standard library only. Formulas: Takeuchi et al. 2007, equations 1 and 2; the ratio
estimator's linearised variance over clusters with G/(G-1) (Cochran 1977, 6.8); Wilson's
interval at the effective number of positions. The variance is computed from the games'
residuals and again from their moments in the order that the query takes them, so that
the numbers are the query's bit for bit.
"""
import csv, math, os, random, struct, sys
from collections import defaultdict

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = os.path.join(HERE, "..", "..", "..", "kit", "reporttest", "testdata")
WIDTH, LEAST = 25, 30
CONDITIONS = [("total", lambda r: True), ("safe", lambda r: r["king_safety"] >= 30), ("unsafe", lambda r: r["king_safety"] <= -30)]


def make():
    rng = random.Random(7)
    rows = []
    for game in range(150):
        sign = rng.choice([1, -1])
        result = "first" if sign > 0 else "second"
        if rng.random() < 0.25:
            result = "draw"
        if rng.random() < 0.03:
            result = ""
        open_, safety = 0.0, 0.0
        for ply in range(rng.randint(10, 50)):
            open_ += 180 * (sign * 0.02 + rng.gauss(0, 0.2))
            safety += 180 * (sign * 0.0072 + rng.gauss(0, 0.12))
            value = round(open_ + safety, 2)
            if rng.random() < 0.05:  # on the edge of a bin
                value = WIDTH * (math.floor(value / WIDTH) + 0.5)
            if rng.random() < 0.01:
                value = rng.choice([32000 - rng.randint(1, 9), rng.randint(1, 9) - 32000])
            rows.append([game, ply, "%g" % value if abs(value) > 31000 else "%.2f" % value, "%.2f" % safety, result])
    with open(os.path.join(SHARED, "labels.csv"), "w", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(["game_id", "ply", "quiescence_value", "king_safety", "result"])
        w.writerows(rows)


def float32(text):
    return struct.unpack("f", struct.pack("f", float(text)))[0]


def wilson(w, n, z):
    spread = z * math.sqrt(w * (n - w) / n + z * z / 4)
    return max(0.0, (w + z * z / 2 - spread) / (n + z * z)), min(1.0, (w + z * z / 2 + spread) / (n + z * z))


Z = 1.959963984540054


def student(df):
    """t at 97.5 %, the four terms of Cornish and Fisher that the query has."""
    terms = [(Z**3 + Z) / 4, (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96, (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
             (79 * Z**9 + 776 * Z**7 + 1482 * Z**5 - 1920 * Z**3 - 945 * Z) / 92160]
    t = Z
    for power, term in enumerate(terms, 1):
        t += term / df**power
    return t


def power(games, k):
    return float(sum(n**k for _, n in games))


def kept_share(games):
    """What squares of residuals as large as their games keep on average (Bell and McCaffrey 2002)."""
    s1, s2, s3 = (power(games, k) for k in (1, 2, 3))
    return 1 - 2 * s3 / s1 / s2 + s2 / s1 / s1


def degrees(games):
    """Satterthwaite's degrees of freedom of the sum of such squares."""
    return max(1.0, power(games, 2) / power(games, 4) * power(games, 2) * kept_share(games))


def variance_of(games, p):
    count, positions = len(games), sum(n for _, n in games)
    if count < 2:
        return None
    ww, wn, nn = sum(w * w for w, _ in games), sum(w * n for w, n in games), sum(n * n for _, n in games)
    kept = kept_share(games)
    variance = max(0, ww - 2 * p * wn + p * p * nn) / (float(positions) * positions) / kept
    residuals = sum((w - p * n) ** 2 for w, n in games) / positions**2 / kept
    assert abs(variance - residuals) < 1e-12
    return variance


def curve(rows, holds, half):
    bins = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))  # bin, game: wins, draws, losses
    for r in rows:
        if holds(r) and r["result"] and abs(r["value"]) <= 31000:
            v = math.floor(r["value"] / WIDTH + 0.5) * WIDTH
            bins[v][r["game"]][["first", "draw", "second"].index(r["result"])] += 1
    for v in sorted(bins):
        games = [(w + (d / 2 if half else 0), w + l + (d if half else 0)) for w, d, l in bins[v].values()]
        games = [(w, n) for w, n in games if n]
        positions, count = sum(n for _, n in games), len(games)
        wins, draws, losses = (sum(c[i] for c in bins[v].values()) for i in range(3))
        if not positions:
            yield [v, False, 0, 0, wins, draws, losses] + [""] * 6
            continue
        p = sum(w for w, _ in games) / positions
        low, high = "", ""
        variance = variance_of(games, p)
        known = variance and 0 < p < 1
        independent = p * (1 - p) / variance if known else degrees(games) + 1
        low, high = wilson(p * independent, independent, student(degrees(games)) if known else Z)
        naive = wilson(sum(w for w, _ in games), positions, Z)
        yield [v, positions >= LEAST, positions, count, wins, draws, losses, p, math.sqrt(variance) if variance else "", low, high, *naive]


def sigmoid(bins):
    """Maximum likelihood of 1/(1+exp(-w v)) by bisection of the score."""
    def score(w):
        return sum(b[0] * b[2] * (b[7] - 1 / (1 + math.exp(-w * b[0]))) for b in bins)
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if score(middle) > 0 else (low, middle)
    return low


def main():
    with open(os.path.join(SHARED, "labels.csv")) as f:
        rows = [{"game": int(r["game_id"]), "value": float32(r["quiescence_value"]), "king_safety": float32(r["king_safety"]), "result": r["result"]} for r in csv.DictReader(f)]
    with open(os.path.join(HERE, "expected.csv"), "w", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow("draws curve bin shown positions games wins draws_n losses win_probability se low high wilson_low wilson_high w0".split())
        for draws in ["exclude", "half"]:
            for name, holds in CONDITIONS:
                bins = list(curve(rows, holds, draws == "half"))
                w0 = sigmoid([b for b in bins if b[1]])
                for b in bins:
                    w.writerow([draws, name] + [repr(x).lower() if isinstance(x, bool) else repr(x) if isinstance(x, float) else x for x in b] + [repr(w0)])


make() if sys.argv[1:] == ["make"] else main()
