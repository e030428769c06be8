"""Draws {{.Name}}.csv again: python3 {{.Name}}.py [OUT.pdf]. Needs matplotlib."""
import csv
import pathlib
import sys
import textwrap

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

# label, kind, colour, dashes, marker, joined by a line, width of the line, in the legend
series = [
{{- range .Series}}
    ({{text .Label}}, {{text .Kind}}, {{text .Colour}}, {{.Dash}}, {{.Glyph}}, {{python .Line}}, {{scaled .Width}}, {{python .Legend}}),
{{- end}}
]
dashes = ["-", (0, (6, 3)), (0, (2, 2)), (0, (8, 3, 2, 3))]
markers = [("o", True), ("s", True), ("^", True), ("o", False), ("s", False), ("^", False), ("+", True), ("x", True)]


def column(label, kind, name):
    return [float(r[name]) if r[name] else None for r in rows if r["series"] == label and r["kind"] == kind]


fig, ax = plt.subplots(figsize=({{number .Width}}, {{number .Height}}), layout="constrained")
ax.set_xlim({{number .XMin}}, {{number .XMax}})
ax.set_ylim({{number .YMin}}, {{number .YMax}})
ax.grid(color="#dddddd", linewidth={{scaled 0.5}})
ax.set_axisbelow(True)
{{- with .Cross}}
ax.axhline({{number .Y}}, color="#aaaaaa", linewidth={{scaled 0.8}})
ax.axvline({{number .X}}, color="#aaaaaa", linewidth={{scaled 0.8}})
{{- end}}
for label, kind, colour, dash, mark, joined, width, legend in series:
    x, y = column(label, kind, "x"), column(label, kind, "y")
    low, high = column(label, kind, "low"), column(label, kind, "high")
    if kind == "area":
        ax.fill_between(x, low, high, color=colour, alpha=0.19, linewidth=0, label=label)
        continue
    whole = [i for i in range(len(x)) if low[i] is not None]
    if whole and {{python .Bars}}:
        at, bottom, top = ([v[i] for i in whole] for v in (x, low, high))
        if {{python .Shaded}}:
            ax.fill_between(at, bottom, top, color=colour, alpha=0.19, linewidth=0)
        else:
            some = range(0, len(at), -(-len(at) // 30))
            ax.vlines([at[i] for i in some], [bottom[i] for i in some], [top[i] for i in some], color=colour, alpha=0.63, linewidth={{scaled 0.7}})
    shape, full = markers[mark]
    ax.plot(x, y, color=colour, label=label if legend else None, linestyle=dashes[dash] if joined else "none", linewidth=width,
            marker=None if kind == "line" else shape, markersize={{scaled 4.2}}, markerfacecolor=colour if full else "none")
ax.set_xlabel({{text .XLabel}})
ax.set_ylabel({{text .YLabel}})
{{- if .Title}}
fig.suptitle({{text .Title}}{{if .Subtitle}} + "\n" + textwrap.fill({{text .Subtitle}}, int({{number .Width}} * 130 / {{number .Points}})){{end}}, fontsize={{scaled 11}}, x=0.01, horizontalalignment="left")
{{- end}}
{{- with .Look.Legend}}
{{- if eq . "bottom"}}
ax.legend(loc="upper left", bbox_to_anchor=(0, -0.16), ncol=2, frameon=False)
{{- else if ne . "none"}}
ax.legend(loc="best")
{{- end}}
{{- else}}
ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncol=2, frameon=False)
{{- end}}
if __name__ == "__main__":
    fig.savefig(sys.argv[1] if len(sys.argv) > 1 else {{printf "%s.pdf" .Name | text}}, dpi={{.Look.Dots}})
