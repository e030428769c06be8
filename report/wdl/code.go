package wdl

import (
	"fmt"
	"strings"
)

// code is the model in a language.
type code struct{ name, text string }

// codes are the model in C, Rust, Go and TOML.
func (r *report) codes() []code {
	return []code{{"wdl.h", r.c()}, {"wdl.rs", r.rust()}, {"wdl.go.txt", r.golang()}, {"wdl.toml", r.toml()}}
}

// list writes coefficients with the digits that WDL_model has.
func list(of [Degree + 1]float64) string {
	var all []string
	for _, v := range of {
		all = append(all, fmt.Sprintf("%.8f", v))
	}
	return strings.Join(all, ", ")
}

// comment is the comment of each.
func (r *report) comment() string {
	p := r.Params
	return fmt.Sprintf("%s of %d games, %d to %d; values in %s, from the side whose chances are wanted", p.By, len(r.Games), p.Least, p.Most, r.Unit)
}

func (r *report) c() string {
	p := r.Params
	return fmt.Sprintf(`/* %s */
#include <math.h>

static const double kifu_wdl_as[] = {%s};
static const double kifu_wdl_bs[] = {%s};

/* Thousandths won at value v and m, the %s; lost are those won at -v, drawn the rest. */
static int kifu_win_rate(double v, int m) {
    double x = (m < %d ? %d : m > %d ? %d : m) / %.1f;
    double a = ((kifu_wdl_as[0] * x + kifu_wdl_as[1]) * x + kifu_wdl_as[2]) * x + kifu_wdl_as[3];
    double b = ((kifu_wdl_bs[0] * x + kifu_wdl_bs[1]) * x + kifu_wdl_bs[2]) * x + kifu_wdl_bs[3];
    return (int)(0.5 + 1000 / (1 + exp((a - v) / b)));
}
`, r.comment(), list(r.Fit.A), list(r.Fit.B), p.By, p.Least, p.Least, p.Most, p.Most, p.Target)
}

func (r *report) rust() string {
	p := r.Params
	return fmt.Sprintf(`// %s
const AS: [f64; 4] = [%s];
const BS: [f64; 4] = [%s];

/// Thousandths won at value v and m, the %s; lost are those won at -v, drawn the rest.
pub fn win_rate(v: f64, m: i32) -> i32 {
    let x = f64::from(m.clamp(%d, %d)) / %.1f;
    let a = ((AS[0] * x + AS[1]) * x + AS[2]) * x + AS[3];
    let b = ((BS[0] * x + BS[1]) * x + BS[2]) * x + BS[3];
    (0.5 + 1000.0 / (1.0 + ((a - v) / b).exp())) as i32
}
`, r.comment(), list(r.Fit.A), list(r.Fit.B), p.By, p.Least, p.Most, p.Target)
}

func (r *report) golang() string {
	p := r.Params
	return fmt.Sprintf(`// Package wdl: %s.
package wdl

import "math"

var (
	as = [4]float64{%s}
	bs = [4]float64{%s}
)

// WinRate returns the thousandths won at value v and m, the %s; lost are those won at -v, drawn the rest.
func WinRate(v float64, m int) int {
	x := float64(min(max(m, %d), %d)) / %.1f
	a := ((as[0]*x+as[1])*x+as[2])*x + as[3]
	b := ((bs[0]*x+bs[1])*x+bs[2])*x + bs[3]
	return int(0.5 + 1000/(1+math.Exp((a-v)/b)))
}
`, r.comment(), list(r.Fit.A), list(r.Fit.B), p.By, p.Least, p.Most, p.Target)
}

func (r *report) toml() string {
	p := r.Params
	a, b := r.Fit.At(p.Target)
	return fmt.Sprintf("# %s\nby = %q\nleast = %d\nmost = %d\ntarget = %v\nas = [%s]\nbs = [%s]\npawn_value = %.4f # a at the target: where half of the games are won\nspread = %.4f\n",
		r.comment(), p.By, p.Least, p.Most, p.Target, list(r.Fit.A), list(r.Fit.B), a, b)
}
