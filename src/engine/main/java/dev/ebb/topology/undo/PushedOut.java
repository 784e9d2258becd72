package dev.ebb.topology.undo;

/**
 * Events of a stream that would be due once everything that an undo means is back. Of the returning events, those that
 * come first in the reading stay away; these are usually the older ones, since an older event was deleted earlier.
 * Immutable.
 *
 * @param due number of events that would be due, including stored ones
 * @param agedBelow events that age or an own TTL takes stay away if the numbers of their executions, which
 *     {@code keepLast} does not keep, are below this one
 * @param firstAged number of the events that age or an own TTL takes, the first ones, that stay away in any case
 * @param looseBelow events that a cap may take stay away only if the numbers of their executions are below this one
 * @param firstLoose number of these events, the first ones, that stay away
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

    /** Sieve that retains the events of the stream that stay away, one by one as they are read. Not thread-safe. */
    static final class Sieve {

        private final PushedOut away;
        private long aged;
        private long loose;

        Sieve(PushedOut away) {
            this.away = away;
        }

        /** Returns true if the next event, which is of that execution, stays away. */
        boolean retains(Fate fate, long execution) {
            return switch (fate) {
                case SAFE -> false;
                case AGED -> execution < away.agedBelow() || aged++ < away.firstAged();
                case LOOSE -> execution < away.looseBelow() && loose++ < away.firstLoose();
            };
        }
    }
}
