package dev.ebb.store.search;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.EventSieve;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.StreamTable;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/**
 * Finds all events of a partition that meet conditions, by reading everything that is stored once, in slices. Events
 * that are written while it lives are looked at as they are written: one that moves from a part that has not been read
 * to one that has, or comes back, is found as well. It knows nothing after a crash and begins anew then. Not
 * thread-safe.
 */
public final class EventSearch implements AutoCloseable {

    /** Matches that are kept until they are taken; they are few, unless almost all events match. */
    private static final int MOST_FOUND = 1000;

    private final EventTable events;
    private final StreamTable streams;
    private final EventSieve sieve;
    private final Predicate<StreamName> isMeant;
    private final EventTable.WriteWatch watch = this::written;
    private final Deque<Match> found = new ArrayDeque<>();
    private int range;
    private @Nullable Bytes cursor;
    private long read;
    private long damaged;
    private int sid = -1;
    private @Nullable StreamName stream;

    /** @param isMeant tells streams that are looked at from others */
    public EventSearch(EventTable events, StreamTable streams, EventSieve sieve, Predicate<StreamName> isMeant) {
        this.events = events;
        this.streams = streams;
        this.sieve = sieve;
        this.isMeant = name -> isMeant.test(name) && sieve.takesStream(name.value());
        events.watch(watch);
    }

    /** An event that met the conditions when it was looked at; it may be another one by now. */
    public record Match(StreamName stream, String id) {}

    /** Number of matches that wait to be taken. */
    public int found() {
        return found.size();
    }

    /** Next match, which it forgets; null if there is none. */
    public @Nullable Match poll() {
        return found.poll();
    }

    /** Puts a match back that cannot be decided about yet. */
    public void putBack(Match match) {
        found.add(match);
    }

    /** Returns true if everything has been read. */
    public boolean isThrough() {
        return range == Range.OF_EVENTS.size();
    }

    /** Number of events that it has read. */
    public long read() {
        return read;
    }

    /** Number of events that could not be read, because they are damaged. */
    public long damaged() {
        return damaged;
    }

    /** Reads on until the budget ends it, everything is read, or many matches wait to be taken. */
    public void slice(SweepBudget budget) {
        while (!isThrough() && !budget.isSpent() && found.size() < MOST_FOUND) {
            if (readOn(Range.OF_EVENTS.get(range), budget)) {
                range++;
                cursor = null;
            }
        }
    }

    /** Returns true if nothing is left of the range. */
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
                found.add(new Match(name, StoredEventCodec.decodeHeader(value).id()));
            }
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            // One event that cannot be read must not keep the others; its number is told.
            damaged++;
        }
    }

    /** Keys of one stream lie together. Null if the stream is not meant, or is deleted and on its way out. */
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
            found.add(new Match(state.stream(), id));
        }
    }

    /** Must come last: until then it is told of all writes. */
    @Override
    public void close() {
        events.unwatch(watch);
    }
}
