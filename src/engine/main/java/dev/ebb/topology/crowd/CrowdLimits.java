package dev.ebb.topology.crowd;

/**
 * Limits on commands that are not finished. One caller may have half of each. Commands on a single stream have a limit
 * of their own, so that a crowd of commands over many streams cannot shut them out.
 *
 * @param bulk most commands over many streams, at least 2
 * @param single most commands on a single stream, at least 2
 */
public record CrowdLimits(int bulk, int single) {

    /** 64 commands over many streams, 1000 on a single one. */
    public static final CrowdLimits DEFAULT = new CrowdLimits(64, 1000);

    /**
     * Most bytes of all unfinished commands of one of the two groups, written as JSON. A command is kept in memory and
     * in the state of several partitions until it ends, and a single one can have three quarters of a megabyte.
     */
    public static final long MAX_BYTES = 32L << 20;

    private static final int FEWEST = 2;

    public CrowdLimits {
        if (bulk < FEWEST || single < FEWEST) {
            throw new IllegalArgumentException("a limit on commands must be at least " + FEWEST);
        }
    }
}
