package dev.ebb.port;

import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.ExecutionUsage;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamStanding;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.retention.DueMark;
import dev.ebb.port.history.TimeRange;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads streams and events of the partitions of this instance. Thread-safe. Every method throws {@link
 * NotReadyException} rather than answer "not there" while the partition concerned restores, and {@link
 * OtherInstanceException} if another instance has that partition.
 */
public interface EventQueries {

    /** Returns streams of these partitions in the order of their names (bytes of UTF-8). */
    StreamPage streams(StreamQuery query, Collection<Integer> partitions);

    /** Returns the contents of the stream; empty if it holds nothing. */
    Optional<StreamUsage> usage(StreamName stream);

    /** Returns when age or own TTL takes the first event of the stream. */
    NextDue nextDue(StreamName stream);

    /** Returns the parent and the open work of the stream; empty if it holds nothing. */
    Optional<StreamStanding> standing(StreamName stream);

    /** Returns the ends of executions that wait for events of the stream, which may hold something or not (O-10). */
    EndsInWaiting endsInWaiting(StreamName stream);

    /**
     * Returns executions of the stream, the highest number first; empty if it holds nothing.
     *
     * @param below upper limit of their numbers, exclusive
     * @param limit the maximum number of executions to return
     */
    List<ExecutionUsage> executions(StreamName stream, long below, int limit);

    /**
     * Returns events that age and own TTLs take from all streams of a namespace in these partitions, the soonest first.
     *
     * @throws NotReadyException if there are too many streams to look through in time
     */
    ExpiringPage expiring(ExpiringQuery query, Collection<Integer> partitions);

    /**
     * Returns events of all streams that meet conditions, beginning in the partition of the mark, and going on to others
     * of this instance.
     */
    FoundPage search(SearchQuery query);

    /** Returns events of the stream in the order in which the store lists them. */
    EventPage events(StreamName stream, EventQuery query);

    /** Returns the event, even if it is due: the caller checks {@link ReadEvent#isExpired()}. */
    Optional<ReadEvent> event(StreamName stream, EventId id);

    /**
     * Time at which a stream loses its first event.
     *
     * @param lastMs the last millisecond of that event, epoch milliseconds; null if age and own TTLs take none, because
     *     a
     *     hold covers the stream, its policy only warns, or no event has a due time
     * @param isKnown false if it would take long to find out
     */
    record NextDue(@Nullable Long lastMs, boolean isKnown) {

        public static final NextDue NONE = new NextDue(null, true);
        public static final NextDue UNKNOWN = new NextDue(null, false);
    }

    /**
     * Selection of streams.
     *
     * @param prefix the beginning of their names; empty for all
     * @param namespace their namespace; null for all
     * @param after the name after which the page begins; null to begin with the first
     * @param limit the maximum number of items on a page, at least 1
     */
    record StreamQuery(
            String prefix,
            @Nullable String namespace,
            @Nullable String after,
            int limit) {}

    /**
     * One page of streams.
     *
     * @param streams as many streams as the limit allows, fewer only at the end
     * @param next the value of {@code after} for the next page; null if this is the last one
     */
    record StreamPage(List<StreamUsage> streams, @Nullable String next) {

        public StreamPage {
            streams = List.copyOf(streams);
        }
    }

    /**
     * Selection of events of a stream.
     *
     * @param includeExpired true to include events that are due (M-17)
     * @param status only events of this status, compared case-insensitively; empty for events without a status; null
     *     for all
     * @param expiringWithinMs only events that age or their own TTL takes within that many milliseconds, at least 0;
     *     without protected, held, guarded and infinite events, and the soonest first within each execution; null for
     *     all
     * @param due only events whose last millisecond by age or own TTL lies in that range, under the same conditions;
     *     null for all
     * @param cursor the cursor of the previous page; null to begin with the first
     * @param limit the maximum number of items on a page, at least 1
     */
    record EventQuery(
            boolean includeExpired,
            @Nullable String status,
            @Nullable Long expiringWithinMs,
            @Nullable TimeRange due,
            @Nullable String cursor,
            int limit) {

        /** Returns true if only events with a due time are selected. */
        public boolean isOfDueOnes() {
            return expiringWithinMs != null || due != null;
        }
    }

    /**
     * Selection of events of a namespace.
     *
     * @param includeExpired true to include events that are due (M-17)
     * @param withinMs only events that age or their own TTL takes within that many milliseconds, at least 0
     * @param after only events behind this mark; null for all
     * @param limit the maximum number of items on a page, at least 1
     */
    record ExpiringQuery(
            String namespace,
            boolean includeExpired,
            long withinMs,
            @Nullable DueMark after,
            int limit) {}

    /**
     * Selection of events by what they say.
     *
     * @param where the conditions, at least one; all must be met
     * @param namespace only events of streams of this namespace; null for all
     * @param includeExpired true to include events that are due (M-17)
     * @param from the place to begin at
     * @param limit the maximum number of items on a page, at least 1
     */
    record SearchQuery(
            List<EventCondition> where,
            @Nullable String namespace,
            boolean includeExpired,
            SearchMark from,
            int limit) {

        public SearchQuery {
            where = List.copyOf(where);
        }
    }

    /**
     * The place at which a search goes on. Searches take the partitions in the order of their numbers.
     *
     * @param partition the partition, at least 0
     * @param cursor the place in the partition; null for its beginning
     */
    record SearchMark(int partition, @Nullable String cursor) {

        /** The beginning of a search. */
        public static final SearchMark FIRST = new SearchMark(0, null);

        private static final Pattern TEXT = Pattern.compile("(\\d{1,9})@(\\w*)");

        /**
         * Returns the mark that {@link #text()} writes as this text.
         *
         * @throws IllegalArgumentException if it writes none so
         */
        public static SearchMark parse(String text) {
            Matcher parts = TEXT.matcher(text);
            if (!parts.matches()) {
                throw new IllegalArgumentException("'" + text + "' is no mark of a search");
            }
            return new SearchMark(
                    Integer.parseInt(parts.group(1)), parts.group(2).isEmpty() ? null : parts.group(2));
        }

        /** Returns the mark as text. */
        public String text() {
            return partition + "@" + (cursor == null ? "" : cursor);
        }
    }

    /**
     * One page of a search for events.
     *
     * @param events what was found, in no particular order; possibly fewer than the limit, even none, although more follow
     * @param next the place at which the search goes on; null if this is the last page
     */
    record FoundPage(List<ReadEvent> events, @Nullable SearchMark next) {

        public FoundPage {
            events = List.copyOf(events);
        }
    }

    /** An event and its place among all events that will go. */
    record MarkedEvent(DueMark mark, ReadEvent event) {}

    /**
     * One page of events that will go.
     *
     * @param events possibly fewer than the limit, even none, although more follow
     * @param next the mark up to which the page is complete and behind which the next page begins; null if this is the
     *     last one
     */
    record ExpiringPage(List<MarkedEvent> events, @Nullable DueMark next) {

        public ExpiringPage {
            events = List.copyOf(events);
        }
    }

    /**
     * One page of events.
     *
     * @param events possibly fewer than the limit, even none, although more follow: a page ends once too many other
     *     events were read for it
     * @param next the cursor for the next page; null if this is the last one
     */
    record EventPage(List<ReadEvent> events, @Nullable String next) {

        public EventPage {
            events = List.copyOf(events);
        }
    }
}
