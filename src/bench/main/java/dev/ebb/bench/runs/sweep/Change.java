package dev.ebb.bench.runs.sweep;

/**
 * Result of a change by which everything falls due.
 *
 * @param first seconds until the first event had gone
 * @param all seconds until all events had gone and their deletes were committed
 * @param read upper bound of the number of events that were read until the first had gone; 0 if the change moves none
 */
record Change(double first, double all, double read) {}
