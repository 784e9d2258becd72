package dev.ebb.store.search;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.EventSieve;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.StreamTable;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/**
 * Finds all events of a partition that meet conditions. It reads everything that is stored once, in slices, and
 * examines each event that is written during the search. So it also finds an event that moves from an unread part to a
 * part already read, or that comes back. After a crash it continues at the saved place. Not thread-safe.
 */
public final class EventSearch implements AutoCloseable {

    /** The most matches that wait to be taken; there are few, unless almost all events match. */
    private static final int MOST_FOUND = 1000;

    private final EventTable events;
    private final StreamTable streams;
    private final EventSieve sieve;
    private final Predicate<StreamName> isMeant;
    private final MatchQueue found;
    private final EventTable.WriteWatch watch = this::written;
    private int range;
    private @Nullable Bytes cursor;
    private long read;
    private long damaged;
    private int sid = -1;
    private @Nullable StreamName stream;

    /**
     * @param isMeant selects the streams to search
     * @param found receives the matches
     * @param at the place from which on nothing has been read
     */
    public EventSearch(
            EventTable events,
            StreamTable streams,
            EventSieve sieve,
            Predicate<StreamName> isMeant,
            MatchQueue found,
            At at) {
        this.events = events;
        this.streams = streams;
        this.sieve = sieve;
        this.isMeant = name -> isMeant.test(name) && sieve.takesStream(name.value());
        this.found = found;
        this.range = at.range();
        this.cursor = at.cursor() == null ? null : Bytes.wrap(HexFormat.of().parseHex(at.cursor()));
        this.read = at.read();
        this.damaged = at.damaged();
        events.watch(watch);
    }

    /**
     * The place of a search.
     *
     * @param range the index in {@link Range#OF_EVENTS} of the range that is being read
     * @param cursor the first key that has not been read, in hexadecimal digits; null for the first key of the range
     * @param read the number of events that were read
     * @param damaged the number of events that were read but are damaged
     */
    public record At(int range, @Nullable String cursor, long read, long damaged) {

        /** The beginning. */
        public static final At FIRST = new At(0, null, 0, 0);
    }

    /** Returns the place from which on nothing has been read. */
    public At at() {
        return new At(range, cursor == null ? null : HexFormat.of().formatHex(cursor.get()), read, damaged);
    }

    /** Returns true if everything has been read. */
    public boolean isThrough() {
        return range == Range.OF_EVENTS.size();
    }

    /** Returns the number of events that the search has read. */
    public long read() {
        return read;
    }

    /** Returns the number of events that could not be decoded because they are damaged. */
    public long damaged() {
        return damaged;
    }

    /** Reads on until the budget is spent, everything is read, or many matches wait to be taken. */
    public void slice(SweepBudget budget) {
        while (!isThrough() && !budget.isSpent() && found.size() < MOST_FOUND) {
            if (readOn(Range.OF_EVENTS.get(range), budget)) {
                range++;
                cursor = null;
            }
        }
    }

    /** Reads on in the range; returns true if nothing is left of it. */
    private boolean readOn(Range current, SweepBudget budget) {
        Bytes from = cursor == null ? EventKeys.start(current, 0) : cursor;
        try (KeyValueIterator<Bytes, byte[]> entries =
                events.store().range(from, EventKeys.end(current, Integer.MAX_VALUE))) {
            while (entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                look(entry.key, entry.value);
                budget.spendStep();
                if (budget.isSpent() || found.size() >= MOST_FOUND) {
                    byte[] last = entry.key.get();
                    cursor = Bytes.wrap(Arrays.copyOf(last, last.length + 1));
                    return false;
                }
            }
        }
        return true;
    }

    private void look(Bytes key, byte[] value) {
        read++;
        StreamName name = streamOf(EventKeys.sidOf(key.get()));
        if (name == null) {
            return;
        }
        try {
            if (sieve.takes(value)) {
                found.add(match(name, value));
            }
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            // An unreadable event must not keep the search from the others; it is counted.
            damaged++;
        }
    }

    /**
     * Returns the stream with this number; null if it is not meant, or is deleted and being emptied. Keys of one stream
     * lie together.
     */
    private @Nullable StreamName streamOf(int number) {
        if (number != sid) {
            sid = number;
            StreamState state = streams.ofSid(number);
            stream = state == null || !isMeant.test(state.stream()) ? null : state.stream();
        }
        return stream;
    }

    private void written(StreamState state, String id, byte[] value) {
        if (isMeant.test(state.stream()) && sieve.takes(value)) {
            found.addWaiting(match(state.stream(), value));
        }
    }

    private static Match match(StreamName name, byte[] value) {
        EventHeader header = StoredEventCodec.decodeHeader(value);
        return new Match(name, header.id(), header.storedAt());
    }

    /** Ends the search, which receives all writes until this call. */
    @Override
    public void close() {
        events.unwatch(watch);
    }
}
