package decide

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/lists"
)

// MeanByCluster returns the mean of x and its standard error if values of one cluster (the decisions of a
// game, the games of a player) may depend on each other. The values of a cluster are adjacent. se is nil for
// less than two clusters, and if all values are equal: shares of 0 and 1 have errors, too, but not from these
// values (see Percent).
//
// The error is the jackknife's, which leaves out each cluster in turn: √((G-1)/G Σ (e_g / (1 - n_g/n))²) / n,
// for clusters with the sum of deviations e_g and n_g of the n values (CR3 of Bell and McCaffrey, Survey
// Methodology 28, 2002).
func MeanByCluster(x []float64, cluster func(i int) int64) (mean float64, se *float64) {
	mean, e, _ := byCluster(x, cluster)
	if e > 0 {
		se = &e
	}
	return mean, se
}

// Within95 returns half the length of the 95 % interval of the mean of x; nil for less than two clusters. Student's t has one degree of
// freedom less than there are effective clusters, (Σ n_g)²/Σ n_g²: G of equal ones.
func Within95(x []float64, cluster func(i int) int64) *float64 {
	_, se, effective := byCluster(x, cluster)
	if !(effective > 1) {
		return nil
	}
	half := distuv.StudentsT{Sigma: 1, Nu: effective - 1}.Quantile(0.975) * se
	return &half
}

// byCluster is MeanByCluster with the number of effective clusters.
func byCluster(x []float64, cluster func(i int) int64) (mean, se, effective float64) {
	n := float64(len(x))
	mean = lists.Sum(x, func(v float64) float64 { return v })
	mean /= n
	groups, squares, sizes := 0.0, 0.0, 0.0
	for i := 0; i < len(x); groups++ {
		sum, from, of := 0.0, i, cluster(i)
		for ; i < len(x) && cluster(i) == of; i++ {
			sum += x[i] - mean
		}
		share := float64(i-from) / n
		if share == 1 {
			return mean, 0, 1
		}
		squares += sum * sum / ((1 - share) * (1 - share))
		sizes += share * share
	}
	if groups == 0 {
		return mean, 0, 0
	}
	return mean, math.Sqrt(squares*(groups-1)/groups) / n, 1 / sizes
}

// End95 returns the other end of the 95 % interval of a share that is 0 or 1, for which a standard error is
// meaningless. It is the end of Clopper and Pearson (1934) at the number of effective clusters, and nil for
// any other share. Values of a cluster are adjacent, as in Within95.
func End95(x []float64, cluster func(i int) int64) *float64 {
	n, squares := float64(len(x)), 0.0
	for i := 0; i < len(x); {
		from, of := i, cluster(i)
		for ; i < len(x) && cluster(i) == of; i++ {
			if x[i] != x[0] || x[i] != 0 && x[i] != 1 {
				return nil
			}
		}
		squares += float64(i-from) * float64(i-from) / (n * n)
	}
	if squares == 0 {
		return nil
	}
	end := math.Pow(0.025, squares)
	if x[0] == 0 {
		end = 1 - end
	}
	return &end
}

// Percent formats a share in percent with half its interval or an error, if there is one, or with the end that End95 has.
// It leaves out half an interval of 100 % or more, as from two clusters, because it says nothing.
func Percent(x float64, half, end *float64) string {
	switch {
	case end != nil && x == 0:
		return fmt.Sprintf("0.0 (to %.1f) %%", 100**end)
	case end != nil:
		return fmt.Sprintf("%.1f (from %.1f) %%", 100*x, 100**end)
	case half == nil || *half >= 1:
		return fmt.Sprintf("%.1f %%", 100*x)
	}
	return fmt.Sprintf("%.1f ± %.1f %%", 100*x, 100**half)
}
