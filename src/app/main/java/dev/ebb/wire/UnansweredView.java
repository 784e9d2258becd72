package dev.ebb.wire;

import java.util.List;

/**
 * An instance whose part of the answer is missing.
 *
 * @param instance host and port of its API
 * @param partitions partitions that the instance keeps, as far as is known
 * @param reason the reason why the instance did not answer, and the remedy
 */
public record UnansweredView(String instance, List<Integer> partitions, String reason) {}
