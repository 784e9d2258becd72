package dev.ebb.domain.retention;

/**
 * Where an event stands in its stream, counted over what age and own TTLs leave of the stream (M-12, M-14).
 *
 * @param events all events of the stream, protected ones included
 * @param bytes their size
 * @param olderEligibleEvents how many eligible events go before this one
 * @param olderEligibleBytes their size
 * @param newerEligibleEvents how many eligible events go after this one
 * @param executionRank in a stream with executions the rank of the event's own, counted from the current one, which is 1;
 *     {@link #NO_EXECUTIONS} in a stream without
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

    /** So many newer events that {@code keepLast} keeps none of this place. */
    private static final long NOT_AMONG_THE_LAST = Long.MAX_VALUE;

    /** A place in which no cap takes the event and it is not among the last: age and own TTL alone decide. */
    public static final Place WITHIN_CAPS = new Place(0, 0, 0, 0);

    /** The place of an event that is not among the last of a stream without executions. */
    public Place(long events, long bytes, long olderEligibleEvents, long olderEligibleBytes) {
        this(events, bytes, olderEligibleEvents, olderEligibleBytes, NOT_AMONG_THE_LAST, NO_EXECUTIONS);
    }

    /** The same place among so many newer events. */
    public Place withNewer(long newerEligible) {
        return new Place(events, bytes, olderEligibleEvents, olderEligibleBytes, newerEligible, executionRank);
    }

    /** The same place in an execution of that rank. */
    public Place inExecution(long rank) {
        return new Place(events, bytes, olderEligibleEvents, olderEligibleBytes, newerEligibleEvents, rank);
    }

    /** Whether its execution is the newest that the stream knows, which caps never take (M-5). */
    public boolean isInCurrentExecution() {
        return executionRank == 1;
    }

    /** Whether it is among the last so many: events, or executions where there are any. */
    boolean isAmongLast(long keepLast) {
        return executionRank == NO_EXECUTIONS ? newerEligibleEvents < keepLast : executionRank <= keepLast;
    }
}
