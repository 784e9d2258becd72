package dev.ebb.store.rocks;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;

/** Keeps nothing of what is written. */
class EmptyTable implements OpenTable {

    @Override
    public byte[] get(Bytes key) {
        return null;
    }

    @Override
    public boolean isAbsent(Bytes lookup) {
        return true;
    }

    @Override
    public boolean put(Bytes key, byte[] value) {
        return true;
    }

    @Override
    public void delete(Bytes key) {}

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to, boolean isForward) {
        return all();
    }

    @Override
    public void restoring(boolean isRestoring) {}

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return new ChainedIterator(List.of());
    }

    @Override
    public long approximateNumEntries() {
        return 0;
    }

    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {}

    @Override
    public Long committedOffset(TopicPartition partition) {
        return null;
    }

    @Override
    public void close() {}
}
