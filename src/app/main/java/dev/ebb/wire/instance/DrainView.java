package dev.ebb.wire.instance;

import java.util.List;

/**
 * Result of a drain.
 *
 * @param instance the instance that has left
 * @param partitions the partitions that the instance kept, and the others take over; empty if it had left before
 * @param withoutCopy those of these partitions that have no copy elsewhere: they are restored from the changelog first
 * @param others number of other instances that were there to take over
 */
public record DrainView(String instance, List<Integer> partitions, List<Integer> withoutCopy, int others) {}
