package dev.ebb.domain.policy.change;

/**
 * How much a change of policies would make due at once.
 *
 * @param wouldDelete how many events
 * @param isAtLeast whether it may be more: counting stopped there
 * @param stored the stored events of its scope
 */
public record BrakeFinding(long wouldDelete, boolean isAtLeast, long stored) {

    /** What one partition, or none, has found. */
    public static final BrakeFinding NOTHING = new BrakeFinding(0, false, 0);

    /** @throws IllegalArgumentException if one of the counts is negative */
    public BrakeFinding {
        if (wouldDelete < 0 || stored < 0) {
            throw new IllegalArgumentException(
                    "a finding must not be negative, was " + wouldDelete + " of " + stored + " events");
        }
    }

    /** Both together; more than a long can count are as many as it can. */
    public BrakeFinding plus(BrakeFinding other) {
        return new BrakeFinding(
                sum(wouldDelete, other.wouldDelete), isAtLeast || other.isAtLeast, sum(stored, other.stored));
    }

    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    /** For people: such as {@code would delete at least 12000 of 40000 events}. */
    @Override
    public String toString() {
        return "would delete " + (isAtLeast ? "at least " : "") + wouldDelete + " of " + stored
                + (stored == 1 ? " event" : " events");
    }
}
