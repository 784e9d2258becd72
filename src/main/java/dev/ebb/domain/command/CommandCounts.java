package dev.ebb.domain.command;

import java.util.EnumMap;
import java.util.Map;

/**
 * What a command did, or would do (O-9).
 *
 * @param streamsProcessed streams that it looked at because they match, skipped ones included
 * @param streamsDeleted streams that are gone
 * @param executionsDeleted executions that are gone
 * @param eventsDeleted events that are gone, protected ones included
 * @param protectedEventsDeleted how many of them were protected
 * @param bytesDeleted their size
 * @param streamsSkipped streams that it left alone, by reason
 */
public record CommandCounts(
        long streamsProcessed,
        long streamsDeleted,
        long executionsDeleted,
        long eventsDeleted,
        long protectedEventsDeleted,
        long bytesDeleted,
        Map<Refusal, Long> streamsSkipped) {

    /** Nothing at all. */
    public static final CommandCounts NOTHING = new CommandCounts(0, 0, 0, 0, 0, 0, Map.of());

    public CommandCounts {
        streamsSkipped = Map.copyOf(streamsSkipped);
    }

    /** One stream that was left alone. */
    public static CommandCounts skipped(Refusal reason) {
        return new CommandCounts(1, 0, 0, 0, 0, 0, Map.of(reason, 1L));
    }

    /** Both together. */
    public CommandCounts plus(CommandCounts other) {
        Map<Refusal, Long> skipped = new EnumMap<>(Refusal.class);
        skipped.putAll(streamsSkipped);
        other.streamsSkipped.forEach((reason, streams) -> skipped.merge(reason, streams, Long::sum));
        return new CommandCounts(
                streamsProcessed + other.streamsProcessed,
                streamsDeleted + other.streamsDeleted,
                executionsDeleted + other.executionsDeleted,
                eventsDeleted + other.eventsDeleted,
                protectedEventsDeleted + other.protectedEventsDeleted,
                bytesDeleted + other.bytesDeleted,
                skipped);
    }
}
