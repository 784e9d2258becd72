package dev.ebb.store.read;

import dev.ebb.domain.event.StreamName;
import dev.ebb.store.layout.UsageKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of streams by name. An unwanted namespace costs one look-up, however many streams it has. Not
 * thread-safe.
 *
 * @param after only names after this one; null for all
 * @param prefix the beginning of the names
 * @param namespace only streams of this namespace; null for all
 */
record StreamListing(
        ReadOnlyKeyValueStore<Bytes, byte[]> usage,
        @Nullable String after,
        String prefix,
        @Nullable String namespace) {

    /** The character after the slash that ends a namespace. */
    private static final char BEHIND_SLASH = '/' + 1;

    List<KeyValue<StreamName, byte[]>> read(int limit) {
        List<KeyValue<StreamName, byte[]>> found = new ArrayList<>();
        String first = after == null || after.compareTo(prefix) < 0 ? prefix : after;
        Bytes from = bytes(first);
        if (from.compareTo(UsageKeys.FIRST_STREAM) < 0) {
            from = UsageKeys.FIRST_STREAM; // before it are keys that are no streams
        }
        while (from != null) {
            from = read(from, limit, found);
        }
        return found;
    }

    /**
     * Reads up to the first unwanted namespace and returns the key after that namespace; null if the list is full or at
     * its end.
     */
    private @Nullable Bytes read(Bytes from, int limit, List<KeyValue<StreamName, byte[]>> found) {
        try (var entries = usage.range(from, null)) {
            while (found.size() < limit && entries.hasNext()) {
                var entry = entries.next();
                String name = new String(entry.key.get(), StandardCharsets.UTF_8);
                if (!name.equals(after)) {
                    if (!name.startsWith(prefix)) {
                        return null;
                    }
                    StreamName stream = new StreamName(name);
                    if (isWanted(stream)) {
                        found.add(KeyValue.pair(stream, entry.value));
                    } else if (name.indexOf('/') >= 0) {
                        return bytes(stream.namespace() + BEHIND_SLASH);
                    }
                }
            }
        }
        return null;
    }

    private boolean isWanted(StreamName stream) {
        return namespace == null || namespace.equals(stream.namespace());
    }

    private static Bytes bytes(String name) {
        return Bytes.wrap(name.getBytes(StandardCharsets.UTF_8));
    }
}
