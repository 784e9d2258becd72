package dev.ebb.store.index;

import dev.ebb.domain.event.StreamName;
import dev.ebb.store.layout.UsageKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The names of the streams in the usage store, of all or of one namespace, in the order of their keys. They are read a
 * page at a time: a stream may have gone when its turn comes, and one that comes meanwhile may be passed over. Not
 * thread-safe.
 */
public final class StreamNames implements Iterator<StreamName> {

    private static final int PAGE = 128;

    private final KeyValueStore<Bytes, byte[]> usage;
    private final Deque<StreamName> page = new ArrayDeque<>();
    private final @Nullable Bytes last;

    /** The first key to read; null if all are read. */
    private @Nullable Bytes next;

    private StreamNames(KeyValueStore<Bytes, byte[]> usage, Bytes first, @Nullable Bytes last) {
        this.usage = usage;
        this.next = first;
        this.last = last;
    }

    /** Returns the names of all streams. */
    public static StreamNames all(KeyValueStore<Bytes, byte[]> usage) {
        return new StreamNames(usage, UsageKeys.FIRST_STREAM, null);
    }

    /** @param namespace any but the default one, whose streams have no prefix in common */
    public static StreamNames of(KeyValueStore<Bytes, byte[]> usage, String namespace) {
        // The character after the slash: no name of the namespace comes behind it, and it is no name of another one.
        return new StreamNames(usage, key(namespace + '/'), key(namespace + (char) ('/' + 1)));
    }

    private static Bytes key(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public boolean hasNext() {
        if (page.isEmpty() && next != null) {
            read(next);
        }
        return !page.isEmpty();
    }

    private void read(Bytes from) {
        next = null;
        try (KeyValueIterator<Bytes, byte[]> records = usage.range(from, last)) {
            while (records.hasNext()) {
                Bytes key = records.next().key;
                if (page.size() == PAGE) {
                    next = key;
                    return;
                }
                if (!key.equals(last)) {
                    page.add(UsageKeys.streamOf(key));
                }
            }
        }
    }

    @Override
    public StreamName next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return page.remove();
    }
}
