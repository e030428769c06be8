"""Draws {{.Name}}.csv again: python3 {{.Name}}.py [OUT.pdf]. Needs matplotlib."""
import csv
import pathlib
import sys

import matplotlib

matplotlib.rcParams.update({
    "font.family": {{text .Family}}, "font.size": {{number .Points}}, "text.parse_math": False,
    "pdf.fonttype": 42, "svg.fonttype": "none", "axes.unicode_minus": True,
})
if __name__ == "__main__":
    matplotlib.use("Agg")
import matplotlib.pyplot as plt

here = pathlib.Path(__file__).resolve().parent
rows = list(csv.DictReader(open(here / {{printf "%s.csv" .Name | text}}, encoding="utf-8", newline="")))

# label, colour, marker
series = [
{{- range .Series}}
    ({{text .Label}}, {{text .Colour}}, {{.Glyph}}),
{{- end}}
]
markers = [("o", True), ("s", True), ("^", True), ("o", False), ("s", False), ("^", False), ("+", True), ("x", True)]

lines = list(dict.fromkeys((r["group"], r["line"]) for r in rows))
place = {line: i for i, line in enumerate(lines)}
fig, ax = plt.subplots(figsize=({{number .Width}}, {{number .Height}}), layout="constrained")
ax.set_xlim({{number .XMin}}, {{number .XMax}})
ax.set_ylim(len(lines) - 0.5, -0.5)
ax.set_yticks(range(len(lines)), [f"{group}: {line}" if group else line for group, line in lines])
ax.grid(axis="x", color="#dddddd", linewidth={{scaled 0.5}})
ax.axvline(0, color="#999999", linewidth={{scaled 0.8}})
ax.set_axisbelow(True)
for r in rows:
    if r["before"]:
        y = place[r["group"], r["line"]]
        ax.vlines(float(r["before"]), y - 0.36, y + 0.36, color="#999999", linewidth={{scaled 2.5}})
for i, (label, colour, mark) in enumerate(series):
    shape, full = markers[mark]
    off = (i - (len(series) - 1) / 2) * 0.62 / max(2, len(series))
    own = [r for r in rows if r["series"] == label]
    if {{python .Bars}}:
        bars = [r for r in own if r["low"]]
        ax.hlines([place[r["group"], r["line"]] + off for r in bars], [float(r["low"]) for r in bars], [float(r["high"]) for r in bars], color=colour, linewidth={{scaled 1.2}})
    for fitted in ("true", "false"):
        some = [r for r in own if r["at"] and r["fitted"] == fitted]
        ax.plot([float(r["at"]) for r in some], [place[r["group"], r["line"]] + off for r in some], linestyle="none", color=colour, label=label if fitted == "true" else None,
                marker=shape if fitted == "true" else "x", markersize={{scaled 4.2}}, markerfacecolor=colour if full else "none")
ax.set_xlabel({{text .XLabel}})
{{- if .Title}}
fig.suptitle({{text .Title}}, fontsize={{scaled 12}}, x=0.01, horizontalalignment="left")
{{- end}}
{{- if ne .Look.Legend "none"}}
ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncol=2, frameon=False)
{{- end}}
if __name__ == "__main__":
    fig.savefig(sys.argv[1] if len(sys.argv) > 1 else {{printf "%s.pdf" .Name | text}}, dpi={{.Look.Dots}})
