package dev.ebb.store.read;

import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.ExecutionUsage;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamStanding;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.EventSieve;
import dev.ebb.store.layout.Grave;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.layout.UsageKeys;
import dev.ebb.store.parking.ParkedStream;
import dev.ebb.store.state.StreamState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The view of one partition for readers. Stateless over the stores, so any thread may use it; it never touches the
 * memory of the {@code EventStore}. It shows everything that is stored: the caller, who knows the policies in force,
 * leaves out due events.
 */
public final class ReadOnlyEventStore {

    /** The most attempts at a read while the event moves between two looks. */
    private static final int ATTEMPTS = 3;

    /** The most open executions and events that a standing names. */
    private static final int NAMED = 3;

    /** The number of streams that are read at once. */
    private static final int PAGE = 1000;

    private final ReadOnlyKeyValueStore<Bytes, byte[]> events;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> usage;
    private final StreamReader reader;
    private final StreamEdges edges;

    public ReadOnlyEventStore(ReadOnlyKeyValueStore<Bytes, byte[]> events, ReadOnlyKeyValueStore<Bytes, byte[]> usage) {
        this.events = events;
        this.usage = usage;
        this.reader = new StreamReader(events, usage);
        this.edges = new StreamEdges(events, reader);
    }

    /** Returns the event, due or not; empty if it is not stored. */
    public Optional<StoredEvent> find(StreamName stream, EventId id) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            StreamState state = reader.stream(stream);
            byte[] location = state == null ? null : events.get(EventKeys.byId(Range.IDS, state.sid(), id.value()));
            if (state == null || location == null) {
                return Optional.empty();
            }
            byte[] value = events.get(Location.decode(location).key(state.sid(), id.value()));
            if (value != null) {
                return Optional.of(StoredEventCodec.decode(stream, value));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns a page of the events of the stream, including due ones.
     *
     * @param cursor the {@link EventPage#nextCursor()} of the previous page; null for the first page
     * @param limit the most events of the page, at least 1
     * @throws dev.ebb.domain.BadCursorException if the cursor is not one of this class
     */
    public EventPage list(StreamName stream, @Nullable String cursor, int limit) {
        List<StoredEvent> page = new ArrayList<>();
        String next = context(stream)
                .map(context ->
                        context.visit(StatusFilter.ALL, cursor, event -> page.size() < limit && page.add(event)))
                .orElse(null);
        return new EventPage(page, next);
    }

    /**
     * Shows the visitor the events that the sieve takes, protected and due ones included, in no order that readers know.
     * An event that changes between two visits may be shown twice, or not at all.
     *
     * @param cursor the result of an earlier visit with the same sieve; null to begin
     * @param goesOn asked before each event, whether the sieve takes it or not; ends the visit when false
     * @return the place to continue from if the visit was ended; null if there is nothing more
     * @throws dev.ebb.domain.BadCursorException if the cursor is not one of this class
     */
    public @Nullable String search(
            EventSieve sieve,
            @Nullable String cursor,
            BooleanSupplier goesOn,
            BiConsumer<StreamContext, StoredEvent> visitor) {
        StreamName only = sieve.onlyStream();
        StreamState alone = only == null ? null : reader.stream(only);
        if (only != null && alone == null) {
            return null;
        }
        SieveWalk walk = new SieveWalk(
                events, sieve, alone == null ? 0 : alone.sid(), alone == null ? Integer.MAX_VALUE : alone.sid());
        Map<Integer, Optional<StreamContext>> last = new HashMap<>();
        return walk.visit(cursor, goesOn, entry -> {
            int sid = EventKeys.sidOf(entry.key.get());
            if (!last.containsKey(sid)) {
                last.clear();
                last.put(sid, ofSid(sid));
            }
            last.get(sid)
                    .filter(stream -> sieve.takesStream(stream.stream().value()))
                    .ifPresent(stream -> visitor.accept(stream, StoredEventCodec.decode(stream.stream(), entry.value)));
        });
    }

    /** Returns the stream with that number; empty if it is gone. */
    private Optional<StreamContext> ofSid(int sid) {
        return Optional.ofNullable(usage.get(UsageKeys.numbered(UsageKeys.SID, sid)))
                .flatMap(name -> context(new StreamName(new String(name, StandardCharsets.UTF_8))));
    }

    /** Returns the usage of the stream; empty if the stream holds nothing. */
    public Optional<StreamUsage> usage(StreamName stream) {
        return Optional.ofNullable(reader.stream(stream)).map(this::usage);
    }

    /**
     * Returns the usage of the streams whose names begin with the prefix, by name.
     *
     * @param after only names after this one; null for all
     * @param namespace only streams of this namespace; null for all
     * @param limit the most entries of the answer
     */
    public List<StreamUsage> streams(@Nullable String after, String prefix, @Nullable String namespace, int limit) {
        return new StreamListing(usage, after, prefix, namespace)
                .read(limit).stream()
                        .map(stream -> usage(StreamReader.decode(stream.key, stream.value)))
                        .toList();
    }

    /**
     * Returns the standing of the stream: its parent, current execution and open work; empty if the stream holds
     * nothing.
     */
    public Optional<StreamStanding> standing(StreamName stream) {
        return Optional.ofNullable(reader.stream(stream)).map(this::standing);
    }

    /** Returns the ends of executions that wait beside the grave of the stream, which may hold something or not. */
    public EndsInWaiting endsInWaiting(StreamName stream) {
        byte[] value = usage.get(UsageKeys.named(UsageKeys.GRAVE, stream.value()));
        int ends = value == null ? 0 : Grave.decode(value).ends();
        if (ends == 0) {
            return EndsInWaiting.NONE;
        }
        List<Long> first = new ArrayList<>();
        Bytes from = UsageKeys.waitingEnd(stream.value(), 0);
        try (var all = usage.range(from, UsageKeys.waitingEnd(stream.value(), Long.MAX_VALUE))) {
            while (first.size() < Math.min(ends, NAMED) && all.hasNext()) {
                first.add(UsageKeys.executionOfWaitingEnd(all.next().key));
            }
        }
        return first.isEmpty() ? EndsInWaiting.NONE : new EndsInWaiting(ends, first);
    }

    private StreamStanding standing(StreamState state) {
        List<ExecutionUsage> open = state.openExecutions() == 0
                ? List.of()
                : reader.executions(state, Long.MAX_VALUE, NAMED, usage -> !usage.execution()
                        .isTerminal());
        return new StreamStanding(
                state.parent(),
                currentExecution(state),
                state.openExecutions(),
                open,
                state.count(Range.PINNED),
                pinnedIds(state));
    }

    private long currentExecution(StreamState state) {
        return reader.executions(state, Long.MAX_VALUE, 1, usage -> true).stream()
                .mapToLong(usage -> usage.execution().number())
                .findFirst()
                .orElse(0);
    }

    private List<String> pinnedIds(StreamState state) {
        List<String> ids = new ArrayList<>();
        reader.walk(state, null, range -> range == Range.PINNED, entry -> {
            ids.add(EventKeys.idOf(entry.key));
            return ids.size() < NAMED;
        });
        return ids;
    }

    /**
     * Returns the executions of the stream, highest number first; empty if the stream holds nothing. Execution 0 is
     * included if it is declared or holds events.
     *
     * @param below only executions with a lower number
     * @param limit the most entries of the answer
     */
    public List<ExecutionUsage> executions(StreamName stream, long below, int limit) {
        StreamState state = reader.stream(stream);
        return state == null ? List.of() : reader.executions(state, below, limit, usage -> true);
    }

    /** Returns the context of the stream for decisions about its events; empty if the stream holds nothing. */
    public Optional<StreamContext> context(StreamName stream) {
        return Optional.ofNullable(usage.get(UsageKeys.stream(stream))).map(record -> context(stream, record));
    }

    /**
     * Returns the contexts of streams by name, read as they are asked for; their executions are read on demand. No
     * iterator of a store is open between two of them.
     *
     * @param after only names after this one; null for all
     * @param namespace only streams of this namespace; null for all
     */
    public Iterable<StreamContext> contexts(@Nullable StreamName after, @Nullable String namespace) {
        // Streams of the default namespace have no prefix in common.
        String prefix = namespace == null || namespace.equals(StreamName.DEFAULT_NAMESPACE) ? "" : namespace + "/";
        return () -> new Iterator<>() {
            private Iterator<KeyValue<StreamName, byte[]>> page = Collections.emptyIterator();
            private @Nullable String last = after == null ? null : after.value();
            private boolean isLastPage;

            @Override
            public boolean hasNext() {
                if (!page.hasNext() && !isLastPage) {
                    var read = new StreamListing(usage, last, prefix, namespace).read(PAGE);
                    isLastPage = read.size() < PAGE;
                    page = read.iterator();
                }
                return page.hasNext();
            }

            @Override
            public StreamContext next() {
                KeyValue<StreamName, byte[]> next = page.next();
                last = next.key.value();
                return context(next.key, next.value);
            }
        };
    }

    /**
     * A stream with waiting records, and the origin of the first of these records.
     *
     * @param first the origin; null if the record was taken in after the stream was read
     */
    public record Parked(ParkedStream stream, InputRecord.@Nullable Coordinates first) {}

    /**
     * Returns the streams with waiting records, in no particular order.
     *
     * @param limit the most entries of the answer
     */
    public List<Parked> parked(int limit) {
        List<ParkedStream> streams = new ArrayList<>();
        try (var entries = usage.range(UsageKeys.parked(new byte[0]), UsageKeys.afterParked())) {
            while (streams.size() < limit && entries.hasNext()) {
                var entry = entries.next();
                streams.add(ParkedStream.decode(UsageKeys.nameOfParked(entry.key), entry.value));
            }
        }
        return streams.stream().map(this::withFirst).toList();
    }

    private Parked withFirst(ParkedStream stream) {
        byte[] value = events.get(stream.first());
        return new Parked(stream, value == null ? null : InputRecord.coordinates(value));
    }

    /** Returns true if a deleted stream of this name is still being emptied in the background (O-10). */
    public boolean isBeingEmptied(StreamName stream) {
        return usage.get(UsageKeys.named(UsageKeys.RETIRED_AS, stream.value())) != null;
    }

    /** Returns the note of that name on unfinished work; null if there is none. */
    public byte @Nullable [] pendingNote(String name) {
        return usage.get(UsageKeys.named(UsageKeys.PENDING, name));
    }

    /**
     * Returns the notes on unfinished work whose names begin with a text, by name.
     *
     * @param limit the most notes of the answer
     */
    public List<byte[]> pendingNotes(String beginning, int limit) {
        List<byte[]> notes = new ArrayList<>();
        try (var entries = usage.range(
                UsageKeys.named(UsageKeys.PENDING, beginning), UsageKeys.afterNamed(UsageKeys.PENDING, beginning))) {
            while (notes.size() < limit && entries.hasNext()) {
                notes.add(entries.next().value);
            }
        }
        return notes;
    }

    /** Returns the note of that name on finished work; null if there is none, or it is forgotten. */
    public byte @Nullable [] doneNote(String name) {
        return usage.get(UsageKeys.named(UsageKeys.DONE, name));
    }

    private StreamContext context(StreamName stream, byte[] record) {
        return new StreamContext(events, reader, StreamReader.decode(stream, record), record);
    }

    private StreamUsage usage(StreamState state) {
        return new StreamUsage(
                state.stream(),
                state.totalEvents(),
                state.totalBytes(),
                state.protectedEvents(),
                state.count(Range.INFINITE),
                state.count(Range.TIMED),
                edges.oldestMs(state),
                edges.newestMs(state),
                0,
                state.quarantine() == null ? null : state.quarantine().reason(),
                state.noticeUntilMs() == StreamState.NO_NOTICE ? null : (Long) state.noticeUntilMs());
    }
}
