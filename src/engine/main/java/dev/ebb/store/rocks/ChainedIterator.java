package dev.ebb.store.rocks;

import java.util.List;
import java.util.NoSuchElementException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;

/** Several iterators in sequence. Not thread-safe. */
record ChainedIterator(List<? extends KeyValueIterator<Bytes, byte[]>> parts)
        implements KeyValueIterator<Bytes, byte[]> {

    @Override
    public boolean hasNext() {
        return parts.stream().anyMatch(KeyValueIterator::hasNext);
    }

    @Override
    public KeyValue<Bytes, byte[]> next() {
        return current().next();
    }

    @Override
    public Bytes peekNextKey() {
        return current().peekNextKey();
    }

    private KeyValueIterator<Bytes, byte[]> current() {
        return parts.stream().filter(KeyValueIterator::hasNext).findFirst().orElseThrow(NoSuchElementException::new);
    }

    @Override
    public void close() {
        parts.forEach(KeyValueIterator::close);
    }
}
