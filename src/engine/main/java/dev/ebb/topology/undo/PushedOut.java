package dev.ebb.topology.undo;

/**
 * What would be due of a stream once all that an undo means is back. Of its events those stay away that come first in the
 * reading, so the older ones as a rule: an older event was deleted earlier. Immutable.
 *
 * @param due number of events that would be due, stored ones included
 * @param agedBelow those that age or an own TTL takes stay away if their executions have lower numbers, which {@code keepLast}
 *     does not keep
 * @param firstAged the first so many of them stay away in any case
 * @param looseBelow those that a cap may take stay away if their executions have lower numbers, and
 * @param firstLoose they are among the first so many of these
 */
public record PushedOut(long due, long agedBelow, long firstAged, long looseBelow, long firstLoose) {

    static final PushedOut NONE = new PushedOut(0, Long.MIN_VALUE, 0, Long.MIN_VALUE, 0);

    /** Fate of an event that comes back, as far as it depends on that event alone. */
    enum Fate {
        /** Retention does not take it. */
        SAFE,
        /** Age or an own TTL takes it unless {@code keepLast} keeps it. */
        AGED,
        /** A cap may take it unless {@code keepLast} keeps it. */
        LOOSE
    }

    /** Tells of the events of the stream, one by one as they are read, which of them stay away. Not thread-safe. */
    static final class Sieve {

        private final PushedOut away;
        private long aged;
        private long loose;

        Sieve(PushedOut away) {
            this.away = away;
        }

        /** Returns true if the next event stays away, which is of that execution. */
        boolean retains(Fate fate, long execution) {
            return switch (fate) {
                case SAFE -> false;
                case AGED -> execution < away.agedBelow() || aged++ < away.firstAged();
                case LOOSE -> execution < away.looseBelow() && loose++ < away.firstLoose();
            };
        }
    }
}
