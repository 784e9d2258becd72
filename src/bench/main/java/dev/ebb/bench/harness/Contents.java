package dev.ebb.bench.harness;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.TerminalStatuses;
import java.util.Arrays;
import java.util.Objects;

/**
 * A summary of a set of events, by which two sets can be compared in whatever order they are read.
 *
 * @param events number of events
 * @param bytes size of the events
 * @param protectedEvents number of protected events
 * @param timedEvents number of events with an own TTL
 * @param hash the sum of the hashes of all that the producer said about each event
 */
public record Contents(long events, long bytes, long protectedEvents, long timedEvents, long hash) {

    public static final Contents NONE = new Contents(0, 0, 0, 0, 0);

    public static Contents of(Event event) {
        boolean isTerminal = TerminalStatuses.DEFAULT.isTerminal(event.status());
        return new Contents(
                1, event.sizeBytes(), isTerminal ? 0 : 1, event.ttl().isFinite() ? 1 : 0, hashOf(event));
    }

    public Contents plus(Contents other) {
        return new Contents(
                events + other.events,
                bytes + other.bytes,
                protectedEvents + other.protectedEvents,
                timedEvents + other.timedEvents,
                hash + other.hash);
    }

    private static long hashOf(Event event) {
        long hash = mix(event.stream().value().hashCode());
        hash = mix(hash ^ event.id().value().hashCode());
        hash = mix(hash ^ Objects.hashCode(event.status()));
        hash = mix(hash ^ Objects.hashCode(event.occurredAt()));
        hash = mix(hash ^ Objects.hashCode(event.ttl().ttlSeconds()));
        return mix(hash ^ Arrays.hashCode(event.payload()));
    }

    private static long mix(long value) {
        long mixed = (value ^ value >>> 32) * 0x9E3779B97F4A7C15L;
        return (mixed ^ mixed >>> 29) * 0xBF58476D1CE4E5B9L;
    }
}
