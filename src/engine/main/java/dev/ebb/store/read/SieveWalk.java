package dev.ebb.store.read;

import dev.ebb.domain.BadCursorException;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.EventSieve;
import dev.ebb.store.layout.Range;
import java.util.HexFormat;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the events of a partition, or of one stream, as they lie in the store, and shows those that a sieve takes.
 * That is one range after the other instead of one stream after the other: with a few events in each of many streams, the
 * way from stream to stream would take most of the time. An event that moves between two visits may be shown twice, or
 * not at all.
 */
record SieveWalk(ReadOnlyKeyValueStore<Bytes, byte[]> events, EventSieve sieve, int firstSid, int lastSid) {

    /**
     * Shows the visitor what the sieve takes.
     *
     * @param cursor the result of an earlier visit; null to begin
     * @param goesOn asked before each event, whether the sieve takes it or not; ends the visit when false
     * @return the place to continue from if the visit was ended; null if there is nothing more
     * @throws BadCursorException if the cursor is not one of this class
     */
    @Nullable
    String visit(@Nullable String cursor, BooleanSupplier goesOn, Consumer<KeyValue<Bytes, byte[]>> visitor) {
        @Nullable Bytes from = cursor == null ? null : parse(cursor);
        int begin = from == null ? 0 : indexOf(from);
        for (Range range : Range.OF_EVENTS.subList(begin, Range.OF_EVENTS.size())) {
            Bytes first = from == null ? EventKeys.start(range, firstSid) : from;
            from = null;
            try (KeyValueIterator<Bytes, byte[]> entries = events.range(first, EventKeys.end(range, lastSid))) {
                while (entries.hasNext()) {
                    KeyValue<Bytes, byte[]> entry = entries.next();
                    if (!goesOn.getAsBoolean()) {
                        return HexFormat.of().formatHex(entry.key.get());
                    }
                    if (sieve.takes(entry.value)) {
                        visitor.accept(entry);
                    }
                }
            }
        }
        return null;
    }

    private static Bytes parse(String cursor) {
        try {
            return Bytes.wrap(HexFormat.of().parseHex(cursor));
        } catch (IllegalArgumentException e) {
            throw new BadCursorException();
        }
    }

    /** Returns the index of the range of the key among those of events. */
    private static int indexOf(Bytes key) {
        Range range = key.get().length == 0 ? null : Range.ofCode(key.get()[0]);
        int index = range == null ? -1 : Range.OF_EVENTS.indexOf(range);
        if (index < 0) {
            throw new BadCursorException();
        }
        return index;
    }
}
