package decide

import (
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
