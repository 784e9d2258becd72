package dev.ebb.topology;

import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;

/** Damage to stored events behind the back of the store. */
final class Damage {

    private static final byte ORDERED = 'O';

    private Damage() {}

    /** The first of the ordered events of the stream that was made first, second and so on. */
    static KeyValue<Bytes, byte[]> first(TopologyFixture fixture, int sid) {
        return behind(fixture, sid, 0);
    }

    /** The one behind so many of them. */
    static KeyValue<Bytes, byte[]> behind(TopologyFixture fixture, int sid, int others) {
        int left = others;
        try (var entries = fixture.rawEvents().all()) {
            while (entries.hasNext()) {
                var entry = entries.next();
                byte[] key = entry.key.get();
                if (key[0] == ORDERED && key[4] == sid && left-- == 0) {
                    return entry;
                }
            }
        }
        throw new AssertionError("no event of stream " + sid);
    }

    /** Cuts off all that its index entries do not need. */
    static void cut(TopologyFixture fixture, KeyValue<Bytes, byte[]> event) {
        cut(fixture, event, 26);
    }

    /** Leaves so many bytes of it. */
    static void cut(TopologyFixture fixture, KeyValue<Bytes, byte[]> event, int bytes) {
        fixture.rawEvents().put(event.key, Arrays.copyOf(event.value, bytes));
    }
}
