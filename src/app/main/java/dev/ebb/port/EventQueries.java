package dev.ebb.port;

import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.ExecutionUsage;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamStanding;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.retention.DueMark;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads streams and events of the partitions of this instance. Thread-safe. Every method throws {@link NotReadyException} rather than
 * answer "not there" while the partition that would know restores, and {@link OtherInstanceException} if another instance
 * has it.
 */
public interface EventQueries {

    /** Streams in the order of their names (bytes of UTF-8), from these partitions. */
    StreamPage streams(StreamQuery query, Collection<Integer> partitions);

    /** What the stream holds; empty if it holds nothing. */
    Optional<StreamUsage> usage(StreamName stream);

    /** Where the stream belongs and what of it is open; empty if it holds nothing. */
    Optional<StreamStanding> standing(StreamName stream);

    /**
     * Executions of the stream, the highest number first; empty if it holds nothing.
     *
     * @param below only those with a lower number
     * @param limit how many at the most
     */
    List<ExecutionUsage> executions(StreamName stream, long below, int limit);

    /**
     * What age and own TTLs take of all streams of a namespace, from these partitions, the soonest first.
     *
     * @throws NotReadyException if the streams are too many to be looked at in time
     */
    ExpiringPage expiring(ExpiringQuery query, Collection<Integer> partitions);

    /** Events of the stream in the order in which the store lists them. */
    EventPage events(StreamName stream, EventQuery query);

    /** The event, also if it is due: the caller looks at {@link ReadEvent#isExpired()}. */
    Optional<ReadEvent> event(StreamName stream, EventId id);

    /**
     * Which streams are asked for.
     *
     * @param prefix what their names begin with; empty for all
     * @param namespace their namespace; null for all
     * @param after the name after which the page begins; null to begin with the first
     * @param limit how many there are on a page, from 1
     */
    record StreamQuery(
            String prefix,
            @Nullable String namespace,
            @Nullable String after,
            int limit) {}

    /**
     * One page of streams.
     *
     * @param streams as many as the limit, unless no more follow
     * @param next what to pass as {@code after} for the next page; null if this is the last one
     */
    record StreamPage(List<StreamUsage> streams, @Nullable String next) {

        public StreamPage {
            streams = List.copyOf(streams);
        }
    }

    /**
     * Which events are asked for.
     *
     * @param includeExpired whether events that are due are shown too (M-17)
     * @param status only events of this status, compared case-insensitively; empty for those without one; null for all
     * @param expiringWithinMs only events that age or their own TTL takes within so many milliseconds, at least 0: never
     *     what is protected, held, guarded or kept for ever, and each execution the soonest first; null for all
     * @param cursor the cursor that came with the page before; null to begin with the first
     * @param limit how many there are on a page, from 1
     */
    record EventQuery(
            boolean includeExpired,
            @Nullable String status,
            @Nullable Long expiringWithinMs,
            @Nullable String cursor,
            int limit) {}

    /**
     * Which events of a namespace are asked for.
     *
     * @param includeExpired whether events that are due are shown too (M-17)
     * @param withinMs only events that age or their own TTL takes within so many milliseconds, at least 0
     * @param after only those behind this mark; null for all
     * @param limit how many there are on a page, from 1
     */
    record ExpiringQuery(
            String namespace,
            boolean includeExpired,
            long withinMs,
            @Nullable DueMark after,
            int limit) {}

    /** An event and its place among all that will go. */
    record MarkedEvent(DueMark mark, ReadEvent event) {}

    /**
     * One page of what will go.
     *
     * @param events may be fewer than the limit, even none, although more follow
     * @param next the mark up to which the page is complete and behind which the next one begins; null if this is the last
     *     one
     */
    record ExpiringPage(List<MarkedEvent> events, @Nullable DueMark next) {

        public ExpiringPage {
            events = List.copyOf(events);
        }
    }

    /**
     * One page of events.
     *
     * @param events may be fewer than the limit, even none, although more follow: where so many others were read for them
     *     that the page ended
     * @param next the cursor for the next page; null if this is the last one
     */
    record EventPage(List<ReadEvent> events, @Nullable String next) {

        public EventPage {
            events = List.copyOf(events);
        }
    }

    /** A cursor that no page ever came with. */
    final class BadCursorException extends RuntimeException {

        public BadCursorException() {
            super("the cursor is not one that a page came with");
        }
    }
}
