"""The numbers of report database, computed again outside of Go and SQL.

    python3 testdata/database.py make     writes database_games.csv and database_positions.csv of reporttest (once; they are committed)
    python3 testdata/database.py          writes database_expected.csv from them

Standard library only. The first-move advantage is found by bisection where the query
takes Newton's steps.
"""
import csv, math, os, random, sys
from collections import Counter, defaultdict

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = os.path.join(HERE, "..", "..", "..", "kit", "reporttest", "testdata")
Z, BIN, LENGTH = 1.959963984540054, 50, 10


def path(name):
    return os.path.join(HERE if name.endswith("_expected.csv") else SHARED, name)


def expectation(d):
    return 1 / (1 + 10 ** (-d / 400))


def make():
    rng = random.Random(11)
    games, positions = [], []
    for game in range(300):
        rated = rng.random() < 0.8
        first, second = rng.randint(1200, 2000), rng.randint(1200, 2000)
        p = expectation(first - second + 40)
        u = rng.random()
        result = "draw" if rng.random() < 0.3 else "first" if u < p else "second"
        if rng.random() < 0.03:
            result = ""
        moves = bytes(rng.randrange(256) for _ in range(2 * rng.randint(6, 70)))
        players = ["p%d" % rng.randrange(20), "p%d" % rng.randrange(20), "19%02d" % rng.randrange(100)]
        if game % 13 == 5:
            moves = bytes.fromhex(games[game - 3][5])
        if game % 26 == 5:
            players = [games[game - 3][i] for i in (6, 7, 8)]
        games.append([game, first if rated else "", second if rated else "", result, len(moves) // 2, moves.hex()] + players)
        for ply in range(len(moves) // 2 + 1 if game < 100 else 0):
            played = ply < len(moves) // 2
            positions.append([game, ply, "e2e4" if played else "", rng.randint(1, 40) if played else 0, max(0, 24 - ply // 3)])
    for name, head, rows in [("database_games.csv", "game_id first_elo second_elo result ply_count moves first_player second_player date", games),
                             ("database_positions.csv", "game_id ply move legal_moves phase", positions)]:
        with open(path(name), "w", newline="") as f:
            w = csv.writer(f, lineterminator="\n")
            w.writerow(head.split())
            w.writerows(rows)


def quantile(values, q):
    values = sorted(values)
    at = (len(values) - 1) * q
    low = math.floor(at)
    return values[low] + (values[min(low + 1, len(values) - 1)] - values[low]) * (at - low)


def student(degrees):
    """The 97.5 % quantile of Student's t, from the integral of its density over atan(t / sqrt(degrees))."""
    def integral(to, steps=4000):
        at = [math.cos(to * i / steps) ** (degrees - 1) for i in range(steps + 1)]
        return to / steps * (sum(at) - (at[0] + at[-1]) / 2)
    low, high, whole = 0, math.pi / 2, integral(math.pi / 2)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if integral(middle) < 0.95 * whole else (low, middle)
    return math.sqrt(degrees) * math.tan(low)


def interval(wins, draws, n):
    p = (wins + draws / 2) / n
    mean_square = (wins + draws / 4) / n
    variance = mean_square - p * p
    m, z = (n, Z) if variance <= 1e-12 else ((n - 1) * p * (1 - p) / variance, student(n - 1))
    centre, spread = p * m + z * z / 2, z * math.sqrt(p * (m - p * m) + z * z / 4)
    return p, max(0, (centre - spread) / (m + z * z)), min(1, (centre + spread) / (m + z * z))


def elo(p):
    return -400 * math.log10(1 / p - 1)


def main():
    with open(path("database_games.csv")) as f:
        games = list(csv.DictReader(f))
    with open(path("database_positions.csv")) as f:
        positions = list(csv.DictReader(f))
    for g in games:
        g["ply_count"] = int(g["ply_count"])
        g["d"] = int(g["first_elo"]) - int(g["second_elo"]) if g["first_elo"] else None
    out = []

    def tally(section, item, value, some, expected):
        c = Counter(g["result"] for g in some)
        n = c["first"] + c["draw"] + c["second"]
        p, low, high = interval(c["first"], c["draw"], n) if n else ("", "", "")
        lengths = [g["ply_count"] for g in some]
        out.append(dict(section=section, item=item, value=value, games=len(some), first_wins=c["first"], draws=c["draw"], second_wins=c["second"], unfinished=c[""],
                        score=p, low=low, high=high, plies=sum(lengths), mean=sum(lengths) / len(lengths), median=quantile(lengths, 0.5), decile_9=quantile(lengths, 0.9), expected=expected))

    tally("games", "all", "", games, "")
    rated = [g for g in games if g["d"] is not None]
    known = [g for g in rated if g["result"]]
    tally("games", "with both ratings", "", rated, sum(expectation(g["d"]) for g in known) / len(known))

    score = {"first": 1, "draw": 0.5, "second": 0}
    points = sum(score[g["result"]] for g in known)
    low, high = -2000.0, 2000.0
    for _ in range(200):
        a = (low + high) / 2
        low, high = (a, high) if sum(expectation(g["d"] + a) for g in known) < points else (low, a)
    spread = math.sqrt(sum((score[g["result"]] - expectation(g["d"] + a)) ** 2 for g in known))
    se = spread / sum(expectation(g["d"] + a) * (1 - expectation(g["d"] + a)) for g in known) / math.log(10) * 400
    out.append(dict(section="first-move advantage", item="given the ratings", value=a, games=len(known), low=a - Z * se, high=a + Z * se))
    c = Counter(g["result"] for g in games)
    n = c["first"] + c["draw"] + c["second"]
    p, low, high = interval(c["first"], c["draw"], n)
    out.append(dict(section="first-move advantage", item="by score", value=elo(p), games=n, low=elo(low), high=elo(high)))

    bins = defaultdict(list)
    for g in known:
        bins[math.floor(g["d"] / BIN + 0.5) * BIN].append(g)
    for v in bins:
        tally("rating difference", "bin", v, bins[v], sum(expectation(g["d"]) for g in bins[v]) / len(bins[v]))
        out[-1]["expected_first"] = sum(expectation(g["d"] + a) for g in bins[v]) / len(bins[v])
    bins = defaultdict(list)
    for g in games:
        bins[g["ply_count"] // LENGTH * LENGTH].append(g)
    for v in bins:
        tally("length", "bin", v, bins[v], "")

    for item, key, some in [("same moves", lambda g: g["moves"], games), ("same moves, at least 20 plies", lambda g: g["moves"], [g for g in games if g["ply_count"] >= 20]),
                            ("same moves, players and date", lambda g: (g["moves"], g["first_player"], g["second_player"], g["date"]), games)]:
        again = [n for n in Counter(map(key, some)).values() if n > 1]
        out.append(dict(section="duplicates", item=item, value="", games=sum(again) - len(again), groups=len(again)))

    played = [p for p in positions if p["move"]]
    def branching(section, item, value, some):
        moves = [int(p["legal_moves"]) for p in some]
        out.append(dict(section=section, item=item, value=value, games=len({p["game_id"] for p in some}), positions=len(some), mean=sum(moves) / len(moves), median=quantile(moves, 0.5), decile_9=quantile(moves, 0.9)))
    branching("branching", "all", "", played)
    phases = [int(p["phase"]) for p in played]
    width = math.ceil((max(phases) - min(phases) + 1) / 5)
    bins, plies = defaultdict(list), defaultdict(list)
    for p in played:
        bins[min(phases) + (int(p["phase"]) - min(phases)) // width * width].append(p)
        plies[int(p["ply"])].append(p)
    for v in bins:
        branching("phase", "%d–%d" % (v, v + width - 1), v, bins[v])
    for v in plies:
        branching("ply", "ply", v, plies[v])

    columns = "section item value games first_wins draws second_wins unfinished score low high expected expected_first plies positions groups mean median decile_9".split()
    with open(path("database_expected.csv"), "w", newline="") as f:
        w = csv.DictWriter(f, columns, lineterminator="\n")
        w.writeheader()
        w.writerows({k: repr(v) if isinstance(v, float) else v for k, v in row.items()} for row in out)


make() if sys.argv[1:] == ["make"] else main()
