package decide

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Within95 returns half the length of the 95 % interval of the mean of x, where values of one
// cluster lie side by side and may depend on each other; nil for less than two clusters.
//
// The error is the jackknife's that leaves out cluster after cluster: with deviations e_g and n_g of the n
// values, √((G-1)/G Σ (e_g / (1 - n_g/n))²) / n (CR3 of Bell and McCaffrey, Survey Methodology 28, 2002). For
// clusters of equal size it is that of MeanByCluster, with its factor G/(G-1). Student's t has one degree of
// freedom less than there are effective clusters, (Σ n_g)²/Σ n_g²: G of equal ones.
func Within95(x []float64, cluster func(i int) int64) *float64 {
	n := float64(len(x))
	mean := 0.0
	for _, v := range x {
		mean += v / n
	}
	groups, squares, sizes := 0.0, 0.0, 0.0
	for i := 0; i < len(x); groups++ {
		sum, from, of := 0.0, i, cluster(i)
		for ; i < len(x) && cluster(i) == of; i++ {
			sum += x[i] - mean
		}
		share := float64(i-from) / n
		if share == 1 {
			return nil
		}
		squares += sum * sum / ((1 - share) * (1 - share))
		sizes += share * share
	}
	if groups == 0 {
		return nil
	}
	half := distuv.StudentsT{Sigma: 1, Nu: 1/sizes - 1}.Quantile(0.975) * math.Sqrt(squares*(groups-1)/groups) / n
	return &half
}

// End95 returns the other end of the 95 % interval of a share that is 0 or 1, where no error tells anything: that
// of Clopper and Pearson (1934) at the number of effective clusters, of values that lie side by side as for
// Within95. It is nil of any other share.
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
func Percent(x float64, half, end *float64) string {
	switch {
	case end != nil && x == 0:
		return fmt.Sprintf("0.0 (to %.1f) %%", 100**end)
	case end != nil:
		return fmt.Sprintf("%.1f (from %.1f) %%", 100*x, 100**end)
	case half == nil:
		return fmt.Sprintf("%.1f %%", 100*x)
	}
	return fmt.Sprintf("%.1f ± %.1f %%", 100*x, 100**half)
}
