package dev.ebb.store;

import dev.ebb.store.layout.ByteWriter;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.layout.StateFormat;
import dev.ebb.store.layout.TaskRecord;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** For tests of other packages: state as format 1 has left it. */
public final class FormerState {

    private FormerState() {}

    /** Has the records wait in the way of format 1. */
    public static void park(
            KeyValueStore<Bytes, byte[]> events, KeyValueStore<Bytes, byte[]> usage, List<InputRecord> records) {
        for (int i = 0; i < records.size(); i++) {
            events.put(EventKeys.formerParked(i), records.get(i).encode());
        }
        ByteWriter task = new ByteWriter(36).writeInt(1000).writeLong(0).writeLong(records.size());
        usage.put(TaskRecord.KEY, task.writeLong(-1).writeLong(0).toBytes());
        usage.put(StateFormat.KEY, new StateFormat(1, "0.0.1").encode());
    }
}
