// Package cpu measures the processor time of benchmarks: on a busy machine the clock
// means little.
package cpu
