package dev.ebb.bench.runs.sweep;

/**
 * A change by which everything falls due.
 *
 * @param first seconds until the first event had gone
 * @param all seconds until all of them had gone, and that was committed
 * @param read number of events that were read until the first had gone, at the most; 0 where the change moves none
 */
record Change(double first, double all, double read) {}
