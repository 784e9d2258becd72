package dev.ebb.topology.policy;

import org.jspecify.annotations.Nullable;

/**
 * Age of the policies by which the partitions count for an undo, as offsets up to which the policies reflect their
 * topic. Immutable.
 *
 * @param asked offset of the policies that the partitions were asked to wait for; -1 before that
 * @param newest offset of the newest policies that any instance is known to have; -1 if none is known
 * @param oldest offset of the oldest policies by which a partition has answered in this round; {@link Long#MAX_VALUE}
 *     before the first answer
 * @param recounts number of counts that were repeated
 */
public record CountedPolicies(long asked, long newest, long oldest, int recounts) {

    /** State before any partition was asked. */
    public static final CountedPolicies NONE = new CountedPolicies(-1, -1, Long.MAX_VALUE, 0);

    /** Largest number of recounts: where policies change all the time, no count would be the last one. */
    private static final int MOST_RECOUNTS = 2;

    /** Returns the state after an instance that has policies up to that offset has asked for a new round. */
    public CountedPolicies asked(long own) {
        long wanted = Math.max(newest, own);
        return new CountedPolicies(wanted, wanted, Long.MAX_VALUE, recounts);
    }

    /** Returns the state after an answer of a partition by policies up to that offset; null if it names none. */
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

    /** Returns the state before another count. */
    public CountedPolicies again() {
        return new CountedPolicies(asked, newest, oldest, recounts + 1);
    }
}
