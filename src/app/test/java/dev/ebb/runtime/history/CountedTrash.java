package dev.ebb.runtime.history;

import dev.ebb.port.history.TrashQueries.Contents;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Counts records of the trash for tests of other rooms. */
public final class CountedTrash {

    private CountedTrash() {}

    public static Contents of(long nowMs, List<ConsumerRecord<byte[], byte[]>> records) {
        TrashCount count = new TrashCount(nowMs);
        records.forEach(count::look);
        return count.contents();
    }
}
