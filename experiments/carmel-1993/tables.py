#!/usr/bin/env python3
"""What experiments/carmel-1993/README.md shows beyond the tables of kifu learn.

usage: tables.py build/carmel-1993[-figure-10 | -figure-11 | -records]

Figure 8 of Carmel and Markovitch 1993 from decisions.csv (the counters of figure 6 are
sums over the ranks there), the cosine of figure 10 from weights.csv, the mean points of
figure 11 from result.json, and the matrix of players by players from compared.csv.
"""
import csv
import glob
import json
import math
import os
import sys
import tomllib


def rows(*path):
    with open(os.path.join(*path), newline="") as f:
        return list(csv.DictReader(f))


def sessions(decisions, true, length):
    """The share of sessions that end with the true depth the only one of the greatest
    counter, and the mean share of a session in which another one was, with its error."""
    depths = [int(k[5:]) for k in decisions[0] if k.startswith("rank_") and not k.endswith("q")]  # 2q: with quiescence
    right, errors = 0, []
    for begin in range(0, len(decisions) - length + 1, length):
        count, wrong = dict.fromkeys(depths, 0), 0
        for d in decisions[begin:begin + length]:
            for k in depths:
                count[k] += int(d["legal_moves"]) - 2 * (int(d[f"rank_{k}"]) - 1)
            best = [k for k in depths if count[k] == max(count.values())]
            wrong += best != [true]
        right += best == [true]
        errors.append(wrong / length)
    n = len(errors)
    mean = sum(errors) / n
    se = math.sqrt(sum((e - mean) ** 2 for e in errors) / (n - 1) / n)
    return right, n, mean, se


def depth(out):
    for d in sorted(glob.glob(os.path.join(out, "depth", "*"))):
        print("\n" + os.path.basename(d))
        table = rows(d, "depths.csv")
        print("  counters", [int(r["counter"]) for r in table], "posterior", [round(float(r["posterior"]), 3) for r in table])
        print("  in best at 3: %.3f" % float(table[2]["train_in_best"]))
        for length in (25, 50, 100):
            right, n, mean, se = sessions(rows(d, "decisions.csv"), 3, length)
            print(f"  sessions of {length}: {right} of {n} end with depth 3; wrong for {100*mean:.1f} ± {100*se:.1f} % of them")


def cosine(out, folder):
    for d in sorted(glob.glob(os.path.join(out, "strategy", "*"))) + glob.glob(os.path.join(out, "shallow-strategy")):
        print("\n" + os.path.basename(d))
        name = "f2" if "f2" in os.path.basename(d) else "f1"
        with open(os.path.join(folder, f"{name}.toml"), "rb") as f:
            planted = {t: w[0] for group in tomllib.load(f).values() if isinstance(group, dict) for t, w in group.items()}
        for s in rows(d, "strategies.csv"):
            w = {r["term"]: float(r["weight"]) for r in rows(d, "weights.csv") if (r["depth"], r["solver"]) == (s["depth"], s["solver"])}
            ab = sum(x * planted.get(t, 0) for t, x in w.items())
            c = ab / math.sqrt(sum(x * x for x in w.values()) * sum(x * x for x in planted.values()))
            print("  depth %s %-10s held out %.3f ± %.3f, in best %.3f, cosine %.4f, %s systems" % (
                s["depth"], s["solver"], float(s["held_accuracy"]), float(s["held_se"]), float(s["held_in_best"]), c, s["systems"]))


def points(out):
    def meeting(name, m):
        low, high = 2 * m["score"]["low"], 2 * m["score"]["high"]
        wins, draws, losses = (sum(x) for x in zip(*m["sides"]))
        print("%-10s %d-%d-%d  %.3f (%.3f to %.3f)" % (name, wins, draws, losses, m["mean_points"], low, high))

    stages = glob.glob(os.path.join(out, "learner", "lessons=*"))
    for d in sorted(stages, key=lambda d: int(d.rsplit("=", 1)[1])):
        with open(os.path.join(d, "result.json")) as f:
            r = json.load(f)
        with open(os.path.join(out, "model", os.path.basename(d), "learn.json")) as f:
            learned = json.load(f)
        meeting(os.path.basename(d), r["meetings"][0])
        m, held = learned["model"], learned["model"]["held_out"]
        print("           %d decisions: depth %d, weights %s%s" % (learned["decisions"], m["depth"], m["solver"],
              ", held out %.3f ± %.3f" % (held["accuracy"], held["se"]) if held and held["se"] else ""))
    for file in glob.glob(os.path.join(out, "equals", "result.json")):
        with open(file) as f:
            for m in json.load(f)["meetings"]:
                name = next(p for p in m["players"] if p != "OP")
                if m["players"][0] == "OP":
                    m["sides"] = [[losses, draws, wins] for wins, draws, losses in m["sides"]]
                    m["mean_points"] = 2 - m["mean_points"]
                    m["score"]["low"], m["score"]["high"] = 1 - m["score"]["high"], 1 - m["score"]["low"]
                meeting(name, m)


def players(out):
    for d in sorted(glob.glob(os.path.join(out, "on-*"))):
        with open(os.path.join(d, "learn.json")) as f:
            r = json.load(f)
        print("\n%s: %d test decisions, chance %.3f" % (", ".join(r["player"]), r["test"]["decisions"], r["test"]["chance"]))
        m = r["model"]
        print("  default weights: depth %d, %.3f ± %.3f, log-loss %.3f" % (m["depth"], m["test"]["accuracy"], m["test"]["se"], m["test"]["log_loss"]))
        for c in r["compared"]:
            print("  %-14s depth %d, %.3f ± %.3f, behind %+.3f ± %.3f; log-loss %.3f, behind %+.3f ± %.3f" % (
                c["player"], c["depth"], c["accuracy"], c["se"], c["behind"], c["behind_se"], c["log_loss"], c["log_loss_behind"], c["log_loss_behind_se"]))
        c = r["compared"][1:]
        n = len(c)
        if n:
            print("  the %d others: behind %+.3f, log-loss behind %+.3f, on the mean" % (
                n, sum(x["behind"] for x in c) / n, sum(x["log_loss_behind"] for x in c) / n))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    out = sys.argv[1]
    depth(out)
    cosine(out, os.path.dirname(os.path.abspath(__file__)))
    points(out)
    players(out)
