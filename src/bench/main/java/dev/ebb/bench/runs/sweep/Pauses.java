package dev.ebb.bench.runs.sweep;

/**
 * The longest pauses of a run, in milliseconds.
 *
 * @param expire while everything expires
 * @param expireWithCommit while everything expires, with the commits
 * @param expireCpu the most CPU time of a thread between two polls meanwhile
 * @param change while policies and holds change; the same as expire for the tutorial, which has neither
 * @param changeCpu the most CPU time of a thread between two polls meanwhile
 */
record Pauses(double expire, double expireWithCommit, double expireCpu, double change, double changeCpu) {}
