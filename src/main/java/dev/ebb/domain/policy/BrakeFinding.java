package dev.ebb.domain.policy;

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

    /** Both together. */
    public BrakeFinding plus(BrakeFinding other) {
        return new BrakeFinding(wouldDelete + other.wouldDelete, isAtLeast || other.isAtLeast, stored + other.stored);
    }

    /** For people: such as {@code would delete at least 12000 of 40000 events}. */
    @Override
    public String toString() {
        return "would delete " + (isAtLeast ? "at least " : "") + wouldDelete + " of " + stored
                + (stored == 1 ? " event" : " events");
    }
}
