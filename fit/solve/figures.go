package solve

import (
	"kifu/fit/forecast"
	"kifu/schemas"
)

// Fill sets weight j and its errors in w.
func (e *Estimate) Fill(w *schemas.Weight, j int) {
	w.Fitted, w.Status = e.Weights[j], e.Status[j]
	w.SE, w.SERobust = e.se.errorsOf(j)
	w.CILow, w.CIHigh = e.se.interval(j)
	if w.SERobust != nil && *w.SERobust > 0 {
		w.Z = schemas.Number(e.se.z[j])
	}
}

// Number returns w_0 or the draw width, entry j of theta, with its value for e(p) as it
// was.
func (e *Estimate) Number(j int) schemas.FitScale {
	n := schemas.FitScale{Value: e.theta[j], Status: e.Status[j]}
	if e.Present != nil {
		n.Original = schemas.Number(e.Present[j])
	}
	n.SE, n.SERobust = e.se.errorsOf(j)
	n.CILow, n.CIHigh = e.se.interval(j)
	return n
}

// errorsOf returns the errors of parameter j, nil if there are none.
func (s standardErrors) errorsOf(j int) (model, robust *float64) {
	if s.model != nil {
		model = schemas.Number(s.model[j])
	}
	if s.robust != nil {
		robust = schemas.Number(s.robust[j])
	}
	return model, robust
}

// interval returns the ends of the interval of parameter j, nil if there are none.
func (s standardErrors) interval(j int) (low, high *float64) {
	if s.low == nil {
		return nil, nil
	}
	return schemas.Number(s.low[j]), schemas.Number(s.high[j])
}

// Fitted returns the forecast by the fit.
func (e *Estimate) Fitted() forecast.Forecaster {
	return forecast.Forecaster{Method: e.settings.Method, Theta: e.theta, T: e.Design.Draw(e.theta), Factors: e.factors}
}

// Original returns the forecast by the unchanged e(p).
func (e *Estimate) Original() forecast.Forecaster {
	return forecast.Forecaster{Method: e.settings.Method, Theta: e.Present, T: e.Design.Draw(e.Present), Factors: e.presentFactors}
}
