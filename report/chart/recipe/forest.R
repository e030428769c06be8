# Draws {{.Name}}.csv again: Rscript {{.Name}}.R [OUT.pdf]. Needs R alone, with Cairo.
file <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
here <- if (length(file)) dirname(file) else "."
out <- commandArgs(trailingOnly = TRUE)
if (length(out) == 0) out <- {{printf "%s.pdf" .Name | text}}
rows <- read.csv(file.path(here, {{printf "%s.csv" .Name | text}}), encoding = "UTF-8", colClasses = c(group = "character", line = "character", series = "character", fitted = "character"))

# label, colour, marker
series <- list(
{{- $n := len .Series}}
{{- range $i, $s := .Series}}
  list({{text .Label}}, {{text .Colour}}, {{.Glyph}}){{if not (last $i $n)}},{{end}}
{{- end}}
)
markers <- c(16, 15, 17, 1, 0, 2, 3, 4)

name <- ifelse(rows$group == "", rows$line, paste0(rows$group, ": ", rows$line))
lines_of <- unique(name)
place <- match(name, lines_of)
cairo_pdf(out[1], width = {{number .Width}}, height = {{number .Height}}, pointsize = {{number .Points}}, family = {{if eq .Family "monospace"}}"mono"{{else if eq .Family "serif"}}"serif"{{else}}"sans"{{end}})
par(mar = c(4, 0.5, {{if .Title}}3{{else}}1{{end}} + ceiling(length(series) / 2) * 1.2, 0.8), las = 1, mgp = c(2.4, 0.7, 0))
par(mai = replace(par("mai"), 2, max(strwidth(lines_of, units = "inches")) + 0.3))
plot(NA, xlim = c({{number .XMin}}, {{number .XMax}}), ylim = c(length(lines_of) + 0.5, 0.5), xaxs = "i", yaxs = "i", xlab = {{text .XLabel}}, ylab = "", yaxt = "n", bty = "n")
axis(2, at = seq_along(lines_of), labels = lines_of, tick = FALSE)
grid(ny = NA, col = "#dddddd", lty = "solid")
abline(v = 0, col = "#999999")
was <- !is.na(rows$before)
segments(rows$before[was], place[was] - 0.36, rows$before[was], place[was] + 0.36, col = "#999999", lwd = {{scaled 2.5}})
for (i in seq_along(series)) {
  s <- series[[i]]
  y <- place + (i - 1 - (length(series) - 1) / 2) * 0.62 / max(2, length(series))
  own <- rows$series == s[[1]]
  bar <- own & !is.na(rows$low)
  if ({{R .Bars}}) segments(rows$low[bar], y[bar], rows$high[bar], y[bar], col = s[[2]], lwd = {{scaled 1.4}})
  at <- own & !is.na(rows$at)
  points(rows$at[at], y[at], col = s[[2]], pch = ifelse(rows$fitted[at] == "true", markers[s[[3]] + 1], 4), cex = 0.7)
}
{{- if .Title}}
mtext({{text .Title}}, side = 3, line = par("mar")[3] - 1.3, adj = 0, at = grconvertX(0.01, "ndc", "user"), font = 2, cex = 1.1)
{{- end}}
{{- if ne .Look.Legend "none"}}
par(fig = c(0, 1, 0, 1), mar = c(0, 1, {{if .Title}}2.2{{else}}0.2{{end}}, 0.8), new = TRUE)
plot.new()
legend("topleft", legend = sapply(series, function(s) s[[1]]), col = sapply(series, function(s) s[[2]]), pch = markers[sapply(series, function(s) s[[3]]) + 1], bty = "n", ncol = 2, cex = 0.8)
{{- end}}
invisible(dev.off())
