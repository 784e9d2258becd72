package dev.ebb.domain.retention;

/**
 * The place of an event in its stream, counted over the events that age and own TTLs leave in the stream (M-12, M-14).
 *
 * @param events number of all events of the stream, protected ones included
 * @param bytes size of these events, in bytes
 * @param olderEligibleEvents number of eligible events that go before this one
 * @param olderEligibleBytes size of these older events, in bytes
 * @param newerEligibleEvents number of eligible events that go after this one
 * @param executionRank the rank of the event's execution, counted from the current one, which is 1; {@link
 *     #NO_EXECUTIONS} in a stream without executions
 */
public record Place(
        long events,
        long bytes,
        long olderEligibleEvents,
        long olderEligibleBytes,
        long newerEligibleEvents,
        long executionRank) {

    /** The rank in a stream without executions. */
    public static final long NO_EXECUTIONS = 0;

    /** A number of newer events so large that {@code keepLast} never keeps the event. */
    private static final long NOT_AMONG_THE_LAST = Long.MAX_VALUE;

    /** A place at which no cap takes the event and {@code keepLast} does not keep it: age and own TTL alone decide. */
    public static final Place WITHIN_CAPS = new Place(0, 0, 0, 0);

    /** Creates the place of an event that {@code keepLast} does not keep, in a stream without executions. */
    public Place(long events, long bytes, long olderEligibleEvents, long olderEligibleBytes) {
        this(events, bytes, olderEligibleEvents, olderEligibleBytes, NOT_AMONG_THE_LAST, NO_EXECUTIONS);
    }

    /** Returns this place with the given number of newer eligible events. */
    public Place withNewer(long newerEligible) {
        return new Place(events, bytes, olderEligibleEvents, olderEligibleBytes, newerEligible, executionRank);
    }

    /** Returns this place in an execution of the given rank. */
    public Place inExecution(long rank) {
        return new Place(events, bytes, olderEligibleEvents, olderEligibleBytes, newerEligibleEvents, rank);
    }

    /** Returns true if the event's execution is the newest known one of the stream, which caps never take (M-5). */
    public boolean isInCurrentExecution() {
        return executionRank == 1;
    }

    /**
     * Returns true if the event is among the newest {@code keepLast} events, or is in one of the newest {@code
     * keepLast} executions of a stream with executions.
     */
    boolean isAmongLast(long keepLast) {
        return executionRank == NO_EXECUTIONS ? newerEligibleEvents < keepLast : executionRank <= keepLast;
    }
}
