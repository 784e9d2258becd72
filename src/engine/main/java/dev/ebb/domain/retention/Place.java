package dev.ebb.domain.retention;

/**
 * The place of an event in its stream, counted over the events that age and own TTLs leave in the stream (M-12, M-14).
 *
 * @param events all events of the stream, protected ones included
 * @param bytes size of these events, in bytes
 * @param olderEligibleEvents number of eligible events that go before this one
 * @param olderEligibleBytes size of these older events, in bytes
 * @param newerEligibleEvents number of eligible events that go after this one
 * @param executionRank in a stream with executions the rank of the event's own, counted from the current one, which is
 *     1; {@link #NO_EXECUTIONS} in a stream without
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

    /** The place of an event that {@code keepLast} does not keep, in a stream without executions. */
    public Place(long events, long bytes, long olderEligibleEvents, long olderEligibleBytes) {
        this(events, bytes, olderEligibleEvents, olderEligibleBytes, NOT_AMONG_THE_LAST, NO_EXECUTIONS);
    }

    /** This place with that number of newer eligible events. */
    public Place withNewer(long newerEligible) {
        return new Place(events, bytes, olderEligibleEvents, olderEligibleBytes, newerEligible, executionRank);
    }

    /** This place in an execution of that rank. */
    public Place inExecution(long rank) {
        return new Place(events, bytes, olderEligibleEvents, olderEligibleBytes, newerEligibleEvents, rank);
    }

    /** Returns true if the event's execution is the newest that the stream knows, which caps never take (M-5). */
    public boolean isInCurrentExecution() {
        return executionRank == 1;
    }

    /** Returns true if the event is among the last {@code keepLast} events, or executions where there are any. */
    boolean isAmongLast(long keepLast) {
        return executionRank == NO_EXECUTIONS ? newerEligibleEvents < keepLast : executionRank <= keepLast;
    }
}
