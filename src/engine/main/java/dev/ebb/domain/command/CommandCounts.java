package dev.ebb.domain.command;

import dev.ebb.domain.Snapshot;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts of the effects of a command, or of the effects that its dry run predicts (O-9).
 *
 * @param streamsProcessed streams that the command examined because they match, skipped ones included
 * @param streamsDeleted deleted streams
 * @param executionsDeleted deleted executions
 * @param eventsDeleted deleted events, protected ones included
 * @param protectedEventsDeleted number of the deleted events that were protected
 * @param bytesDeleted size of the deleted events, in bytes
 * @param streamsSkipped streams that the command left alone, by reason
 * @param rowsSent rows that the command sent to the SQL mirror again
 * @param rowsRemoved rows that the command removed from the SQL mirror because no stored event or execution matches
 *     them
 * @param recordsDropped waiting records that went to the rejected topic
 * @param warnedEvents due events that stay only because the mode of their policy is {@code warn} (M-16)
 * @param warnedBytes size of the warned events, in bytes
 */
public record CommandCounts(
        long streamsProcessed,
        long streamsDeleted,
        long executionsDeleted,
        long eventsDeleted,
        long protectedEventsDeleted,
        long bytesDeleted,
        Map<Refusal, Long> streamsSkipped,
        long rowsSent,
        long rowsRemoved,
        long recordsDropped,
        long warnedEvents,
        long warnedBytes) {

    /** All counts zero. */
    public static final CommandCounts NOTHING = new CommandCounts(0, 0, 0, 0, 0, 0, Map.of());

    /** @throws IllegalArgumentException if a count is negative */
    public CommandCounts {
        requireCounts(streamsProcessed, streamsDeleted, executionsDeleted, eventsDeleted, protectedEventsDeleted);
        requireCounts(bytesDeleted, rowsSent, rowsRemoved, recordsDropped, warnedEvents, warnedBytes);
        streamsSkipped = Snapshot.of(streamsSkipped);
    }

    private static void requireCounts(long... counts) {
        for (long count : counts) {
            if (count < 0) {
                throw new IllegalArgumentException("a count must not be negative, was " + count);
            }
        }
    }

    /**
     * Creates the counts of a command that neither repairs the SQL mirror nor concerns waiting records or mode {@code
     * warn}.
     */
    public CommandCounts(
            long streamsProcessed,
            long streamsDeleted,
            long executionsDeleted,
            long eventsDeleted,
            long protectedEventsDeleted,
            long bytesDeleted,
            Map<Refusal, Long> streamsSkipped) {
        this(
                streamsProcessed,
                streamsDeleted,
                executionsDeleted,
                eventsDeleted,
                protectedEventsDeleted,
                bytesDeleted,
                streamsSkipped,
                0,
                0,
                0,
                0,
                0);
    }

    /** Returns the counts of events that mode {@code warn} kept a sweep from deleting. */
    public static CommandCounts warned(long events, long bytes) {
        return new CommandCounts(0, 0, 0, 0, 0, 0, Map.of(), 0, 0, 0, events, bytes);
    }

    /** Returns the counts of a repair of the mirror for one stream. */
    public static CommandCounts repaired(long rowsSent, long rowsRemoved) {
        return new CommandCounts(1, 0, 0, 0, 0, 0, Map.of(), rowsSent, rowsRemoved, 0, 0, 0);
    }

    /** Returns the counts of a command about waiting records. */
    public static CommandCounts parked(long streams, long recordsDropped) {
        return new CommandCounts(streams, 0, 0, 0, 0, 0, Map.of(), 0, 0, recordsDropped, 0, 0);
    }

    /** Returns the counts of one stream that was left alone. */
    public static CommandCounts skipped(Refusal reason) {
        return new CommandCounts(1, 0, 0, 0, 0, 0, Map.of(reason, 1L));
    }

    /** Returns the counts of the rest of one stream that was left alone; the stream itself counts with its deleted part. */
    public static CommandCounts skippedRest(Refusal reason) {
        return new CommandCounts(0, 0, 0, 0, 0, 0, Map.of(reason, 1L));
    }

    /** Returns the sum of both; a count stops at the largest long. */
    public CommandCounts plus(CommandCounts other) {
        Map<Refusal, Long> skipped = new EnumMap<>(Refusal.class);
        skipped.putAll(streamsSkipped);
        other.streamsSkipped.forEach((reason, streams) -> skipped.merge(reason, streams, CommandCounts::sum));
        return new CommandCounts(
                sum(streamsProcessed, other.streamsProcessed),
                sum(streamsDeleted, other.streamsDeleted),
                sum(executionsDeleted, other.executionsDeleted),
                sum(eventsDeleted, other.eventsDeleted),
                sum(protectedEventsDeleted, other.protectedEventsDeleted),
                sum(bytesDeleted, other.bytesDeleted),
                skipped,
                sum(rowsSent, other.rowsSent),
                sum(rowsRemoved, other.rowsRemoved),
                sum(recordsDropped, other.recordsDropped),
                sum(warnedEvents, other.warnedEvents),
                sum(warnedBytes, other.warnedBytes));
    }

    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }
}
