package dev.ebb.topology.wire;

/**
 * Sent by a partition to itself: when it arrives, everything that was sent before it is committed. A reader of another topic
 * may not see all of that yet, since a transaction ends on each topic by itself; but no transaction begins before the former
 * one of its task has ended on all of them. So when a second fence arrives, which was sent after the arrival of the first,
 * everything that was sent before the first one can be read.
 *
 * @param round tells fences of one command apart
 */
public record Fence(long round) {

    /** The number of fences behind which all can be read. */
    public static final int PAIR = 2;
}
