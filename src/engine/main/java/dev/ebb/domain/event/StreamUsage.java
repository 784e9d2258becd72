package dev.ebb.domain.event;

import org.jspecify.annotations.Nullable;

/**
 * What a stream holds at one moment (I-3).
 *
 * @param stream the stream
 * @param events how many events it holds, protected ones included
 * @param bytes their size
 * @param protectedEvents how many of them are protected
 * @param infiniteEvents how many of them are kept for ever because their producer asked for it and may
 * @param timedEvents how many of them have an own TTL
 * @param oldest the oldest anchor of the events that are not protected, epoch milliseconds; null if there are none
 * @param newest the newest anchor of the events that are not protected, epoch milliseconds; null if there are none
 * @param parked how many records wait for their schema
 * @param quarantine why nothing is deleted from it until somebody has looked at it; null if nothing is wrong
 */
public record StreamUsage(
        StreamName stream,
        long events,
        long bytes,
        long protectedEvents,
        long infiniteEvents,
        long timedEvents,
        @Nullable Long oldest,
        @Nullable Long newest,
        long parked,
        @Nullable String quarantine) {

    /** Of a stream that is not quarantined. */
    public StreamUsage(
            StreamName stream,
            long events,
            long bytes,
            long protectedEvents,
            long infiniteEvents,
            long timedEvents,
            @Nullable Long oldest,
            @Nullable Long newest,
            long parked) {
        this(stream, events, bytes, protectedEvents, infiniteEvents, timedEvents, oldest, newest, parked, null);
    }
}
