package dev.ebb.topology.policy;

import org.jspecify.annotations.Nullable;

/**
 * How new the policies are by which the partitions count for an undo, as offsets up to which they reflect their topic.
 * Immutable.
 *
 * @param asked the partitions were asked to wait for these; -1 before that
 * @param newest the newest that any instance is known to have; -1 if none is known
 * @param oldest the oldest by which a partition has answered in this round; {@link Long#MAX_VALUE} before the first answer
 * @param recounts number of counts that were made anew
 */
public record CountedPolicies(long asked, long newest, long oldest, int recounts) {

    /** No partition was asked yet. */
    public static final CountedPolicies NONE = new CountedPolicies(-1, -1, Long.MAX_VALUE, 0);

    /** Where policies change all the time no count would be the last one. */
    private static final int MOST_RECOUNTS = 2;

    /** A new round is asked for by an instance that has policies up to that offset. */
    public CountedPolicies asked(long own) {
        long wanted = Math.max(newest, own);
        return new CountedPolicies(wanted, wanted, Long.MAX_VALUE, recounts);
    }

    /** A partition has answered by policies up to that offset; null if it does not tell. */
    public CountedPolicies answered(@Nullable Long offset) {
        return offset == null
                ? this
                : new CountedPolicies(asked, Math.max(newest, offset), Math.min(oldest, offset), recounts);
    }

    /** Returns true if an answer by policies up to that offset is of a former round. */
    public boolean isFormer(@Nullable Long offset) {
        return offset != null && offset < asked;
    }

    /** Returns true if some have counted by older policies than others, and another count may bring them together. */
    public boolean mustRecount() {
        return oldest < newest && recounts < MOST_RECOUNTS;
    }

    /** Another count is about to begin. */
    public CountedPolicies again() {
        return new CountedPolicies(asked, newest, oldest, recounts + 1);
    }
}
