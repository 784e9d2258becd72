package dev.ebb.topology.wire;

/**
 * Record that a partition sends to itself: when it arrives, everything that was sent before it is committed. A reader
 * of another topic may not see all of that yet, since a transaction ends on each topic separately; but no transaction
 * begins before the former one of its task has ended on all topics. So when a second fence arrives, sent after the
 * arrival of the first, everything that was sent before the first one can be read.
 *
 * @param round number that distinguishes the fences of one command
 */
public record Fence(long round) {

    /** Number of fences after which everything can be read. */
    public static final int PAIR = 2;
}
