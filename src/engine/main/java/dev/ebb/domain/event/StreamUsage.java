package dev.ebb.domain.event;

import org.jspecify.annotations.Nullable;

/**
 * Contents of a stream at one moment (I-3).
 *
 * @param stream the stream
 * @param events number of its events, protected ones included
 * @param bytes size of its events, in bytes
 * @param protectedEvents number of its protected events
 * @param infiniteEvents number of its events whose {@code noExpiration} is honoured
 * @param timedEvents number of its events with an own TTL
 * @param oldest the oldest anchor of the events that are not protected, epoch milliseconds; null if there are none
 * @param newest the newest anchor of the events that are not protected, epoch milliseconds; null if there are none
 * @param parked number of records that wait to be taken in, usually for their schema
 * @param quarantine the reason why nothing is deleted from the stream until an operator has looked at it; null if
 *     nothing is wrong
 * @param noticeUntilMs the last millisecond of the last notice under which events stand that an undo has brought back,
 *     epoch milliseconds; null if there was none
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
        @Nullable String quarantine,
        @Nullable Long noticeUntilMs) {}
