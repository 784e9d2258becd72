package dev.ebb.wire;

import java.util.List;

/**
 * An instance whose part of the answer is missing.
 *
 * @param instance host and port of its API
 * @param partitions partitions that it keeps, as far as is known
 * @param reason the reason why it did not answer, and the remedy
 */
public record UnansweredView(String instance, List<Integer> partitions, String reason) {}
