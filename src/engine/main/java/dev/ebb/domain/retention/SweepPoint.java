package dev.ebb.domain.retention;

/**
 * The values that a sweep fixes once at its start (O-2).
 *
 * @param nowMs the time at which everything is decided, epoch milliseconds
 * @param policyVersion the version of the policies by which everything is decided
 */
public record SweepPoint(long nowMs, long policyVersion) {}
