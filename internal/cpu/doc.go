// Package cpu measures the processor time of benchmarks: on a busy machine the clock
// says little.
package cpu
