package dev.ebb.topology.wire;

/**
 * Sent by a partition to itself: when it arrives, everything that was sent before it is committed.
 *
 * @param round tells fences of one command apart
 */
public record Fence(long round) {}
