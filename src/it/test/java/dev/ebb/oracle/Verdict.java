package dev.ebb.oracle;

import java.util.List;

/**
 * Verdict of the oracle.
 *
 * @param events number of accepted events, each counted once
 * @param deletes number of deleted events
 * @param differences deviations from the model, a line each; empty if all is well
 */
public record Verdict(long events, long deletes, List<String> differences) {}
