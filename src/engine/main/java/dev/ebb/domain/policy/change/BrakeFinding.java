package dev.ebb.domain.policy.change;

/**
 * Number of events that a change of policies would make due at once.
 *
 * @param wouldDelete number of these events
 * @param isAtLeast true if there may be more, since counting stopped at {@code wouldDelete}
 * @param stored number of events stored in the scope of the change
 */
public record BrakeFinding(long wouldDelete, boolean isAtLeast, long stored) {

    /** A finding without events, due or stored. */
    public static final BrakeFinding NOTHING = new BrakeFinding(0, false, 0);

    /** @throws IllegalArgumentException if a count is negative */
    public BrakeFinding {
        if (wouldDelete < 0 || stored < 0) {
            throw new IllegalArgumentException(
                    "a finding must not be negative, was " + wouldDelete + " of " + stored + " events");
        }
    }

    /**
     * Returns true if the change makes no more than so many events due. A count that stopped early may be as large as
     * the number of stored events.
     */
    public boolean isWithin(long most) {
        return wouldDelete <= most && (!isAtLeast || stored <= most);
    }

    /** Returns the sum of both; a count stops at the largest long. */
    public BrakeFinding plus(BrakeFinding other) {
        return new BrakeFinding(
                sum(wouldDelete, other.wouldDelete), isAtLeast || other.isAtLeast, sum(stored, other.stored));
    }

    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    /** Returns a text for people, such as {@code would delete at least 12000 of 40000 events}. */
    @Override
    public String toString() {
        return "would delete " + (isAtLeast ? "at least " : "") + wouldDelete + " of " + stored
                + (stored == 1 ? " event" : " events");
    }
}
