package dev.ebb.store.notes;

import dev.ebb.store.layout.UsageKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The notes of commands in the usage store: of pending work, also in memory, and of finished work. Not thread-safe. */
public final class Notes {

    private static final byte[] NOTHING = new byte[0];
    private static final int FORGOTTEN_AT_ONCE = 100;

    private final KeyValueStore<Bytes, byte[]> usage;
    private final Map<String, byte[]> pending = new TreeMap<>();

    public Notes(KeyValueStore<Bytes, byte[]> usage) {
        this.usage = usage;
    }

    public void clear() {
        pending.clear();
    }

    public void readPending(Bytes key, byte[] value) {
        pending.put(UsageKeys.nameOf(key), value);
    }

    public Map<String, byte[]> pending() {
        return pending;
    }

    public void savePending(String name, byte @Nullable [] value) {
        usage.put(UsageKeys.named(UsageKeys.PENDING, name), value);
        if (value == null) {
            pending.remove(name);
        } else {
            pending.put(name, value);
        }
    }

    public byte @Nullable [] done(String name) {
        return usage.get(UsageKeys.named(UsageKeys.DONE, name));
    }

    public void saveDone(String name, byte[] value, long nowMs) {
        usage.put(UsageKeys.named(UsageKeys.DONE, name), value);
        usage.put(UsageKeys.doneAt(nowMs, name), NOTHING);
    }

    public void forgetDone(long beforeMs) {
        List<Bytes> old = new ArrayList<>();
        try (var entries = usage.range(UsageKeys.doneAt(0, ""), UsageKeys.doneAt(beforeMs, ""))) {
            while (old.size() < FORGOTTEN_AT_ONCE && entries.hasNext()) {
                old.add(entries.next().key);
            }
        }
        for (Bytes key : old) {
            usage.put(UsageKeys.named(UsageKeys.DONE, UsageKeys.nameOfTimed(key)), null);
            usage.put(key, null);
        }
    }
}
