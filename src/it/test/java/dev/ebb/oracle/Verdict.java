package dev.ebb.oracle;

import java.util.List;

/**
 * What the oracle says.
 *
 * @param events how many events were accepted, each for once
 * @param deletes how many were deleted
 * @param differences what is not as it must be, a line each; empty if all is well
 */
public record Verdict(long events, long deletes, List<String> differences) {}
