package dev.ebb.wire.instance;

import java.util.List;

/**
 * Result of a drain.
 *
 * @param instance instance that has left
 * @param partitions partitions that it kept, and the others take over; empty if it had left before
 * @param withoutCopy partitions of these without a copy elsewhere: they are restored from the changelog first
 * @param others number of other instances that were there to take over
 */
public record DrainView(String instance, List<Integer> partitions, List<Integer> withoutCopy, int others) {}
