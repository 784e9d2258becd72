package dev.ebb.domain.command;

import dev.ebb.domain.Snapshot;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts of a command: of its effects, or of those that it would have (O-9).
 *
 * @param streamsProcessed streams that it looked at because they match, skipped ones included
 * @param streamsDeleted streams that are gone
 * @param executionsDeleted executions that are gone
 * @param eventsDeleted events that are gone, protected ones included
 * @param protectedEventsDeleted number of these events that were protected
 * @param bytesDeleted size of the deleted events, in bytes
 * @param streamsSkipped streams that it left alone, by reason
 * @param rowsSent rows that it sent to the SQL mirror again
 * @param rowsRemoved rows that it had the SQL mirror remove, because nothing like them is stored
 * @param recordsDropped records that waited and went to the rejected topic
 * @param warnedEvents events that stay although they are due, only because the mode of their policy is {@code warn}
 *     (M-16)
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

    /** @throws IllegalArgumentException if one of them is negative */
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

    /** Counts of a command that neither repairs the SQL mirror nor concerns waiting records or mode {@code warn}. */
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

    /** Events that mode {@code warn} kept a sweep from deleting, and their size. */
    public static CommandCounts warned(long events, long bytes) {
        return new CommandCounts(0, 0, 0, 0, 0, 0, Map.of(), 0, 0, 0, events, bytes);
    }

    /** Counts of a repair of the mirror for one stream. */
    public static CommandCounts repaired(long rowsSent, long rowsRemoved) {
        return new CommandCounts(1, 0, 0, 0, 0, 0, Map.of(), rowsSent, rowsRemoved, 0, 0, 0);
    }

    /** Counts of a command about waiting records. */
    public static CommandCounts parked(long streams, long recordsDropped) {
        return new CommandCounts(streams, 0, 0, 0, 0, 0, Map.of(), 0, 0, recordsDropped, 0, 0);
    }

    /** One stream that was left alone. */
    public static CommandCounts skipped(Refusal reason) {
        return new CommandCounts(1, 0, 0, 0, 0, 0, Map.of(reason, 1L));
    }

    /** The sum of both; a count stops at the largest long. */
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
