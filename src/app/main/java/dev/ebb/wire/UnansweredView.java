package dev.ebb.wire;

import java.util.List;

/**
 * An instance whose part of the answer is missing.
 *
 * @param instance host and port of its API
 * @param partitions partitions that it keeps, as far as is known
 * @param reason why it did not answer, and what to do about it
 */
public record UnansweredView(String instance, List<Integer> partitions, String reason) {}
