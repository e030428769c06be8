# Draws {{.Name}}.csv again: Rscript {{.Name}}.R [OUT.pdf]. Needs R alone, with Cairo.
file <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
here <- if (length(file)) dirname(file) else "."
out <- commandArgs(trailingOnly = TRUE)
if (length(out) == 0) out <- {{printf "%s.pdf" .Name | text}}
rows <- read.csv(file.path(here, {{printf "%s.csv" .Name | text}}), encoding = "UTF-8", colClasses = c(kind = "character", series = "character"))

# label, kind, colour, dashes, marker, joined by a line, width of the line, in the legend
series <- list(
{{- $n := len .Series}}
{{- range $i, $s := .Series}}
  list({{text .Label}}, {{text .Kind}}, {{text .Colour}}, {{.Dash}}, {{.Glyph}}, {{R .Line}}, {{scaled .Width}}, {{R .Legend}}){{if not (last $i $n)}},{{end}}
{{- end}}
)
dashes <- c("solid", "63", "22", "8323")
markers <- c(16, 15, 17, 1, 0, 2, 3, 4)

cairo_pdf(out[1], width = {{number .Width}}, height = {{number .Height}}, pointsize = {{number .Points}}, family = {{if eq .Family "monospace"}}"mono"{{else if eq .Family "serif"}}"serif"{{else}}"sans"{{end}})
shown <- Filter(function(s) s[[8]] || s[[2]] == "area", series)
entry <- function(place, ...) {
  pick <- function(i) sapply(shown, function(s) s[[i]])
  legend(place, legend = pick(1), col = pick(3), lty = ifelse(pick(6) & pick(2) != "area", dashes[pick(4) + 1], "blank"), lwd = pmax(pick(7), 0.1),
         pch = ifelse(pick(2) == "points", markers[pick(5) + 1], ifelse(pick(2) == "area", 15, NA)), bty = "n", ...)
}
legend_at <- {{with .Look.Legend}}{{text .}}{{else}}"top"{{end}}
outside <- legend_at %in% c("top", "bottom") && length(shown) > 0
lines_of <- ceiling(length(shown) / 2)
par(mar = c(4 + (legend_at == "bottom") * lines_of * 1.2, 4, {{if .Title}}3{{else}}0.5{{end}} + (legend_at == "top") * lines_of * 1.2, 0.8), mgp = c(2.4, 0.7, 0), las = 1)
plot(NA, xlim = c({{number .XMin}}, {{number .XMax}}), ylim = c({{number .YMin}}, {{number .YMax}}), xaxs = "i", yaxs = "i", xlab = {{text .XLabel}}, ylab = {{text .YLabel}}, bty = "l")
grid(col = "#dddddd", lty = "solid")
{{- with .Cross}}
abline(h = {{number .Y}}, v = {{number .X}}, col = "#aaaaaa")
{{- end}}
for (s in series) {
  d <- rows[rows$series == s[[1]] & rows$kind == s[[2]], ]
  if (nrow(d) == 0) next
  colour <- s[[3]]
  if (s[[2]] == "area") {
    polygon(c(d$x, rev(d$x)), c(d$low, rev(d$high)), col = adjustcolor(colour, 0.19), border = NA)
    next
  }
  whole <- d[!is.na(d$low), ]
  if (nrow(whole) > 0 && {{R .Bars}}) {
    if ({{R .Shaded}}) {
      polygon(c(whole$x, rev(whole$x)), c(whole$low, rev(whole$high)), col = adjustcolor(colour, 0.19), border = NA)
    } else {
      some <- whole[seq(1, nrow(whole), ceiling(nrow(whole) / 30)), ]
      segments(some$x, some$low, some$x, some$high, col = adjustcolor(colour, 0.63), lwd = {{scaled 0.9}})
    }
  }
  if (s[[6]]) lines(d$x, d$y, col = colour, lty = dashes[s[[4]] + 1], lwd = s[[7]])
  if (s[[2]] == "points") points(d$x, d$y, col = colour, pch = markers[s[[5]] + 1], cex = 0.6)
}
{{- if .Title}}
mtext({{text .Title}}, side = 3, line = par("mar")[3] - 1.3, adj = 0, at = grconvertX(0.01, "ndc", "user"), font = 2, cex = 1.1)
{{- if .Subtitle}}
mtext({{text .Subtitle}}, side = 3, line = par("mar")[3] - 2.4, adj = 0, at = grconvertX(0.01, "ndc", "user"), col = "#666666", cex = 0.8)
{{- end}}
{{- end}}
corner <- c(nw = "topleft", ne = "topright", sw = "bottomleft", se = "bottomright")
if (legend_at %in% names(corner) && length(shown) > 0) entry(corner[[legend_at]], cex = 0.8)
if (outside) {
  par(fig = c(0, 1, 0, 1), mar = c(0, 4, {{if .Title}}2.6{{else}}0.2{{end}}, 0.8), new = TRUE)
  plot.new()
  entry(if (legend_at == "top") "topleft" else "bottomleft", ncol = 2, cex = 0.8)
}
invisible(dev.off())
